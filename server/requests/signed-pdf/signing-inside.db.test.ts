/** Signing inside a PDF through the API, with real signatures checked by the real engine. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { createRequest, tryRequest } from '@kelisim/domain/requests/contract.ts'
import { getPreparation } from '@kelisim/domain/requests/files-contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
import { signedByOther } from './testing-inside.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { goodDocx, goodPdf } from '../../documents/testing-corpus.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'
import { findAcceptedInside } from './queries.ts'
import { signingInside } from './testing-inside.ts'

const app = await startRequestsApp()
const { call, nation, centre, database, time, travel, tokenOf } = app
const { look, signAt } = actingIn(app)
const { prepare, submit, signIn, signatureOf } = signingInside(app)
const sender = await app.company()
const receiver = await app.company()
const employee = { id: sender.employee, organizationId: sender.organizationId }
const colleague = { id: sender.colleague, organizationId: sender.organizationId }
const partner = { id: receiver.owner, organizationId: receiver.organizationId }

const inside = await sender.point('CompanyInternalSign', { signatureForm: 'pades' })
const beside = await sender.point('CompanyInternalSign')
const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['partner@example.kz'] })
const contract = await sender.route(inside, external)
const together = await sender.route([inside, external])

const later = (seconds: number) => travel(new Date(time.now.getTime() + seconds * 1000))
const get = async (who: { id: string; organizationId: string }, path: string) =>
  app.app.inject({
    url: `/api/SigningRequests/${who.organizationId}/${path}`,
    headers: { cookie: `session=${await tokenOf(who.id)}`, origin: publicUrl.origin },
  })
const codesOf = (view: View) =>
  view.points.flatMap(({ signatures }) =>
    signatures.map(({ state, verdict }) => [state, verdict?.code ?? null]),
  )

async function examined(pdf: Uint8Array) {
  const { findings, signatures } = (await examinePdf(pdf, settingIn(nation, { at: time.now })))!
  return [
    ...findings,
    ...signatures.map(({ format, changesAfter, examination }) => ({
      format,
      changesAfter,
      faults: [...examination.findings, ...examination.signers.flatMap((one) => one.findings)],
      bin: examination.signers[0]?.owner?.bin,
    })),
  ]
}

test('both sides sign inside the PDF one after the other, and the result is the electronic document', async () => {
  const { result: sent } = await sender.send(contract)
  // One document has one form, so the other side signs inside too.
  expect(sent.points.map(({ signatureForm }) => signatureForm)).toEqual(['pades', 'pades'])
  const first = await signIn(employee, sent, 'CompanyInternalSign', sender.stamp)
  expect([first.status, codesOf(first.result)]).toEqual([200, [['accepted', null]]])
  await later(5)
  const received = (await look(partner, sent.id)).result
  const second = await signIn(partner, received, 'ExternalSign', receiver.stamp)
  expect(statusOf(second.result)).toBe('Completed')

  for (const who of [employee, partner]) {
    const { statusCode, headers, rawPayload } = await get(who, `${sent.id}/electronic/signing`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(rawPayload.subarray(0, goodPdf.length).equals(goodPdf)).toBe(true)
    expect(await examined(rawPayload)).toEqual([
      { format: 'PAdES', changesAfter: ['signatures', 'evidence'], faults: [], bin: sender.bin },
      { format: 'PAdES', changesAfter: ['evidence'], faults: [], bin: receiver.bin },
    ])
  }
})

test('a signature over the sent document instead of the revision is refused', async () => {
  const { result: sent } = await sender.send(contract)
  const prepared = await prepare(employee, sent, 'CompanyInternalSign')
  const signature = await signatureOf(sender.stamp)
  const refused = await submit(employee, sent, 'CompanyInternalSign', prepared, { signature })
  expect(codesOf(refused.result)).toEqual([['refused', 'DS-202']])
  expect(statusOf(refused.result)).toBe('ValidationFail')
  await later(1)
  // The refused signature left no revision behind.
  const good = await signIn(employee, sent, 'CompanyInternalSign', sender.stamp)
  expect(codesOf(good.result)).toEqual([
    ['refused', 'DS-202'],
    ['accepted', null],
  ])
})

test('of two people who sign at once the second is refused, and can sign the new revision', async () => {
  const { result: sent } = await sender.send(together)
  const received = (await look(partner, sent.id)).result
  const ours = await prepare(employee, sent, 'CompanyInternalSign')
  const theirs = await prepare(partner, received, 'ExternalSign')
  const signature = await signatureOf(receiver.stamp, theirs.bytes)
  await submit(employee, sent, 'CompanyInternalSign', ours, {
    signature: await signatureOf(sender.stamp, ours.bytes),
  })
  const late = await submit(partner, received, 'ExternalSign', theirs, { signature })
  expect(aliasOf(late)).toBe('document-revised')
  const again = await signIn(partner, received, 'ExternalSign', receiver.stamp)
  expect(statusOf(again.result)).toBe('Completed')
  expect(await findAcceptedInside(database.db, sent.id)).toHaveLength(2)
})

test('while one signature waits for the centre, others are refused until it is judged', async () => {
  const { result: sent } = await sender.send(together)
  const received = (await look(partner, sent.id)).result
  const ours = await prepare(employee, sent, 'CompanyInternalSign')
  const theirs = await prepare(partner, received, 'ExternalSign')
  centre.answer = undefined
  const waiting = await submit(employee, sent, 'CompanyInternalSign', ours, {
    signature: await signatureOf(sender.stamp, ours.bytes),
  })
  centre.answer = 'good'
  expect(codesOf(waiting.result)).toEqual([['checking', 'DS-510']])
  const refused = await submit(partner, received, 'ExternalSign', theirs, {
    signature: await signatureOf(receiver.stamp, theirs.bytes),
  })
  expect(aliasOf(refused)).toBe('signature-inside-being-checked')
  const { pointId } = received.points.find(({ type }) => type === 4)!
  const place = { organizationId: partner.organizationId, signingRequestId: sent.id, pointId }
  expect(aliasOf(await call(partner.id, getPreparation, place))).toBe('signature-inside-being-checked')
})

test('the same call twice signs once, and a replayed signature is refused', async () => {
  const { result: sent } = await sender.send(contract)
  const prepared = await prepare(employee, sent, 'CompanyInternalSign')
  const signature = await signatureOf(sender.stamp, prepared.bytes)
  const key = newId()
  const [one, other] = [
    await submit(employee, sent, 'CompanyInternalSign', prepared, { signature, key }),
    await submit(employee, sent, 'CompanyInternalSign', prepared, { signature, key }),
  ]
  expect([one.status, other.status]).toEqual([200, 200])
  expect(codesOf(other.result)).toEqual([['accepted', null]])
  const received = (await look(partner, sent.id)).result
  const theirs = await prepare(partner, received, 'ExternalSign')
  expect(aliasOf(await submit(partner, received, 'ExternalSign', theirs, { signature }))).toBe(
    'signature-used-before',
  )
  expect(aliasOf(await submit(partner, received, 'ExternalSign', prepared, { signature }))).toBe(
    'document-revised',
  )
})

test("a signature with a stranger's key is refused", async () => {
  const { result: sent } = await sender.send(contract)
  const stranger = await citizen(nation, { bin: receiver.bin })
  const refused = await signIn(employee, sent, 'CompanyInternalSign', stranger)
  expect(codesOf(refused.result)).toEqual([['refused', 'DS-706']])
})

test('a signature prepared too long ago, or for another time, is refused', async () => {
  const { result: sent } = await sender.send(contract)
  const prepared = await prepare(employee, sent, 'CompanyInternalSign')
  const signature = await signatureOf(sender.stamp, prepared.bytes)
  const at = new Date(new Date(prepared.at).getTime() - 1000).toISOString()
  expect(
    aliasOf(await submit(employee, sent, 'CompanyInternalSign', { ...prepared, at }, { signature })),
  ).toBe('document-revised')
  await later(3601)
  expect(aliasOf(await submit(employee, sent, 'CompanyInternalSign', prepared, { signature }))).toBe(
    'document-revised',
  )
})

test('a signature beside the document is refused where one inside is required, and the reverse', async () => {
  const { result: sent } = await sender.send(contract)
  expect(aliasOf(await signAt(employee, sent, 'CompanyInternalSign', sender.stamp))).toBe(
    'signature-inside-needed',
  )
  const { result: other } = await sender.send(await sender.route(beside))
  const place = {
    organizationId: employee.organizationId,
    signingRequestId: other.id,
    pointId: other.points[0]!.pointId,
  }
  expect(aliasOf(await call(employee.id, getPreparation, place))).toBe('point-not-found')
  const prepared = { at: time.now.toISOString(), sha256: '00'.repeat(32) }
  const signature = await signatureOf(sender.stamp)
  expect(aliasOf(await submit(employee, other, 'CompanyInternalSign', prepared, { signature }))).toBe(
    'wrong-request-configuration',
  )
})

test('a signature longer than the space reserved in the PDF is refused', async () => {
  const { result: sent } = await sender.send(contract)
  const prepared = await prepare(employee, sent, 'CompanyInternalSign')
  const long = await submit(employee, sent, 'CompanyInternalSign', prepared, {
    signature: Buffer.alloc(20_000, 0x30).toString('base64'),
  })
  expect([aliasOf(long), parametersOf(long)]).toEqual([
    'signature-refused',
    expect.objectContaining({ code: 'DS-103' }),
  ])
})

test('people who do not sign at the point cannot prepare a signature', async () => {
  const { result: sent } = await sender.send(contract)
  const { pointId } = sent.points.find(({ type }) => type === 4)!
  const place = { organizationId: colleague.organizationId, signingRequestId: sent.id, pointId }
  expect(aliasOf(await call(colleague.id, getPreparation, place))).toBe('point-not-found')
  // Before its turn the other side does not know of the document.
  expect(
    aliasOf(await call(partner.id, getPreparation, { ...place, organizationId: partner.organizationId })),
  ).toBe('signing-request-not-found')
})

test('signing inside the PDF is refused by phone', async () => {
  const { result: sent } = await sender.send(contract)
  const { pointId } = sent.points[0]!
  const asked = await call(employee.id, createCrosslinks, {
    organizationId: employee.organizationId,
    signingRequestId: sent.id,
    pointId,
    signingRequestsAssociationType: 0,
    deviceType: 'Desktop',
  })
  expect(aliasOf(asked)).toBe('mobile-not-inside')
})

test('a document that cannot be signed inside is refused by sending and by a trial', async () => {
  const docx = (
    await sender.upload(employee.id, employee.organizationId, { name: 'a.docx', bytes: goodDocx })
  ).result
  const closed = (
    await sender.upload(employee.id, employee.organizationId, {
      name: 'c.pdf',
      bytes: await signedByOther(nation),
    })
  ).result
  for (const [document, alias] of [
    [docx, 'signature-form-unfit'],
    [closed, 'document-not-signable'],
  ] as const) {
    const form = { organizationId: employee.organizationId, documentId: document.id, routeId: contract }
    expect(aliasOf(await call(employee.id, createRequest, { ...form, name: 'Договор' }))).toBe(alias)
    const { result } = await call(employee.id, tryRequest, form)
    expect(result.refusals.map((one) => one.alias)).toEqual([alias])
    expect(result.rehearsal!.turns.flatMap(({ steps }) => steps.map((step) => step.signatureForm))).toEqual([
      'pades',
      'pades',
    ])
  }
})
