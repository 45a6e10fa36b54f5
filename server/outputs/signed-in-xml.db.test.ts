/** XML that is signed inside, through the API: sent, signed by both sides, attacked, and all its files. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import { makeLongTerm } from '@kelisim/domain/outputs/long-term-contract.ts'
import { createRequest, tryRequest } from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import type { Setting } from '@kelisim/signature/examination/policy.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { signedXml, type XmlSigning } from '@kelisim/signature/testing/xml-files.ts'
import { cutSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
import { aliasOf, parametersOf } from '../routes/testing-routes.ts'
import { citizen, type Signer } from '../identity/testing-signers.ts'
import { partyOf } from '../requests/core/party.ts'
import { actingIn, statusOf, type View } from '../requests/core/testing-requests.ts'
import { documentPolicy } from '../requests/judging/examining.ts'
import { openRevisions } from '../requests/signed-pdf/revisions.ts'
import { publicUrl } from '../testing.ts'
import { manifestOf, rewritten, spkiOf, textOf, unpacked } from './bundle/testing-bundle.ts'
import { findFacts } from './core/asking.ts'
import { makersOf } from './makers.ts'
import { openPrinting } from './printable/printing.ts'
import { openReports } from './report/reports.ts'
import { startOutputsApp } from './testing-outputs.ts'

vi.setConfig({ testTimeout: 60_000 })

const app = await startOutputsApp('rsa')
const { call, database, archive, logKey, time, sender, receiver, ours, theirs, nation, centre } = app
const { act, look, signAt } = actingIn(app)
const [printing, reports, revisions] = [openPrinting(), openReports(), openRevisions()]
const makers = makersOf({ database, printing, reports, revisions, logKey, publicUrl })
const folder = mkdtempSync(join(tmpdir(), 'kelisim-xml-'))
afterAll(async () => {
  await Promise.all([printing.close(), reports.close(), revisions.close()])
  rmSync(folder, { recursive: true })
})

await call(sender.owner, saveOptions, { organizationId: ours.organizationId, documentsUploadXml: true })
const bill =
  '<?xml version="1.0" encoding="UTF-8"?>\r\n<bill xmlns="urn:b">\r\n  <sum>100</sum>\r\n</bill>\r\n'
const inXml = await sender.point('CompanyInternalSign', { signatureForm: 'xades' })
const inPdf = await sender.point('CompanyInternalSign', { signatureForm: 'pades' })
const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['partner@example.kz'] })
const alone = await sender.route(inXml)
const both = await sender.route([inXml, external])

const later = () => app.travel(new Date(time.now.getTime() + 5000))

async function uploaded(text = bill): Promise<string> {
  const file = { name: 'Счёт.xml', bytes: Buffer.from(text) }
  return (await sender.upload(ours.id, ours.organizationId, file)).result.id
}

const send = async (routeId: string, text = bill) =>
  (await sender.send(routeId, { documentId: await uploaded(text) })).result

/** The signature as the browser cuts it out of the XML that the signing program returned. */
async function signatureOf(signer: Signer, text = bill, options: XmlSigning = {}): Promise<string> {
  return Buffer.from(cutSignature(await signedXml(text, signer, options))!).toString('base64')
}

type Side = 'CompanyInternalSign' | 'ExternalSign'
const submit = (who: typeof ours, request: View, side: Side, signature: string, change: object = {}) =>
  act(who, request, side, 'sign', { signature, ...change })

const verdictsOf = (view: View) =>
  view.points.flatMap(({ signatures }) =>
    signatures.map(({ state, verdict }) => [state, verdict?.code ?? null]),
  )

const base = (id: string) => `/api/SigningRequests/${ours.organizationId}/${id}`

/** Ten years later, by the evidence inside and the root certificate. */
const years: Setting = {
  ...settingIn(nation, { at: new Date('2036-01-01T00:00:00Z'), timestamp: 'required', revocation: 'any' }),
  trust: { roots: [nation.root], others: [] },
}

async function faultsIn(xml: Uint8Array, setting = years): Promise<unknown[]> {
  const { findings, signatures } = (await examineXml(xml, setting))!
  return [
    ...findings,
    ...signatures.map(({ examination, isWhole }) => [
      ...(isWhole ? [] : ['a part']),
      ...examination.findings,
      ...examination.signers.flatMap((one) => one.findings),
    ]),
  ]
}

