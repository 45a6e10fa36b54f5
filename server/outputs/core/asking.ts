/** Who may have what of a request, how far it is, and having it made. */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { outputKinds, type OutputKind, type OutputView } from '@kelisim/domain/outputs/contract.ts'
import { stateOf, whyNotMade } from '@kelisim/domain/outputs/output.ts'
import { isOfSender, type Viewer } from '@kelisim/domain/requests/permissions.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { hiddenPoints } from '../../requests/reading/handlers.ts'
import { findAcceptedUnder } from './accepted.ts'
import type { Loaded } from '../../requests/core/loaded.ts'

/** A request as somebody sees it. */
export type Subject = { loaded: Loaded; viewer: Viewer; language: Language }

export type OutputRow = Selectable<Schema['requestOutputs']>

/** Raised when what we make looks different: whatever was made before is made anew. */
const layout = 1

export type Facts = Awaited<ReturnType<typeof findFacts>>

/** All that decides whether something can be made, and whether what was made is out of date. */
export async function findFacts(db: Db, { row, signing }: Loaded) {
  const { isDateShown, isReportAllowed } = await db
    .selectFrom('organizations')
    .select('isDateOfSignDisplayedInQrDocument as isDateShown')
    .select('isSigningReportGenerationAllowed as isReportAllowed')
    .where('id', '=', row.organizationId)
    .executeTakeFirstOrThrow()
  const signed = await findAcceptedUnder(db, { row, signing }, 'signing')
  const terminated = row.attempt === 0 ? [] : await findAcceptedUnder(db, { row, signing }, 'terminating')
  return { isDateShown, isReportAllowed, signed, terminated }
}

export async function outputsOf(db: Db, subject: Subject): Promise<z.input<typeof OutputView>[]> {
  const { loaded, language } = subject
  const facts = await findFacts(db, loaded)
  const rows = await db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('requestId', '=', loaded.row.id)
    .where('language', '=', language)
    .execute()
  return outputKinds
    .filter((kind) => whyNotOf(kind, loaded, facts) === null)
    .map((kind) => {
      const row = rows.find((one) => one.kind === kind && one.view === viewOf(kind, subject))
      return viewOfOutput(kind, subject, row, fingerprintOf(kind, subject, facts))
    })
}

/** The row of what is there or under way; undefined: nobody has asked for it, or what there was is out of date. */
export async function findOutput(db: Db, kind: OutputKind, subject: Subject): Promise<OutputRow | undefined> {
  const facts = await findFacts(db, subject.loaded)
  refuseUnlessMakeable(kind, subject.loaded, facts)
  const row = await rowOf(db, kind, subject)
  return stateOf(row, fingerprintOf(kind, subject, facts)) === 'none' ? undefined : row
}

export type QueueOutput = (tx: Tx, outputId: string) => Promise<void>

/** Once, however often it is asked for while it is being made or as long as it is true. */
export async function askFor(
  tx: Tx,
  kind: OutputKind,
  subject: Subject,
  queueOutput: QueueOutput,
  now: Date,
): Promise<z.input<typeof OutputView>> {
  const { loaded, viewer, language } = subject
  // Two who ask at once: the second finds what the first has begun.
  await tx.selectFrom('signingRequests').select('id').where('id', '=', loaded.row.id).forUpdate().execute()
  const facts = await findFacts(tx, loaded)
  refuseUnlessMakeable(kind, loaded, facts)
  const fingerprint = fingerprintOf(kind, subject, facts)
  const before = await rowOf(tx, kind, subject)
  const state = stateOf(before, fingerprint)
  if (before && (state === 'ready' || state === 'in-process')) {
    await tx.updateTable('requestOutputs').set({ askedAt: now }).where('id', '=', before.id).execute()
    return viewOfOutput(kind, subject, before, fingerprint)
  }
  if (before) await forget(tx, before, now)
  const row = await tx
    .insertInto('requestOutputs')
    .values({
      id: newId(now.getTime()),
      requestId: loaded.row.id,
      kind,
      view: viewOf(kind, subject),
      language,
      fingerprint,
      state: 'in-process',
      viewer: JSON.stringify(viewer),
      askedAt: now,
      fileId: null,
      fileName: fileNameOf(kind, subject),
      failure: null,
      madeAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await queueOutput(tx, row.id)
  return viewOfOutput(kind, subject, row, fingerprint)
}

/** Its bytes go with the next sweep of files. */
export async function forget(tx: Tx, { id, fileId }: OutputRow, now: Date): Promise<void> {
  await tx.deleteFrom('requestOutputs').where('id', '=', id).execute()
  if (fileId) await tx.updateTable('files').set({ releasedAt: now }).where('id', '=', fileId).execute()
}

function rowOf(db: Db, kind: OutputKind, subject: Subject): Promise<OutputRow | undefined> {
  return db
    .selectFrom('requestOutputs')
    .selectAll()
    .where('requestId', '=', subject.loaded.row.id)
    .where('kind', '=', kind)
    .where('view', '=', viewOf(kind, subject))
    .where('language', '=', subject.language)
    .executeTakeFirst()
}

function whyNotOf(kind: OutputKind, { row }: Loaded, facts: Facts) {
  const { signed, terminated, isReportAllowed } = facts
  return whyNotMade(kind, {
    format: row.format,
    signed: signed.length,
    terminated: terminated.length,
    isReportAllowed,
  })
}

function refuseUnlessMakeable(kind: OutputKind, loaded: Loaded, facts: Facts): void {
  const alias = whyNotOf(kind, loaded, facts)
  if (alias) refuse(alias)
}

/** Under the document everybody sees the same names; its story is told to each side as far as it may know it. */
export function viewOf(kind: OutputKind, { loaded, viewer }: Subject): string {
  if (kind === 'printable' || kind === 'terminating') return ''
  const { row, request } = loaded
  return digestOf([
    viewer.organizationId ?? viewer.id,
    isOfSender({ ...row, points: request.points }, viewer),
    ...hiddenPoints(loaded, viewer).toSorted(),
  ])
}

export function fingerprintOf(kind: OutputKind, { loaded: { row } }: Subject, facts: Facts): string {
  const { isDateShown, isReportAllowed, signed, terminated } = facts
  const named = [layout, row.status, row.name, row.description, row.shortName, isDateShown]
  switch (kind) {
    case 'printable':
      return digestOf([...named, row.additionalComponents, row.accessCodeExpiresOn, signed])
    case 'terminating':
      return digestOf([...named, row.attempt, terminated])
    case 'report':
    case 'evidence':
      return digestOf([...named, isReportAllowed, row.eventsCount, row.version, signed, terminated])
  }
}

function digestOf(facts: Parameters<typeof canonicalJson>[0]): string {
  return createHash('sha256').update(canonicalJson(facts)).digest('hex')
}

function fileNameOf(kind: OutputKind, { loaded, language }: Subject): string {
  const name = loaded.row.name.slice(0, 150)
  return textsOf(language, 'outputs')(`fileNames.${kind}`, { name })
}

function viewOfOutput(
  kind: OutputKind,
  subject: Subject,
  row: OutputRow | undefined,
  fingerprint: string,
): z.input<typeof OutputView> {
  const state = stateOf(row, fingerprint)
  return {
    kind,
    state,
    failure: state === 'failed' ? row!.failure : null,
    madeAt: state === 'ready' ? row!.madeAt!.toISOString() : null,
    fileName: fileNameOf(kind, subject),
  }
}
