/**
 * CRLs. A full one is published every day and at every change; a delta, every hour and at every change, lists the
 * changes since the first full list of the day. Everything is derived from the register and the time, so any process of
 * the centre publishes the same list under the same number. As at the national centre, deltas are numbered
 * independently of full lists.
 */
import { isSame } from '@kelisim/signature/asn1/values.ts'
import { makeCrl, type Party, type RevokedEntry } from '@kelisim/signature/signer/issue.ts'
import type { Bytes } from '@kelisim/signature/signer/keys.ts'
import type { Authority } from './authorities.ts'
import type { Change, Register, Revocation } from './register.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'

export type ListMatter = {
  /** The authority that issues the list. */
  issuer: Authority
  register: Register
  foundedAt: Date
  now: Date
  /** The issuer, unless a fault is simulated. */
  signer: Authority
  /** How much older than now the list should look, in milliseconds. */
  age: number
}

/** How long a list stays valid after the next one is due. */
const overlap = 10 * minute

export async function fullList(matter: ListMatter): Promise<Bytes> {
  const changes = changesOf(matter)
  const period = periodOf(matter, day)
  return makeCrl({
    issuer: partyOf(matter),
    ...datesOf(matter, changes, period, day),
    entries: entriesOf(stateAfter(changes)),
    number: fullNumber(period, changes),
  })
}

export async function deltaList(matter: ListMatter): Promise<Bytes> {
  const changes = changesOf(matter)
  const [today, thisHour] = [periodOf(matter, day), periodOf(matter, hour)]
  const isBefore = ({ at }: Change) => Number(at) < startOf(matter, today, day)
  const before = changes.filter(isBefore)
  const since = changes.filter((change) => !isBefore(change))
  return makeCrl({
    issuer: partyOf(matter),
    ...datesOf(matter, changes, thisHour, hour),
    entries: differences(stateAfter(before), stateAfter(since)),
    number: 1 + thisHour + changes.length,
    baseNumber: fullNumber(today, before),
  })
}

/** The number of a full list, which grows with every day and every change. */
function fullNumber(period: number, changes: readonly Change[]): number {
  return 1 + period + changes.length
}

function partyOf({ issuer, signer }: ListMatter): Party {
  return { subject: issuer.certificate.subject, keys: signer.key }
}

function changesOf({ issuer, register }: ListMatter): Change[] {
  return register.changes.filter(({ entry }) => isSame(entry.certificate.issuer, issuer.certificate.subject))
}

function periodOf({ foundedAt, now }: ListMatter, length: number): number {
  return Math.max(0, Math.floor((Number(now) - Number(foundedAt)) / length))
}

function startOf({ foundedAt }: ListMatter, period: number, length: number): number {
  return Number(foundedAt) + period * length
}

function datesOf(matter: ListMatter, changes: readonly Change[], period: number, length: number) {
  const start = startOf(matter, period, length)
  const { age } = matter
  return {
    thisUpdate: new Date(Math.max(start, Number(changes.at(-1)?.at ?? start)) - age),
    nextUpdate: new Date(start + length + overlap - age),
  }
}

/** The latest state by serial number; `revocation` is null where a hold was removed. */
type State = Map<string, { serial: Uint8Array; revocation: Revocation | null; at: Date }>

function stateAfter(changes: readonly Change[]): State {
  return new Map(
    changes.map(({ entry, revocation, at }) => [
      entry.serial,
      { serial: entry.certificate.serial, revocation, at },
    ]),
  )
}

function entriesOf(state: State): RevokedEntry[] {
  return [...state.values()].flatMap(({ serial, revocation }) =>
    revocation ? [writtenRevocation(serial, revocation)] : [],
  )
}

/** A hold in the base that has ended is listed as removed; one that came and went in between is not listed. */
function differences(base: State, since: State): RevokedEntry[] {
  return [...since].flatMap(([key, { serial, revocation, at }]) => {
    if (revocation) return [writtenRevocation(serial, revocation)]
    return base.get(key)?.revocation ? [{ serial, revokedAt: at, reason: 'removeFromCRL' as const }] : []
  })
}

function writtenRevocation(serial: Uint8Array, { at, reason }: Revocation): RevokedEntry {
  return { serial, revokedAt: at, ...(reason !== 'unspecified' && { reason }) }
}
