/** For tests: programs with tokens, which call as a program does: over HTTP, with no session. */
import type { InjectOptions } from 'fastify'
import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import { fillPath, refusalsOf, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { addToken } from '@kelisim/domain/integration/contract.ts'
import { scopes } from '@kelisim/domain/scopes.ts'
import type { startTestApp } from '../testing.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'app' | 'call'>

export type ProgramCallOptions = {
  /** The Idempotency-Key; a new one by default, null: none. */
  key?: string | null
  /** The file of a call that takes one. */
  file?: Buffer | string
  address?: string
  headers?: Record<string, string>
}

export function programsOf({ app, call }: TestApp) {
  /** Makes a token that may do everything, in the name of its maker. */
  async function makeToken(
    ownerId: string,
    organizationId: string,
    given: Partial<z.input<(typeof addToken)['input']>> = {},
  ) {
    const { status, result, error } = await call(ownerId, addToken, {
      organizationId,
      name: 'Бухгалтерия',
      actsAs: ownerId,
      scopes: [...scopes],
      validUntil: '2027-05-31',
      ...given,
    })
    if (status !== 200) throw new Error(`no token: ${JSON.stringify(error)}`)
    return result
  }

  /** Makes a call; fails on a refusal that the contract does not list. */
  async function ask<I extends z.ZodMiniType, R extends z.ZodMiniType>(
    secret: string | null,
    e: Endpoint<'program', I, R>,
    input: z.input<I>,
    { key = randomUUID(), file, address, headers }: ProgramCallOptions = {},
  ) {
    const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
    const given = Object.entries(rest).filter(([, value]) => value !== undefined)
    const isInQuery = e.method === 'GET' || e.takesFile
    const options: InjectOptions = {
      method: e.method,
      url: path,
      ...(isInQuery
        ? { query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
        : { payload: Object.fromEntries(given) }),
      ...(file !== undefined && { payload: file }),
      ...(address !== undefined && { remoteAddress: address }),
      headers: {
        ...(secret !== null && { authorization: `Bearer ${secret}` }),
        ...(key !== null && e.method !== 'GET' && { 'idempotency-key': key }),
        ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
    }
    const response = await app.inject(options)
    const isFile = e.givesFile && response.statusCode === 200
    const body = isFile ? null : response.json<never>()
    const alias = (body as Partial<ErrorBody> | null)?.ExceptionData?.Alias
    if (response.statusCode >= 400 && !(alias && refusalsOf(e).includes(alias))) {
      throw new Error(`${e.method} ${e.path} refused with ${alias}, which its contract does not list`)
    }
    return {
      status: response.statusCode,
      alias,
      parameters: (body as Partial<ErrorBody> | null)?.ExceptionData?.Parameters,
      result: body as z.output<R>,
      text: response.payload,
      bytes: response.rawPayload,
      headers: response.headers,
    }
  }
  return { makeToken, ask }
}
