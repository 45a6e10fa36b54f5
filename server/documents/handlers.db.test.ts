/** Permissions for documents, and what happens to their files. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import {
  deleteDocument,
  downloadDocument,
  getDocument,
  getDocuments,
  saveDocument,
  type DocumentPath,
} from '@kelisim/domain/documents/contract.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import { castIn, startTestApp } from '../testing.ts'
import { keyOf } from './storage/storage.ts'
import { sweepFiles } from './sweep.ts'
import { goodDocx, goodPdf } from './testing-corpus.ts'
import { uploader, type UploadInput } from './testing-uploads.ts'

const busy = new Set<string>()
const context = await startTestApp({
  inUse: { documents: async (_, ids) => new Set(ids.filter((id) => busy.has(id))) },
})
const { app, call, tokenOf, archive, database, time } = context
const upload = uploader(context)

async function made(personId: string, organizationId: string, input: UploadInput = {}) {
  const { result, error } = await upload(personId, organizationId, input)
  if (!result.id) throw new Error(error.Message)
  return result
}

async function download(personId: string, organizationId: string, documentId: string) {
  const response = await app.inject({
    url: fillPath(downloadDocument.path, { organizationId, documentId }).path,
    headers: { cookie: `session=${await tokenOf(personId)}` },
  })
  const alias = response.statusCode < 400 ? null : response.json<ErrorBody>().ExceptionData.Alias
  if (alias) expect(downloadDocument.refusals).toContain(alias)
  return { response, alias }
}

const cast = () => castIn(context)

/** The alias of each refusal; null: the call succeeds. */
type Row = [
  who: keyof Awaited<ReturnType<typeof cast>>['people'],
  scope: 1 | 2,
  isBusy: boolean,
  see: string | null,
  describe: string | null,
  remove: string | null,
]
const nothing = 'document-not-found'
const rows: Row[] = [
  ['author', 1, false, null, null, null],
  ['author', 2, false, null, null, null],
  ['author', 1, true, null, null, 'document-is-busy'],
  ['owner', 1, false, null, 'not-enough-permissions', 'not-enough-permissions'],
  ['owner', 2, false, null, 'not-enough-permissions', 'not-enough-permissions'],
  ['colleague', 1, false, nothing, nothing, nothing],
  ['colleague', 2, false, null, 'not-enough-permissions', 'not-enough-permissions'],
  ['colleague', 2, true, null, 'not-enough-permissions', 'not-enough-permissions'],
  ['administrator', 1, false, nothing, nothing, nothing],
  ['administrator', 2, false, null, 'not-enough-permissions', 'not-enough-permissions'],
  ['stranger', 1, false, 'organization-not-yours', 'organization-not-yours', 'organization-not-yours'],
  ['stranger', 2, false, 'organization-not-yours', 'organization-not-yours', 'organization-not-yours'],
]

describe('rights by role, visibility, use in a request and endpoint', () => {
  test.each(rows)(
    '%s, visibility %i, busy %s',
    async (who, visibilityScope, isBusy, see, describing, removing) => {
      const { people, organizationId } = await cast()
      const { id: documentId } = await made(people.author, organizationId, { visibilityScope })
      if (isBusy) busy.add(documentId)
      const personId = people[who]
      const input = { organizationId, documentId }
      const aliasOf = (response: { status: number; error: ErrorBody }) =>
        response.status === 200 ? null : response.error.ExceptionData.Alias
      const seen = await call(personId, getDocument, input)
      expect(aliasOf(seen)).toBe(see)
      if (see === null) {
        expect(seen.result.allowed).toMatchObject({
          describe: describing === null,
          delete: removing === null,
        })
      }
      if (see !== 'organization-not-yours')
        expect((await download(personId, organizationId, documentId)).alias).toBe(see)
      const change = { ...input, description: 'новое', currentVersion: 1 }
      expect(aliasOf(await call(personId, saveDocument, change))).toBe(describing)
      expect(aliasOf(await call(personId, deleteDocument, input))).toBe(removing)
      const left = await call(people.author, getDocument, input)
      expect(aliasOf(left)).toBe(removing === null ? nothing : null)
    },
  )

  test('a document of another organisation is not found, even by an owner', async () => {
    const { people, organizationId, elsewhere } = await cast()
    const { id: documentId } = await made(people.author, organizationId, { visibilityScope: 2 })
    const input = { organizationId: elsewhere, documentId }
    expect((await call(people.stranger, getDocument, input)).error.ExceptionData.Alias).toBe(nothing)
    expect((await call(people.stranger, deleteDocument, input)).error.ExceptionData.Alias).toBe(nothing)
    expect((await download(people.stranger, elsewhere, documentId)).alias).toBe(nothing)
  })

  test('quick send is offered unless the organisation or the role forbids it', async () => {
    const { people, organizationId } = await cast()
    const { id: documentId } = await made(people.author, organizationId, { visibilityScope: 2 })
    const offered = async (personId: string) =>
      (await call(personId, getDocument, { organizationId, documentId })).result.allowed.quickSend
    const set = (options: object) => call(people.owner, saveOptions, { organizationId, ...options })
    expect(await offered(people.author)).toBe(true)
    await set({ usePointsRolePermission: true, useSignaturePointsRoutesRolePermission: true })
    expect(await offered(people.author)).toBe(false)
    expect(await offered(people.administrator)).toBe(true)
    expect(await offered(people.owner)).toBe(true)
    await set({ isQuickRequestAllowed: false })
    expect(await offered(people.owner)).toBe(false)
  })
})