describe('sending a request with XML signatures', () => {
  test.each([
    ['with a comment', '<bill>1<!-- 2 --></bill>', 'comments'],
    ['with a signature of somebody', () => signedXml(bill, sender.stamp), 'signed'],
  ])('XML %s is refused, in the trial too', async (_, text, reason) => {
    const documentId = await uploaded(typeof text === 'string' ? text : await text())
    const form = { organizationId: ours.organizationId, documentId, routeId: alone }
    const refused = await call(ours.id, createRequest, { ...form, name: 'Счёт' })
    expect([aliasOf(refused), parametersOf(refused)]).toEqual([
      'document-not-signable',
      { form: 'xades', reason },
    ])
    const { result } = await call(ours.id, tryRequest, form)
    expect(result.refusals.map(({ alias }) => alias)).toEqual(['document-not-signable'])
  })

  test('another format is refused, and so is a route that asks for two forms', async () => {
    expect(aliasOf(await sender.send(alone))).toBe('signature-form-unfit')
    const two = await sender.route(inPdf, inXml)
    const documentId = await uploaded()
    expect(aliasOf(await sender.send(two, { documentId }))).toBe('signature-form-unfit')
    const form = { organizationId: ours.organizationId, documentId, routeId: two }
    const { result } = await call(ours.id, tryRequest, form)
    expect(result.refusals.map(({ alias }) => alias)).toEqual(['signature-form-unfit'])
  })
})

describe('an XML document with one signer', async () => {
  const sent = await send(alone)
  const signed = await submit(ours, sent, 'CompanyInternalSign', await signatureOf(sender.stamp))

  test('is signed as it was sent', () => {
    expect(verdictsOf(signed.result)).toEqual([['accepted', null]])
    expect(statusOf(signed.result)).toBe('Completed')
  })

  test('has as electronic document the signed XML, valid ten years later by the evidence inside', async () => {
    await later()
    await app.stampAll()
    const { headers, rawPayload } = await app.get(ours, `${base(sent.id)}/electronic/signing`)
    expect(headers['content-type']).toBe('application/xml')
    expect(rawPayload.toString().startsWith(bill.slice(0, bill.indexOf('</bill>')))).toBe(true)
    expect(rawPayload.toString().endsWith('</bill>\r\n')).toBe(true)
    expect(await faultsIn(rawPayload)).toEqual([[]])
  })

  test('has as single signature the signed XML that was submitted', async () => {
    const { id } = signed.result.points[0]!.signatures[0]!
    const { rawPayload } = await app.get(ours, `${base(sent.id)}/signatures/${id}`)
    expect(await faultsIn(rawPayload, settingIn(nation, { at: time.now }))).toEqual([[]])
    expect(rawPayload.includes('UnsignedProperties')).toBe(false)
    // Only a CMS can get an archive timestamp of its own.
    const asked = { organizationId: ours.organizationId, signingRequestId: sent.id, signatureId: id }
    expect(aliasOf(await call(ours.id, makeLongTerm, asked))).toBe('signing-sign-not-found')
  })
})

