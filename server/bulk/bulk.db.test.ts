/** Bulk sending: problems are reported beforehand, and each row is sent once, whatever happens meanwhile. */
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  addBulkSending,
  downloadBulkResult,
  getBulkRows,
  getBulkSending,
  getBulkSendings,
  getBulkToSign,
  getBulkVariables,
  planBulkSending,
  startBulkSending,
  steerBulkSending,
} from '@kelisim/domain/bulk/contract.ts'
import { suggestColumns } from '@kelisim/domain/bulk/plan.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { addDocumentKind, addJournal } from '@kelisim/domain/registers/contract.ts'
import { addTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { toHtml, type Inline } from '@kelisim/domain/rich-text/rich-text.ts'
import { openRichTextWorkers } from '../rich-text/rich-text.ts'
import { aliasOf, parametersOf } from '../routes/testing-routes.ts'
import { startRequestsApp, subscribe, type Company } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import { openBulkRunner } from './runner.ts'

const testApp = await startRequestsApp()
const { app, call, database, tokenOf, archive, time } = testApp
const richText = openRichTextWorkers()
const runner = () => openBulkRunner({ database, archive, richText, clock: () => time.now })
const company = await testApp.company()
const { organizationId, employee, owner, groupId } = company

const gap = (name: string, type: 'text' | 'number'): Inline => ({
  kind: 'variable',
  name,
  type,
  usual: '',
  value: '',
  marks: [],
})
const template = toHtml([
  {
    kind: 'paragraph',
    align: 'left',
    inlines: [
      { kind: 'text', text: 'Договор № ', marks: [] },
      gap('Номер', 'text'),
      { kind: 'text', text: ' на сумму ', marks: [] },
      gap('Сумма', 'number'),
    ],
  },
])

async function templateOf(of: Company, person: string): Promise<string> {
  const form = { name: 'Договор', template, language: 'ru', visibilityScope: 2, param: 'new' } as const
  return (await call(person, addTemplate, { organizationId: of.organizationId, ...form })).result.id
}
const templateId = await templateOf(company, owner)

async function uploaded(table: string | Buffer, person = employee, of = organizationId) {
  const { path } = fillPath(addBulkSending.path, { organizationId: of })
  const response = await app.inject({
    method: 'POST',
    url: `${path}?name=${encodeURIComponent('Рассылка.csv')}`,
    headers: {
      origin: publicUrl.origin,
      cookie: `session=${await tokenOf(person)}`,
      'content-type': 'application/octet-stream',
    },
    payload: Buffer.from(table),
  })
  return { status: response.statusCode, ...response.json<{ id: string; columns: string[] }>() }
}

const head = 'БИН;Почта;Компания;Номер;Сумма'
const line = (i: number) => `160440007161;a${i}@example.kz;ТОО «Арай»;${i};${i}000,50`
const table = (count: number) => [head, ...Array.from({ length: count }, (_, i) => line(i + 1))].join('\n')

const ours = { employee, organizationId, groupId, templateId }

async function planned(content: string, change: object = {}, by = ours) {
  const { employee: person, organizationId: of, groupId: group, templateId: used } = by
  const { id: bulkId, columns } = await uploaded(content, person, of)
  const about = { organizationId: of, templateId: used }
  const { items } = (await call(person, getBulkVariables, about)).result
  const plan = {
    templateId: used,
    way: 'quick',
    groupId: group,
    routeId: null,
    kindId: null,
    name: 'Договор {Номер}',
    ...suggestColumns(columns, items),
  } as const
  const saved = await call(person, planBulkSending, { organizationId: of, bulkId, ...plan, ...change })
  return { bulkId, of: { organizationId: of, bulkId }, saved }
}

const countFiles = async () => (await Readable.from(archive.storage.list()).toArray()).length

const sentOf = (bulkId: string) =>
  database.db
    .selectFrom('bulkRows as b')
    .innerJoin('signingRequests as r', 'r.id', 'b.requestId')
    .select(['b.number', 'r.name'])
    .where('b.bulkId', '=', bulkId)
    .orderBy('b.number')
    .execute()

describe('before a bulk sending starts', () => {
  test('a table that cannot be read is refused with the reason', async () => {
    const refused = (await uploaded('БИН;бин\n1;2')) as never as Parameters<typeof aliasOf>[0]
    const body = { error: refused } as never
    expect([aliasOf(body), parametersOf(body)]).toEqual([
      'table-unreadable',
      { fault: 'duplicate-columns', names: 'бин' },
    ])
  })

  test('every bad row is shown with its problems, and nothing is sent until they are acknowledged', async () => {
    const rows = [line(1), '160440007162;a@example;;2;сто', line(1), ';;;;', line(3)]
    const { of, saved } = await planned([head, ...rows].join('\n'))
    expect(saved.result.counts).toMatchObject({ total: 4, bad: 2, waiting: 4, sent: 0 })
    const bad = (await call(employee, getBulkRows, { ...of, skip: 0, take: 10, only: 'bad' })).result
    expect(bad.items.map(({ number, problems }) => [number, ...problems.map((one) => one.problem)])).toEqual([
      [3, 'number-incorrect', 'check-digit', 'email-incorrect'],
      [4, 'duplicate'],
    ])
    const refused = await call(employee, startBulkSending, of)
    expect([aliasOf(refused), parametersOf(refused)]).toEqual(['bulk-rows-wrong', { count: 2 }])
    await runner().runDue()
    expect(await sentOf(of.bulkId)).toEqual([])
    expect((await call(employee, startBulkSending, { ...of, skipsBad: true })).result.state).toBe('running')
    await runner().runDue()
    expect(await sentOf(of.bulkId)).toEqual([
      { number: 2, name: 'Договор 1' },
      { number: 6, name: 'Договор 3' },
    ])
    const { state, counts } = (await call(employee, getBulkSending, of)).result
    expect([state, counts]).toEqual([
      'done',
      { total: 4, bad: 2, waiting: 0, skipped: 2, sent: 2, failed: 0 },
    ])
    expect(aliasOf(await call(employee, startBulkSending, of))).toBe('bulk-already-started')
  })

  test('a bulk sending is not visible to a colleague or to another organisation', async () => {
    const { of } = await planned(table(1))
    for (const e of [getBulkSending, startBulkSending] as const) {
      expect(aliasOf(await call(company.colleague, e, of))).toBe('bulk-not-found')
    }
    const { items } = (await call(company.colleague, getBulkSendings, { organizationId, skip: 0, take: 10 }))
      .result
    expect(items).toEqual([])
  })

  test('a template, group or kind that the author may not use is refused', async () => {
    const other = await testApp.company()
    const foreign = await templateOf(other, other.owner)
    expect(aliasOf((await planned(table(1), { templateId: foreign })).saved)).toBe(
      'document-template-not-found',
    )
    expect(aliasOf((await planned(table(1), { groupId: other.groupId })).saved)).toBe(
      'organization-group-not-found',
    )
    expect(aliasOf((await planned(table(1), { kindId: foreign })).saved)).toBe('kind-not-found')
    expect(aliasOf((await planned(table(1), { way: 'route', routeId: foreign })).saved)).toBe(
      'route-not-found',
    )
  })
})

describe('a bulk sending', () => {
  test('run by several processes at once, makes one request of each row, numbered without gaps', async () => {
    const rule = { prefix: 'М-', yearPlace: 'after', width: 3, firstNumber: 1 } as const
    const journal = { organizationId, name: 'Массовые', direction: 'outgoing', ...rule } as const
    const { id: journalId } = (await call(owner, addJournal, journal)).result
    const kind = { organizationId, name: 'Массовый договор', journalId, registersAtSending: true }
    const { id: kindId } = (await call(owner, addDocumentKind, kind)).result
    const { of } = await planned(table(8), { kindId })
    await call(employee, startBulkSending, of)
    // Each runner clears the leases of the others, as if a lease had ended while its holder was slow.
    const forgetful = async () => {
      for (let i = 0; i < 4; i++) {
        await database.write((tx) => tx.updateTable('bulkSendings').set({ leaseUntil: null }).execute())
        await runner().runDue()
      }
    }
    await Promise.all([forgetful(), forgetful(), forgetful()])
    expect(await sentOf(of.bulkId)).toEqual(
      Array.from({ length: 8 }, (_, i) => ({ number: i + 2, name: `Договор ${i + 1}` })),
    )
    const rows = (await call(employee, getBulkRows, { ...of, skip: 0, take: 10 })).result.items
    expect(rows.map(({ registered }) => registered).toSorted((a, b) => a!.localeCompare(b!))).toEqual(
      Array.from({ length: 8 }, (_, i) => `М-00${i + 1}/2026`),
    )
    const { signingRequestIds } = (await call(employee, getBulkToSign, of)).result
    expect(signingRequestIds).toHaveLength(8)
    const response = await app.inject({
      url: fillPath(downloadBulkResult.path, of).path,
      headers: { cookie: `session=${await tokenOf(employee)}` },
    })
    expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK')
  })

  test('does not start with the template of one plan and the recipients of another', async () => {
    const { of } = await planned(table(1))
    const other = await database.pool.connect()
    try {
      await other.query('begin')
      await other.query('select from bulk_sendings where id = $1 for update', [of.bulkId])
      const starting = call(employee, startBulkSending, of)
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%bulk_sendings%'
        and datname = current_database()`
      const countWaiting = async () => (await database.pool.query(waits)).rowCount
      await expect.poll(countWaiting, { timeout: 30_000 }).toBe(1)
      await other.query(
        `update bulk_sendings set plan = jsonb_set(plan, '{name}', '"Другой {Номер}"') where id = $1`,
        [of.bulkId],
      )
      await other.query('commit')
      expect(aliasOf(await starting)).toBe('request-changed')
    } finally {
      other.release()
    }
    expect((await call(employee, startBulkSending, of)).status).toBe(200)
  })

  test('gives other organisations their turn, however many rows one of them sends', async () => {
    const other = await testApp.company()
    await other.options({ isQuickRequestAllowed: true })
    const theirs = { ...other, templateId: await templateOf(other, other.owner) }
    const much = [await planned(table(4)), await planned(table(4))]
    const little = await planned(table(2), {}, theirs)
    for (const { of } of much) await call(employee, startBulkSending, of)
    await call(other.employee, startBulkSending, little.of)
    let now = time.now.getTime()
    const clock = () => new Date(++now)
    await openBulkRunner({ database, archive, richText, clock }, 1).runDue()
    const sent = await database.db
      .selectFrom('bulkRows as b')
      .innerJoin('signingRequests as r', 'r.id', 'b.requestId')
      .select('r.organizationId')
      .where(
        'b.bulkId',
        'in',
        [...much, little].map(({ bulkId }) => bulkId),
      )
      .orderBy('r.createdAt')
      .execute()
    expect(sent).toHaveLength(10)
    const first = sent.slice(0, 4).map((one) => (one.organizationId === organizationId ? 'ours' : 'theirs'))
    expect(first.toSorted()).toEqual(['ours', 'ours', 'theirs', 'theirs'])
  })

  test('pauses after the current row, goes on, and tries failed rows again', async () => {
    const { of } = await planned(table(3))
    await call(employee, startBulkSending, of)
    await call(employee, steerBulkSending, { ...of, act: 'pause' })
    await runner().runDue()
    expect(await sentOf(of.bulkId)).toEqual([])
    await company.options({ isQuickRequestAllowed: false })
    await call(employee, steerBulkSending, { ...of, act: 'resume' })
    const stored = await countFiles()
    await runner().runDue()
    expect(await countFiles()).toBe(stored)
    const failed = (await call(employee, getBulkRows, { ...of, skip: 0, take: 10, only: 'failed' })).result
    expect(failed.items.map(({ failure }) => failure?.alias)).toEqual(
      Array.from({ length: 3 }, () => 'quick-send-not-allowed'),
    )
    await company.options({ isQuickRequestAllowed: true })
    expect((await call(employee, steerBulkSending, { ...of, act: 'retry' })).result.counts.waiting).toBe(3)
    await runner().runDue()
    expect(await sentOf(of.bulkId)).toHaveLength(3)
  })

  test('when paused while a row is printed, keeps nothing of that row', async () => {
    const { of } = await planned(table(2))
    await call(employee, startBulkSending, of)
    const stored = await countFiles()
    let printed = 0
    const pausing: typeof richText = {
      ...richText,
      async print(...given) {
        printed++
        await call(employee, steerBulkSending, { ...of, act: 'pause' })
        return richText.print(...given)
      },
    }
    await openBulkRunner({ database, archive, richText: pausing, clock: () => time.now }).runDue()
    expect(printed).toBe(1)
    expect(await sentOf(of.bulkId)).toEqual([])
    expect(await countFiles()).toBe(stored)
  })

  test('along a route sends all rows along that route', async () => {
    const routeId = await company.route(await company.point('CompanyInternalSign'))
    const { of } = await planned(table(2), { way: 'route', routeId, groupId: null })
    await call(employee, startBulkSending, of)
    await runner().runDue()
    expect(await sentOf(of.bulkId)).toHaveLength(2)
  })

  test('sends each row along the route that it names; unknown, foreign and inactive routes are shown before', async () => {
    const point = await company.point('CompanyInternalSign')
    const [first, second] = [await company.route(point), await company.route(point)]
    const rename = (id: string, change: { name?: string; isActive?: boolean; scope?: 'personal' }) =>
      database.write((tx) => tx.updateTable('routes').set(change).where('id', '=', id).execute())
    await rename(first, { name: 'Договоры' })
    await rename(second, { name: 'Акты' })
    const off = await company.route(point)
    await rename(off, { name: 'Старый', isActive: false })
    const other = await testApp.company()
    const foreign = await other.route(await other.point('CompanyInternalSign'))
    await database.write((tx) =>
      tx.updateTable('routes').set({ name: 'Чужой' }).where('id', '=', foreign).execute(),
    )
    const rows = ['договоры', second, 'Чужой', 'Старый', '', foreign].map(
      (text, i) => `${line(i + 1)};${text}`,
    )
    const { of } = await planned([`${head};Маршрут`, ...rows].join('\n'), {
      way: 'route',
      routeId: null,
      groupId: null,
    })
    const shown = (await call(employee, getBulkRows, { ...of, skip: 0, take: 10 })).result.items
    expect(shown.map(({ route, problems }) => route ?? problems[0]?.problem)).toEqual([
      'Договоры',
      'Акты',
      'route-unknown',
      'route-inactive',
      'required',
      'route-unknown',
    ])
    await call(employee, startBulkSending, { ...of, skipsBad: true })
    // The routes are renamed meanwhile: each row is still sent by the route that was shown.
    await rename(first, { name: 'Акты' })
    await rename(second, { name: 'Договоры' })
    await runner().runDue()
    const sent = await database.db
      .selectFrom('bulkRows as b')
      .innerJoin('signingRequests as r', 'r.id', 'b.requestId')
      .select(['b.number', 'r.routeId'])
      .where('b.bulkId', '=', of.bulkId)
      .orderBy('b.number')
      .execute()
    expect(sent).toEqual([
      { number: 2, routeId: first },
      { number: 3, routeId: second },
    ])
  })

  test('counts each request against the tariff, and stops when its sender has left the organisation', async () => {
    const other = await testApp.company()
    await database.write((tx) =>
      tx.deleteFrom('subscriptions').where('organizationId', '=', other.organizationId).execute(),
    )
    await subscribe(database, other.organizationId, 1)
    const theirs = await templateOf(other, other.owner)
    const { id: bulkId } = await uploaded(table(3), other.employee, other.organizationId)
    const of = { organizationId: other.organizationId, bulkId }
    const plan = {
      templateId: theirs,
      way: 'quick',
      groupId: other.groupId,
      routeId: null,
      kindId: null,
    } as const
    const columns = suggestColumns(head.split(';'), [{ name: 'Номер' }, { name: 'Сумма' }])
    await call(other.employee, planBulkSending, { ...of, ...plan, ...columns, name: 'Договор {Номер}' })
    await call(other.employee, startBulkSending, of)
    const printed: string[] = []
    const counting: typeof richText = {
      ...richText,
      print(template, title, ...given) {
        printed.push(title)
        return richText.print(template, title, ...given)
      },
    }
    await openBulkRunner({ database, archive, richText: counting, clock: () => time.now }).runDue()
    expect(printed).toEqual(['Договор 1'])
    const rows = (await call(other.employee, getBulkRows, { ...of, skip: 0, take: 10 })).result.items
    expect(rows.map(({ state, failure }) => failure?.alias ?? state)).toEqual([
      'sent',
      'organization-restricted',
      'organization-restricted',
    ])
    await call(other.employee, steerBulkSending, { ...of, act: 'retry' })
    await database.write((tx) =>
      tx
        .deleteFrom('memberships')
        .where('organizationId', '=', of.organizationId)
        .where('userId', '=', other.employee)
        .execute(),
    )
    await runner().runDue()
    const left = await database.db
      .selectFrom('bulkRows')
      .select('failure')
      .where('bulkId', '=', bulkId)
      .orderBy('number')
      .execute()
    expect(left.map(({ failure }) => failure?.alias)).toEqual([
      undefined,
      'organization-not-yours',
      'organization-not-yours',
    ])
  })
})
