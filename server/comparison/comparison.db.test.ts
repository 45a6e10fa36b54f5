/** Comparing two documents: what differs, and who may ask. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { docxParts, makePdf, makeZip } from '@kelisim/demo/sample-files.ts'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { aliasOf } from '../routes/testing-routes.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
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

describe('what differs', () => {
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

  test('a scan has no text until it is recognised', async () => {
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

describe('refused', () => {
  test('as if it were not there: a document that the caller does not see', async () => {
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
    'a name that names no file: "%s"',
    async (name) => {
      const mine = documentNamed(await upload(old))
      expect((await compare(mine, name)).status).toBe(400)
    },
  )
})
