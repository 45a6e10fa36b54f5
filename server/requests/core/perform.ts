/** The one path by which anybody changes a request: lock, see, compare, decide, save. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { KeptActor } from '@kelisim/db/schema/requests.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  decide,
  whyNot,
  type Command,
  type PersonCommand,
  type RequestEvent,
} from '@kelisim/domain/requests/life-cycle.ts'
import { statusNumbers, unfinishedStatuses } from '@kelisim/domain/requests/status.ts'
import { lockSeenRequest, type Party } from './party.ts'
import { lockedRequest, saveEvents, type Deed } from './state.ts'
import type { Loaded } from './loaded.ts'

export type Act = {
  requestId: string
  party: Party
  /** What the caller saw; undefined: whatever there is. */
  currentVersion: number | undefined
  /** Of the caller; undefined: not to be repeated. */
  key: string | undefined
  comment: string
  address: string
}

/**
 * A person's act. `prepare` writes what belongs to it (a signature, a terminating document) once nothing speaks against it.
 * An act that was done before by the same key changes nothing.
 */
export async function perform(
  tx: Tx,
  act: Act,
  command: PersonCommand,
  now: Date,
  prepare?: (loaded: Loaded, actor: KeptActor) => Promise<void>,
): Promise<void> {
  const { party, comment, address } = act
  const loaded = await lockSeenRequest(tx, act.requestId, party)
  if (act.key !== undefined && !(await claimKey(tx, act, act.key, now))) return
  refuseUnless(loaded, command, now)
  if (act.currentVersion !== undefined && act.currentVersion !== loaded.row.version) {
    refuse('request-changed', { currentVersion: loaded.row.version })
  }
  const events = decide(loaded.request, command, now)
  const actor = { ...party.actor, ...insteadOf(loaded, events, party) }
  await prepare?.(loaded, actor)
  await saveEvents(tx, loaded, events, { actor, address, comment }, now)
}

/** An act that is another's part is written down with both names. */
function insteadOf({ signing }: Loaded, [deed]: readonly RequestEvent[], { actor }: Party) {
  if (!deed || !('by' in deed) || deed.by === actor.id) return {}
  const people = signing.flatMap(({ participants }) => participants)
  const absent = people.find(({ id }) => id === deed.by)
  return absent ? { insteadOf: { id: absent.id, fullName: absent.fullName } } : {}
}

/** What nobody in particular does: starting, judging, finishing. */
export async function performBySystem(
  tx: Tx,
  requestId: string,
  command: Command,
  deed: Omit<Deed, 'actor' | 'address'>,
  now: Date,
): Promise<void> {
  const loaded = await lockedRequest(tx, requestId)
  if (!loaded) throw new Error(`there is no request ${requestId}`)
  const events = decide(loaded.request, command, now)
  await saveEvents(tx, loaded, events, { ...deed, actor: null, address: null }, now)
}

/** Says more than the rule can: who holds the document, in which state it is. */
export function refuseUnless({ row, request }: Loaded, command: Command, now: Date): void {
  const alias = whyNot(request, command, now)
  if (!alias) return
  refuse(
    alias,
    alias === 'document-is-on-signing-process' ? { holder: row.lockName } : { status: request.status },
  )
}

/** False: this was done already. A key that was used for another request is a mistake of the caller. */
async function claimKey(tx: Tx, { party, requestId }: Act, key: string, now: Date): Promise<boolean> {
  const actorId = party.actor.id
  const claimed = await tx
    .insertInto('requestActKeys')
    .values({ actorId, key, requestId, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed) return true
  const before = await tx
    .selectFrom('requestActKeys')
    .select('requestId')
    .where('actorId', '=', actorId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (before?.requestId !== requestId) refuse('wrong-request-configuration')
  return false
}

/** Nobody repeats an act of last week for want of an answer. */
export async function sweepActKeys(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('requestActKeys')
    .where('at', '<', new Date(now.getTime() - 7 * day))
    .execute()
}

/** Which of these documents somebody is still to act on. */
export async function documentsInUse(db: Db, documentIds: readonly string[]): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('signingRequests')
    .select('documentId')
    .distinct()
    .where('documentId', 'in', documentIds)
    .where('status', 'in', statusNumbers(unfinishedStatuses))
    .execute()
  return new Set(rows.flatMap(({ documentId }) => (documentId === null ? [] : [documentId])))
}

export async function routesInUse(db: Db, routeIds: readonly string[]): Promise<Set<string>> {
  if (routeIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('signingRequests')
    .select('routeId')
    .distinct()
    .where('routeId', 'in', routeIds)
    .where('status', 'in', statusNumbers(unfinishedStatuses))
    .execute()
  return new Set(rows.flatMap(({ routeId }) => (routeId === null ? [] : [routeId])))
}