describe('lists', () => {
  test('my, public and organization contain the right documents with authors, newest first', async () => {
    const { people, organizationId } = await cast()
    const names: string[] = []
    for (const [i, [personId, visibilityScope]] of (
      [
        [people.author, 1],
        [people.author, 2],
        [people.colleague, 1],
        [people.colleague, 2],
      ] as const
    ).entries()) {
      time.now = new Date(time.now.getTime() + 1000)
      names.push((await made(personId, organizationId, { name: `${i}.pdf`, visibilityScope })).name)
    }
    const list = async (personId: string, path: DocumentPath) =>
      (await call(personId, getDocuments, { organizationId, skip: 0, take: 10, path })).result
    expect((await list(people.author, 'my')).items.map(({ name }) => name)).toEqual(['1.pdf', '0.pdf'])
    expect((await list(people.author, 'public')).items.map(({ name }) => name)).toEqual(['3.pdf', '1.pdf'])
    const all = await list(people.owner, 'organization')
    expect(all.items.map(({ name }) => name)).toEqual(names.toReversed())
    expect(all.totalCount).toBe(4)
    expect(all.items[0]!.author).toEqual({ id: people.colleague, fullName: 'Коллега' })
    const refused = await call(people.author, getDocuments, {
      organizationId,
      skip: 0,
      take: 10,
      path: 'organization',
    })
    expect(refused.error.ExceptionData.Alias).toBe('roles-filter')
  })

  test('are searched inside names, ignoring case and with % and _ as plain characters, sorted and paged', async () => {
    const { people, organizationId } = await cast()
    for (const name of ['Договор аренды.pdf', 'ҚҰЖАТ 100%.pdf', 'аренда_2026.pdf', 'Әлем.pdf']) {
      time.now = new Date(time.now.getTime() + 1000)
      await made(people.author, organizationId, { name })
    }
    const found = async (filter: object) =>
      (
        await call(people.author, getDocuments, { organizationId, skip: 0, take: 10, path: 'my', ...filter })
      ).result.items.map(({ name }) => name)
    expect(await found({ name: 'АРЕНД' })).toEqual(['аренда_2026.pdf', 'Договор аренды.pdf'])
    expect(await found({ name: 'құжат' })).toEqual(['ҚҰЖАТ 100%.pdf'])
    expect(await found({ name: '00%' })).toEqual(['ҚҰЖАТ 100%.pdf'])
    expect(await found({ name: 'а_2' })).toEqual(['аренда_2026.pdf'])
    expect(await found({ name: 'ен' }), 'one or two letters are searched for at the beginning').toEqual([])
    expect(await found({ name: 'нет такого' })).toEqual([])
    expect(await found({ sort: 'name' })).toEqual([
      'аренда_2026.pdf',
      'Әлем.pdf',
      'Договор аренды.pdf',
      'ҚҰЖАТ 100%.pdf',
    ])
    expect(await found({ sort: '-name', skip: 1, take: 2 })).toEqual(['Договор аренды.pdf', 'Әлем.pdf'])
    expect(await found({ sort: 'created', take: 1 })).toEqual(['Договор аренды.pdf'])
  })

  test('are counted up to 10,001, and search results up to 1001', async () => {
    const { people, organizationId } = await cast()
    const { id } = await made(people.author, organizationId)
    await database.pool.query(
      `insert into documents (id, organization_id, author_id, file_id, name, description, visibility, format, created_at)
       select gen_random_uuid(), organization_id, author_id, file_id, n || '.pdf', '', 'private', 'pdf', created_at
       from documents, generate_series(1, 10005) n where id = $1`,
      [id],
    )
    const page = { organizationId, take: 10, path: 'my' } as const
    const last = await call(people.author, getDocuments, { ...page, skip: 9990 })
    expect(last.result.totalCount).toBe(10_001)
    expect(last.result.items).toHaveLength(10)
    const found = await call(people.author, getDocuments, { ...page, skip: 0, name: '.pdf' })
    expect(found.result.totalCount).toBe(1001)
    const others = await call(people.colleague, getDocuments, { ...page, skip: 0 })
    expect(others.result.totalCount).toBe(0)
    await database.pool.query('delete from documents where organization_id = $1 and name <> $2', [
      organizationId,
      '7.pdf',
    ])
    expect((await call(people.author, getDocuments, { ...page, skip: 0 })).result.totalCount).toBe(1)
    const beyond = await call(people.author, getDocuments, { ...page, skip: 10_001 })
    expect(beyond.error.ExceptionData.Alias).toBe('validation-failure')
  })
})

