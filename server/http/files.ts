/**
 * Endpoints whose request or response body is a file. They are admitted like all others (`serve.ts`); bytes are
 * streamed and never held whole. A downloaded file is sent as an attachment, so that its content never runs at the
 * origin of the site.
 */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { inputHeader, pathParameters, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { languageOf } from './language.ts'
import { unlessTooSlow } from './slow-body.ts'
import { onceFor, type Once } from './programs/once.ts'
import { admit, claimantOf, idOf, parse, type Call, type HttpContext } from './serve.ts'

type FileCall<A extends Access, I> = Omit<Call<A, I>, 'language' | 'browser'>

export type Files = {
  take: <A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
    e: Endpoint<A, I, R>,
    handle: (call: FileCall<A, z.output<I>> & TakenFile) => Promise<z.input<R>>,
  ) => void
  give: <A extends Access, I extends z.ZodMiniType>(
    e: Endpoint<A, I>,
    handle: (call: FileCall<A, z.output<I>> & Pick<Call<A, I>, 'language'>) => Promise<ServedFile>,
  ) => void
}

type TakenFile = {
  file: Readable
  size: number | null
  /**
   * For programs: the handler calls `once` with the hash of the file, which is known only when all of it has come.
   */
  once: Once
}

export type ServedFile = {
  path: string
  size: number
  name: string
  mediaType: string
  /** Called when the last byte has been sent, or the client has gone. */
  release: () => Promise<void>
}

export function filesOn(app: FastifyInstance, inside: HttpContext): Files {
  const { database, limits, transactions, clock, served, handlers } = inside
  const { db } = database
  return {
    take(e, handle) {
      served.push(e)
      const parameters = pathParameters(e.path)
      void app.register(async (scope) => {
        // The body is bytes whatever its Content-Type says, and is not read before the handler asks for it.
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
        scope.route({
          method: e.method,
          url: e.path,
          config: { access: e.access },
          async handler(request, reply) {
            const now = clock()
            const who = await admit(e, request, inside, now)
            await limits.perEndpoint(e, idOf(who) ?? networkOf(request.ip))
            const { params, query } = request
            const body = inputIn(request.headers[inputHeader])
            const input = parse(e.input, parameters, { params, query, body })
            const declared = Number(request.headers['content-length'])
            const size = Number.isSafeInteger(declared) ? declared : null
            const { raw: file, ip: address } = request
            const result = await unlessTooSlow(request, reply, () =>
              handle({
                db,
                write: transactions.writeFor(claimantOf(who, address)),
                input,
                who,
                now,
                address,
                file,
                size,
                once: onceFor(database, e, request, reply, now),
              }),
            )
            return e.result.parse(result)
          },
        })
      })
    },
    give(e, handle) {
      served.push(e)
      handlers.set(e, handle)
      const parameters = pathParameters(e.path)
      app.route({
        method: e.method,
        url: e.path,
        config: { access: e.access, hasOwnPolicy: true },
        async handler(request, reply) {
          const now = clock()
          const who = await admit(e, request, inside, now)
          await limits.perEndpoint(e, idOf(who) ?? networkOf(request.ip), request.body)
          const address = request.ip
          const language = languageOf(request)
          const input = parse(e.input, parameters, request)
          const write = transactions.writeFor(claimantOf(who, address))
          const given = await handle({ db, write, input, who, now, address, language })
          const stream = createReadStream(given.path)
          stream.once('close', () => void given.release())
          return reply
            .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
            .header('content-disposition', asAttachment(given.name))
            .header('content-length', given.size)
            .type(given.mediaType)
            .send(stream)
        },
      })
    },
  }
}

/** Input that must not be in the URL, because URLs are logged: JSON in UTF-8 as base64. */
function inputIn(header: string | string[] | undefined): unknown {
  if (typeof header !== 'string') return undefined
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as unknown
  } catch {
    return refuse('malformed-body')
  }
}

/** RFC 6266: the name in any language, and an ASCII one for clients that cannot read it. */
export function asAttachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  // The characters that encodeURIComponent keeps and RFC 5987 does not allow.
  const coded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
}