describe('an XML document with two signers', async () => {
  const sent = await send(both)
  await submit(ours, sent, 'CompanyInternalSign', await signatureOf(sender.stamp))
  await later()
  const received = (await look(theirs, sent.id)).result
  const signed = await submit(theirs, received, 'ExternalSign', await signatureOf(receiver.stamp))
  await later()
  await app.stampAll()
  const loaded = await app.load(sent.id)
  const member = { organizationId: ours.organizationId, roles: 0 }
  const { viewer } = await partyOf(database.db, { userId: ours.id, member }, time.now)
  const facts = await findFacts(database.db, { loaded, viewer })
  const path = join(folder, 'evidence')
  const subject = { loaded, viewer, language: 'ru' } as const
  await makers.evidence({
    ...subject,
    db: database.db,
    storage: archive.storage,
    facts,
    now: time.now,
    path,
  })
  const bundle = await unpacked(path)
  const checked = (files: typeof bundle) =>
    checkBundle(filesAtHand(files), {
      trust: { roots: [nation.root], others: [] },
      at: new Date('2036-01-01T00:00:00Z'),
      logKeys: [spkiOf(logKey)],
    })

  test('is signed by both sides, and neither signature invalidates the other', () => {
    expect(sent.points.map(({ signatureForm }) => signatureForm)).toEqual(['xades', 'xades'])
    expect(statusOf(signed.result)).toBe('Completed')
  })

  test.each(['electronic', 'signed'])('%s: an archive with the signed XML of each', async (kind) => {
    const { rawPayload } = await app.get(ours, `${base(sent.id)}/${kind}/signing`)
    const file = join(folder, `${kind}.zip`)
    writeFileSync(file, rawPayload)
    const files = await unpacked(file)
    const signedFiles = [...files]
    expect(signedFiles.map(([name]) => /^Счёт\.xml - .*\.xml$/.test(name))).toEqual([true, true])
    const setting = kind === 'electronic' ? years : settingIn(nation, { at: time.now })
    for (const [, xml] of signedFiles) expect(await faultsIn(xml, setting)).toEqual([[]])
  })

  test('has an evidence bundle that is valid without us', async () => {
    const { faults, signatures } = await checked(bundle)
    expect(faults).toEqual([])
    expect(signatures.map(({ findings, existedBy }) => [findings, existedBy])).toEqual([
      [[], 'timestamp'],
      [[], 'timestamp'],
    ])
  })

  test('has an invalid bundle if the document or a signed XML is changed', async () => {
    const changed = (name: string) => Buffer.from(textOf(bundle, name).replace('>100<', '>900<'))
    const document = 'documents/Счёт.xml'
    const other = await checked(rewritten(bundle, { [document]: changed(document) }, logKey))
    expect(other.faults.map(({ fault }) => fault)).toContain('durable-other')
    const { signedXml: file } = manifestOf(bundle).signatures[0]!
    const swapped = await checked(rewritten(bundle, { [file!]: changed(file!) }, logKey))
    expect(swapped.faults.map(({ fault }) => fault)).toEqual(['durable-other'])
    const all = manifestOf(bundle).signatures.map(({ signedXml: one }) => one!)
    const consistent = Object.fromEntries([document, ...all].map((name) => [name, changed(name)]))
    const { signatures } = await checked(rewritten(bundle, consistent, logKey))
    expect(signatures.map(({ findings }) => findings)).toEqual([['other-document'], ['other-document']])
    for (const bytes of [Uint8Array.of(0xff), Buffer.from('?>')]) {
      const broken = await checked(rewritten(bundle, { [document]: bytes }, logKey))
      expect(broken.signatures.map(({ findings }) => findings)).toEqual([['damaged'], ['damaged']])
    }
  })

  const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0

  test.skipIf(!hasXmlsec)('is verified by xmlsec1 with the commands in the README of its bundle', () => {
    const commands = textOf(bundle, 'README.en.txt').match(/xmlsec1 .*/g)!
    expect(commands).toHaveLength(2)
    for (const command of commands) {
      const [program, ...words] = command.split(' ')
      const there = mkdtempSync(join(folder, 'command-'))
      const inPlace = words.map((word) => {
        if (!bundle.has(word)) return word
        const file = join(there, word.replaceAll('/', '-'))
        writeFileSync(file, bundle.get(word)!)
        return file
      })
      expect(spawnSync(program!, inPlace).status, command).toBe(0)
    }
  })
})

