/**
 * Findings about a file are kept under the hash of its bytes, refusals too, so the same malicious file is not opened
 * twice. Code that would find something else gets another version, and looks again.
 */
import type { Database } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { findFinding, saveFinding } from './queries.ts'

export type Findings = <Fault extends string>(
  about: { sha256: Buffer; kind: string; version: number; among: readonly Fault[] },
  look: () => Promise<Fault | null>,
) => Promise<Fault | null>

/** A machine that was busy may have been the reason, so it is tried again after a day. */
const resourceFaults: readonly string[] = ['too-much']
const life = 90 * day

export function openFindings({ db, write }: Pick<Database, 'db' | 'write'>, clock: () => Date): Findings {
  // If several callers bring the same file at once, it is opened once.
  const underway = new Map<string, Promise<{ fault: string | null }>>()

  return async ({ sha256, kind, version, among }, look) => {
    const isKnown = (fault: string | null) => fault === null || among.some((one) => one === fault)
    const kept = await findFinding(db, { sha256, kind, version }, clock())
    if (kept && isKnown(kept.fault)) return kept.fault as (typeof among)[number] | null
    const key = `${sha256.toString('hex')} ${kind}`
    // A refusal for lack of capacity says nothing about the file.
    const other = await underway.get(key)?.catch(() => undefined)
    if (other) return other.fault as (typeof among)[number] | null
    const looking = look().then((fault) => ({ fault }))
    underway.set(key, looking)
    try {
      const { fault } = await looking
      const now = clock()
      const lasts = fault !== null && resourceFaults.includes(fault) ? day : life
      const row = { sha256, kind, version, fault, foundAt: now, expiresAt: new Date(now.getTime() + lasts) }
      await write((tx) => saveFinding(tx, row))
      return fault
    } finally {
      if (underway.get(key) === looking) underway.delete(key)
    }
  }
}
