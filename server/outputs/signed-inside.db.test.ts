/** The files of a document that was signed inside: the bundle, the printable document and the archives contain it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { collect } from '@kelisim/signature/container/collect.ts'
import { pdfAttachments } from '@kelisim/signature/container/pdf-attachments.ts'
import { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
import { openssl, hasOpenssl, withoutOpenssl } from '@kelisim/signature/testing/openssl.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { partyOf } from '../requests/core/party.ts'
import { openRevisions } from '../requests/signed-pdf/revisions.ts'
import { signingInside } from '../requests/signed-pdf/testing-inside.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import {
  manifestOf,
  rewritten,
  spkiOf,
  textOf,
  unpacked,
  type BundleContents,
} from './bundle/testing-bundle.ts'
import { findFacts } from './core/asking.ts'
import { makersOf } from './makers.ts'
import { openPrinting } from './printable/printing.ts'
import { openReports } from './report/reports.ts'
import { startOutputsApp } from './testing-outputs.ts'

vi.setConfig({ testTimeout: 60_000 })

const app = await startOutputsApp('rsa')
const { database, archive, logKey, time, sender, receiver, ours, theirs, nation } = app
const [printing, reports, revisions] = [openPrinting(), openReports(), openRevisions()]
const makers = makersOf({ database, printing, reports, revisions, logKey, publicUrl })
const folder = mkdtempSync(join(tmpdir(), 'kelisim-inside-'))
afterAll(async () => {
  await Promise.all([printing.close(), reports.close(), revisions.close()])
  rmSync(folder, { recursive: true })
})

const { signIn } = signingInside(app)
const { look } = actingIn(app)
const inside = await sender.point('CompanyInternalSign', { signatureForm: 'pades' })
const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['partner@example.kz'] })
const sent = (await sender.send(await sender.route(inside, external))).result
await signIn(ours, sent, 'CompanyInternalSign', sender.stamp)
await app.travel(new Date(time.now.getTime() + 5000))
// The next signature covers the timestamp of the previous one.
await app.stampAll()
await app.travel(new Date(time.now.getTime() + 5000))
await signIn(theirs, (await look(theirs, sent.id)).result, 'ExternalSign', receiver.stamp)
await app.travel(new Date(time.now.getTime() + 5000))
await app.stampAll()

async function made(kind: 'printable' | 'evidence'): Promise<string> {
  const { db } = database
  const loaded = await app.load(sent.id)
  const member = { organizationId: ours.organizationId, roles: 0 }
  const { viewer } = await partyOf(db, { userId: ours.id, member }, time.now)
  const facts = await findFacts(db, { loaded, viewer })
  const path = join(folder, kind)
  const subject = { loaded, viewer, language: 'ru' } as const
  await makers[kind]({ ...subject, db, storage: archive.storage, facts, now: time.now, path })
  return path
}

/** Ten years later, by the evidence inside and the root certificate. */
const years = {
  ...settingIn(nation, { at: new Date('2036-01-01T00:00:00Z'), timestamp: 'required', revocation: 'any' }),
  trust: { roots: [nation.root], others: [] },
}

async function faultsIn(pdf: Uint8Array): Promise<unknown[]> {
  const { findings, signatures } = (await examinePdf(pdf, years))!
  return [
    ...findings,
    ...signatures.map(({ examination }) => [
      ...examination.findings,
      ...examination.signers.flatMap((one) => one.findings),
    ]),
  ]
}

test('the electronic document is valid ten years later by the evidence inside it', async () => {
  const path = `/api/SigningRequests/${ours.organizationId}/${sent.id}/electronic/signing`
  expect(await faultsIn((await app.get(ours, path)).rawPayload)).toEqual([[], []])
})

