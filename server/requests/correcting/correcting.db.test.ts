/** Replacing the document of a running request, with real signatures and real locks. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { getRequestHistory, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { findPointStatus } from '@kelisim/domain/requests/status.ts'
import { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { goodDocx, goodPdf } from '../../documents/testing-corpus.ts'
import { auditState } from '../../operator/audit/state-queries.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { eventsToLog } from '../../transparency/queries.ts'
import { watchDeadlines } from '../deadlines/deadlines.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'
import { signingInside } from '../signed-pdf/testing-inside.ts'

const testApp = await startRequestsApp()
const { call, database, time } = testApp
const { db } = database
const sender = await testApp.company()
const partner = await testApp.company()
const { organizationId, employee, colleague } = sender
const { act, look, signAt, signatureOf } = actingIn(testApp)
const member = { id: employee, organizationId }
const approval = await sender.point('InternalApprove')
const signing = await sender.point('CompanyInternalSign')
const route = await sender.route(approval, signing)
/** Two people have to sign, so one signature does not complete the request. */
const twoSign = await sender.route([signing, await sender.point('EmployeeInternalSign')])

/** Another document: the same pages with a PDF comment at the end. */
const corrected = Buffer.concat([goodPdf, Buffer.from(`\n% corrected\n`)])
const document = async (bytes: Buffer = corrected, personId = employee) =>
  (await sender.upload(personId, organizationId, { bytes })).result.id

const correct = async (request: Pick<View, 'id'>, change: object = {}, personId = employee) =>
  call(personId, correctRequest, {
    organizationId,
    signingRequestId: request.id,
    documentId: await document(),
    comment: 'Исправлена сумма',
    ...change,
  })

const sent = async () => (await sender.send(route)).result
const pointsOf = (view: View) => view.points.map(({ status }) => findPointStatus(status))
const typesOf = async (signingRequestId: string) => {
  const page = { organizationId, signingRequestId, skip: 0, take: 100 }
  const { items } = (await call(employee, getRequestHistory, page)).result
  return items.toReversed().map(({ type }) => type)
}

