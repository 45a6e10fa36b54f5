/**
 * Re-reads everything that an installation keeps and compares it with itself and with what others remember: the log
 * with the database, the state of requests with their history, files with their hashes, heads with witnesses.
 */
import { createPublicKey } from 'node:crypto'
import type { Db } from '@kelisim/db/db.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { examineCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import type { VerifierKey } from '@kelisim/signature/transparency/note.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import { auditLog, type KnownHead, type LogFault } from '../../transparency/audit.ts'
import { findCheckpoints } from '../../transparency/checkpoint-queries.ts'
import { noteKeyOf, wholeNote, type Log } from '../../transparency/checkpoints.ts'
import { findHeads } from '../../transparency/queries.ts'
import { auditState, findFilesOfHistories, type StateFault } from './state-queries.ts'

export type AuditFault =
  | LogFault
  | StateFault
  | { fault: 'file-missing' | 'file-changed'; fileId: string }
  | { fault: 'checkpoint-wrong'; size: number }
  /** Somebody outside remembers a head or co-signature that the database does not have. */
  | { fault: 'head-missing' | 'cosignature-missing'; size: number; by: string }

export type Audit = { size: number; heads: number; files: number; faults: AuditFault[] }

export type AuditParts = {
  log: Log
  /** The witnesses whose co-signatures are checked. */
  witnesses: readonly VerifierKey[]
  /** Heads that others remember: nobody who runs the installation can change those. */
  known: readonly KnownHead[]
  storage: Pick<Storage, 'borrow'>
  now: Date
}

export async function auditAll(db: Db, parts: AuditParts): Promise<Audit> {
  const { log, known } = parts
  const { size, heads, faults } = await auditLog(db, createPublicKey(log.key), { known })
  const files = await auditFiles(db, parts.storage)
  return {
    size,
    heads,
    files: files.count,
    faults: [...faults, ...(await auditCheckpoints(db, parts)), ...(await auditState(db)), ...files.faults],
  }
}

/** Checks that each note is of the head of its size and signed by the log, and that its co-signatures are valid. */
async function auditCheckpoints(db: Db, parts: AuditParts): Promise<AuditFault[]> {
  const { log, witnesses, known, now } = parts
  const roots = new Map((await findHeads(db)).map(({ size, root }) => [size, root]))
  const faults: AuditFault[] = []
  const kepts = await findCheckpoints(db)
  for (const { size, by } of known) {
    if (!roots.has(size)) faults.push({ fault: 'head-missing', size, by })
    const isWitness = witnesses.some(({ name }) => name === by)
    const lines = kepts.find((kept) => kept.size === size)?.lines ?? []
    if (isWitness && !lines.some((line) => line.startsWith(`— ${by} `)))
      faults.push({ fault: 'cosignature-missing', size, by })
  }
  for (const kept of kepts) {
    const { findings, checkpoint } = await examineCheckpoint(Buffer.from(wholeNote(kept)), {
      keys: [noteKeyOf(log)],
      witnesses,
      quorum: 0,
      at: now,
    })
    const isOfHead =
      checkpoint?.size === BigInt(kept.size) && roots.get(kept.size)?.equals(checkpoint.root) === true
    if (findings.length > 0 || !isOfHead) faults.push({ fault: 'checkpoint-wrong', size: kept.size })
  }
  return faults
}

const batch = 200

async function auditFiles(
  db: Db,
  storage: Pick<Storage, 'borrow'>,
): Promise<{ count: number; faults: AuditFault[] }> {
  const faults: AuditFault[] = []
  let count = 0
  for (let after: string | null = null; ;) {
    const files: Awaited<ReturnType<typeof findFilesOfHistories>> = await findFilesOfHistories(
      db,
      after,
      batch,
    )
    for (const file of files) {
      const fault = await faultOf(storage, file)
      if (fault) faults.push({ fault, fileId: file.id })
    }
    count += files.length
    if (files.length < batch) return { count, faults }
    after = files.at(-1)!.id
  }
}

async function faultOf(
  storage: Pick<Storage, 'borrow'>,
  file: Parameters<typeof borrowVerified>[1],
): Promise<'file-missing' | 'file-changed' | null> {
  try {
    await (await borrowVerified(storage as Storage, file)).release()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.alias === 'file-not-found') return 'file-missing'
    if (error.alias === 'outdated-document') return 'file-changed'
    throw error
  }
}
