/**
 * A call that changes something acts once, however often it is repeated with the same Idempotency-Key
 * (docs/decisions/032-repeated-calls-of-programs.md):
 *
 *   key and fingerprint saved ──▶ the call acts, with the id that was saved ──▶ its response saved ──▶ responded
 *
 * A process that dies anywhere on the way leaves the saved id: the repeated call makes the same object again, which
 * the rule of that object recognises.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Program, ProgramCaller } from './programs.ts'
import { beginCall, endCall } from './queries.ts'

export const keyHeader = 'idempotency-key'
/** Tells the program that this response is a repetition and nothing was done now. */
export const repeatedHeader = 'idempotent-replayed'

/** Any text that a header can carry, such as a UUID or the number of a document. */
const keyPattern = /^[\x21-\x7e]{1,200}$/

/** Runs the work with the id of the call, or returns the response of the first call with the same key. */
export type Once = <W extends ProgramCaller, R>(
  who: W,
  /** The parsed input of the call; for a file also its hash. */
  brought: unknown,
  work: (who: W & { program: Program }) => Promise<R>,
) => Promise<R>

export function onceFor(
  database: Database,
  e: Pick<Endpoint, 'method' | 'path'>,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Once {
  return async (who, brought, work) => {
    const key = request.headers[keyHeader]
    if (typeof key !== 'string' || !keyPattern.test(key)) refuse('idempotency-key-needed')
    const { tokenId } = who.program
    const fingerprint = hash('sha256', JSON.stringify([e.method, e.path, brought]), 'buffer')
    const callId = newId(now.getTime())
    const begun = await beginCall(database, { tokenId, key, fingerprint, callId, begunAt: now })
    if (!begun.fingerprint.equals(fingerprint)) refuse('idempotency-key-reused')
    if (begun.response !== null) {
      reply.header(repeatedHeader, 'true')
      return JSON.parse(begun.response) as Awaited<ReturnType<typeof work>>
    }
    const result = await work({
      ...who,
      program: { ...who.program, callId: begun.callId, begunAt: begun.begunAt },
    })
    const response = JSON.stringify(result)
    const counting = await endCall(database, { tokenId, key }, response)
    return counting === response ? result : (JSON.parse(counting) as typeof result)
  }
}