describe('a corrected document', () => {
  test('goes along its route from the beginning, and earlier acts do not count', async () => {
    const request = await sent()
    await act(member, request, 'InternalApprove', 'approve')
    expect(pointsOf((await look(member, request.id)).result)).toEqual(['Approved', 'Waiting'])
    const after = (await correct(request)).result
    expect([statusOf(after), after.revision, ...pointsOf(after)]).toEqual([
      'InProgress',
      2,
      'Waiting',
      'InQueue',
    ])
    expect(after.points.flatMap(({ acts }) => acts)).toEqual([])
    expect(after.revisions.map(({ revision, sha256 }) => [revision, sha256])).toEqual([
      [1, request.document.sha256],
      [2, after.document.sha256],
    ])
    expect(after.revisions[1]).toMatchObject({ comment: 'Исправлена сумма' })
    expect(after.document.sha256).not.toBe(request.document.sha256)
    expect(await typesOf(request.id)).toEqual([
      'sent', 'started', 'turn-came', 'approved', 'point-done', 'turn-came', 'corrected', 'turn-came',
    ]) // prettier-ignore
    expect(await auditState(db)).toEqual([])
  })

  test('has every act in the log with the hash of the document it was about', async () => {
    const request = await sent()
    await act(member, request, 'InternalApprove', 'approve')
    const after = (await correct(request)).result
    await act(member, request, 'InternalApprove', 'approve', { revision: 2 })
    const events = await eventsToLog(db).where('e.requestId', '=', request.id).orderBy('e.number').execute()
    const over = events
      .filter(({ type }) => type === 'approved' || type === 'corrected')
      .map(({ documentHash }) => documentHash.toString('hex'))
    const [first, second] = [request.document.sha256, after.document.sha256]
    expect(over).toEqual([first, second, second])
    const data = events.find(({ type }) => type === 'corrected')!.data
    expect(data).toMatchObject({ revision: 2, before: first, document: second })
  })

  test('takes no approval of the earlier document', async () => {
    const request = await sent()
    const { currentVersion } = (await look(member, request.id)).result
    await correct(request)
    const approve = (change: object) => act(member, request, 'InternalApprove', 'approve', change)
    expect(aliasOf(await approve({}))).toBe('document-revised')
    expect(aliasOf(await approve({ revision: 1 }))).toBe('document-revised')
    expect(aliasOf(await approve({ currentVersion }))).toBe('request-changed')
    expect((await approve({ revision: 2 })).status).toBe(200)
  })

  test('takes no signature over the earlier bytes, and ends one already given', async () => {
    const request = (await sender.send(twoSign)).result
    const old = await signatureOf(sender.stamp)
    await signAt(member, request, 'CompanyInternalSign', sender.stamp)
    expect(pointsOf((await look(member, request.id)).result)).toContain('Signed')
    const after = (await correct(request)).result
    expect(after.points.flatMap(({ signatures }) => signatures)).toEqual([])
    expect(pointsOf(after)).toEqual(['Waiting', 'Waiting'])
    await act(member, request, 'CompanyInternalSign', 'sign', { signature: old })
    const refused = (await look(member, request.id)).result
    expect(statusOf(refused)).toBe('ValidationFail')
    const signature = await signatureOf(sender.stamp, corrected)
    await act(member, request, 'CompanyInternalSign', 'sign', { signature })
    expect(pointsOf((await look(member, request.id)).result)).toContain('Signed')
    const kept = await db
      .selectFrom('requestSignatures')
      .select(['revision', 'state'])
      .where('requestId', '=', request.id)
      .orderBy('revision')
      .orderBy('state', 'desc')
      .execute()
    expect(kept).toEqual([
      { revision: 1, state: 'accepted' },
      { revision: 2, state: 'refused' },
      { revision: 2, state: 'accepted' },
    ])
    expect(await auditState(db)).toEqual([])
  })

  test('does not show the name of an earlier file to those whom it reaches later', async () => {
    const outside = await sender.point('ExternalSign', { bin: partner.bin, emails: ['partner@example.kz'] })
    const request = (await sender.send(await sender.route(approval, outside))).result
    const uploaded = async (name: string) => {
      const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% ${name} ${request.id}\n`)])
      return (await sender.upload(employee, organizationId, { bytes, name })).result.id
    }
    await correct(request, { documentId: await uploaded('Секретная скидка.pdf') })
    const newest = (await correct(request, { documentId: await uploaded('Договор.pdf') })).result
    await act(member, newest, 'InternalApprove', 'approve', { revision: 3 })
    const theirs = { id: partner.owner, organizationId: partner.organizationId }
    const page = { signingRequestId: request.id, skip: 0, take: 100 }
    const history = await call(theirs.id, getRequestHistory, {
      organizationId: theirs.organizationId,
      ...page,
    })
    expect(history.result.items.filter(({ type }) => type === 'corrected')).toHaveLength(2)
    const seen = JSON.stringify([history.result, (await look(theirs, request.id)).result])
    expect(seen).toContain('Договор.pdf')
    expect(seen).not.toContain('Секретная скидка')
    const events = await eventsToLog(db).where('e.requestId', '=', request.id).execute()
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('Секретная скидка')
  })

  test('keeps every earlier document for downloading', async () => {
    const request = await sent()
    await correct(request)
    const get = async (revision: number) =>
      testApp.app.inject({
        url: `/api/SigningRequests/${organizationId}/${request.id}/revisions/${revision}`,
        headers: { cookie: `session=${await testApp.tokenOf(employee)}` },
      })
    expect((await get(1)).rawPayload.equals(goodPdf)).toBe(true)
    expect((await get(2)).rawPayload.equals(corrected)).toBe(true)
    expect((await get(3)).statusCode).toBe(404)
  })
})

describe('a corrected PDF with signatures inside', async () => {
  const { prepare, submit, signIn } = signingInside(testApp)
  const external = await sender.point('ExternalSign', { bin: partner.bin, emails: ['partner@example.kz'] })
  const inside = await sender.route(
    await sender.point('CompanyInternalSign', { signatureForm: 'pades' }),
    external,
  )
  const theirs = { id: partner.owner, organizationId: partner.organizationId }

  test('is signed from the beginning, and contains nothing of the earlier PDF', async () => {
    const request = (await sender.send(inside)).result
    await signIn(member, request, 'CompanyInternalSign', sender.stamp)
    const after = (await correct(request)).result
    expect([pointsOf(after), after.points.map(({ signatureForm }) => signatureForm)]).toEqual([
      ['Waiting', 'InQueue'],
      ['pades', 'pades'],
    ])
    time.now = new Date(time.now.getTime() + 5000)
    const prepared = await prepare(member, after, 'CompanyInternalSign')
    expect(prepared.bytes.subarray(0, corrected.length).equals(corrected)).toBe(true)
    const signature = await signatureOf(sender.stamp, prepared.bytes)
    await submit(member, after, 'CompanyInternalSign', prepared, { signature })
    time.now = new Date(time.now.getTime() + 5000)
    const received = (await look(theirs, request.id)).result
    const done = await signIn(theirs, received, 'ExternalSign', partner.stamp)
    expect(statusOf(done.result)).toBe('Completed')
    const { rawPayload } = await testApp.app.inject({
      url: `/api/SigningRequests/${organizationId}/${request.id}/electronic/signing`,
      headers: { cookie: `session=${await testApp.tokenOf(employee)}` },
    })
    const found = (await examinePdf(rawPayload, settingIn(testApp.nation, { at: time.now })))!
    expect(found.signatures).toHaveLength(2)
    expect(await auditState(db)).toEqual([])
  })

  test('refuses a signature prepared for the earlier PDF', async () => {
    const request = (await sender.send(inside)).result
    const prepared = await prepare(member, request, 'CompanyInternalSign')
    const signature = await signatureOf(sender.stamp, prepared.bytes)
    await correct(request)
    const late = await submit(member, request, 'CompanyInternalSign', prepared, { signature })
    expect(aliasOf(late)).toBe('document-revised')
    expect(pointsOf((await look(member, request.id)).result)).toEqual(['Waiting', 'InQueue'])
  })

  test('can be replaced by a PDF only', async () => {
    const request = (await sender.send(inside)).result
    const docx = (await sender.upload(employee, organizationId, { bytes: goodDocx, name: 'a.docx' })).result
    expect(aliasOf(await correct(request, { documentId: docx.id }))).toBe('signature-form-unfit')
  })
})

describe('correcting is refused', () => {
  test('to everybody but the author, and with the same document', async () => {
    const request = await sent()
    expect(
      aliasOf(await correct(request, { documentId: await document(corrected, colleague) }, colleague)),
    ).toBe('not-enough-permissions')
    expect(aliasOf(await correct(request, { documentId: await document(goodPdf) }))).toBe(
      'correction-changes-nothing',
    )
    expect(aliasOf(await correct(request, { documentId: newId() }))).toBe('document-not-found')
    const stranger = await testApp.company()
    const foreign = { organizationId: stranger.organizationId, signingRequestId: request.id }
    const documentId = (await stranger.upload(stranger.employee, stranger.organizationId)).result.id
    const theirs = await call(stranger.employee, correctRequest, { ...foreign, documentId, comment: 'Наш' })
    expect(aliasOf(theirs)).toBe('signing-request-not-found')
  })

  test('once everybody has signed, or after the end', async () => {
    const request = (await sender.send(await sender.route(signing, approval))).result
    await signAt(member, request, 'CompanyInternalSign', sender.stamp)
    expect(statusOf((await look(member, request.id)).result)).toBe('Signed')
    expect(aliasOf(await correct(request))).toBe('wrong-request-status')
    const ended = await sent()
    await call(employee, revokeRequest, { organizationId, signingRequestId: ended.id, comment: 'Не нужен' })
    expect(aliasOf(await correct(ended))).toBe('wrong-request-status')
  })

  test('after thirty documents', async () => {
    const request = await sent()
    for (let i = 2; i <= 30; i++) {
      const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% ${i} of ${request.id}\n`)])
      expect((await correct(request, { documentId: await document(bytes) })).result.revision).toBe(i)
    }
    expect(aliasOf(await correct(request))).toBe('too-many-corrections')
  })

  test('by the database if a document is replaced without a revision', async () => {
    const request = await sent()
    const swap = database.write((tx) =>
      tx.updateTable('signingRequests').set({ fileName: 'other.pdf' }).where('id', '=', request.id).execute(),
    )
    await expect(swap).rejects.toThrow('a document is replaced by a new revision only')
  })
})

