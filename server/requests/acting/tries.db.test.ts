/** Limits of repeated attempts: refused signatures and rejected terminations. */
import { expect, test } from 'vitest'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { begunTerminations, refusedSignatures } from '@kelisim/domain/requests/tries.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, time, travel, database } = testApp
const { look, act, signAt } = actingIn(testApp)
const company = await testApp.company()
const other = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const colleague = { id: company.colleague, organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))
const noSignature = Buffer.from('30030201ff', 'hex').toString('base64')

test('after twenty refused signatures within an hour a person cannot submit another; colleagues can, and the person later', async () => {
  const { result: sent } = await company.send(route)
  const bad = () => act(employee, sent, 'CompanyInternalSign', 'sign', { signature: noSignature })
  for (let i = 0; i < refusedSignatures.hour; i++) expect((await bad()).status).toBe(200)
  const refused = await bad()
  expect([refused.status, aliasOf(refused)]).toEqual([429, 'too-many-refused-signatures'])
  expect(refused.error.ExceptionData.Parameters).toEqual({ minutes: 60 })
  const { length: kept } = await database.db
    .selectFrom('requestSignatures')
    .select('id')
    .where('requestId', '=', sent.id)
    .execute()
  expect(kept).toBe(refusedSignatures.hour)
  // All are stored; the page shows the latest.
  expect((await look(employee, sent.id)).result.points[0]!.signatures).toHaveLength(10)

  const { status } = await act(colleague, sent, 'CompanyInternalSign', 'sign', { signature: noSignature })
  expect(status).toBe(200)
  await travel(new Date(time.now.getTime() + 61 * 60_000))
  expect((await signAt(employee, sent, 'CompanyInternalSign', company.stamp)).status).toBe(200)
})

test('the limit of refused signatures applies to each request separately and to any key', async () => {
  const [{ result: one }, { result: two }] = [await company.send(route), await company.send(route)]
  for (let i = 0; i < refusedSignatures.hour; i++) {
    await act(employee, one, 'CompanyInternalSign', 'sign', { signature: noSignature })
  }
  expect(aliasOf(await signAt(employee, one, 'CompanyInternalSign', other.stamp))).toBe(
    'too-many-refused-signatures',
  )
  expect((await signAt(employee, two, 'CompanyInternalSign', company.stamp)).status).toBe(200)
})

test('a termination can be started five times a day', async () => {
  const { result: sent } = await company.send(route)
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  const begin = () =>
    call(employee.id, terminateRequest, {
      organizationId,
      signingRequestId: sent.id,
      comment: 'Стороны передумали',
    })
  for (let i = 0; i < begunTerminations.day; i++) {
    expect((await begin()).status).toBe(200)
    await act(employee, sent, 'CompanyInternalSign', 'reject', { comment: 'Нет' })
  }
  const refused = await begin()
  expect([refused.status, aliasOf(refused)]).toEqual([429, 'too-many-terminations'])
  await travel(new Date(time.now.getTime() + 25 * 60 * 60_000))
  expect((await begin()).status).toBe(200)
})