describe('the description', () => {
  test('has at most 1000 characters, and an outdated version of it is refused', async () => {
    const { people, organizationId } = await cast()
    const { id: documentId } = await made(people.author, organizationId)
    const save = (description: string, currentVersion: number) =>
      call(people.author, saveDocument, { organizationId, documentId, description, currentVersion })
    const saved = await save('ұ'.repeat(1000), 1)
    expect(saved.result).toMatchObject({ description: 'ұ'.repeat(1000), currentVersion: 2 })
    expect((await save('a'.repeat(1001), 2)).error.ExceptionData.Alias).toBe('validation-failure')
    expect((await save('позже', 1)).error.ExceptionData.Alias).toBe('request-changed')
  })
})

describe('downloading', () => {
  test('returns the same bytes under the original name, with headers that prevent opening in the browser', async () => {
    const { people, organizationId } = await cast()
    const name = "Шарт № 14 «Қарағанды» (1) 'көшірме' 📄.docx"
    const { id } = await made(people.author, organizationId, { name, bytes: goodDocx })
    const { response } = await download(people.author, organizationId, id)
    expect(response.rawPayload.equals(goodDocx)).toBe(true)
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'content-length': String(goodDocx.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    const disposition = String(response.headers['content-disposition'])
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.!~-]+$/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe(name)
  })

  test('is refused if the stored bytes were changed or lost, and works again when they are restored', async () => {
    const { people, organizationId } = await cast()
    const { id } = await made(people.author, organizationId)
    const { fileId } = await database.db
      .selectFrom('documents')
      .select('fileId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { path } = (await archive.storage.borrow(keyOf(organizationId, fileId)))!
    const bytes = readFileSync(path)
    chmodSync(path, 0o600)
    const changed = Buffer.from(bytes)
    changed[changed.length - 1]! ^= 1
    for (const wrong of [changed, bytes.subarray(1), Buffer.concat([bytes, Buffer.from('x')])]) {
      writeFileSync(path, wrong)
      const { response, alias } = await download(people.author, organizationId, id)
      expect(alias).toBe('outdated-document')
      expect(response.statusCode).toBe(409)
    }
    rmSync(path)
    expect((await download(people.author, organizationId, id)).alias).toBe('file-not-found')
    writeFileSync(path, bytes)
    expect((await download(people.author, organizationId, id)).alias).toBeNull()
  })

  test('the database refuses changes of files, and of names and visibility of documents', async () => {
    const change = (sql: string) => expect(database.pool.query(sql)).rejects.toThrow('never changes')
    await change('update files set size = size + 1')
    await change(`update documents set visibility = 'public'`)
    await change(`update documents set name = 'b.pdf'`)
  })
})

describe('after deleting', () => {
  async function deleted(isReferred: boolean) {
    const { people, organizationId } = await cast()
    const { id: documentId } = await made(people.author, organizationId)
    const { fileId } = await database.db
      .selectFrom('documents')
      .select('fileId')
      .where('id', '=', documentId)
      .executeTakeFirstOrThrow()
    if (isReferred) {
      await database.pool.query(
        `insert into documents (id, organization_id, author_id, file_id, name, description, visibility, format, created_at)
         select $2, organization_id, author_id, file_id, name, '', visibility, format, created_at from documents where id = $1`,
        [documentId, newId()],
      )
    }
    await call(people.author, deleteDocument, { organizationId, documentId })
    return keyOf(organizationId, fileId)
  }
  const later = (hours: number) => new Date(time.now.getTime() + hours * 3_600_000)

  test('the file is removed a day later unless something refers to it', async () => {
    const gone = await deleted(false)
    const kept = await deleted(true)
    await sweepFiles(database, archive.storage, later(23))
    expect(await archive.storage.exists(gone)).toBe(true)
    await sweepFiles(database, archive.storage, later(25))
    expect(await archive.storage.exists(gone)).toBe(false)
    expect(await archive.storage.exists(kept)).toBe(true)
  })
})

test('when a document is deleted ten times at once, one call succeeds', async () => {
  const { people, organizationId } = await cast()
  const { id: documentId } = await made(people.author, organizationId, { bytes: goodPdf })
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => call(people.author, deleteDocument, { organizationId, documentId })),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 404)).toHaveLength(9)
})
