/** Bulk sending: a table is uploaded, planned, looked at, and then sent row by row in the background. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import {
  addBulkSending,
  getBulkRows,
  getBulkSending,
  getBulkSendings,
  getBulkToSign,
  getBulkVariables,
  planBulkSending,
  startBulkSending,
  steerBulkSending,
  type BulkRow as BulkRowContract,
  type BulkSending,
} from '@kelisim/domain/bulk/contract.ts'
import {
  namedRoutesIn,
  type BulkPlan,
  type PlannedRow,
  type TemplateVariable,
} from '@kelisim/domain/bulk/plan.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { mayQuickSend } from '@kelisim/domain/identity/permissions.ts'
import { actsFor } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { maySeeTemplate } from '@kelisim/domain/rich-text/permissions.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import { receiveUpload } from '../documents/receive-upload.ts'
import type { Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import { findGroup } from '../portal/group-queries.ts'
import { findRegistrations } from '../registers/core/queries.ts'
import { kindToSend } from '../registers/core/register.ts'
import { partyOf } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import { findTemplate } from '../rich-text/queries.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import { findRoute } from '../routes/queries.ts'
import { tableLimits } from '../tables/table.ts'
import { openTables } from '../tables/tables.ts'
import { plannedRows } from './planned.ts'
import {
  addBulk,
  countRows,
  findBulk,
  findBulks,
  findRows,
  lockBulk,
  retryRows,
  savePlan,
  saveState,
  startBulk,
  type Bulk,
  type BulkRow,
} from './queries.ts'
import { resultHandlers } from './result.ts'
import { openBulkRunner, startBulkRunner } from './runner.ts'

export type BulkParts = { archive: Archive; richText: RichText }

export function openBulk(http: Http, { archive, richText }: BulkParts): void {
  const { app, serve, files, database, clock, publicUrl } = http
  const tables = openTables()
  const onError = (error: unknown) => app.log.warn({ err: error }, 'a row could not be sent for now')
  const runner = openBulkRunner({ database, archive, richText, clock })
  let loop: ReturnType<typeof startBulkRunner> | undefined
  app.addHook('onListen', async () => void (loop = startBulkRunner(runner, { onError })))
  app.addHook('onClose', async () => {
    await loop?.stop()
    await tables.close()
  })

  files.take(addBulkSending, async ({ input, who, now, write, db, file, size, address }) => {
    const { organizationId } = who.member
    const received = await receiveUpload({ file, size }, archive.storage, tableLimits.bytes)
    try {
      const claimant = { organization: organizationId, person: who.userId }
      const result = await tables.read(received.path, claimant)
      if ('fault' in result)
        return refuse('table-unreadable', { fault: result.fault, names: result.names.join(', ') })
      const { columns, rows } = result.table
      const id = newId(now.getTime())
      const about = { organizationId, authorId: who.userId, fileName: input.name, columns, address }
      await write((tx) => addBulk(tx, { id, ...about, language: 'ru', createdAt: now, changedAt: now }, rows))
      return await bulkView(db, await ownBulk(db, who, id), richText, who, now)
    } finally {
      await received.discard()
    }
  })

  serve(getBulkSendings, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const { items, totalCount } = await findBulks(db, { organizationId, authorId: who.userId }, input)
    const counts = await countRows(
      db,
      items.map(({ id }) => id),
    )
    return { totalCount, items: items.map((bulk) => viewOf(bulk, counts.get(bulk.id)!, 0)) }
  })

  serve(getBulkSending, async ({ input, who, db, now }) =>
    bulkView(db, await ownBulk(db, who, input.bulkId), richText, who, now),
  )

  serve(getBulkVariables, async ({ input, who, db }) => {
    const variables = await templateVariables(db, who, input.templateId, richText)
    return { totalCount: variables.length, items: variables }
  })

  serve(planBulkSending, async ({ input, who, db, now, write }) => {
    const { organizationId: _, bulkId, ...plan } = input
    await refuseWrongPlan(db, who, plan)
    await templateVariables(db, who, plan.templateId, richText)
    await write(async (tx) => {
      await lockBulk(tx, bulkId)
      const bulk = await ownBulk(tx, who, bulkId)
      if (bulk.state !== 'draft') refuse('bulk-already-started')
      await savePlan(tx, bulkId, plan, now)
    })
    return bulkView(db, await ownBulk(db, who, bulkId), richText, who, now)
  })

  serve(getBulkRows, async ({ input, who, db, now }) => {
    const bulk = await ownBulk(db, who, input.bulkId)
    const rows = await findRows(db, bulk.id)
    const planned = new Map(
      (await plannedOf(db, bulk, rows, richText, who, now)).map((row) => [row.number, row]),
    )
    const isShown = ({ number, state }: BulkRow) =>
      input.only === undefined ||
      (input.only === 'bad' ? (planned.get(number)?.problems.length ?? 0) > 0 : state === input.only)
    const shown = rows.filter(isShown)
    const page = shown.slice(input.skip, input.skip + input.take)
    const numbers = await findRegistrations(
      db,
      page.flatMap(({ requestId }) => requestId ?? []),
    )
    return {
      totalCount: shown.length,
      items: page.map((row) => {
        const registered = numbers
          .get(row.requestId ?? '')
          ?.find((one) => one.organizationId === bulk.organizationId)
        return rowView(row, planned.get(row.number), registered?.number ?? null)
      }),
    }
  })

  serve(startBulkSending, async ({ input, who, db, now, write, language, address }) => {
    const { plan } = await ownBulk(db, who, input.bulkId)
    if (plan === null) return refuse('bulk-not-planned')
    await refuseWrongPlan(db, who, plan)
    const template = await seenTemplate(db, who, plan.templateId)
    const variables = await templateVariables(db, who, plan.templateId, richText)
    await write(async (tx) => {
      await lockBulk(tx, input.bulkId)
      const bulk = await ownBulk(tx, who, input.bulkId)
      if (bulk.state !== 'draft') refuse('bulk-already-started')
      // The variables above were read for the plan as it was before the lock; it may have changed since.
      if (JSON.stringify(bulk.plan) !== JSON.stringify(plan)) refuse('request-changed')
      const rows = await findRows(tx, bulk.id)
      const planned = await plannedRows(tx, bulk, rows, variables, now, viewerOf(who))
      const skipped = planned.filter(({ problems }) => problems.length > 0).map(({ number }) => number)
      const isAllBad = skipped.length === rows.length
      if (isAllBad || (skipped.length > 0 && !input.skipsBad))
        refuse('bulk-rows-wrong', { count: skipped.length })
      await startBulk(
        tx,
        bulk.id,
        {
          template: template.template,
          variables,
          plan: keptPlan(bulk, rows, planned),
          skipped,
          language,
          address,
        },
        now,
      )
    })
    return bulkView(db, await ownBulk(db, who, input.bulkId), richText, who, now)
  })

  serve(steerBulkSending, async ({ input, who, db, now, write }) => {
    await write(async (tx) => {
      await lockBulk(tx, input.bulkId)
      const bulk = await ownBulk(tx, who, input.bulkId)
      if (bulk.state === 'draft') refuse('bulk-not-started')
      if (input.act === 'pause' && bulk.state === 'running') await saveState(tx, bulk.id, 'paused', now)
      if (input.act === 'resume' && bulk.state === 'paused') await saveState(tx, bulk.id, 'running', now)
      if (input.act === 'retry') {
        await retryRows(tx, bulk.id)
        await saveState(tx, bulk.id, 'running', now)
      }
    })
    return bulkView(db, await ownBulk(db, who, input.bulkId), richText, who, now)
  })

  serve(getBulkToSign, async ({ input, who, db, now }) => {
    const bulk = await ownBulk(db, who, input.bulkId)
    const ids = (await findRows(db, bulk.id)).flatMap(({ requestId }) => requestId ?? [])
    const { viewer } = await partyOf(db, who, now)
    const loaded = await findRequestsAmong(db, ids)
    const waiting = new Set(
      loaded
        .filter(({ row, request }) => actsFor(row, request, viewer, now).some(({ act }) => act === 'sign'))
        .map(({ row }) => row.id),
    )
    return { signingRequestIds: ids.filter((id) => waiting.has(id)) }
  })

  resultHandlers(files, {
    publicUrl,
    find: async (db, who, id, now) => {
      const bulk = await ownBulk(db, who, id)
      const rows = await findRows(db, bulk.id)
      return { bulk, rows, planned: await plannedOf(db, bulk, rows, richText, who, now) }
    },
  })
}

type Who = Caller<'member'>

const viewerOf = ({ userId, member }: Who) => ({ userId, ...member })

/** The plan together with the routes that the rows name when sending begins. */
function keptPlan(
  { plan, columns }: Bulk,
  rows: readonly BulkRow[],
  planned: readonly PlannedRow[],
): BulkPlan {
  const named = planned.map(({ route }, i) => ({ route, cells: rows[i]!.cells }))
  return { ...plan!, namedRoutes: namedRoutesIn(named, columns, plan!) }
}

