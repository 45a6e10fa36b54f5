/** The outputs of a request, made by the real makers. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { openByCode } from '@kelisim/domain/requests/holder-contract.ts'
import { codeLetters } from '@kelisim/domain/requests/access-code.ts'
import type { OutputKind } from '@kelisim/domain/outputs/contract.ts'
import { getRequest, updateRequest } from '@kelisim/domain/requests/contract.ts'
import { bundleFiles } from '@kelisim/signature/bundle/bundle.ts'
import { isIncluded, leafHash } from '@kelisim/signature/transparency/merkle.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { attachmentsOf, pdfText } from '../rich-text/testing-pdf.ts'
import { partyOf } from '../requests/core/party.ts'
import { publicUrl } from '../testing.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { findNewestHead } from '../transparency/queries.ts'
import { findFacts } from './core/asking.ts'
import { unpacked } from './bundle/testing-bundle.ts'
import { makersOf } from './makers.ts'
import { openPrinting } from './printable/printing.ts'
import { logFiles } from './report/report-document.ts'
import { openReports } from './report/reports.ts'
import { openRevisions } from '../requests/signed-pdf/revisions.ts'
import { PoolError } from '../workers/pool.ts'
import { startOutputsApp } from './testing-outputs.ts'
import { durableSignatures } from './core/durable.ts'
import { sealsIn } from './testing-seals.ts'

const app = await startOutputsApp()
const { database, archive, logKey, time, ours, theirs, call } = app
const printing = openPrinting()
const reports = openReports()
const revisions = openRevisions()
const makers = makersOf({ database, printing, revisions, reports, logKey, publicUrl })
afterAll(() => Promise.all([printing.close(), reports.close(), revisions.close()]))

const folder = mkdtempSync(join(tmpdir(), 'kelisim-makers-'))
let count = 0

async function made(kind: OutputKind, id: string, who = ours, language: Language = 'ru', by = makers) {
  const { db } = database
  const member = { organizationId: who.organizationId, roles: 0 }
  const { viewer } = await partyOf(db, { userId: who.id, member }, time.now)
  const loaded = await app.load(id)
  const path = join(folder, String(++count))
  const facts = await findFacts(db, { loaded, viewer })
  await by[kind]({ db, storage: archive.storage, loaded, viewer, language, facts, now: time.now, path })
  return path
}

const bare = (text: string) => text.replaceAll(/\s/g, '')
const textAt = async (path: string) => bare(await pdfText(readFileSync(path)))

const { id } = await app.contract({ name: 'Договор поставки' })
await app.stampAll()

test('the printable document contains the original, both signatures, and access codes that work', async () => {
  await call(ours.id, updateRequest, {
    organizationId: ours.organizationId,
    signingRequestId: id,
    generationSetting: { additionalComponents: 3, accessCodeExpirationDate: '2026-12-31' },
  })
  const path = await made('printable', id)
  const [original, ...signatures] = await attachmentsOf(readFileSync(path))
  expect(Buffer.from(original!.content).equals(Buffer.from(goodPdf))).toBe(true)
  expect(signatures).toHaveLength(2)
  const text = await textAt(path)
  const codes = [...text.matchAll(new RegExp(`[${codeLetters}]{4}-?[${codeLetters}]{4}`, 'g'))].map(
    ([code]) => code,
  )
  expect(text).toContain(id)
  const opened = await Promise.all(
    codes.map((code) => call(null, openByCode, { signingRequestId: id, code })),
  )
  expect(opened.find(({ status }) => status === 200)?.result).toMatchObject({ id, validUntil: '2026-12-31' })
})

test('places of signatures are in the printable document, and the attached original is as it was', async () => {
  const { points } = (
    await call(ours.id, getRequest, { organizationId: ours.organizationId, signingRequestId: id })
  ).result
  const pointId = points.find(({ type }) => typeOf(type) === 'ExternalSign')!.pointId
  const placed = await app.contract({ places: [{ pointId, page: 2, left: 0.6, top: 0.7 }] })
  await app.stampAll()
  const printable = readFileSync(await made('printable', placed.id))
  expect(await sealsIn(printable, 1)).toEqual([])
  const [seal, ...others] = await sealsIn(printable, 2)
  expect(others).toEqual([])
  const [, signer] = (await durableSignatures(database.db, await app.load(placed.id), 'signing')).map(
    (one) => one.signer,
  )
  expect(seal).toMatchObject({
    left: expect.closeTo(0.6, 2) as number,
    top: expect.closeTo(0.7, 2) as number,
  })
  expect(seal!.text).toContain('Подписано ЭЦП')
  expect(bare(seal!.text)).toContain(bare(signer!.toUpperCase()))
  const [original] = await attachmentsOf(printable)
  expect(Buffer.from(original!.content).equals(Buffer.from(goodPdf))).toBe(true)
})

test('card and report show when the signatures were last checked, not when they were received', async () => {
  const { id: checked } = await app.contract()
  const [signature] = (
    await call(ours.id, getRequest, {
      organizationId: ours.organizationId,
      signingRequestId: checked,
    })
  ).result.points.flatMap(({ signatures }) => signatures)
  await database.write((tx) =>
    tx
      .insertInto('signatureRechecks')
      .values({
        signatureId: signature!.id,
        tries: 1,
        checkedAt: new Date('2026-11-16T09:08:07Z'),
        outcome: 'good',
        revokedAt: null,
        nextTryAt: null,
      })
      .execute(),
  )
  expect(await textAt(await made('printable', checked))).toContain('проверена16.11.202614:08:07')
  expect(await textAt(await made('report', checked))).toContain('Последняяпроверка16.11.202614:08:07')
})

test('the report shows each side what it may see, with valid proofs of the log', async () => {
  const [mine, other] = [await made('report', id), await made('report', id, theirs, 'kk')]
  const approved = bare(textsOf('ru', 'requests')('pointStatus.Approved'))
  expect(await textAt(mine)).toContain(approved)
  // A timestamp that was added later counts like one that came with the signature.
  const of = textsOf('ru', 'requests')
  expect(await textAt(mine)).not.toContain(bare(of('signature.timestamp') + of('signature.none')))
  // Internal approvals are hidden from the other side.
  expect(await textAt(other)).not.toContain(bare(textsOf('kk', 'requests')('pointStatus.Approved')))
  expect(await textAt(other)).toContain(bare(textsOf('kk', 'outputs-report')('route.hidden', { count: 1 })))
  const head = (await findNewestHead(database.db))!
  for (const path of [mine, other]) {
    const files = new Map(
      (await attachmentsOf(readFileSync(path))).map(({ name, content }) => [
        name,
        Buffer.from(content).toString().trimEnd().split('\n'),
      ]),
    )
    const entries = files.get(logFiles.entries)!
    const proofs = files.get(logFiles.proofs)!
    expect(proofs).toHaveLength(entries.length)
    entries.forEach((entry, i) => {
      const [, index, leaf, ...path] = proofs[i]!.split(' ')
      expect(Buffer.from(leafHash(Buffer.from(entry))).toString('hex')).toBe(leaf)
      const proof = path.map((hash) => Buffer.from(hash, 'hex'))
      const hash = Buffer.from(leaf!, 'hex')
      expect(isIncluded(hash, { leaf: Number(index), size: head.size, root: head.root, proof })).toBe(true)
    })
  }
})

test('the evidence is made without a report if printing crashes, but fails if the pool is full', async () => {
  const failing = (reason: PoolError['reason']) =>
    makersOf({
      database,
      printing,
      revisions,
      logKey,
      publicUrl,
      reports: { ...reports, print: () => Promise.reject(new PoolError(reason)) },
    })
  const files = await unpacked(await made('evidence', id, ours, 'ru', failing('crashed')))
  expect(files.has(bundleFiles.report)).toBe(false)
  expect(files.has(bundleFiles.manifest)).toBe(true)
  await expect(made('evidence', id, ours, 'ru', failing('full'))).rejects.toThrow('full')
})

test('the evidence contains the report if the sender allows reports', async () => {
  expect((await unpacked(await made('evidence', id))).has(bundleFiles.report)).toBe(true)
  await database.write((tx) =>
    tx
      .updateTable('organizations')
      .set({ isSigningReportGenerationAllowed: false })
      .where('id', '=', ours.organizationId)
      .execute(),
  )
  expect((await unpacked(await made('evidence', id))).has(bundleFiles.report)).toBe(false)
})

test('the card of a terminating document is named after the termination, in the language of the request', async () => {
  const { id: ended } = await app.contract({ name: 'Договор аренды № 77/2026', description: 'Склад на год' })
  await app.terminate(ended, 'reject')
  await app.terminate(ended, 'sign')
  const title = 'Соглашение о расторжении (2) — Договор аренды № 77/2026'
  // The card is in Kazakh, the document that it shows is Russian.
  const path = await made('terminating', ended, ours, 'kk')
  const text = await textAt(path)
  expect(text).toContain(bare(title))
  expect(text).not.toContain(bare('Склад на год'))
  const [original] = await attachmentsOf(readFileSync(path))
  expect(original!.name).toBe('Соглашение о расторжении (2) — Договор аренды № 77_2026.pdf')
  expect(await textAt(await made('report', ended))).toContain(bare(title))
  const { result } = await call(ours.id, getRequest, {
    organizationId: ours.organizationId,
    signingRequestId: ended,
  })
  expect(result.termination).toMatchObject({ title, fileName: `${title}.pdf` })
})
