/** Copies of completed documents: who may send them, to whom, and what their readers get. */
import { beforeEach, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { stopEmails } from '@kelisim/domain/mail/stop-contract.ts'
import { strangerLimit } from '@kelisim/domain/mail/stranger-limits.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { openByCode, sendCopies } from '@kelisim/domain/requests/holder-contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database, emails } = testApp
const { act, signAt } = actingIn(testApp)
const company = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const colleague = { id: company.colleague, organizationId }
const route = await company.route(
  await company.point('InternalApprove'),
  await company.point('CompanyInternalSign'),
)

// The tests call more often in a minute than one person may.
const noCalls = () => database.pool.query('delete from rate_limits')
beforeEach(async () => {
  emails.length = 0
  await noCalls()
})

const generationSetting = { additionalComponents: 0, accessCodeExpirationDate: null }

async function sent() {
  const { result } = await company.send(route, { generationSetting })
  return result
}

async function signed(): Promise<string> {
  const request = await sent()
  await act(colleague, request, 'InternalApprove', 'approve', {})
  await signAt(employee, request, 'CompanyInternalSign', company.stamp, {})
  return request.id
}

const copies = (by: string, signingRequestId: string, ...to: string[]) =>
  call(by, sendCopies, { organizationId, signingRequestId, emails: to })

test('each reader of a copy gets an e-mail whose link shows the document and its signatures, without an account', async () => {
  const id = await signed()
  const before = emails.length
  const { status } = await copies(
    employee.id,
    id,
    'Auditor@bank.example',
    'auditor@bank.example',
    'b@c.example',
  )
  expect(status).toBe(200)
  const letters = emails.slice(before)
  expect(letters.map(({ to }) => to)).toEqual(['auditor@bank.example', 'b@c.example'])
  const [first] = letters
  expect(first).toMatchObject({ status: { tone: 'done' }, quotes: [{ text: 'Договор поставки' }] })
  expect(first!.choice!.unsubscribeUrl).toContain('http')
  const code = first!.button!.url.split('#code=')[1]!
  const { result: held } = await call(null, openByCode, { signingRequestId: id, code })
  expect(held).toMatchObject({ id, signatures: [{ side: { bin: company.bin } }] })
  const { result: request } = await call(employee.id, getRequest, { organizationId, signingRequestId: id })
  // The author sees that a link opens the document, and can take it back.
  expect(request.generationSetting.additionalComponents).toBe(2)
})

test('only its author or an owner sends copies, and only of a completed document', async () => {
  const running = await sent()
  expect(aliasOf(await copies(employee.id, running.id, 'a@b.example'))).toBe('request-not-completed')
  const id = await signed()
  const before = emails.length
  expect(aliasOf(await copies(colleague.id, id, 'a@b.example'))).toBe('improper-role')
  const other = await testApp.company()
  const foreign = await call(other.owner, sendCopies, {
    organizationId: other.organizationId,
    signingRequestId: id,
    emails: ['a@b.example'],
  })
  expect(aliasOf(foreign)).toBe('signing-request-not-found')
  expect(aliasOf(await copies(employee.id, newId(), 'a@b.example'))).toBe('signing-request-not-found')
  expect(emails).toHaveLength(before)
  expect((await copies(company.owner, id, 'a@b.example')).status).toBe(200)
})

test('copies are refused while the access code of their link has expired', async () => {
  const id = await signed()
  await database.pool.query(
    `update signing_requests set additional_components = 1, access_code_expires_on = '2026-11-01' where id = $1`,
    [id],
  )
  expect(aliasOf(await copies(employee.id, id, 'a@b.example'))).toBe('access-code-date-past')
  expect(emails).toEqual([])
})

test('an unconfirmed organisation cannot send copies', async () => {
  const id = await signed()
  await database.pool.query('update signing_requests set sender_confirmed_at = null where id = $1', [id])
  expect(aliasOf(await copies(employee.id, id, 'a@b.example'))).toBe('organization-not-confirmed')
})

test('an address that stopped e-mails gets no copy, and nobody gets more than the daily limit', async () => {
  const id = await signed()
  await copies(employee.id, id, 'quiet@d.example')
  const token = new URL(emails.at(-1)!.choice!.unsubscribeUrl).pathname.split('/').at(-1)!
  await call(null, stopEmails, { token, of: 'sender' })
  expect(aliasOf(await copies(employee.id, id, 'quiet@d.example'))).toBe('address-refuses-emails')
  expect(emails.filter(({ to }) => to === 'quiet@d.example')).toHaveLength(1)
  const limit = strangerLimit('person-to-address', { isConfirmed: true, domain: 'e.example' })
  for (let i = 0; i < limit; i++) {
    expect((await copies(employee.id, id, 'same@e.example')).status).toBe(200)
    await noCalls()
  }
  expect(aliasOf(await copies(employee.id, id, 'same@e.example'))).toBe('email-limit-reached')
  expect(emails.filter(({ to }) => to === 'same@e.example')).toHaveLength(limit)
})
