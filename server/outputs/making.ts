/** The job that makes what was asked for. It may run twice: what is there already is not made again. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Db } from '@kelisim/db/db.ts'
import { Refusal, type Alias } from '@kelisim/domain/errors.ts'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import type { Viewer } from '@kelisim/domain/requests/permissions.ts'
import { addFile, discardBytes, keepStream } from '../documents/keep-bytes.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Try } from '../jobs/queue.ts'
import { findRequest } from '../requests/core/state.ts'
import {
  findFacts,
  fingerprintOf,
  forget,
  viewOf,
  type Facts,
  type OutputRow,
  type Subject,
} from './core/asking.ts'

/** What a maker is given; it writes one file. */
export type Making = Subject & { db: Db; storage: Storage; facts: Facts; now: Date; path: string }
export type Makers = Record<OutputKind, (making: Making) => Promise<void>>

export type MakingOutside = {
  database: Database
  storage: Storage
  makers: Makers
  clock: () => Date
  /** Whoever asked is told and may ask again; whoever runs the installation is told why. */
  onFailure: (error: unknown) => void
}

export async function makeOutput(
  { database, storage, makers, clock, onFailure }: MakingOutside,
  outputId: string,
  attempt: Try,
): Promise<void> {
  const { db, write } = database
  const output = await findUnderWay(db, outputId)
  if (!output) return
  const subject = await subjectOf(db, output)
  if (!subject) return
  // Whoever asked may know more than then, or less: others who see what they saw then must not be given this.
  if (viewOf(output.kind, subject) !== output.view) {
    await write((tx) => forget(tx, output, clock()))
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-output-'))
  try {
    const facts = await findFacts(db, subject.loaded)
    // It is made of what there is now, whatever there was when it was asked for.
    const fingerprint = fingerprintOf(output.kind, subject, facts)
    const path = join(folder, 'output')
    await makers[output.kind]({ ...subject, db, storage, facts, now: clock(), path })
    const { size } = await stat(path)
    const { organizationId } = subject.loaded.row
    const file = await keepStream(storage, organizationId, createReadStream(path), size)
    const isKept = await write(async (tx) => {
      const now = clock()
      await addFile(tx, file, now)
      const { numUpdatedRows } = await tx
        .updateTable('requestOutputs')
        .set({ state: 'ready', fingerprint, fileId: file.id, madeAt: now })
        .where('id', '=', output.id)
        .where('state', '=', 'in-process')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) await tx.deleteFrom('files').where('id', '=', file.id).execute()
      return numUpdatedRows > 0n
    })
    // Another run of the same job was quicker.
    if (!isKept) await discardBytes(storage, file)
  } catch (error) {
    const failure = failureOf(error)
    if (isPassing(failure) && !attempt.isLast) throw error
    await write((tx) =>
      tx
        .updateTable('requestOutputs')
        .set({ state: 'failed', failure })
        .where('id', '=', output.id)
        .where('state', '=', 'in-process')
        .execute(),
    )
    onFailure(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function findUnderWay(db: Db, outputId: string): Promise<OutputRow | undefined> {
  return db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('id', '=', outputId)
    .where('state', '=', 'in-process')
    .executeTakeFirst()
}

async function subjectOf(db: Db, { requestId, viewer, language }: OutputRow): Promise<Subject | undefined> {
  const loaded = await findRequest(db, requestId)
  return loaded && { loaded, viewer: viewer as Viewer, language }
}

function failureOf(error: unknown): Alias {
  return error instanceof Refusal ? error.alias : 'generation-failure'
}

/** The storage is away: it comes back, and nobody has to ask again. */
function isPassing(failure: Alias): boolean {
  return failure === 'file-storage-error' || failure === 'sas-token-error'
}
