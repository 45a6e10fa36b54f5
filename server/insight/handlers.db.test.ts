/** How long requests waited: by step, group, counterparty and month; for the author, and for owners. */
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { hour } from '@kelisim/domain/durations.ts'
import { downloadWaits, getWaits, type WaitKey } from '@kelisim/domain/insight/contract.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { readTable } from '../tables/read-table.ts'

const app = await startRequestsApp()
const { call, time } = app
const { act, signAt } = actingIn(app)
const company = await app.company()
const { organizationId, owner } = company
const employee = { id: company.employee, organizationId }

const later = (hours: number) => app.travel(new Date(time.now.getTime() + hours * hour))
const ask = (personId: string, by: WaitKey, change: object = {}) =>
  call(personId, getWaits, { organizationId, by, whose: 'mine', skip: 0, take: 10, ...change })

const approval = await company.point('InternalApprove')
const signing = await company.point('CompanyInternalSign')
const outside = await company.point('ExternalSign', {
  bin: '880340300123',
  organizationName: 'ТОО «Жаңа жол»',
  emails: ['o@example.kz'],
})
const route = await company.route(approval, signing, outside)

test('answered and waiting requests are counted by step, group, counterparty and month', async () => {
  for (const hours of [1, 3]) {
    const { result: sent } = await company.send(route)
    await later(hours)
    await act(employee, sent, 'InternalApprove', 'approve')
    await later(hours * 10)
    await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  }
  const byAct = (await ask(company.employee, 'act')).result.items
  expect(byAct.find(({ name }) => name === 'approve')).toMatchObject({
    answered: 2,
    medianHours: 2,
    slowHours: 2.8,
    waiting: 0,
    waitingSince: null,
  })
  // The two signing steps of the company were answered; the two outside still wait.
  expect(byAct.find(({ name }) => name === 'sign')).toMatchObject({
    answered: 2,
    medianHours: 20,
    waiting: 2,
  })
  const [group, ...more] = (await ask(company.employee, 'group')).result.items
  expect([group, more]).toMatchObject([{ name: 'Бухгалтерия', answered: 4, waiting: 0 }, []])
  const { items: sides } = (await ask(company.employee, 'counterparty')).result
  expect(sides).toMatchObject([
    { name: 'ТОО «Жаңа жол»', bin: '880340300123', answered: 0, medianHours: null, waiting: 2 },
  ])
  const { items: months } = (await ask(company.employee, 'month')).result
  expect(months.map(({ name }) => name)).toEqual(['2026-11'])
})

test('members see figures of what they sent; owners may see those of the whole organisation', async () => {
  expect((await ask(company.colleague, 'group')).result).toEqual({ items: [], totalCount: 0 })
  const refused = await ask(company.colleague, 'group', { whose: 'all' })
  expect([refused.status, aliasOf(refused)]).toEqual([403, 'not-enough-permissions'])
  expect((await ask(owner, 'group', { whose: 'all' })).result.totalCount).toBe(1)
  const other = await app.company()
  const there = await call(other.owner, getWaits, {
    organizationId: other.organizationId,
    by: 'group',
    whose: 'all',
    skip: 0,
    take: 10,
  })
  expect(there.result.totalCount).toBe(0)
})

test('requests before the chosen period do not count, and the list is paged', async () => {
  expect((await ask(company.employee, 'act', { take: 1 })).result).toMatchObject({ totalCount: 2 })
  await later(24 * 40)
  expect((await ask(company.employee, 'act', { months: 1 })).result.totalCount).toBe(0)
  expect((await ask(company.employee, 'act')).result.totalCount).toBe(2)
})

test('the figures can be downloaded as a table by those who may see them', async () => {
  const download = async (who: string, whose: string) => {
    const { path } = fillPath(downloadWaits.path, { organizationId })
    const query = `by=counterparty&whose=${whose}&months=12`
    return app.app.inject({
      url: `${path}?${query}`,
      headers: { cookie: `session=${await app.tokenOf(who)}`, 'accept-language': 'ru' },
    })
  }
  expect((await download(company.colleague, 'all')).statusCode).toBe(403)
  const file = await download(owner, 'all')
  expect(file.headers['content-type']).toContain('spreadsheetml')
  const saved = join(tmpdir(), `kelisim-waits-${newId()}.xlsx`)
  writeFileSync(saved, file.rawPayload)
  const read = await readTable(saved)
  rmSync(saved)
  if ('fault' in read) throw new Error(read.fault)
  expect(read.table.rows.map(({ cells }) => cells.slice(0, 6))).toEqual([
    ['ТОО «Жаңа жол»', '880340300123', '0', '', '', '2'],
  ])
})