describe('an XML signature is refused', () => {
  const xpath = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
  const brought: [string, string, XmlSigning, string][] = [
    ['the signature of another document', '<order>1</order>', {}, 'DS-202'],
    ['of a changed text', bill.replace('100', '900'), {}, 'DS-202'],
    ['of a document with something added', bill.replace('</sum>', '</sum><sum>1</sum>'), {}, 'DS-202'],
    ['over a part', bill.replace('<sum>', '<sum Id="s">'), { uri: '#s' }, 'DS-113'],
    ['with another transform', bill, { transforms: [xpath] }, 'DS-114'],
  ]
  test.each(brought)('that is %s', async (_, text, options, code) => {
    const sent = await send(alone)
    const signature = await signatureOf(sender.stamp, text, options)
    const refused = await submit(ours, sent, 'CompanyInternalSign', signature)
    expect(verdictsOf(refused.result)).toEqual([['refused', code]])
  })

  test('that is two signatures, the whole signed document, or has other content beside it', async () => {
    const one = Buffer.from(await signatureOf(sender.stamp), 'base64').toString()
    const two = Buffer.from(await signatureOf(receiver.stamp), 'base64').toString()
    const whole = await signedXml(bill, sender.stamp)
    for (const text of [
      one + two,
      whole,
      `${one}<sum>1</sum>`,
      one.replace('<ds:KeyInfo>', '<sum>1</sum><ds:KeyInfo>'),
    ]) {
      const sent = await send(alone)
      const refused = await submit(ours, sent, 'CompanyInternalSign', Buffer.from(text).toString('base64'))
      expect(verdictsOf(refused.result)).toEqual([['refused', 'DS-101']])
    }
  })

  test('that is made with the key of a stranger, or copied from the other side', async () => {
    const sent = await send(both)
    const stranger = await citizen(nation, { bin: receiver.bin })
    const wrong = await submit(ours, sent, 'CompanyInternalSign', await signatureOf(stranger))
    expect(verdictsOf(wrong.result)).toEqual([['refused', 'DS-706']])
    const theirOwn = await signatureOf(sender.stamp)
    await submit(ours, (await look(ours, sent.id)).result, 'CompanyInternalSign', theirOwn)
    const received = (await look(theirs, sent.id)).result
    expect(aliasOf(await submit(theirs, received, 'ExternalSign', theirOwn))).toBe('signature-used-before')
  })

  test('that is CMS instead of XML, XML instead of CMS, or comes with a second signature', async () => {
    const sent = await send(alone)
    expect(aliasOf(await signAt(ours, sent, 'CompanyInternalSign', sender.stamp))).toBe(
      'signature-inside-needed',
    )
    const signature = await signatureOf(sender.stamp)
    const doubled = { timestampedSignature: signature }
    expect(aliasOf(await submit(ours, sent, 'CompanyInternalSign', signature, doubled))).toBe(
      'signature-inside-needed',
    )
    const beside = await send(await sender.route(await sender.point('CompanyInternalSign')))
    expect(aliasOf(await submit(ours, beside, 'CompanyInternalSign', signature))).toBe(
      'signature-inside-needed',
    )
  })
})

test('no XML signature is accepted while the certification centre is unavailable', async () => {
  const sent = await send(alone)
  centre.answer = undefined
  const form = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  const waiting = await submit(
    ours,
    sent,
    'CompanyInternalSign',
    await signatureOf(sender.stamp, bill, { form }),
  )
  centre.answer = 'good'
  expect(verdictsOf(waiting.result)).toEqual([['checking', 'DS-510']])
})

test('a required timestamp of an XML signature is added by us, because the signing program adds none', async () => {
  const change = { documentId: await uploaded(), isTimestampRequired: true }
  const sent = (await sender.send(alone, change)).result
  const other = await signatureOf(sender.stamp, bill, { form: 'http://www.w3.org/2006/12/xml-c14n11' })
  const { result } = await submit(ours, sent, 'CompanyInternalSign', other)
  expect(verdictsOf(result)).toEqual([['accepted', null]])
})

test('the re-check of an XML signature a day later needs no document', async () => {
  const signature = Buffer.from(await signatureOf(sender.stamp), 'base64')
  const job = { signature, document: new Uint8Array(), isInXml: true, at: time.now, policy: documentPolicy }
  const { signers } = await app.stamping.check(job)
  expect(signers).toMatchObject([{ owner: { bin: sender.bin }, revokedAt: null }])
  expect(signers[0]!.evidence.ocspResponses).toHaveLength(1)
})

test('XML signatures are not offered by phone', async () => {
  const sent = await send(alone)
  const asked = await call(ours.id, createCrosslinks, {
    organizationId: ours.organizationId,
    signingRequestId: sent.id,
    pointId: sent.points[0]!.pointId,
    signingRequestsAssociationType: 0,
    deviceType: 'Desktop',
  })
  expect(aliasOf(asked)).toBe('mobile-pdf-only')
})
