/**
 * The nightly chore: puts accepted signatures with all their evidence under a timestamp, and renews timestamps and
 * hashes before they end. It may be killed anywhere: what is committed stays, and the next run does the rest.
 */
import type { Database, Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { day, hour } from '@kelisim/domain/durations.ts'
import { hash as hashOf, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import type { HashEnds } from '@kelisim/signature/algorithms/lifetimes.ts'
import {
  batchOver,
  largestBatch,
  leafOfDocument,
  packedHashes,
  type KeptChain,
} from '@kelisim/signature/evidence-records/compose.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { durableCms, findKeptSignatures } from '../core/durable.ts'
import {
  addArchived,
  addArchiveTimestamp,
  addProofs,
  addRenewals,
  findArchivedCms,
  findEnding,
  findProvedByOther,
  findUnarchived,
  findUnproved,
  type ArchivedFile,
  type NewProof,
} from './queries.ts'
import { digestOfFile } from './file-digest.ts'
import { archiveHash } from './hashes.ts'
import { findChains, renewedBefore } from './records.ts'
import type { TakeTimestamp } from './services.ts'

export type ArchivingDependencies = {
  database: Database
  storage: Storage
  takeTimestamp: TakeTimestamp
  /** Whether signatures that came without a timestamp get one of their own. */
  hasTimestamps: boolean
  clock: () => Date
  /** Until when hashes can be relied on; tests replace the table. */
  hashEnds?: HashEnds
  /** How many signatures go under one timestamp; tests use fewer. */
  batch?: number
}

/** The name of the chore. */
export const archiveChore = 'archive-signatures'

/** How long a signature waits for the answers about it before it is archived. */
const restingTime = hour

/**
 * Archived bytes can take no further timestamp, so a signature waits for its own as long as its job is retried (most
 * of a day) and an operator may retry it once more. It does not wait for ever, because some never get one.
 */
const longestWithoutTimestamp = 3 * day

export async function archiveNight(dependencies: ArchivingDependencies): Promise<void> {
  const failures: unknown[] = []
  // A document that can no longer be read must not stop the proofs of all others.
  for (const step of [keepNew, proveNew, renewTimestamps, renewHashes]) {
    await step(dependencies).catch((error: unknown) => failures.push(error))
  }
  const [first, ...more] = failures
  if (more.length > 0) throw new AggregateError(failures, 'Several steps of the archive failed')
  if (first !== undefined) throw first
}

/**
 * Stores the archived signatures in small transactions, so that the evidence of only one signature at a time is in
 * memory. One that cannot be stored is reported at the end and tried again the next night, like one that cannot be
 * proved.
 */
async function keepNew({ database, hasTimestamps, clock }: ArchivingDependencies): Promise<void> {
  const { db, write } = database
  const unreadable = new Map<string, unknown>()
  while (unreadable.size < mostUnreadable) {
    const before = new Date(Number(clock()) - restingTime)
    const withoutTimestampBefore = hasTimestamps
      ? new Date(Number(clock()) - longestWithoutTimestamp)
      : before
    const times = { before, withoutTimestampBefore }
    const waiting = await findUnarchived(db, times, [...unreadable.keys()], 50)
    if (waiting.length === 0) break
    const rows: { signatureId: string; cms: Uint8Array }[] = []
    for (const [requestId, its] of Map.groupBy(waiting, (one) => one.requestId)) {
      const kept = await findKeptSignatures(db, requestId)
      for (const { id } of its) {
        try {
          rows.push({ signatureId: id, cms: (await durableCms(db, keptOf(kept, id))).cms })
        } catch (error) {
          unreadable.set(id, error)
        }
      }
    }
    await write((tx) => addArchived(tx, rows, clock()))
  }
  if (unreadable.size > 0)
    throw new AggregateError(unreadable.values(), `${unreadable.size} signatures cannot be archived`)
}

function keptOf<T extends { id: string }>(kept: readonly T[], id: string): T {
  const found = kept.find((signature) => signature.id === id)
  if (!found) throw new Error(`The signature ${id} is not among those of its request`)
  return found
}

function proveNew(dependencies: ArchivingDependencies): Promise<void> {
  return proveAll(dependencies, (db, _, ...limits) => findUnproved(db, ...limits))
}

/**
 * Proves every signature whose proof rests on a hash that ends soon, with its document, once more by another hash.
 */
function renewHashes(dependencies: ArchivingDependencies): Promise<void> {
  return proveAll(dependencies, findProvedByOther)
}

/** More unreadable signatures than this suggest that the storage is unavailable. */
const mostUnreadable = 1000

/**
 * A signature that cannot be read is reported at the end and tried again the next night, so that the others do not
 * wait for it.
 */
async function proveAll(dependencies: ArchivingDependencies, find: typeof findProvedByOther): Promise<void> {
  const { database, clock, batch = largestBatch } = dependencies
  const name = archiveHash(clock(), dependencies.hashEnds)
  const unreadable = new Map<string, unknown>()
  while (unreadable.size < mostUnreadable) {
    const files = await find(database.db, name, [...unreadable.keys()], batch)
    if (files.length === 0) break
    await prove(dependencies, name, files, unreadable)
  }
  if (unreadable.size > 0)
    throw new AggregateError(unreadable.values(), `${unreadable.size} archived signatures cannot be proved`)
}

/** Takes one timestamp over all of these signatures, each with the proofs that it has already. */
async function prove(
  { database, storage, takeTimestamp }: ArchivingDependencies,
  hash: HashName,
  files: readonly ArchivedFile[],
  unreadable: Map<string, unknown>,
): Promise<void> {
  const { db, write } = database
  const leaves: Uint8Array[] = []
  const proofs: Omit<NewProof, 'siblings'>[] = []
  for (const file of files) {
    const before: KeptChain[] = await findChains(db, file.signatureId)
    try {
      const digests = await digestsOf(db, storage, hash, file)
      leaves.push(leafOfDocument(hash, digests, before))
      proofs.push({ signatureId: file.signatureId, chain: before.length, digests: packedHashes(digests) })
    } catch (error) {
      unreadable.set(file.signatureId, error)
    }
  }
  if (leaves.length === 0) return
  const { root, siblingsOf } = batchOver(hash, leaves)
  const taken = await takeTimestamp(hash, root)
  await write(async (tx) => {
    const id = newId()
    await addArchiveTimestamp(tx, { id, hash, ...taken })
    await addProofs(
      tx,
      id,
      proofs.map((proof, i) => ({ ...proof, siblings: packedHashes(siblingsOf(i)) })),
    )
  })
}

/** The digests of the document and of the signature. SHA-256 of both is known without reading them. */
async function digestsOf(
  db: Db,
  storage: Storage,
  name: HashName,
  file: ArchivedFile,
): Promise<[Uint8Array, Uint8Array]> {
  if (name === 'sha-256') return [new Uint8Array(file.sha256), new Uint8Array(file.cmsSha256)]
  const document = await digestOfFile(storage, name, { ...file, id: file.fileId })
  return [document, hashOf(name, (await findArchivedCms(db, file.signatureId))!)]
}

/** Takes one timestamp over all timestamps that end soon. A new one that ends no later would gain nothing. */
async function renewTimestamps(dependencies: ArchivingDependencies): Promise<void> {
  const { database, takeTimestamp, clock, batch = largestBatch } = dependencies
  const { db, write } = database
  const hash = archiveHash(clock(), dependencies.hashEnds)
  const soon = new Date(Number(clock()) + renewedBefore.timestamp)
  for (;;) {
    const ending = await findEnding(db, hash, soon, batch)
    if (ending.length === 0) return
    const { root, siblingsOf } = batchOver(
      hash,
      ending.map(({ token }) => hashOf(hash, token)),
    )
    const taken = await takeTimestamp(hash, root, soon)
    await write(async (tx) => {
      const id = newId()
      await addArchiveTimestamp(tx, { id, hash, ...taken })
      await addRenewals(
        tx,
        id,
        ending.map(({ id: timestampId }, i) => ({ timestampId, siblings: packedHashes(siblingsOf(i)) })),
      )
    })
  }
}
