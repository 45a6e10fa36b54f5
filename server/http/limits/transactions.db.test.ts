import pg from 'pg'
import { expect, test } from 'vitest'
import { countWaiting, testDatabase } from '@kelisim/db/testing.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { startRequestsApp } from '../../requests/core/testing-requests.ts'

const { database, connection } = await testDatabase()
const app = await startRequestsApp({ database })

/** A new company with an employee who can send, and a function that sends. */
async function sender() {
  const { organizationId, employee, ...company } = await app.company()
  const routeId = await company.route(await company.point('InternalApprove'))
  const { result: document } = await company.upload(employee, organizationId)
  const form = { organizationId, documentId: document.id, routeId, name: 'Договор' }
  return { organizationId, send: () => app.call(employee, createRequest, form) }
}

test('a sender does not wait for another organisation whose sends wait for each other', async () => {
  const [busy, other] = [await sender(), await sender()]
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from organizations where id = $1 for update', [busy.organizationId])
  const { max } = database.writers.options
  const held = Array.from({ length: max * 2 }, () => busy.send())
  await expect.poll(() => countWaiting(database), { timeout: 30_000 }).toBe(max - 1)
  expect((await other.send()).status).toBe(200)
  await holder.query('rollback')
  await holder.end()
  // On a slow machine, calls that have waited for too long are refused with 503 and should be retried.
  const statuses = new Set((await Promise.all(held)).map(({ status }) => status))
  expect([...statuses].filter((status) => status !== 503)).toEqual([200])
})
