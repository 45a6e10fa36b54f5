/** Terminating a signed document: by a document of its own that every side signs in the same order. */
import { describe, expect, test } from 'vitest'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { removeGroup } from '@kelisim/domain/portal/contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { pdfText } from '../../rich-text/testing-pdf.ts'
import { actingIn, startRequestsApp, statusOf } from '../core/testing-requests.ts'

const { database: whole } = await testDatabase()
/** Simulates a connection that breaks after the commit: the change is saved, but the caller gets an error. */
let isCommitLost = false
const database: Database = {
  ...whole,
  async write(work) {
    const done = await whole.write(work)
    if (isCommitLost) throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
    return done
  },
}
const testApp = await startRequestsApp({ database })
const { app, call, make, tokenOf } = testApp
const { look, act, signAt, signatureOf } = actingIn(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const ours = { id: sender.employee, organizationId: sender.organizationId }
const theirs = { id: receiver.owner, organizationId: receiver.organizationId }
const signing = await sender.point('CompanyInternalSign')
const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
const route = await sender.route(signing, external)

async function contract(change: object = {}) {
  const { result: sent } = await sender.send(route, change)
  await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  const { result } = await signAt(
    theirs,
    (await look(theirs, sent.id)).result,
    'ExternalSign',
    receiver.stamp,
  )
  expect(statusOf(result)).toBe('Completed')
  return sent
}

const terminate = (who: { id: string; organizationId?: string }, id: string, change: object = {}) =>
  call(who.id, terminateRequest, {
    organizationId: who.organizationId ?? emptyId,
    signingRequestId: id,
    comment: 'Стороны передумали',
    ...change,
  })

/** The number of files in the storage, without incoming ones. */
function keptFiles(): number {
  const { incoming } = testApp.archive.storage
  const all = readdirSync(dirname(incoming), { recursive: true, withFileTypes: true })
  return all.filter((entry) => entry.isFile() && entry.parentPath !== incoming).length
}

async function terminatingDocument(id: string): Promise<Buffer> {
  const response = await app.inject({
    url: `/api/SigningRequests/${ours.organizationId}/${id}/files/terminating`,
    headers: { cookie: `session=${await tokenOf(ours.id)}`, origin: publicUrl.origin },
  })
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}

test('either side can start a termination, and every side signs the terminating document in the same order', async () => {
  const sent = await contract({ name: 'Аренда склада' })
  const begun = await terminate(theirs, sent.id, { comment: 'Склад продан\nс 1 декабря' })
  expect(statusOf(begun.result)).toBe('Terminating')
  expect(begun.result.termination).toMatchObject({ attempt: 1, comment: 'Склад продан\nс 1 декабря' })

  const document = await terminatingDocument(sent.id)
  const text = await pdfText(document)
  for (const part of ['Соглашение о расторжении', 'Аренда склада', sent.document.sha256, 'Склад продан']) {
    expect(text).toContain(part)
  }
  expect(text).toContain(sender.bin)
  expect(text).toContain(receiver.bin)

  const view = (await look(theirs, sent.id)).result
  const early = await act(theirs, view, 'ExternalSign', 'sign', {
    signature: await signatureOf(receiver.stamp, document),
  })
  expect(aliasOf(early)).toBe('process-wrong-order')
  // A signature of the contract itself does not terminate it.
  const wrong = await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  expect(statusOf(wrong.result)).toBe('TerminatingValidationFail')
  const signature = await signatureOf(sender.stamp, document)
  const first = await act(ours, sent, 'CompanyInternalSign', 'sign', { signature })
  expect(statusOf(first.result)).toBe('Terminating')
  const last = await act(theirs, view, 'ExternalSign', 'sign', {
    signature: await signatureOf(receiver.stamp, document),
  })
  expect(statusOf(last.result)).toBe('Terminated')
  expect(last.result.acts).toEqual([])
  for (const { signatures } of last.result.termination!.points) {
    expect(signatures.map(({ state }) => state)).toContain('accepted')
  }
})

test('the terminating document does not name internal approvers, even if they used a key', async () => {
  const agreed = await sender.point('InternalApprove', { isEdsPresentationRequired: true })
  const { result: sent } = await sender.send(await sender.route(agreed, signing, external))
  const key = await sender.ownKey(sender.colleague)
  await signAt({ ...ours, id: sender.colleague }, sent, 'InternalApprove', key)
  await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  const received = (await look(theirs, sent.id)).result
  await signAt(theirs, received, 'ExternalSign', receiver.stamp)
  expect(statusOf((await terminate(theirs, sent.id)).result)).toBe('Terminating')
  const text = await pdfText(await terminatingDocument(sent.id))
  expect(text.split(sender.bin)).toHaveLength(3) // as the sender, and as one that signed
})

test('a contract can be terminated after its group was removed: the owners sign instead', async () => {
  const groupId = await sender.group('Разовая', sender.employee)
  const gone = await sender.point('CompanyInternalSign', { groupId })
  const { result: sent } = await sender.send(await sender.route(gone, external))
  await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  await signAt(theirs, (await look(theirs, sent.id)).result, 'ExternalSign', receiver.stamp)
  const owner = { ...ours, id: sender.owner }
  const removed = await call(owner.id, removeGroup, { organizationId: ours.organizationId, groupId })
  expect(removed.status).toBe(200)
  expect(statusOf((await terminate(theirs, sent.id)).result)).toBe('Terminating')
  const key = await citizen(testApp.nation, { bin: sender.bin })
  const signature = await signatureOf(key, await terminatingDocument(sent.id))
  const { result } = await act(owner, sent, 'CompanyInternalSign', 'sign', { signature })
  expect(result.termination!.points.map(({ status }) => status)).toEqual([1, 2])
})

test('if a side rejects, the contract stays in force, the attempt is kept, and another can follow', async () => {
  const sent = await contract()
  await terminate(ours, sent.id)
  const refused = await act(ours, sent, 'CompanyInternalSign', 'reject', { comment: 'Не согласны' })
  expect(statusOf(refused.result)).toBe('Completed')
  expect(refused.result.termination).toMatchObject({ attempt: 1, points: [{ status: 5 }, { status: 6 }] })
  const again = await terminate(theirs, sent.id)
  expect(again.result.termination).toMatchObject({ attempt: 2, points: [{ status: 2 }, { status: 6 }] })
})

describe('a termination is refused', () => {
  test('to people who did not sign, before signing, without a reason, and while another is under way', async () => {
    const { result: unsigned } = await sender.send(route)
    expect(aliasOf(await terminate(ours, unsigned.id))).toBe('wrong-request-status')
    const sent = await contract()
    const owner = { id: sender.owner, organizationId: sender.organizationId }
    expect(aliasOf(await terminate(owner, sent.id))).toBe('not-enough-permissions')
    expect(aliasOf(await terminate({ id: await make.person() }, sent.id))).toBe(
      'signing-request-access-failure',
    )
    expect(aliasOf(await terminate(ours, sent.id, { comment: ' ' }))).toBe('validation-failure')
    expect(aliasOf(await terminate(ours, sent.id, { comment: 'а'.repeat(8001) }))).toBe('validation-failure')
    expect(aliasOf(await terminate(ours, sent.id, { currentVersion: 1 }))).toBe('request-changed')
    expect((await terminate(ours, sent.id)).status).toBe(200)
    expect(aliasOf(await terminate(theirs, sent.id))).toBe('wrong-request-status')
  })

  test('to one of two people who start it at once, and leaves no file in the storage', async () => {
    const sent = await contract()
    const before = keptFiles()
    const both = await Promise.all([terminate(ours, sent.id), terminate(theirs, sent.id)])
    expect(keptFiles()).toBe(before + 1)
    expect(both.map(aliasOf).filter((alias) => alias !== null)).toEqual(['wrong-request-status'])
    expect((await look(ours, sent.id)).result.termination).toMatchObject({ attempt: 1 })
  })
})

test('a termination repeated with the same key, also at once, starts once with one document', async () => {
  const sent = await contract()
  const before = keptFiles()
  const key = newId()
  const both = await Promise.all([terminate(ours, sent.id, { key }), terminate(ours, sent.id, { key })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const again = await terminate(ours, sent.id, { key })
  expect([again.status, again.result.termination?.attempt]).toEqual([200, 1])
  expect(keptFiles()).toBe(before + 1)
})

test('the terminating document survives a connection that breaks at the commit', async () => {
  const sent = await contract()
  const key = newId()
  isCommitLost = true
  const lost = await terminate(ours, sent.id, { key })
  isCommitLost = false
  expect(lost.status).toBe(503)
  expect((await terminate(ours, sent.id, { key })).result.termination).toMatchObject({ attempt: 1 })
  expect(await pdfText(await terminatingDocument(sent.id))).toContain(sent.document.sha256)
})

test('a document whose name has characters missing in the font can be terminated', async () => {
  const sent = await contract({ name: 'Договор 🚀 № 5' })
  expect((await terminate(ours, sent.id)).status).toBe(200)
  expect(await pdfText(await terminatingDocument(sent.id))).toContain('Договор ? № 5')
})