async function ownBulk(db: Db, who: Who, id: string): Promise<Bulk> {
  const { organizationId } = who.member
  return (await findBulk(db, { id, organizationId, authorId: who.userId })) ?? refuse('bulk-not-found')
}

async function seenTemplate(db: Db, who: Who, templateId: string) {
  const template = await findTemplate(db, who.member.organizationId, templateId)
  return template && maySeeTemplate(template, who) ? template : refuse('document-template-not-found')
}

async function templateVariables(
  db: Db,
  who: Who,
  templateId: string,
  richText: RichText,
): Promise<TemplateVariable[]> {
  const { template } = await seenTemplate(db, who, templateId)
  const claimant = { organization: who.member.organizationId, person: who.userId }
  const variables = await richText.variables(template, claimant)
  return variables.map(({ name, type, usual }) => ({ name, type, usual }))
}

/** Refuses a plan for which every row would be refused, before the first row is sent. */
async function refuseWrongPlan(db: Db, { userId, member }: Who, plan: BulkPlan): Promise<void> {
  const { organizationId, roles, options } = member
  await kindToSend(db, organizationId, plan.kindId ?? undefined)
  if (plan.way === 'route') {
    // Every row names its own route in this column.
    if (plan.routeId === null && (plan.routeColumn ?? '') !== '') return
    const route =
      plan.routeId === null ? undefined : await findRoute(db, organizationId, 'route', plan.routeId)
    if (!route || !maySeeRoute({ userId, ...member }, route)) refuse('route-not-found')
    return
  }
  if (!mayQuickSend(roles, options)) refuse('quick-send-not-allowed')
  if (plan.groupId === null) return
  const group = await findGroup(db, organizationId, plan.groupId)
  if (!group) refuse('organization-group-not-found')
  if (!group.participants.some((one) => one.userId === userId)) refuse('user-group-not-found')
}

