/** Outputs of requests: what was asked for, what is being made and what is ready. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import type { Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type OutputRow = Selectable<Schema['requestOutputs']>

export function findOutputRows(db: Db, requestId: string, language: Language): Promise<OutputRow[]> {
  return db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('requestId', '=', requestId)
    .where('language', '=', language)
    .execute()
}

export function findOutputRow(
  db: Db,
  key: { requestId: string; kind: OutputKind; view: string; language: Language },
): Promise<OutputRow | undefined> {
  return db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('requestId', '=', key.requestId)
    .where('kind', '=', key.kind)
    .where('view', '=', key.view)
    .where('language', '=', key.language)
    .executeTakeFirst()
}

/** The output if it is still being made; undefined if it is ready, has failed or was removed. */
export function findOutputInProcess(db: Db, outputId: string): Promise<OutputRow | undefined> {
  return db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('id', '=', outputId)
    .where('state', '=', 'in-process')
    .executeTakeFirst()
}

export function findOutputsAskedBefore(db: Db, before: Date, limit: number): Promise<OutputRow[]> {
  return db.selectFrom('requestOutputs').selectAll().where('askedAt', '<', before).limit(limit).execute()
}

/** Counts the outputs being made for the organisation of a person, or for a person without one. */
export async function countInProcess(
  db: Db,
  { id, organizationId }: Pick<Viewer, 'id' | 'organizationId'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('requestOutputs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'in-process')
    .where(sql<boolean>`coalesce(viewer->>'organizationId', viewer->>'id') = ${organizationId ?? id}`)
    .executeTakeFirstOrThrow()
  return count
}

export function addOutput(tx: Tx, row: Insertable<Schema['requestOutputs']>): Promise<OutputRow> {
  return tx.insertInto('requestOutputs').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Asking again prolongs the time for which an output is kept. */
export async function saveAskedAt(tx: Tx, outputId: string, now: Date): Promise<void> {
  await tx.updateTable('requestOutputs').set({ askedAt: now }).where('id', '=', outputId).execute()
}

/** False: another run of the job has finished it. */
export async function finishOutput(
  tx: Tx,
  outputId: string,
  result:
    | { state: 'ready'; fingerprint: string; fileId: string; madeAt: Date }
    | { state: 'failed'; failure: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('requestOutputs')
    .set(result)
    .where('id', '=', outputId)
    .where('state', '=', 'in-process')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the output; the sweep of files removes its bytes later. */
export async function removeOutput(
  tx: Tx,
  { id, fileId }: Pick<OutputRow, 'id' | 'fileId'>,
  now: Date,
): Promise<void> {
  await tx.deleteFrom('requestOutputs').where('id', '=', id).execute()
  if (fileId) await tx.updateTable('files').set({ releasedAt: now }).where('id', '=', fileId).execute()
}

export type OutputOptions = {
  isDateShown: boolean
  isReportAllowed: boolean
  isCompact: boolean
  hasFooterMark: boolean
}

/** The options of the organisation that concern outputs. */
export function getOutputOptions(db: Db, organizationId: string): Promise<OutputOptions> {
  return db
    .selectFrom('organizations')
    .select('isDateOfSignDisplayedInQrDocument as isDateShown')
    .select('isSigningReportGenerationAllowed as isReportAllowed')
    .select('isSignatureSheetCompact as isCompact')
    .select('isFooterMarkPrinted as hasFooterMark')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
}
