/** Uploads of people and of attackers. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { commonRefusals, refuse, type ErrorBody } from '@kelisim/domain/errors.ts'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import { startTestApp } from '../testing.ts'
import {
  docxOfSize,
  goodDocx,
  goodPdf,
  goodXlsx,
  hostileFiles,
  lawfulFiles,
  pdfOfSize,
} from './testing-corpus.ts'
import { findDocument } from './queries.ts'
import { borrowVerified } from './storage/verified.ts'
import { uploader } from './testing-uploads.ts'
import { upload as keepUpload } from './upload.ts'

const context = await startTestApp()
const { app, make, call, archive, database } = context
const upload = uploader(context)

const ownerId = await make.person('Айгерім')
const organizationId = await make.organization(ownerId)
const megabyte = 1024 * 1024

test.each([
  ['Договор.pdf', goodPdf, 'pdf'],
  ['Приказ.DOCX', goodDocx, 'docx'],
  ['Прайс.xlsx', goodXlsx, 'xlsx'],
])('%s is accepted and described correctly', async (name, bytes, format) => {
  const { status, result } = await upload(ownerId, organizationId, {
    name,
    bytes,
    description: ' О нём\r\nдве строки ',
  })
  expect(status).toBe(200)
  expect(result).toMatchObject({
    name,
    description: 'О нём\nдве строки',
    format,
    size: bytes.length,
    visibilityScope: 1,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    author: { id: ownerId, fullName: 'Айгерім' },
    allowed: { delete: true, describe: true, quickSend: true },
  })
})

test.each(lawfulFiles)('a document with %s is accepted', async (_, name, bytes) => {
  const { status, error } = await upload(ownerId, await make.organization(ownerId), { name, bytes })
  expect(status, error.Message).toBe(200)
})

describe('an invalid file is refused with its own message', () => {
  test.each(hostileFiles)('%s (%s)', async (_, name, bytes, alias) => {
    const { error } = await upload(ownerId, organizationId, { name, bytes })
    expect(error.ExceptionData.Alias).toBe(alias)
    expect(error.Message).not.toMatch(/[{}]/)
  })

  test('and nothing is stored', async () => {
    expect(readdirSync(archive.storage.incoming)).toEqual([])
    const { count } = await database.db
      .selectFrom('files')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(3 + lawfulFiles.length)
  })
})

describe('sizes', () => {
  test('a PDF of 20 MB and a docx of 10 MB are accepted', async () => {
    for (const [name, bytes] of [
      ['a.pdf', pdfOfSize(20 * megabyte)],
      ['a.docx', docxOfSize(10 * megabyte)],
    ] as const) {
      const { status, error } = await upload(ownerId, organizationId, { name, bytes })
      expect(status, error.Message).toBe(200)
    }
  })

  test.each([
    ['a.pdf', 20 * megabyte + 1, 20],
    ['a.docx', 10 * megabyte + 1, 10],
    ['a.xlsx', 10 * megabyte + 1, 10],
  ])('%s of %i bytes is too large, also without a Content-Length', async (name, size, limit) => {
    const bytes = Buffer.alloc(size, 1)
    for (const sent of [bytes, Readable.from(inPieces(bytes))]) {
      const { status, error } = await upload(ownerId, organizationId, { name, bytes: sent })
      expect(status).toBe(413)
      expect(error.ExceptionData).toEqual({ Alias: 'file-too-large', Parameters: { limit } })
    }
    expect(readdirSync(archive.storage.incoming)).toEqual([])
  })
})

test('an organisation that accepts PDF only refuses other formats', async () => {
  const strict = await make.organization(ownerId)
  await call(ownerId, saveOptions, { organizationId: strict, documentsUploadPdfOnly: true })
  const docx = await upload(ownerId, strict, { name: 'a.docx', bytes: goodDocx })
  expect(docx.error.ExceptionData.Alias).toBe('only-pdf-allowed')
  expect((await upload(ownerId, strict, { name: 'a.pdf', bytes: goodPdf })).status).toBe(200)
})

describe('XML', () => {
  const bill = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<bill><sum>100</sum></bill>\n')

  test('is accepted where the organisation says so, and nowhere else', async () => {
    const refused = await upload(ownerId, organizationId, { name: 'Счёт.xml', bytes: bill })
    expect(refused.error.ExceptionData).toEqual({
      Alias: 'file-format-not-supported',
      Parameters: { formats: 'PDF, DOCX, XLSX' },
    })
    const open = await make.organization(ownerId)
    await call(ownerId, saveOptions, { organizationId: open, documentsUploadXml: true })
    const { result } = await upload(ownerId, open, { name: 'Счёт.xml', bytes: bill })
    expect(result).toMatchObject({ name: 'Счёт.xml', format: 'xml' })
    const { headers, rawPayload } = await app.inject({
      url: `/api/Documents/${open}/${result.id}/content`,
      headers: { cookie: `session=${await context.tokenOf(ownerId)}` },
    })
    expect(rawPayload.equals(bill)).toBe(true)
    // The response is never opened as a page.
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
      'application/xml',
      'nosniff',
    ])
    expect(headers['content-disposition']).toMatch(/^attachment/)
  })

  test.each([
    ['no XML', '{"sum": 100}', 'file-content-mismatch'],
    ['cut off', '<bill><sum>100</sum>', 'file-broken'],
    ['with a document type', '<!DOCTYPE a SYSTEM "http://example.kz/a.dtd"><a/>', 'file-has-entities'],
    [
      'that would read a file',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      'file-has-entities',
    ],
    ['with an entity that nobody declared', '<a>&x;</a>', 'file-broken'],
    ['in another encoding', '<?xml version="1.0" encoding="windows-1251"?><a/>', 'file-broken'],
    ['that is a PDF too', '<a>%PDF-1.4</a>', 'file-of-two-formats'],
    ['nested without end', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, 'file-broken'],
  ])('%s is refused', async (_, text, alias) => {
    const open = await make.organization(ownerId)
    await call(ownerId, saveOptions, { organizationId: open, documentsUploadXml: true })
    const { error } = await upload(ownerId, open, { name: 'a.xml', bytes: Buffer.from(text) })
    expect(error.ExceptionData.Alias).toBe(alias)
  })
})

test.each([
  ['quotes and slashes', 'Приказ № 7/к: "a"\\b.pdf', 'Приказ № 7/к: "a"\\b.pdf', "Приказ № 7_к_ 'a'_b.pdf"],
  ['a way up', '../"a"/b.pdf', '/"a"/b.pdf', "_'a'_b.pdf"],
  ['right-to-left marks', 'a\u202efdp.exe.pdf', 'afdp.exe.pdf', 'afdp.exe.pdf'],
  ['emoji', '📄.pdf', '📄.pdf', '📄.pdf'],
  ['300 characters', `${'ұ'.repeat(300)}.pdf`, `${'ұ'.repeat(246)}.pdf`, `${'ұ'.repeat(123)}.pdf`],
  ['the name of a device', 'CON.pdf', 'CON.pdf', '_CON.pdf'],
])('a name with %s is shown as it was typed, and saved under a safe one', async (_, name, shown, saved) => {
  const { result } = await upload(ownerId, organizationId, { name, bytes: goodPdf })
  expect(result.name).toBe(shown)
  const { headers } = await app.inject({
    url: `/api/Documents/${organizationId}/${result.id}/content`,
    headers: { cookie: `session=${await context.tokenOf(ownerId)}` },
  })
  const disposition = String(headers['content-disposition'])
  expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe(saved)
})

test('a name or description that is too long and an unknown visibility are refused by field', async () => {
  const wrong = await upload(ownerId, organizationId, {
    name: `${'a'.repeat(1001)}.pdf`,
    description: 'a'.repeat(1001),
    visibilityScope: 3,
    bytes: goodPdf,
  })
  expect(wrong.error.ExceptionData).toMatchObject({
    Alias: 'validation-failure',
    Parameters: {
      fields: [
        { path: 'name', code: 'too-long' },
        { path: 'description', code: 'too-long' },
        { path: 'visibilityScope' },
      ],
    },
  })
})

describe('an upload repeated after a lost response', () => {
  test('the same file of the same person becomes one document', async () => {
    const documentId = newId()
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        upload(ownerId, organizationId, { name: 'a.pdf', bytes: goodPdf, documentId }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(responses.map(({ result }) => result.id))).toEqual(new Set([documentId]))
  })

  test('another file with the same id, or the id of another person, is refused', async () => {
    const stranger = await make.person()
    const elsewhere = await make.organization(stranger)
    const documentId = newId()
    await upload(ownerId, organizationId, { name: 'a.pdf', bytes: goodPdf, documentId })
    for (const [personId, place, bytes] of [
      [ownerId, organizationId, pdfOfSize(5000)],
      [stranger, elsewhere, goodPdf],
    ] as const) {
      const { error } = await upload(personId, place, { name: 'a.pdf', bytes, documentId })
      expect(error.ExceptionData.Alias).toBe('document-not-found')
    }
  })
})

test('the stored file survives a connection that breaks at the commit', async () => {
  const input = {
    organizationId,
    authorId: ownerId,
    documentId: newId(),
    name: 'Договор.pdf',
    description: '',
    visibility: 'private' as const,
    options: { documentsUploadPdfOnly: false, documentsUploadXml: false },
    size: null,
    now: new Date(),
  }
  const broken = new Error('the connection broke')
  const write: typeof database.write = async (work) => {
    await database.write(work)
    throw broken
  }
  await expect(keepUpload(archive, write, { ...input, file: Readable.from([goodPdf]) })).rejects.toBe(broken)
  const document = (await findDocument(database.db, organizationId, input.documentId))!
  const { path, release } = await borrowVerified(archive.storage, { ...document, id: document.fileId })
  expect(readFileSync(path).equals(goodPdf)).toBe(true)
  await release()
})

test('a refused upload leaves no bytes behind', async () => {
  const keys = async () => {
    const files = await Readable.from(archive.storage.list()).toArray()
    return files.map((file: { key: string }) => file.key).toSorted()
  }
  const before = await keys()
  const refusing: typeof database.write = (work) =>
    database.write(async (tx) => {
      await work(tx)
      refuse('organization-restricted')
    })
  const input = {
    organizationId,
    authorId: ownerId,
    documentId: newId(),
    name: 'Договор.pdf',
    description: '',
    visibility: 'private' as const,
    options: { documentsUploadPdfOnly: false, documentsUploadXml: false },
    size: null,
    now: new Date(),
    file: Readable.from([goodPdf]),
  }
  await expect(keepUpload(archive, refusing, input)).rejects.toMatchObject({
    alias: 'organization-restricted',
  })
  expect(await keys()).toEqual(before)
})

test('twenty uploads at once become twenty documents', async () => {
  const bytes = pdfOfSize(2 * megabyte)
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => upload(ownerId, organizationId, { name: `${i}.pdf`, bytes })),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20)
})

test('a JSON body is treated as file content and refused', async () => {
  const response = await app.inject({
    method: 'POST',
    url: `/api/Documents/${organizationId}?name=a.pdf&visibilityScope=1`,
    payload: { name: 'b.pdf' },
    headers: { origin: 'http://localhost:3000', cookie: `session=${await context.tokenOf(ownerId)}` },
  })
  const alias = response.json<ErrorBody>().ExceptionData.Alias
  expect(alias).toBe('file-content-mismatch')
  expect([...uploadDocument.refusals, ...commonRefusals]).toContain(alias)
})

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