/**
 * The planned rows. A sending that has begun keeps its template variables; a draft uses the template's current ones.
 */
async function plannedOf(
  db: Db,
  bulk: Bulk,
  rows: readonly BulkRow[],
  richText: RichText,
  who: Who,
  now: Date,
): Promise<PlannedRow[]> {
  if (bulk.plan === null) return []
  const variables = bulk.variables ?? (await variablesOrNone(db, who, bulk.plan.templateId, richText))
  return plannedRows(db, bulk, rows, variables, now, bulk.state === 'draft' ? viewerOf(who) : null)
}

/** The variables of the template; none if it was deleted since, in which case starting is refused. */
async function variablesOrNone(db: Db, who: Who, templateId: string, richText: RichText) {
  const template = await findTemplate(db, who.member.organizationId, templateId)
  return template && maySeeTemplate(template, who) ? templateVariables(db, who, templateId, richText) : []
}

async function bulkView(
  db: Db,
  bulk: Bulk,
  richText: RichText,
  who: Who,
  now: Date,
): Promise<z.input<typeof BulkSending>> {
  const counts = (await countRows(db, [bulk.id])).get(bulk.id)!
  if (bulk.state !== 'draft') return viewOf(bulk, counts, counts.skipped)
  const planned = await plannedOf(db, bulk, await findRows(db, bulk.id), richText, who, now)
  return viewOf(bulk, counts, planned.filter(({ problems }) => problems.length > 0).length)
}

function viewOf(
  bulk: Bulk,
  counts: Record<BulkRow['state'], number>,
  bad: number,
): z.input<typeof BulkSending> {
  const { waiting, skipped, sent, failed } = counts
  return {
    id: bulk.id,
    fileName: bulk.fileName,
    columns: bulk.columns,
    plan: bulk.plan,
    state: bulk.state,
    author: { id: bulk.authorId, fullName: bulk.authorName },
    createdAt: bulk.createdAt.toISOString(),
    counts: { total: waiting + skipped + sent + failed, bad, waiting, skipped, sent, failed },
  }
}

function rowView(
  { number, state, failure, requestId }: BulkRow,
  planned: PlannedRow | undefined,
  registered: string | null,
): z.input<typeof BulkRowContract> {
  const { name = '', recipient = null, route = null, problems = [] } = planned ?? {}
  return {
    number,
    name,
    recipient: recipient && { bin: recipient.bin, organizationName: recipient.organizationName },
    route: route?.name ?? null,
    state,
    problems,
    failure,
    signingRequestId: requestId,
    registered,
  }
}
