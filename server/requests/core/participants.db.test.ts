/** The cost of opening a request depends on its own people, not on how many others the installation knows. */
import { expect, test } from 'vitest'
import { rowsReadBy } from '../reading/testing-rows-read.ts'
import { findPointRows } from './queries/requests.ts'
import { startRequestsApp } from './testing-requests.ts'

const testApp = await startRequestsApp()
const { database } = testApp
const company = await testApp.company()
const route = await company.route(await company.point('CompanyInternalSign'))

test('the people who may act are found without reading all users', async () => {
  const { result: sent } = await company.send(route)
  const client = await database.pool.connect()
  try {
    await client.query(`
      insert into users (id, issuer, subject, login, full_name, email, is_email_confirmed, created_at)
      select gen_random_uuid(), 'test', 'other ' || n, 'other ' || n, 'Другой ' || n, 'other' || n || '@example.kz', true, now()
      from generate_series(1, 5000) n`)
    await client.query('vacuum analyze users')
  } finally {
    client.release()
  }
  const people: string[] = []
  const { scans, read } = await rowsReadBy(database, ['request_points'], async (db) => {
    const points = await findPointRows(db, [sent.id])
    people.push(...points.flatMap(({ participants }) => participants.map(({ id }) => id)))
    return { totalCount: points.length }
  })
  expect(people).toContain(company.employee)
  expect(scans).not.toContain('users')
  expect(read).toBeLessThan(100)
})
