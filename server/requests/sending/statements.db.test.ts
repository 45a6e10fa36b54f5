/** How many statements a send costs: each is a round trip to the database. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { statementsOf } from '@kelisim/db/testing-statements.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
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

test('sends along one route do not wait for each other, only for a change of the route', async () => {
  const routeId = await house.route(await house.point('InternalApprove'))
  const other = new pg.Client(connection)
  await other.connect()
  await other.query('begin')
  await other.query('select id from routes where id = $1 for share', [routeId])
  expect((await house.send(routeId)).status).toBe(200)
  await other.end()
})
