/**
 * CRLs are stored in files: they are tens of megabytes, outlive a restart, and workers read them by their path.
 *
 *   service ──save──▶ <name>.<random>.part ──examine──▶ <name>.crl     replaced atomically, never half written
 *
 * The file is the only state; its modification time is when it was downloaded. It is examined again whenever it
 * differs from the one this process knows: another process may have replaced it, or the disk may have damaged it.
 */
import { hash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutboundCaller } from './call.ts'
import { OutboundFailure } from './failure.ts'
import { hour, minute } from '@kelisim/domain/durations.ts'

/** Until when the CRL in this file is valid (its nextUpdate). Throws when the file is no CRL. */
export type ExamineCrl = (path: string) => Promise<Date>

export type CrlFolder = {
  /** The path of the CRL published at this address; it was valid a moment ago. */
  crlFile: (address: string) => Promise<string>
  /** Downloads again the lists in use that will soon be too old, so that no check has to wait. */
  refresh: () => Promise<void>
}

type StoredCrl = { path: string; mark: string; fetchedAt: number; goodUntil: number }
/** `until`: the result need not be checked again before this time. */
type DownloadResult = { until: number } & ({ found: StoredCrl } | { failure: unknown })

/** Some lists are valid for half a year, but a key revoked yesterday must be in the list here today. */
const refreshMs = hour
/** Lists younger than this are not refreshed; the rest of the hour leaves time for several attempts. */
const youngMs = 40 * minute
/** The result of a download, good or bad, is reused this long: a late or broken list is not fetched for each call. */
const holdMs = 30_000
/** An unfinished file of this age was left behind by a dead process. */
const abandonedMs = hour

export function openCrlFolder({
  folder,
  caller,
  examine,
  clock,
  maxBytes,
}: {
  folder: string
  caller: Pick<OutboundCaller, 'save'>
  examine: ExamineCrl
  clock: () => Date
  maxBytes: number
}): CrlFolder {
  const outcomes = new Map<string, DownloadResult>()
  const working = new Map<string, Promise<DownloadResult>>()
  const now = () => clock().getTime()

  async function outcomeFor(address: string): Promise<DownloadResult> {
    const known = outcomes.get(address)
    if (known && known.until > now() && (await isUntouched(known))) return known
    const shared = working.get(address) ?? renewed(address).finally(() => working.delete(address))
    working.set(address, shared)
    const outcome = await shared
    outcomes.set(address, outcome)
    return outcome
  }

  async function renewed(address: string): Promise<DownloadResult> {
    const path = join(folder, `${hash('sha256', address)}.crl`)
    const onDisk = await storedCrlAt(path)
    if (onDisk && now() < restsUntil(onDisk)) return { until: restsUntil(onDisk), found: onDisk }
    try {
      const found = await fetched(address, path)
      return { until: Math.max(restsUntil(found), now() + holdMs), found }
    } catch (failure) {
      // A list is valid until its nextUpdate, and not after.
      if (onDisk && now() < onDisk.goodUntil) return { until: now() + holdMs, found: onDisk }
      return { until: now() + holdMs, failure }
    }
  }

  async function storedCrlAt(path: string): Promise<StoredCrl | undefined> {
    const file = await stat(path).catch(() => undefined)
    if (!file?.isFile()) return undefined
    const nextUpdate = await examine(path).catch(() => undefined)
    if (!nextUpdate || Number.isNaN(nextUpdate.getTime())) return undefined
    return { path, mark: markOf(file), fetchedAt: file.mtimeMs, goodUntil: nextUpdate.getTime() }
  }

  async function fetched(address: string, path: string): Promise<StoredCrl> {
    await mkdir(folder, { recursive: true })
    await sweep(folder, now())
    const unfinished = join(folder, `${randomUUID()}.part`)
    try {
      await caller.save({ address, method: 'GET', maxBytes }, unfinished)
      await utimes(unfinished, clock(), clock())
      const found = await storedCrlAt(unfinished)
      if (!found) throw new OutboundFailure('bad-answer', new URL(address).host, 'not a revocation list')
      // Removes anything else in place of the file, because a rename would not replace a folder.
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
        // Callers get the existing list meanwhile; a failure is reported to callers that need the list, not here.
        const found = await fetched(address, path).catch(() => undefined)
        if (found) outcomes.set(address, { until: Math.max(restsUntil(found), now() + holdMs), found })
      }
    },
  }
}

function restsUntil({ fetchedAt, goodUntil }: StoredCrl): number {
  return Math.min(fetchedAt + refreshMs, goodUntil)
}

/**
 * False if the file was replaced by another process, truncated or removed: then the remembered result is about
 * another file.
 */
async function isUntouched(outcome: DownloadResult): Promise<boolean> {
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
