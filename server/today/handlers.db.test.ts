/** The home page: what waits for whom, and what happened to an author's own requests. */
import { expect, test } from 'vitest'
import { day } from '@kelisim/domain/durations.ts'
import { remindOfRequest } from '@kelisim/domain/notifications/emails-contract.ts'
import { getToday } from '@kelisim/domain/today/contract.ts'
import { startNotificationsApp } from '../notifications/testing-notifications.ts'
import { actingIn } from '../requests/core/testing-requests.ts'

const testApp = await startNotificationsApp()
const { call, time, travel, make, database } = testApp
const { act, signAt } = actingIn(testApp)

/** The author is in no group; the colleague approves. */
async function scene() {
  await travel(new Date('2026-11-16T06:00:00Z'))
  const house = await testApp.company()
  const { organizationId, administrator: author, colleague } = house
  const group = await house.group('Юристы', colleague)
  const route = await house.route(await house.point('InternalApprove', { groupId: group }))
  const send = async (name: string) => (await house.send(route, { name }, author)).result
  const today = async (id: string) => (await call(id, getToday, { organizationId })).result
  const later = (days: number) => travel(new Date(time.now.getTime() + days * day))
  return { house, ...house, author, send, today, later }
}

const names = (list: { items: { name: string }[] }) => list.items.map(({ name }) => name)

test('a waiting request disappears once the person has answered, and is news for its author', async () => {
  const { organizationId, author, colleague, send, today } = await scene()
  const sent = await send('Аренда')
  expect(names((await today(colleague)).waiting)).toEqual(['Аренда'])
  const mine = await today(author)
  expect(names(mine.waiting)).toEqual([])
  expect(mine.stuck.items).toMatchObject([
    { name: 'Аренда', waitsFor: ['Юристы'], since: time.now.toISOString(), reminder: { canRemind: true } },
  ])
  await act({ id: colleague, organizationId }, sent, 'InternalApprove', 'approve')
  expect(names((await today(colleague)).waiting)).toEqual([])
  const after = await today(author)
  expect(names(after.stuck)).toEqual([])
  expect(names(after.finished)).toEqual(['Аренда'])
  expect(after.finished.totalCount).toBe(1)
})

test('requests that have waited longest come first, and those that ended before yesterday are not news', async () => {
  const { organizationId, author, colleague, send, today, later } = await scene()
  const first = await send('Первый')
  await later(3)
  await send('Второй')
  expect(names((await today(author)).stuck)).toEqual(['Первый', 'Второй'])
  await act({ id: colleague, organizationId }, first, 'InternalApprove', 'approve')
  await later(1)
  expect(names((await today(author)).finished)).toEqual(['Первый'])
  await later(1)
  expect(names((await today(author)).finished)).toEqual([])
})

test('a reminder can be sent once a day', async () => {
  const { house, organizationId, author, today, later } = await scene()
  const bin = '240540017348'
  const outside = await house.point('ExternalSign', { bin, emails: ['deals@other.kz'] })
  const { id } = (await house.send(await house.route(outside), {}, author)).result
  const remind = () => call(author, remindOfRequest, { organizationId, signingRequestId: id })
  expect((await remind()).status).toBe(200)
  expect((await today(author)).stuck.items[0]!.reminder.canRemind).toBe(false)
  expect((await remind()).error.ExceptionData.Alias).toBe('reminded-recently')
  await later(1)
  expect((await today(author)).stuck.items[0]!.reminder.canRemind).toBe(true)
  expect((await remind()).status).toBe(200)
})

test('a request that waits for its author is not listed as stuck', async () => {
  const { house, organizationId, employee, today } = await scene()
  const route = await house.route(await house.point('CompanyInternalSign'))
  const { result: sent } = await house.send(route, { name: 'Сам себе' }, employee)
  const mine = await today(employee)
  expect(names(mine.waiting)).toEqual(['Сам себе'])
  expect(names(mine.stuck)).toEqual([])
  await signAt({ id: employee, organizationId }, sent, 'CompanyInternalSign', house.stamp)
  expect(names((await today(employee)).finished)).toEqual(['Сам себе'])
})

test('owners see what ends soon, others do not', async () => {
  const { owner, colleague } = await scene()
  const organizationId = await make.organization(owner)
  await make.member(organizationId, colleague)
  const endingFor = async (id: string) => (await call(id, getToday, { organizationId })).result.ending
  await database.pool.query(
    `insert into subscriptions (id, organization_id, name_key, start_date, end_date, max_signing_requests, created_at)
     values (gen_random_uuid(), $1, 'standard', '2026-01-01', '2026-12-01', 100, now())`,
    [organizationId],
  )
  expect(await endingFor(owner)).toEqual([
    { kind: 'subscription', subject: 'standard', id: null, date: '2026-12-01' },
  ])
  expect(await endingFor(colleague)).toEqual([])
})

test('requests of other organisations and other authors are not shown', async () => {
  const one = await scene()
  await one.send('Чужой')
  const other = await testApp.company()
  const { result } = await call(other.owner, getToday, { organizationId: other.organizationId })
  expect([result.waiting, result.stuck, result.finished].flatMap(names)).toEqual([])
  expect(names((await one.today(one.owner)).stuck)).toEqual([])
})
