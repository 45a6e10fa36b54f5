/** The job that makes an output. It may run twice: an output that is ready is not made again. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Db } from '@kelisim/db/db.ts'
import { Refusal, type Alias } from '@kelisim/domain/errors.ts'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import type { Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { discardBytes, keepStream } from '../documents/keep-bytes.ts'
import { addFile, removeFile } from '../documents/queries.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Attempt } from '../jobs/queue.ts'
import { findRequest } from '../requests/core/state.ts'
import { findFacts, fingerprintOf, viewOf, type OutputFacts, type Subject } from './core/asking.ts'
import { findOutputInProcess, finishOutput, removeOutput, type OutputRow } from './core/queries.ts'

/** The input of a maker, which writes one file to `path`. */
export type Making = Subject & { db: Db; storage: Storage; facts: OutputFacts; now: Date; path: string }
export type Makers = Record<OutputKind, (making: Making) => Promise<void>>

export type MakingDependencies = {
  database: Database
  storage: Storage
  makers: Makers
  clock: () => Date
  /** Logs the reason; the person who asked sees only that it failed. */
  onFailure: (error: unknown) => void
}

export async function makeOutput(
  { database, storage, makers, clock, onFailure }: MakingDependencies,
  outputId: string,
  attempt: Attempt,
): Promise<void> {
  const { db, write } = database
  const output = await findOutputInProcess(db, outputId)
  if (!output) return
  const subject = await subjectOf(db, output)
  if (!subject) return
  // What the person may see has changed meanwhile: others with the earlier view must not get this output.
  if ((await viewOf(db, output.kind, subject)) !== output.view) {
    await write((tx) => removeOutput(tx, output, clock()))
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-output-'))
  try {
    const facts = await findFacts(db, subject)
    // Made from the current state, which may be newer than the one at the time of asking.
    const fingerprint = fingerprintOf(output.kind, subject, facts)
    const path = join(folder, 'output')
    await makers[output.kind]({ ...subject, db, storage, facts, now: clock(), path })
    const { size } = await stat(path)
    const { organizationId } = subject.loaded.row
    const file = await keepStream(storage, organizationId, createReadStream(path), size)
    const isKept = await write(async (tx) => {
      const now = clock()
      await addFile(tx, file, now)
      const isFirst = await finishOutput(tx, output.id, {
        state: 'ready',
        fingerprint,
        fileId: file.id,
        madeAt: now,
      })
      if (!isFirst) await removeFile(tx, file.id)
      return isFirst
    })
    // Another run of the same job was faster.
    if (!isKept) await discardBytes(storage, file)
  } catch (error) {
    const failure = failureOf(error)
    if (isTemporary(failure) && !attempt.isLast) throw error
    await write((tx) => finishOutput(tx, output.id, { state: 'failed', failure }))
    onFailure(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function subjectOf(db: Db, { requestId, viewer, language }: OutputRow): Promise<Subject | undefined> {
  const loaded = await findRequest(db, requestId)
  return loaded && { loaded, viewer: viewer as Viewer, language }
}

function failureOf(error: unknown): Alias {
  return error instanceof Refusal ? error.alias : 'generation-failure'
}

/** An outage of the storage ends, so the job is retried. */
function isTemporary(failure: Alias): boolean {
  return failure === 'file-storage-error' || failure === 'sas-token-error'
}
