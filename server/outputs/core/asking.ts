/** Which outputs of a request a person may get, their state, and asking for one. */
import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { outputKinds, type OutputKind, type OutputView } from '@kelisim/domain/outputs/contract.ts'
import { stateOf, whyNotMade } from '@kelisim/domain/outputs/output.ts'
import { isOfSender, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { hiddenEvents, hiddenPoints } from '../../requests/reading/handlers.ts'
import { findSenderNumber } from '../../registers/core/register.ts'
import { lockRequestRow } from '../../requests/core/queries/requests.ts'
import { findAcceptedInCampaign, findAcceptedUnder } from './accepted.ts'
import { findArchiveMarks } from './signature-queries.ts'
import {
  addOutput,
  countInProcess,
  findOutputRow,
  findOutputRows,
  getOutputOptions,
  removeOutput,
  saveAskedAt,
  type OutputRow,
} from './queries.ts'
import type { LoadedRequest } from '../../requests/core/loaded.ts'
import { visibleRevisions } from '../../requests/core/revisions.ts'
import { terminatingTitle } from '../../requests/core/terminating-name.ts'

/** A request, and the person and language an output is for. */
export type Subject = { loaded: LoadedRequest; viewer: Viewer; language: Language }

/** Raised when the layout of outputs changes, so that earlier ones are made again. */
const layout = 3

export type OutputFacts = Awaited<ReturnType<typeof findFacts>>

/** What decides whether an output can be made, and whether an earlier one is out of date. */
export async function findFacts(db: Db, { loaded, viewer }: Pick<Subject, 'loaded' | 'viewer'>) {
  const { row, signing } = loaded
  const options = await getOutputOptions(db, row.organizationId)
  const signed = await findAcceptedUnder(db, { row, signing }, 'signing')
  const terminated = row.attempt === 0 ? [] : await findAcceptedUnder(db, { row, signing }, 'terminating')
  const [registration, archived] = [await findSenderNumber(db, row), await findArchiveMarks(db, row.id)]
  const known = await findAcceptedInCampaign(db, loaded, hiddenPoints(loaded, viewer))
  return { ...options, signed, terminated, known, registration, archived }
}

export async function outputsOf(db: Db, subject: Subject, now: Date): Promise<z.input<typeof OutputView>[]> {
  const { loaded, language } = subject
  const facts = await findFacts(db, subject)
  const rows = await findOutputRows(db, loaded.row.id, language)
  const makeable = outputKinds.filter((kind) => whyNotOf(kind, loaded, facts) === null)
  return Promise.all(
    makeable.map(async (kind) => {
      const view = await viewOf(db, kind, subject)
      const row = rows.find((one) => one.kind === kind && one.view === view)
      return viewOfOutput(kind, subject, row, fingerprintOf(kind, subject, facts), now)
    }),
  )
}

/** The output if it is ready, has failed or is being made; undefined if it was not asked for or is out of date. */
export async function findOutput(
  db: Db,
  kind: OutputKind,
  subject: Subject,
  now: Date,
): Promise<OutputRow | undefined> {
  const facts = await findFacts(db, subject)
  refuseUnlessMakeable(kind, subject.loaded, facts)
  const row = await rowOf(db, kind, subject)
  return stateOf(row, fingerprintOf(kind, subject, facts), now) === 'none' ? undefined : row
}

/**
 * `place` counts the outputs that are already being made for the same side, so that whoever asked for a hundred files
 * does not delay somebody who asks for one.
 */
export type QueueOutput = (tx: Tx, outputId: string, place: number) => Promise<void>

/** Asks for an output to be made, unless it is being made or an up-to-date one is ready. */
export async function askFor(
  tx: Tx,
  kind: OutputKind,
  subject: Subject,
  queueOutput: QueueOutput,
  now: Date,
): Promise<z.input<typeof OutputView>> {
  const { loaded, viewer, language } = subject
  // The second of two concurrent calls waits, and then finds the output of the first.
  await lockRequestRow(tx, loaded.row.id)
  const facts = await findFacts(tx, subject)
  refuseUnlessMakeable(kind, loaded, facts)
  const fingerprint = fingerprintOf(kind, subject, facts)
  const before = await rowOf(tx, kind, subject)
  const state = stateOf(before, fingerprint, now)
  if (before && (state === 'ready' || state === 'in-process')) {
    // While an output is being made, the time of the first call stays: it tells since when.
    if (state === 'ready') await saveAskedAt(tx, before.id, now)
    return viewOfOutput(kind, subject, before, fingerprint, now)
  }
  if (before) await removeOutput(tx, before, now)
  const place = await countInProcess(tx, viewer)
  const row = await addOutput(tx, {
    id: newId(now.getTime()),
    requestId: loaded.row.id,
    kind,
    view: await viewOf(tx, kind, subject),
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
  await queueOutput(tx, row.id, place)
  return viewOfOutput(kind, subject, row, fingerprint, now)
}

async function rowOf(db: Db, kind: OutputKind, subject: Subject): Promise<OutputRow | undefined> {
  const { loaded, language } = subject
  const view = await viewOf(db, kind, subject)
  return findOutputRow(db, { requestId: loaded.row.id, kind, view, language })
}

function whyNotOf(kind: OutputKind, { row }: LoadedRequest, facts: OutputFacts) {
  const { signed, terminated, known, isReportAllowed } = facts
  return whyNotMade(kind, {
    format: row.format,
    signed: signed.length,
    terminated: terminated.length,
    known: known.length,
    isReportAllowed,
  })
}

function refuseUnlessMakeable(kind: OutputKind, loaded: LoadedRequest, facts: OutputFacts): void {
  const alias = whyNotOf(kind, loaded, facts)
  if (alias) refuse(alias)
}

/** Names what the viewer may see: a printable document is the same for everybody, a report and evidence are not. */
export async function viewOf(db: Db, kind: OutputKind, { loaded, viewer }: Subject): Promise<string> {
  if (kind === 'printable' || kind === 'terminating') return ''
  const { row, request } = loaded
  const hidden = hiddenEvents(loaded, viewer)
  // At a personal point, everybody sees their own answer only.
  const isOwn = request.points.some(
    ({ pointId, isPersonal }) => isPersonal && hidden.points.includes(pointId),
  )
  // The evidence contains the earlier documents, which not all people of a side have received.
  const earlier = kind === 'evidence' ? await visibleRevisions(db, loaded, viewer) : []
  return digestOf([
    isOwn ? viewer.id : (viewer.organizationId ?? viewer.id),
    isOfSender(seenOf(row, request), viewer),
    ...hidden.points.toSorted(),
    'openings',
    ...hidden.openings.toSorted(),
    ...earlier.map(({ revision }) => `revision ${revision}`),
  ])
}

export function fingerprintOf(kind: OutputKind, { loaded: { row } }: Subject, facts: OutputFacts): string {
  const { isDateShown, isReportAllowed, isCompact, hasFooterMark, signed, terminated, registration } = facts
  const named = [layout, row.status, row.name, row.description, row.senderName, isDateShown, registration]
  const look = [isCompact, hasFooterMark]
  switch (kind) {
    case 'printable':
      return digestOf([...named, ...look, row.additionalComponents, row.accessCodeExpiresOn, signed])
    case 'terminating':
      return digestOf([...named, ...look, row.attempt, terminated])
    case 'report':
      return digestOf([...named, isReportAllowed, row.eventsCount, row.version, signed, terminated])
    case 'evidence': {
      const state = [isReportAllowed, row.eventsCount, row.version, signed, terminated]
      return digestOf([...named, ...state, facts.known, facts.archived])
    }
  }
}

function digestOf(facts: Parameters<typeof canonicalJson>[0]): string {
  return createHash('sha256').update(canonicalJson(facts)).digest('hex')
}

function fileNameOf(kind: OutputKind, { loaded, language }: Subject): string {
  const { row } = loaded
  const name = (kind === 'terminating' ? terminatingTitle(row, row.attempt) : row.name).slice(0, 150)
  return textsOf(language, 'outputs')(`fileNames.${kind}`, { name })
}

function viewOfOutput(
  kind: OutputKind,
  subject: Subject,
  row: OutputRow | undefined,
  fingerprint: string,
  now: Date,
): z.input<typeof OutputView> {
  const state = stateOf(row, fingerprint, now)
  return {
    kind,
    state,
    failure: state === 'failed' ? row!.failure : null,
    madeAt: state === 'ready' ? row!.madeAt!.toISOString() : null,
    fileName: fileNameOf(kind, subject),
  }
}