test('one signature is downloaded as the PDF after it, and the signed set has the signed PDF', async () => {
  const view = (await look(ours, sent.id)).result
  const ids = view.points.flatMap(({ signatures }) => signatures.map(({ id }) => id))
  const base = `/api/SigningRequests/${ours.organizationId}/${sent.id}`
  const [first, second] = await Promise.all(ids.map((id) => app.get(ours, `${base}/signatures/${id}`)))
  const counted = async (pdf: Uint8Array) =>
    (await examinePdf(pdf, settingIn(nation, { at: time.now })))!.signatures.length
  expect([await counted(first!.rawPayload), await counted(second!.rawPayload)]).toEqual([1, 2])
  expect(first!.rawPayload.subarray(0, goodPdf.length).equals(goodPdf)).toBe(true)
  const { rawPayload } = await app.get(ours, `${base}/signed/signing`)
  expect(rawPayload.indexOf('ETSI.CAdES.detached')).toBeGreaterThan(0)
  expect(rawPayload.indexOf('.cms')).toBe(-1)
})

test('the printable document has the signed PDF attached, and no signatures beside it', async () => {
  const attached = (await pdfAttachments(readFileSync(await made('printable'))))!
  expect(attached.map(({ name }) => name)).toEqual(['Договор.pdf'])
  expect(await faultsIn(new Uint8Array(await attached[0]!.blob.arrayBuffer()))).toEqual([[], []])
  // The check page finds the signed document attached to it, and that the printed pages themselves are not signed.
  const blob = new Blob([readFileSync(await made('printable'))])
  const found = await collect([{ name: 'printable.pdf', blob }], null)
  expect(found.map(({ name, container }) => [name, container?.kind ?? null])).toEqual([
    ['printable.pdf', null],
    ['Договор.pdf', 'card'],
  ])
})

const bundle = await unpacked(await made('evidence'))
const checked = (files: BundleContents) =>
  checkBundle(filesAtHand(files), {
    trust: { roots: [nation.root], others: [] },
    at: new Date('2036-01-01T00:00:00Z'),
    logKeys: [spkiOf(logKey)],
  })

test('the evidence bundle contains the signed PDF, and is valid without us', async () => {
  expect(bundle.has('documents/signed/Договор.pdf')).toBe(true)
  const { faults, signatures } = await checked(bundle)
  expect(faults).toEqual([])
  expect(signatures.map(({ findings, existedBy }) => [findings, existedBy])).toEqual([
    [[], 'timestamp'],
    [[], 'timestamp'],
  ])
})

test('a bundle whose signed PDF does not begin with its document is invalid', async () => {
  const other = new Uint8Array(bundle.get('documents/Договор.pdf')!)
  other[other.length - 10]! ^= 1
  const { signatures } = await checked(rewritten(bundle, { 'documents/Договор.pdf': other }, logKey))
  expect(signatures.map(({ findings }) => findings)).toEqual([['other-document'], ['other-document']])
})

test('a bundle whose signed PDF has added bytes is invalid', async () => {
  const name = 'documents/signed/Договор.pdf'
  const more = Buffer.concat([bundle.get(name)!, Buffer.from('%more\n')])
  const { signatures } = await checked(rewritten(bundle, { [name]: more }, logKey))
  expect(signatures.map(({ findings }) => findings)).toEqual([['pdf-damaged'], ['pdf-damaged']])
})

test.skipIf(!hasOpenssl)(`the commands in the README of the bundle work${withoutOpenssl}`, async () => {
  const commands = textOf(bundle, 'README.en.txt').match(/\(head .*\/dev\/null/g)!
  expect(commands).toHaveLength(2)
  const { signatures } = manifestOf(bundle)
  for (const { durable, inside: place } of signatures) {
    const pdf = bundle.get(place!.file)!
    const covered = Buffer.concat([pdf.subarray(0, place!.from), pdf.subarray(place!.to, place!.end)])
    openssl({ 'd.cms': bundle.get(durable)!, covered }, (run) => {
      const verify = ['cms', '-verify', '-noverify', '-binary', '-inform', 'DER', '-in', 'd.cms', '-content']
      expect(() => run(...verify, 'covered', '-out', 'out')).not.toThrow()
    })
  }
})
