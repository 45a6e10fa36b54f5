/** How many statements a signature costs: each is a round trip to the database. */
import { expect, test } from 'vitest'
import { statementsOf } from '@kelisim/db/testing-statements.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const app = await startRequestsApp({})
const { signAt } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))

test('judging and showing a signature takes fewer than 31 SQL statements', async () => {
  const sign = async () => {
    const { result } = await company.send(route)
    return () => signAt(employee, result, 'CompanyInternalSign', company.stamp)
  }
  expect((await (await sign())()).status).toBe(200)
  const signNow = await sign()
  const asked = await statementsOf(app.database, async () => {
    expect((await signNow()).status).toBe(200)
  })
  expect(asked.length, asked.join('\n')).toBeLessThan(31)
})
