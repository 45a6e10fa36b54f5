/**
 * What the next signer inside a PDF signs: the newest revision with a place for the signature. Nothing is kept until the
 * signature comes: the same revision and time give the same bytes again, and their hash tells whether they are still the same.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Db } from '@kelisim/db/db.ts'
import { hour, minute } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import type { Borrowed, Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import { refuseIfBusy } from '../../workers/busy.ts'
import { PoolError } from '../../workers/pool.ts'
import type { Claimant } from '../../workers/turns.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { findNewestInside, type InsideSignature } from './queries.ts'
import type { Revisions } from './revisions.ts'
import { borrowSignedPdf } from './signed-pdf.ts'

export type PreparingDependencies = { storage: Storage; revisions: Revisions }

export type Prepared = Borrowed & {
  size: number
  sha256: Buffer
  gap: Gap
  /** The signature that it follows; null: it is the first one inside the document. */
  after: string | null
}

/** How long prepared bytes may be signed; the signature states the time of preparing. */
const longest = hour
const clocksDiffer = 5 * minute

export function isPreparedLately(at: Date, now: Date): boolean {
  const age = now.getTime() - at.getTime()
  return age <= longest && age >= -clocksDiffer
}

/**
 * Signatures inside a document build on each other, so no other one is prepared while the newest is being checked.
 */
export async function newestRevision(db: Db, requestId: string): Promise<InsideSignature | undefined> {
  const newest = await findNewestInside(db, requestId)
  if (newest?.state === 'checking') refuse('signature-inside-being-checked')
  return newest
}

/** The caller must release what it gets. */
export async function prepareRevision(
  db: Db,
  { storage, revisions }: PreparingDependencies,
  { row }: LoadedRequest,
  { at, claimant }: { at: Date; claimant: Claimant },
): Promise<Prepared> {
  const newest = await newestRevision(db, row.id)
  const { fileId: id, organizationId, sha256, size } = row
  const before = newest
    ? await borrowSignedPdf(storage, newest, at)
    : await borrowVerified(storage, { id, organizationId, sha256, size })
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-revision-'))
  const release = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'covered')
    const gap = await revisions.prepare({ path: before.path, outPath: path, at }, claimant)
    return { path, release, gap, after: newest?.id ?? null, ...(await measured(path)) }
  } catch (error) {
    await release()
    if (error instanceof PoolError) refuseIfBusy(error)
    throw error
  } finally {
    await before.release()
  }
}

async function measured(path: string): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { sha256: hash.digest(), size: (await stat(path)).size }
}
