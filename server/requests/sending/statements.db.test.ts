/** How many statements a send costs: each is a round trip to the database. */
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { statementsOf } from '@kelisim/db/testing-statements.ts'
import { countWaiting, testDatabase } from '@kelisim/db/testing.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { startRequestsApp } from '../core/testing-requests.ts'

const { database, connection } = await testDatabase()
const app = await startRequestsApp({ database })
const house = await app.company()
const partner = await app.company()

test('sending along a route with an approval, a signature and a counterparty takes fewer than 40 SQL statements', async () => {
  const routeId = await house.route(
    await house.point('InternalApprove'),
    await house.point('CompanyInternalSign'),
    await house.point('ExternalSign', {
      bin: partner.bin,
      organizationName: 'Партнёр',
      emails: ['a@example.kz'],
    }),
  )
  const { organizationId, employee } = house
  const { result: document } = await house.upload(employee, organizationId)
  const form = { organizationId, documentId: document.id, routeId, name: 'Договор поставки' }
  expect((await app.call(employee, createRequest, form)).status).toBe(200)
  const asked = await statementsOf(database, async () => {
    expect((await app.call(employee, createRequest, form)).status).toBe(200)
  })
  expect(asked.length, asked.join('\n')).toBeLessThan(40)
})

describe('sends along one route', () => {
  test('do not wait for each other, but a change of the route waits for them', async () => {
    const routeId = await house.route(await house.point('InternalApprove'))
    const sender = await locking('share', routeId)
    expect((await house.send(routeId)).status).toBe(200)
    const { organizationId, owner } = house
    const change = app.call(owner, routeCalls.deactivate, { organizationId, routeId, currentVersion: 1 })
    await expect.poll(() => countWaiting(database), { timeout: 30_000 }).toBe(1)
    await sender.query('commit')
    expect((await change).status).toBe(200)
    await sender.end()
  })

  test('wait for a change of the route and go by its result', async () => {
    const routeId = await house.route(await house.point('InternalApprove'))
    const change = await locking('update', routeId)
    const send = house.send(routeId)
    await expect.poll(() => countWaiting(database), { timeout: 30_000 }).toBe(1)
    await change.query('update routes set is_active = false where id = $1', [routeId])
    await change.query('commit')
    expect((await send).error.ExceptionData.Alias).toBe('unavailable-route')
    await change.end()
  })
})

/** A transaction in which somebody sends along the route ("share") or changes it ("update"). */
async function locking(how: 'share' | 'update', routeId: string): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('begin')
  await client.query(`select id from routes where id = $1 for ${how}`, [routeId])
  return client
}
