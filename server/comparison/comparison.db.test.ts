/** Comparing two documents: what differs, and who may ask. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { docxParts, makePdf, makeZip } from '@kelisim/demo/sample-files.ts'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import type { FileToCompare } from './compare-job.ts'
import { openComparer } from './comparer.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const { act, look } = actingIn(testApp)
const sender = await testApp.company()
const { organizationId, employee, colleague } = sender

const upload = async (bytes: Buffer, name = 'Договор.pdf', personId = employee) =>
  (await sender.upload(personId, organizationId, { bytes, name })).result.id
const documentNamed = (documentId: string) => nameOfFile({ kind: 'document', documentId })
const revisionNamed = (signingRequestId: string, revision: number) =>
  nameOfFile({ kind: 'revision', signingRequestId, revision })
const compare = (before: string, after: string, personId = employee, of = organizationId) =>
  call(personId, compareDocuments, { organizationId: of, before, after })

const old = makePdf(['Supply agreement.', 'Price: 100 tenge.'], ['Signed in Almaty.'])
const changed = makePdf(['Supply agreement.', 'Price: 500 tenge.'], ['Signed in Almaty.'])
const scan = makePdf([])

describe('the differences are found', () => {
  test('between two PDFs, with the pages', async () => {
    const [before, after] = [await upload(old), await upload(changed, 'Новый.pdf')]
    const { result } = await compare(documentNamed(before), documentNamed(after))
    expect([result.before.name, result.after.name]).toEqual(['Договор.pdf', 'Новый.pdf'])
    expect(result.text).toMatchObject({ changes: 1, isCut: false })
    expect(result.text!.rows.at(-1)).toMatchObject({ pageBefore: 2, pageAfter: 2 })
    const pieces = result.text!.rows.flatMap((row) => row.pieces)
    expect(pieces.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '100' },
      { kind: 'added', text: '500' },
    ])
  })

  test('between a PDF and an office document', async () => {
    const docx = makeZip(docxParts(['Supply agreement.', 'Price: 100 tenge.', 'Signed in Astana.']))
    const [before, after] = [await upload(old), await upload(docx, 'Договор.docx')]
    const { text } = (await compare(documentNamed(before), documentNamed(after))).result
    expect(text!.changes).toBe(1)
    expect(text!.rows.at(-1)).toEqual({
      pageBefore: 2,
      pageAfter: null,
      pieces: [
        { kind: 'same', text: 'Signed in' },
        { kind: 'removed', text: 'Almaty.' },
        { kind: 'added', text: 'Astana.' },
      ],
    })
  })

  test('in a scan only once its text is recognised', async () => {
    const [before, after] = [await upload(old), await upload(scan)]
    const both = () => compare(documentNamed(before), documentNamed(after))
    const { result } = await both()
    expect([result.before.hasText, result.after.hasText, result.text]).toEqual([true, false, null])
    await database.write((tx) =>
      tx
        .updateTable('searchTexts')
        .set({ state: 'read', pages: ['Supply agreement. Price: 100 tenge. Signed in Almaty.'] })
        .where('fileId', '=', (eb) => eb.selectFrom('documents').select('fileId').where('id', '=', after))
        .execute(),
    )
    expect((await both()).result.text).toMatchObject({ changes: 0 })
  })

  test('between the documents of a corrected request', async () => {
    const request = (await sender.send(await sender.route(await sender.point('InternalApprove')))).result
    const documentId = await upload(changed)
    const change = { organizationId, signingRequestId: request.id, documentId, comment: 'Цена' }
    await call(employee, correctRequest, change)
    const { result } = await compare(revisionNamed(request.id, 1), revisionNamed(request.id, 2))
    expect(result.text!.changes).toBeGreaterThan(0)
    expect(aliasOf(await compare(revisionNamed(request.id, 1), revisionNamed(request.id, 3)))).toBe(
      'file-not-found',
    )
    const stranger = await testApp.company()
    const theirs = await compare(
      revisionNamed(request.id, 1),
      revisionNamed(request.id, 2),
      stranger.employee,
      stranger.organizationId,
    )
    expect(aliasOf(theirs)).toBe('signing-request-not-found')
  })
})

describe('the other side of a request', async () => {
  const partner = await testApp.company()
  const external = await sender.point('ExternalSign', { bin: partner.bin, emails: ['partner@example.kz'] })

  async function correctedAlong(routeId: string): Promise<string> {
    const request = (await sender.send(routeId)).result
    const documentId = await upload(changed)
    const change = { organizationId, signingRequestId: request.id, documentId, comment: 'Цена' }
    await call(employee, correctRequest, change)
    return request.id
  }

  const asPartner = (id: string) =>
    compare(revisionNamed(id, 1), revisionNamed(id, 2), partner.owner, partner.organizationId)

  test('compares what reached it, and no draft from before', async () => {
    const reached = await correctedAlong(await sender.route(external))
    expect((await asPartner(reached)).result.text!.changes).toBeGreaterThan(0)
    const approval = await sender.point('InternalApprove')
    const later = await correctedAlong(await sender.route(approval, external))
    expect(aliasOf(await asPartner(later))).toBe('signing-request-not-found')
    const member = { id: employee, organizationId }
    await act(member, (await look(member, later)).result, 'InternalApprove', 'approve', { revision: 2 })
    expect(aliasOf(await asPartner(later))).toBe('file-not-found')
  })

  test('cannot compare documents of an organisation when acting for its own number', async () => {
    const mine = documentNamed(await upload(old))
    expect(aliasOf(await compare(mine, mine, employee, emptyId))).toBe('document-not-found')
  })
})

test('a comparison that takes too long has no text result, and the pages can still be shown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-comparison-'))
  const path = join(folder, 'a.pdf')
  await writeFile(path, old)
  const impatient = openComparer({ deadlineMs: 1 })
  const file: FileToCompare = { path, size: old.length, format: 'pdf', recognised: [] }
  expect(await impatient.compare({ before: file, after: file }, null)).toBeNull()
  await impatient.close()
  await rm(folder, { recursive: true })
})

describe('a comparison is refused', () => {
  test('as if the document did not exist, when the caller may not see it', async () => {
    const mine = await upload(old)
    const private_ = documentNamed(await upload(changed))
    const own = documentNamed(await upload(old, 'Мой.pdf', colleague))
    for (const other of [private_, documentNamed(newId())]) {
      expect(aliasOf(await compare(own, other, colleague))).toBe('document-not-found')
      expect(aliasOf(await compare(other, own, colleague))).toBe('document-not-found')
    }
    const stranger = await testApp.company()
    const theirs = await compare(
      documentNamed(mine),
      documentNamed(mine),
      stranger.employee,
      stranger.organizationId,
    )
    expect(aliasOf(theirs)).toBe('document-not-found')
  })

  test.each(['', 'document.x', `request.${newId()}.0`, `document.${'-'.repeat(36)}`])(
    'for a malformed name of a file: "%s"',
    async (name) => {
      const mine = documentNamed(await upload(old))
      expect((await compare(mine, name)).status).toBe(400)
    },
  )
})
