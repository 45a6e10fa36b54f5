/** Acknowledgement campaigns: who is asked, that nobody ends a campaign for the others, and what the sheet says. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mostPeople } from '@kelisim/domain/campaigns/audience.ts'
import {
  addCampaign,
  getCampaign,
  getCampaignPeople,
  getCampaigns,
} from '@kelisim/domain/campaigns/contract.ts'
import { getMyGroups } from '@kelisim/domain/identity/contract.ts'
import { getGroups, getMembers, removeGroup, removeMember } from '@kelisim/domain/portal/contract.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { actAtPoint, getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { addSubstitution } from '@kelisim/domain/substitutions/contract.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { startRequestsApp, statusOf } from '../requests/core/testing-requests.ts'
import { settleRequestsOf } from '../requests/judging/settling.ts'
import { readTable } from '../tables/read-table.ts'
import { publicUrl } from '../testing.ts'

const testApp = await startRequestsApp()
const { app, call, database, make, tokenOf, time } = testApp
const all = { skip: 0, take: 100 }

async function campaign(change: object = {}) {
  const company = await testApp.company()
  const { organizationId, owner } = company
  const document = (await company.upload(owner, organizationId)).result
  const form = { documentId: document.id, name: 'Правила внутреннего распорядка', isEverybody: true }
  const added = await call(owner, addCampaign, { organizationId, ...form, ...change })
  const { signingRequestId } = added.result
  const of = { organizationId, signingRequestId }
  const confirm = async (person: string, comment = '') => {
    const request = (await call(person, getRequest, of)).result
    return call(person, actAtPoint, {
      ...of,
      pointTypeName: 'InternalInformationConfirm',
      action: 'confirm',
      pointId: request.points[0]!.pointId,
      comment,
    })
  }
  return { ...company, document, added, of, confirm, form }
}

const countsOf = async (person: string, of: { organizationId: string; signingRequestId: string }) =>
  (await call(person, getCampaign, of)).result.counts

async function sheet(
  person: string,
  of: { organizationId: string; signingRequestId: string },
  format: string,
) {
  return app.inject({
    method: 'GET',
    url: `/api/Campaigns/${of.organizationId}/${of.signingRequestId}/sheet/${format}`,
    headers: { origin: publicUrl.origin, cookie: `session=${await tokenOf(person)}` },
  })
}

describe('a campaign', () => {
  test('asks everybody, shows who has answered, and ends when all have', async () => {
    const { owner, employee, colleague, administrator, routesAdministrator, of, confirm } = await campaign({
      termDays: 3,
    })
    await confirm(employee, 'Не согласна с пунктом 4')
    expect((await call(owner, getCampaign, of)).result).toMatchObject({
      counts: { total: 5, confirmed: 1, waiting: 4, excused: 0 },
      groups: [{ name: 'Бухгалтерия', total: 2, confirmed: 1 }],
      dueOn: '2026-11-18',
    })
    const done = (await call(owner, getCampaignPeople, { ...of, ...all, only: 'confirmed' })).result
    expect(done.items).toMatchObject([
      { userId: employee, comment: 'Не согласна с пунктом 4', groups: ['Бухгалтерия'] },
    ])
    for (const person of [owner, colleague, administrator, routesAdministrator]) await confirm(person)
    const request = (await call(owner, getRequest, of)).result
    expect(statusOf(request)).toBe('Completed')
    expect((await call(owner, getCampaigns, { ...of, ...all })).result.items).toMatchObject([
      { signingRequestId: of.signingRequestId, counts: { confirmed: 5, waiting: 0 } },
    ])
  })

  test('is confirmed by each person alone: a substitute neither sees it nor acts', async () => {
    const { owner, employee, colleague, administrator, of, confirm } = await campaign()
    const { organizationId } = of
    const today = dateInAlmaty(time.now)
    const newcomer = await make.person()
    await make.member(organizationId, newcomer)
    const standsIn = async (absent: string, substituteId: string) =>
      (await call(absent, addSubstitution, { organizationId, substituteId, from: today, to: today })).status
    expect(await standsIn(administrator, newcomer)).toBe(200)
    expect((await call(newcomer, getRequest, of)).status).toBe(404)
    const incoming = { organizationId, route: 'incomings', ...all } as const
    expect((await call(newcomer, getRequests, incoming)).result.totalCount).toBe(0)
    expect((await call(administrator, getRequests, incoming)).result.totalCount).toBe(1)

    expect(await standsIn(colleague, employee)).toBe(200)
    await confirm(employee)
    expect((await confirm(employee)).status).not.toBe(200)
    expect(await countsOf(owner, of)).toMatchObject({ confirmed: 1, waiting: 4 })
  })

  test('shows the answers of others to its author and to owners only', async () => {
    const { owner, employee, colleague, of, confirm } = await campaign()
    await confirm(employee, 'Не согласна с пунктом 4')
    const seen = (await call(colleague, getRequest, of)).result.points[0]!
    expect([seen.participants.map(({ id }) => id), seen.acts, seen.openings]).toEqual([[colleague], [], []])
    const history = (await call(colleague, getRequestHistory, { ...of, ...all })).result.items
    expect(history.filter(({ type }) => type === 'confirmed')).toEqual([])
    expect((await call(employee, getRequest, of)).result.points[0]!.acts).toHaveLength(1)
    expect((await call(owner, getRequest, of)).result.points[0]!.participants).toHaveLength(5)
  })

  test('cannot be refused by anybody', async () => {
    const { employee, of } = await campaign()
    const request = (await call(employee, getRequest, of)).result
    const refused = await call(employee, actAtPoint, {
      ...of,
      pointTypeName: 'InternalInformationConfirm',
      action: 'reject',
      pointId: request.points[0]!.pointId,
      comment: 'Нет',
    })
    expect(aliasOf(refused)).toBe('wrong-request-configuration')
  })

  test('excuses members who leave, does not ask those who join later, and goes on', async () => {
    const { owner, employee, colleague, organizationId, of, confirm, groupId } = await campaign()
    for (const person of [owner, employee]) await confirm(person)
    await make.member(organizationId, await make.person())
    const members = (await call(owner, getMembers, { organizationId, ...all })).result.items
    const others = members.filter(({ userId }) => ![owner, employee, colleague].includes(userId))
    await call(owner, removeMember, { organizationId, userId: colleague })
    expect(await countsOf(owner, of)).toEqual({ total: 5, confirmed: 2, waiting: 2, excused: 1 })
    const excused = (await call(owner, getCampaignPeople, { ...of, ...all, only: 'excused' })).result
    expect(excused.items.map(({ userId }) => userId)).toEqual([colleague])

    for (const { userId } of others) await call(owner, removeMember, { organizationId, userId })
    const { rows } = await database.pool.query<{ id: string }>(
      'select group_id as id from request_points where request_id = $1',
      [of.signingRequestId],
    )
    expect(rows[0]!.id).not.toBe(groupId)
    await settleRequestsOf(rows[0]!.id, database, () => time.now)
    expect(statusOf((await call(owner, getRequest, of)).result)).toBe('Completed')
  })

  test('asks chosen groups and people once each; without anybody it is refused', async () => {
    const { owner, employee, colleague, administrator, organizationId, groupId, document, of } =
      await campaign()
    const chosen = { organizationId, documentId: document.id, name: 'Приказ' }
    const nobody = await call(owner, addCampaign, chosen)
    expect(aliasOf(nobody)).toBe('campaign-without-people')
    const audience = { groupIds: [groupId], userIds: [employee, administrator] }
    const { signingRequestId } = (await call(owner, addCampaign, { ...chosen, ...audience })).result
    const asked = await call(owner, getCampaignPeople, { ...of, signingRequestId, ...all })
    expect(asked.result.items.map(({ userId }) => userId).toSorted()).toEqual(
      [employee, colleague, administrator].toSorted(),
    )
    const seen = await call(administrator, getRequest, { organizationId, signingRequestId })
    expect(seen.result.name).toBe('Приказ')
  })

  test('is visible to owners of its own organisation only', async () => {
    const { employee, of } = await campaign()
    const stranger = await testApp.company()
    expect((await call(employee, getCampaign, of)).status).toBe(403)
    const foreign = { ...of, organizationId: stranger.organizationId }
    expect(aliasOf(await call(stranger.owner, getCampaign, foreign))).toBe('campaign-not-found')
    expect(aliasOf(await call(stranger.owner, getCampaignPeople, { ...foreign, ...all }))).toBe(
      'campaign-not-found',
    )
    expect((await sheet(stranger.owner, foreign, 'pdf')).statusCode).toBe(404)
  })

  test('adds no group to the lists of the organisation and of its people', async () => {
    const { owner, employee, organizationId, of } = await campaign()
    const names = (items: { name: string }[]) => items.map(({ name }) => name)
    expect(names((await call(owner, getGroups, { organizationId, ...all })).result.items)).toEqual([
      'Бухгалтерия',
    ])
    expect(names((await call(employee, getMyGroups, all)).result.items)).toEqual(['Бухгалтерия'])
    const members = (await call(owner, getMembers, { organizationId, ...all })).result.items
    expect(new Set(members.flatMap(({ groups }) => names(groups)))).toEqual(new Set(['Бухгалтерия']))
    const { rows } = await database.pool.query<{ id: string }>(
      'select group_id as id from request_points where request_id = $1',
      [of.signingRequestId],
    )
    const removed = await call(owner, removeGroup, { organizationId, groupId: rows[0]!.id })
    expect(['organization-group-not-found', 'group-is-awaited']).toContain(aliasOf(removed))
  })
})

describe('the acknowledgement sheet', () => {
  test('says of everybody when and how they confirmed, as a table and as a PDF', async () => {
    const { owner, employee, colleague, organizationId, of, confirm } = await campaign()
    await confirm(employee, '=1+1 <b>нет</b>')
    await call(owner, removeMember, { organizationId, userId: colleague })
    const file = join(await mkdtemp(join(tmpdir(), 'kelisim-sheet-')), 'sheet.xlsx')
    await writeFile(file, (await sheet(owner, of, 'xlsx')).rawPayload)
    const read = await readTable(file)
    const rows = 'table' in read ? read.table.rows.map(({ cells }) => cells.slice(2)) : []
    expect(rows).toHaveLength(5)
    expect(rows).toContainEqual([
      'Бухгалтерия',
      '15.11.2026 11:00',
      'Ознакомление подтверждено. Комментарий: =1+1 <b>нет</b>',
    ])
    expect(rows).toContainEqual(['Бухгалтерия', '', 'Не требуется: больше не в организации'])
    const pdf = await sheet(owner, of, 'pdf')
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })

  test('has room for the most people that a campaign takes, and one more person is refused', async () => {
    const { owner, organizationId, form } = await campaign()
    const more = mostPeople - 5
    await database.pool.query(
      `with added as (
        insert into users (id, issuer, subject, login, full_name, email, is_email_confirmed, created_at)
        select gen_random_uuid(), 'embedded', 'many-' || i, 'many-' || i, 'Сотрудник ' || i, 'many' || i || '@example.kz',
          true, now() from generate_series(1, $2) i returning id)
      insert into memberships (organization_id, user_id, roles, joined_at) select $1, id, 1, now() from added`,
      [organizationId, more],
    )
    const { signingRequestId } = (await call(owner, addCampaign, { organizationId, ...form })).result
    const of = { organizationId, signingRequestId }
    expect((await countsOf(owner, of)).total).toBe(mostPeople)
    const pdf = await sheet(owner, of, 'pdf')
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    await make.member(organizationId, await make.person())
    expect(aliasOf(await call(owner, addCampaign, { organizationId, ...form }))).toBe('campaign-too-large')
  })
})
