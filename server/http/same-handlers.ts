/**
 * Programs have contracts of their own but no rules of their own: their calls run the handlers of the browser's calls
 * in the name of the member. So what is refused to the member in the browser is refused to the program, for the same
 * reason.
 */
import type * as z from 'zod/mini'
import type { Access, Endpoint } from '@kelisim/domain/endpoint.ts'
import type { ServedFile } from './files.ts'
import { inputOf, type Call, type Handlers } from './serve.ts'

type ProgramCall = Call<'program', unknown>

export type SameHandlers = {
  run: <A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
    e: Endpoint<A, I, R>,
    call: ProgramCall,
    input: z.input<I>,
  ) => Promise<z.output<R>>
  file: <A extends Access, I extends z.ZodMiniType>(
    e: Endpoint<A, I>,
    call: Omit<ProgramCall, 'browser'>,
    input: z.input<I>,
  ) => Promise<ServedFile>
}

export function sameHandlers(handlers: Handlers): SameHandlers {
  const handlerOf = <T>(e: Endpoint): ((call: object) => Promise<T>) => {
    const handle = handlers.get(e)
    if (!handle) throw new Error(`${e.method} ${e.path} is not served`)
    return handle as (call: object) => Promise<T>
  }
  return {
    async run(e, call, input) {
      const result = await handlerOf(e)(callWith(call, inputOf(e.input, input)))
      return e.result.parse(result)
    },
    file: (e, call, input) => handlerOf<ServedFile>(e)(callWith(call, inputOf(e.input, input))),
  }
}

/** Inherits from the call, so that the getter of the language is kept and runs only where it is needed. */
function callWith<C extends object>(call: C, input: unknown): C {
  return Object.create(call, { input: { value: input, enumerable: true } }) as C
}
