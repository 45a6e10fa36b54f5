/**
 * Revocation lists lie in files: they are tens of megabytes, outlive a restart, and workers read them by their path.
 *
 *   outside ──save──▶ <name>.<random>.part ──examine──▶ <name>.crl     replaced in one step, never half written
 *
 * The file alone is the truth, its time of change is when it was fetched. It is examined again whenever it is not the
 * one this process knows: another process may have fetched it, a disk may have spoiled it.
 */
import { hash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutsideCaller } from './call.ts'
import { OutsideFailure } from './failure.ts'

/** When the list in this file ends to be good (its nextUpdate). Throws when the file is no list. */
export type ExamineCrl = (path: string) => Promise<Date>

export type CrlFolder = {
  /** The path of the list published at this address; the list was good a moment ago. */
  crlFile: (address: string) => Promise<string>
  /** Fetches anew what somebody asked for and would soon be too old: then nobody has to wait for it. */
  refresh: () => Promise<void>
}

type Found = { path: string; mark: string; fetchedAt: number; goodUntil: number }
/** `until`: no need to look again before. */
type Outcome = { until: number } & ({ found: Found } | { failure: unknown })

/** Some lists are good for half a year: who lost their key yesterday must be in ours today. */
const refreshMs = 60 * 60_000
/** Lists younger than this are not refreshed; between this and the hour there is time for several tries. */
const youngMs = 40 * 60_000
/** What came of a fetch, good or bad, holds this long: a list published late or broken is not fetched for each call. */
const holdMs = 30_000
/** After this, an unfinished file was left behind by a process that is gone. */
const abandonedMs = 60 * 60_000

export function openCrlFolder({
  folder,
  caller,
  examine,
  clock,
  maxBytes,
}: {
  folder: string
  caller: Pick<OutsideCaller, 'save'>
  examine: ExamineCrl
  clock: () => Date
  maxBytes: number
}): CrlFolder {
  const outcomes = new Map<string, Outcome>()
  const working = new Map<string, Promise<Outcome>>()
  const now = () => clock().getTime()

  async function outcomeFor(address: string): Promise<Outcome> {
    const known = outcomes.get(address)
    if (known && known.until > now() && (await isUntouched(known))) return known
    const shared = working.get(address) ?? renewed(address).finally(() => working.delete(address))
    working.set(address, shared)
    const outcome = await shared
    outcomes.set(address, outcome)
    return outcome
  }

  async function renewed(address: string): Promise<Outcome> {
    const path = join(folder, `${hash('sha256', address)}.crl`)
    const onDisk = await look(path)
    if (onDisk && now() < restsUntil(onDisk)) return { until: restsUntil(onDisk), found: onDisk }
    try {
      const found = await fetched(address, path)
      return { until: Math.max(restsUntil(found), now() + holdMs), found }
    } catch (failure) {
      // A list within its own time is still the centre's word; one past it is nobody's.
      if (onDisk && now() < onDisk.goodUntil) return { until: now() + holdMs, found: onDisk }
      return { until: now() + holdMs, failure }
    }
  }

  async function look(path: string): Promise<Found | undefined> {
    const file = await stat(path).catch(() => undefined)
    if (!file?.isFile()) return undefined
    const nextUpdate = await examine(path).catch(() => undefined)
    if (!nextUpdate || Number.isNaN(nextUpdate.getTime())) return undefined
    return { path, mark: markOf(file), fetchedAt: file.mtimeMs, goodUntil: nextUpdate.getTime() }
  }

  async function fetched(address: string, path: string): Promise<Found> {
    await mkdir(folder, { recursive: true })
    await sweep(folder, now())
    const unfinished = join(folder, `${randomUUID()}.part`)
    try {
      await caller.save({ address, method: 'GET', maxBytes }, unfinished)
      await utimes(unfinished, clock(), clock())
      const found = await look(unfinished)
      if (!found) throw new OutsideFailure('bad-answer', new URL(address).host, 'not a revocation list')
      // Nothing but a file of ours belongs there, and a folder would not give way.
      if (!(await stat(path).catch(() => undefined))?.isFile())
        await rm(path, { recursive: true, force: true })
      await rename(unfinished, path)
      return { ...found, path }
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  return {
    crlFile: async (address) => {
      const outcome = await outcomeFor(address)
      if ('failure' in outcome) throw outcome.failure
      return outcome.found.path
    },
    refresh: async () => {
      for (const [address, outcome] of outcomes) {
        if (working.has(address)) continue
        if ('found' in outcome && now() - outcome.found.fetchedAt < youngMs) continue
        const path = join(folder, `${hash('sha256', address)}.crl`)
        // Whoever asks meanwhile is given the one that is there; one that cannot be had is told to them, not here.
        const found = await fetched(address, path).catch(() => undefined)
        if (found) outcomes.set(address, { until: Math.max(restsUntil(found), now() + holdMs), found })
      }
    },
  }
}

function restsUntil({ fetchedAt, goodUntil }: Found): number {
  return Math.min(fetchedAt + refreshMs, goodUntil)
}

/** Replaced by another process, cut short or removed: then what we know is of another file. */
async function isUntouched(outcome: Outcome): Promise<boolean> {
  if ('failure' in outcome) return true
  const file = await stat(outcome.found.path).catch(() => undefined)
  return file !== undefined && markOf(file) === outcome.found.mark
}

function markOf(file: { ino: number; size: number; mtimeMs: number }): string {
  return `${file.ino} ${file.size} ${file.mtimeMs}`
}

async function sweep(folder: string, now: number): Promise<void> {
  const unfinished = (await readdir(folder)).filter((name) => name.endsWith('.part'))
  for (const name of unfinished) {
    const path = join(folder, name)
    // Another process may finish or remove it meanwhile.
    const file = await stat(path).catch(() => undefined)
    if (file && now - file.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
