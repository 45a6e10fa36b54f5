/** Every change of a request goes through here: lock, check visibility and version, decide, save. */
import type { Tx } from '@kelisim/db/db.ts'
import type { StoredActor } from '@kelisim/db/schema/requests.ts'
import { refuse, type Alias, type Parameters } from '@kelisim/domain/errors.ts'
import { apply } from '@kelisim/domain/requests/life-cycle/apply.ts'
import type { Command, PersonCommand } from '@kelisim/domain/requests/life-cycle/commands.ts'
import { decide } from '@kelisim/domain/requests/life-cycle/decide.ts'
import type { RequestEvent } from '@kelisim/domain/requests/life-cycle/events.ts'
import { pointsOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import { whyNot } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import { refuseApart, type AnsweredDocument } from './packages.ts'
import { lockVisibleRequest, type Party } from './party.ts'
import { addActKey, findRequestOfKey } from './queries/act-keys.ts'
import { saveEvents, type ActDetails } from './saving.ts'
import { findRequest } from './state.ts'
import type { LoadedRequest } from './loaded.ts'
import type { PointRow } from './queries/rows.ts'

export type Act = {
  requestId: string
  party: Party
  /** The version the caller saw; undefined: any. */
  currentVersion: number | undefined
  /** The revision of the document that the caller saw; undefined: they did not say. */
  over?: number | undefined
  /** Chosen by the caller to make a repeated call harmless; undefined: none. */
  key: string | undefined
  /** The documents of a package that the same call answers for; undefined: this one alone. */
  together?: readonly AnsweredDocument[]
  comment: string
  address: string
}

/** What an act changes besides its events; `signing` holds the points of the request if the act changed them. */
export type Prepared = Pick<ActDetails, 'data' | 'document' | 'sides'> & { signing?: PointRow[] }

/**
 * An act of a person. `prepare` saves what belongs to it (a signature, a terminating document) once the act is allowed.
 * Returns false if the key of the act was used before: then nothing changes.
 */
export async function perform(
  tx: Tx,
  act: Act,
  command: PersonCommand,
  now: Date,
  prepare?: (
    loaded: LoadedRequest,
    actor: StoredActor,
    events: readonly RequestEvent[],
  ) => Promise<void | Prepared>,
): Promise<boolean> {
  const { party, comment, address } = act
  const loaded = await lockVisibleRequest(tx, act.requestId, party)
  if (act.key !== undefined && (await isRepeated(tx, act, act.key, now))) return false
  refuseUnless(loaded, command, now)
  const isOutdated = act.currentVersion !== undefined && act.currentVersion !== loaded.row.version
  if (isOutdated && !isTheirsAlone(loaded, act, command)) {
    refuse('request-changed', { currentVersion: loaded.row.version })
  }
  refuseUnsaid(loaded, act, command)
  await refuseApart(tx, loaded, command, act.together ?? [], now)
  const events = decide(loaded.request, command, now)
  const actor = { ...party.actor, ...insteadOf(loaded, events, party) }
  const { signing = loaded.signing, ...further } = (await prepare?.(loaded, actor, events)) ?? {}
  await saveEvents(tx, { ...loaded, signing }, events, { actor, address, comment, ...further }, now)
  return true
}

/** At a personal point, what others did meanwhile does not matter as long as the document is the same. */
function isTheirsAlone({ request }: LoadedRequest, { over }: Act, command: PersonCommand): boolean {
  if (over === undefined || !('pointId' in command)) return false
  return pointsOf(request).some(({ pointId, isPersonal }) => pointId === command.pointId && isPersonal)
}

/**
 * A signature names the bytes that it covers. An approval does not, so after a correction the caller must say which
 * revision they saw.
 */
function refuseUnsaid({ row }: LoadedRequest, { currentVersion, over }: Act, { type }: PersonCommand): void {
  const isUnsaid = currentVersion === undefined && over === undefined
  if (row.revision > 1 && isUnsaid && (type === 'approve' || type === 'confirm')) refuse('document-revised')
}

/** An act for an absent colleague is recorded with both names. */
function insteadOf({ signing }: LoadedRequest, [event]: readonly RequestEvent[], { actor }: Party) {
  if (!event || !('by' in event) || event.by === actor.id) return {}
  const people = signing.flatMap(({ participants, escalationPeople }) => [
    ...participants,
    ...escalationPeople,
  ])
  const absent = people.find(({ id }) => id === event.by)
  return absent ? { insteadOf: { id: absent.id, fullName: absent.fullName } } : {}
}

/** Changes made by the system to a locked request: judging a signature, going on without somebody, finishing. */
export async function performBySystem(
  tx: Tx,
  loaded: LoadedRequest,
  command: Command,
  details: Omit<ActDetails, 'actor' | 'address'>,
  now: Date,
): Promise<void> {
  const events = decide(loaded.request, command, now)
  await saveEvents(tx, loaded, events, { ...details, actor: null, address: null }, now)
  if (events.reduce(apply, loaded.request).status !== 'TerminatingSigned') return
  // Once the last side has signed, the termination is complete.
  const signed = (await findRequest(tx, loaded.row.id))!
  await performBySystem(tx, signed, { type: 'finish-termination' }, { comment: '' }, now)
}

/** Refuses what the rules do not allow, saying who holds the document, which key is needed, or the status. */
export function refuseUnless({ row, request }: LoadedRequest, command: Command, now: Date): void {
  const alias = whyNot(request, command, now)
  if (!alias) return
  refuse(alias, refusalParameters(alias, { row, request }, command))
}

function refusalParameters(
  alias: Alias,
  { row, request }: Pick<LoadedRequest, 'row' | 'request'>,
  command: Command,
): Parameters {
  if (alias === 'document-is-on-signing-process') return { holder: row.lockName }
  if (alias !== 'key-not-taken' || !('pointId' in command)) return { status: request.status }
  const point = pointsOf(request).find(({ pointId }) => pointId === command.pointId)
  return { needed: point?.keyRule?.keyHolder, given: command.by.key?.given }
}

/** Whether the act was already done with this key. Using one key for two requests is a mistake of the caller. */
async function isRepeated(tx: Tx, { party, requestId }: Act, key: string, now: Date): Promise<boolean> {
  const actorId = party.actor.id
  if (await addActKey(tx, { actorId, key, requestId, at: now })) return false
  if ((await findRequestOfKey(tx, { actorId, key })) !== requestId) refuse('wrong-request-configuration')
  return true
}