describe('correcting at the same moment', () => {
  test('with a repeated call makes one revision', async () => {
    const request = await sent()
    const change = { key: newId(), documentId: await document() }
    const both = await Promise.all([correct(request, change), correct(request, change)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await look(member, request.id)).result.revision).toBe(2)
  })

  test('as approvals and withdrawals gives one order, and no approval of earlier bytes counts', async () => {
    for (let i = 0; i < 6; i++) {
      const request = await sent()
      const documentId = await document()
      await Promise.all([
        act(member, request, 'InternalApprove', 'approve', { revision: 1 }),
        correct(request, { documentId }),
        ...(i % 2 === 0
          ? [call(employee, revokeRequest, { organizationId, signingRequestId: request.id, comment: 'x' })]
          : []),
      ])
      const { result } = await look(member, request.id)
      const types = await typesOf(request.id)
      const isCorrected = types.includes('corrected')
      expect(result.revision).toBe(isCorrected ? 2 : 1)
      if (isCorrected) expect(types.lastIndexOf('approved')).toBeLessThan(types.indexOf('corrected'))
      if (isCorrected) expect(result.points.flatMap(({ acts }) => acts)).toEqual([])
    }
    expect(await auditState(db)).toEqual([])
  })

  test('as the request expires happens before its end, or not at all', async () => {
    const [expiresOn, nextDay] = ['2026-12-01', new Date('2026-12-02T06:00:00Z')]
    for (let i = 0; i < 4; i++) {
      const request = (await sender.send(route, { expiresOn })).result
      const documentId = await document()
      // The clock of the chore is ahead of the clock of the call; each asks its rule under the same lock.
      const [answer] = await Promise.all([
        correct(request, { documentId }),
        watchDeadlines({ database, clock: () => nextDay }),
      ])
      const { result } = await look(member, request.id)
      const types = await typesOf(request.id)
      expect([statusOf(result), types.at(-1)]).toEqual(['Revoked', 'expired'])
      expect(types.includes('corrected')).toBe(answer.status === 200)
      expect(result.revision).toBe(answer.status === 200 ? 2 : 1)
      if (answer.status !== 200) expect(aliasOf(answer)).toBe('wrong-request-status')
    }
    expect(await auditState(db)).toEqual([])
  })

  test('as a signature over the earlier bytes either ends it, or the signature is refused', async () => {
    for (let i = 0; i < 4; i++) {
      const request = (await sender.send(twoSign)).result
      const documentId = await document()
      const signature = await signatureOf(sender.stamp)
      const [, answer] = await Promise.all([
        act(member, request, 'CompanyInternalSign', 'sign', { signature }),
        correct(request, { documentId }),
      ])
      const { result } = await look(member, request.id)
      const isSigned = pointsOf(result).includes('Signed')
      expect(isSigned).toBe(result.revision === 1)
      if (answer.status !== 200) expect(aliasOf(answer)).toBe('signature-being-checked')
    }
    expect(await auditState(db)).toEqual([])
  })
})
