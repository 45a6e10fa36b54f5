/** Permissions for templates, and written documents. */
import { getDocument as readPdf } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { deleteDocument, downloadDocument, getDocument } from '@kelisim/domain/documents/contract.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import {
  addTemplate,
  copyTemplate,
  deleteTemplate,
  getTemplate,
  getTemplates,
  getWrittenText,
  previewDocument,
  saveTemplate,
  writeDocument,
} from '@kelisim/domain/rich-text/contract.ts'
import { castIn, publicUrl, startTestApp } from '../testing.ts'
import { openRichTextWorkers } from './rich-text.ts'

const context = await startTestApp()
const { app, call, tokenOf, time } = context
afterAll(() => app.close())

const text = '<h1>Договор</h1><p>Қазақша мәтін</p>'

async function cast() {
  const { people, organizationId, elsewhere } = await castIn(context)
  const { author } = people
  const template = (change: object = {}) =>
    call(author, addTemplate, {
      organizationId,
      param: 'new',
      name: 'Договор поставки',
      description: '',
      template: text,
      language: 'ru',
      ...change,
    })
  return { people, organizationId, elsewhere, template }
}

const alias = ({ status, error }: { status: number; error: ErrorBody }) =>
  status < 400 ? null : error.ExceptionData.Alias

describe('rights to a template', () => {
  const none = 'document-template-not-found'
  const may = 'not-enough-permissions'
  /** The refusals of seeing (also using and copying), changing and deleting; null: the call succeeds. */
  test.each([
    ['author', 1, null, null, null],
    ['author', 2, null, null, null],
    ['owner', 1, null, may, may],
    ['owner', 2, null, null, null],
    ['colleague', 1, none, none, none],
    ['colleague', 2, null, may, may],
    ['administrator', 1, none, none, none],
    ['administrator', 2, null, may, may],
    ['stranger', 2, 'organization-not-yours', 'organization-not-yours', 'organization-not-yours'],
  ] as const)('%s, scope %i', async (who, visibilityScope, see, edit, remove) => {
    // Other options of the organisation make no difference.
    for (const isStrict of [false, true]) {
      const { people, organizationId, template } = await cast()
      await call(people.owner, saveOptions, {
        organizationId,
        usePointsRolePermission: isStrict,
        documentsUploadPdfOnly: isStrict,
      })
      const { result } = await template({ visibilityScope })
      const of = { organizationId, templateId: result.id }
      const person = people[who]
      expect(alias(await call(person, getTemplate, of))).toBe(see)
      expect(alias(await call(person, copyTemplate, { ...of, name: 'Копия' }))).toBe(see)
      const written = {
        organizationId,
        htmlContent: text,
        fileName: 'Договор',
        visibilityScope: 1,
        templateId: of.templateId,
      }
      expect(alias(await call(person, writeDocument, { ...written, visibilityScope: 1 }))).toBe(see)
      const saved = { ...of, name: 'Новое', description: '', template: text }
      expect(alias(await call(person, saveTemplate, saved))).toBe(edit)
      expect(alias(await call(person, deleteTemplate, of))).toBe(remove)
      expect(alias(await call(people.author, getTemplate, of))).toBe(remove === null ? none : null)
    }
  })

  test('the view lists the allowed calls', async () => {
    const { people, organizationId, template } = await cast()
    const { result } = await template({ visibilityScope: 2 })
    const of = { organizationId, templateId: result.id }
    expect((await call(people.owner, getTemplate, of)).result.allowed).toEqual({ edit: true, delete: true })
    expect((await call(people.colleague, getTemplate, of)).result.allowed).toEqual({
      edit: false,
      delete: false,
    })
  })

  test('a template of another organisation is not found', async () => {
    const { people, organizationId, elsewhere, template } = await cast()
    const { result } = await template({ visibilityScope: 2 })
    for (const templateId of [result.id, newId()]) {
      const of = { organizationId: elsewhere, templateId }
      const saved = { ...of, name: 'x', description: '', template: text }
      const written = {
        organizationId: elsewhere,
        htmlContent: text,
        fileName: 'x',
        visibilityScope: 1,
        templateId,
      } as const
      expect(alias(await call(people.stranger, getTemplate, of))).toBe(none)
      expect(alias(await call(people.stranger, copyTemplate, { ...of, name: 'x' }))).toBe(none)
      expect(alias(await call(people.stranger, saveTemplate, saved))).toBe(none)
      expect(alias(await call(people.stranger, deleteTemplate, of))).toBe(none)
      expect(alias(await call(people.stranger, writeDocument, written))).toBe(none)
    }
    expect(organizationId).not.toBe(elsewhere)
  })
})

describe('a template', () => {
  test('is stored as sanitised by the server', async () => {
    const { template } = await cast()
    const { result } = await template({
      template:
        '<p onclick=alert(1)>а<script>alert(1)</script> <span data-variable="Сумма" data-kind="number">x</span></p>',
    })
    expect(result.template).toBe('<p>а <span data-variable="Сумма" data-kind="number">Сумма</span></p>')
    expect(result).toMatchObject({ language: 'ru', visibilityScope: 1, currentVersion: 1 })
  })

  test.each([
    [{ name: '' }, 'validation-failure'],
    [{ name: 'я'.repeat(251) }, 'validation-failure'],
    [{ name: 'я'.repeat(250) }, null],
    [{ description: 'я'.repeat(501) }, 'validation-failure'],
    [{ description: 'я'.repeat(500) }, null],
    [{ language: 'de' }, 'validation-failure'],
    [{ language: 'kk' }, null],
    [{ visibilityScope: 3 }, 'validation-failure'],
    [{ template: '' }, 'validation-failure'],
    [{ template: 'x'.repeat(400_001) }, 'validation-failure'],
    [{ template: '<p> </p>' }, 'rich-text-empty'],
    [{ template: '<script>alert(1)</script>' }, 'rich-text-empty'],
    [{ template: '<p>👍</p>' }, 'rich-text-unknown-signs'],
    [{ template: '<b>'.repeat(100_000) }, 'rich-text-too-large'],
    [{ template: '<table><tr><td>'.repeat(20_000) }, 'rich-text-too-large'],
    [{ template: '<p>x</p>'.repeat(10_001) }, 'rich-text-too-large'],
    [{ template: `<p>${'&amp;'.repeat(35_000)}</p>`.repeat(2) }, null],
    [{ template: '&amp;'.repeat(70_000) }, 'rich-text-too-large'],
    [{ template: '&'.repeat(399_000) }, 'rich-text-too-large'],
    [{ template: `<p>${'я'.repeat(700_000)}</p>` }, 'body-too-large'],
    [{ param: 'other' }, 'validation-failure'],
    [{ param: 'NEW' }, null],
  ])('%# %s', async (change, expected) => {
    const { template } = await cast()
    expect(alias(await template(change))).toBe(expected)
  })

  test('is identified by the address: a body with another id is refused', async () => {
    const { people, organizationId, template } = await cast()
    const [one, other] = [(await template()).result, (await template()).result]
    const change = (id: string) =>
      call(people.author, saveTemplate, {
        organizationId,
        templateId: one.id,
        id,
        name: 'Другое',
        description: '',
        template: text,
      })
    const refused = await change(other.id)
    expect([refused.status, refused.error.ExceptionData.Parameters['fields']]).toEqual([
      400,
      [{ path: 'id', code: 'incorrect' }],
    ])
    expect((await change(one.id.toUpperCase())).result).toMatchObject({ id: one.id, name: 'Другое' })
  })

  test('can be changed only from the current version, and keeps fields that are not sent', async () => {
    const { people, organizationId, template } = await cast()
    const { result } = await template({ visibilityScope: 2, language: 'kk' })
    const change = (name: string, seen?: number) =>
      call(people.author, saveTemplate, {
        organizationId,
        templateId: result.id,
        name,
        description: 'д',
        template: text,
        ...(seen !== undefined && { currentVersion: seen }),
      })
    expect((await change('Второе', 1)).result).toMatchObject({
      name: 'Второе',
      description: 'д',
      language: 'kk',
      visibilityScope: 2,
      currentVersion: 2,
    })
    expect(alias(await change('Опоздало', 1))).toBe('request-changed')
    expect((await change('Третье')).result).toMatchObject({ name: 'Третье', currentVersion: 3 })
  })

  test('becomes a private one of the copying member', async () => {
    const { people, organizationId, template } = await cast()
    const { result } = await template({ visibilityScope: 2, language: 'en' })
    const copied = await call(people.colleague, copyTemplate, {
      organizationId,
      templateId: result.id,
      name: 'Моё',
    })
    expect(copied.result).toMatchObject({
      name: 'Моё',
      language: 'en',
      template: result.template,
      visibilityScope: 1,
      author: { fullName: 'Коллега' },
      allowed: { edit: true, delete: true },
    })
  })
})

test('lists contain visible templates, and are searched, sorted and counted', async () => {
  const { people, organizationId, template } = await cast()
  const add = async (person: string, name: string, visibilityScope: 1 | 2) => {
    time.now = new Date(time.now.getTime() + 1000)
    const { result } = await call(person, addTemplate, {
      organizationId,
      param: 'new',
      name,
      description: '',
      template: text,
      language: 'ru',
      visibilityScope,
    })
    return result.id
  }
  await add(people.author, 'Аренда', 1)
  const common = await add(people.author, 'Поставка', 2)
  await add(people.colleague, 'Приказ', 1)
  await add(people.owner, 'Акт 100%_', 2)
  const list = async (person: string, filter: object = {}) => {
    const { result } = await call(person, getTemplates, { organizationId, skip: 0, take: 10, ...filter })
    for (const item of result.items) expect(item).not.toHaveProperty('template')
    return [result.totalCount, ...result.items.map(({ name }) => name)]
  }
  expect(await list(people.author)).toEqual([3, 'Акт 100%_', 'Поставка', 'Аренда'])
  expect(await list(people.author, { path: 'my' })).toEqual([2, 'Поставка', 'Аренда'])
  expect(await list(people.author, { path: 'public', sort: 'name' })).toEqual([2, 'Акт 100%_', 'Поставка'])
  expect(await list(people.colleague, { sort: '-name' })).toEqual([3, 'Приказ', 'Поставка', 'Акт 100%_'])
  expect(await list(people.owner, { sort: 'created' })).toEqual([
    4,
    'Аренда',
    'Поставка',
    'Приказ',
    'Акт 100%_',
  ])
  expect(await list(people.owner, { skip: 1, take: 2, sort: 'name' })).toEqual([4, 'Аренда', 'Поставка'])
  expect(await list(people.owner, { name: 'СТАВ' })).toEqual([1, 'Поставка'])
  expect(await list(people.owner, { name: '%_' })).toEqual([0])
  expect(await list(people.owner, { name: '100%_' })).toEqual([1, 'Акт 100%_'])
  expect(await list(people.author, { name: 'Приказ' })).toEqual([0])
  // Counts follow changes of the templates.
  await call(people.author, saveTemplate, {
    organizationId,
    templateId: common,
    name: 'Поставка',
    description: '',
    template: text,
    visibilityScope: 1,
  })
  expect(await list(people.colleague)).toEqual([2, 'Акт 100%_', 'Приказ'])
  await call(people.author, deleteTemplate, { organizationId, templateId: common })
  expect(await list(people.author)).toEqual([2, 'Акт 100%_', 'Аренда'])
  expect((await template({})).status).toBe(200)
})

async function contentOf(personId: string, organizationId: string, documentId: string): Promise<Buffer> {
  const { rawPayload } = await app.inject({
    url: fillPath(downloadDocument.path, { organizationId, documentId }).path,
    headers: { cookie: `session=${await tokenOf(personId)}` },
  })
  return rawPayload
}

async function wordsOf(pdf: Uint8Array): Promise<string> {
  const document = await readPdf({ data: new Uint8Array(pdf) }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

describe('a written document', () => {
  const variable = (value: string, kind = 'text') =>
    `<p>Сумма: <span data-variable="Сумма" data-kind="${kind}" data-value="${value}">Сумма</span></p>`

  test('becomes a PDF document, and its text can be read again', async () => {
    const { people, organizationId, template } = await cast()
    const { id: templateId } = (await template()).result
    const { result } = await call(people.author, writeDocument, {
      organizationId,
      htmlContent: `${text}<script>x</script>${variable('98 500 ₸')}`,
      fileName: 'Шарт № 14',
      description: 'На подпись',
      visibilityScope: 2,
      templateId,
    })
    expect(result).toMatchObject({
      name: 'Шарт № 14.pdf',
      description: 'На подпись',
      format: 'pdf',
      visibilityScope: 2,
      isWritten: true,
      author: { fullName: 'Автор' },
      allowed: { delete: true },
    })
    const pdf = await contentOf(people.colleague, organizationId, result.id)
    expect(await wordsOf(pdf)).toContain('Қазақша мәтін Сумма: 98 500 ₸')
    const of = { organizationId, documentId: result.id }
    const { result: written } = await call(people.colleague, getWrittenText, of)
    expect(written).toEqual({ htmlContent: expect.stringContaining('data-value="98 500 ₸"'), templateId })
    expect(written.htmlContent).not.toContain('script')
    // The document stays when its template is deleted.
    await call(people.author, deleteTemplate, { organizationId, templateId })
    expect((await call(people.author, getWrittenText, of)).result.templateId).toBeNull()
    await call(people.author, deleteDocument, of)
    expect(alias(await call(people.author, getWrittenText, of))).toBe('document-not-found')
  })

  test('shows its text to everybody who may see the document', async () => {
    const { people, organizationId } = await cast()
    const { result } = await call(people.author, writeDocument, {
      organizationId,
      htmlContent: text,
      fileName: 'Моё',
      visibilityScope: 1,
    })
    const of = { organizationId, documentId: result.id }
    expect(alias(await call(people.colleague, getWrittenText, of))).toBe('document-not-found')
    expect(alias(await call(people.colleague, getDocument, of))).toBe('document-not-found')
    expect(alias(await call(people.owner, getWrittenText, of))).toBeNull()
    expect(alias(await call(people.author, getWrittenText, { organizationId, documentId: newId() }))).toBe(
      'document-not-found',
    )
  })

  test('is created once if the call is repeated', async () => {
    const { people, organizationId } = await cast()
    const documentId = newId()
    const ask = (htmlContent: string) =>
      call(people.author, writeDocument, {
        organizationId,
        htmlContent,
        fileName: 'x',
        visibilityScope: 1,
        documentId,
      })
    const first = await ask(text)
    time.now = new Date(time.now.getTime() + 60_000)
    expect((await ask(text)).result).toEqual(first.result)
    expect(alias(await ask(`${text}<p>other</p>`))).toBe('document-not-found')
  })

  test.each([
    [variable(''), 'text'],
    [variable('сто', 'number'), 'number'],
    [variable('31.02.2026', 'date'), 'date'],
    [variable('12', 'bin'), 'bin'],
  ])('is refused while a variable has no valid value: %s', async (htmlContent) => {
    const { people, organizationId } = await cast()
    const { error } = await call(people.author, writeDocument, {
      organizationId,
      htmlContent,
      fileName: 'x',
      visibilityScope: 1,
    })
    expect(error.ExceptionData).toEqual({ Alias: 'variables-not-filled', Parameters: { names: 'Сумма' } })
    expect(error.Message).toBe('Заполните переменные: Сумма')
  })

  test.each([
    [{ fileName: '' }, 'validation-failure'],
    [{ fileName: 'я'.repeat(251) }, 'validation-failure'],
    [{ description: 'я'.repeat(1001) }, 'validation-failure'],
    [{ visibilityScope: 0 }, 'validation-failure'],
    [{ htmlContent: '' }, 'validation-failure'],
    [{ htmlContent: '<svg><text>x</text></svg>' }, 'rich-text-empty'],
    [{ htmlContent: '<p>漢字</p>' }, 'rich-text-unknown-signs'],
    [{ htmlContent: `<p>x</p>${'<div data-page-break></div>'.repeat(201)}` }, 'rich-text-too-large'],
    [{ templateId: 'x' }, 'validation-failure'],
    [{ fileName: '../../etc/пароли "x".PDF' }, null],
  ])('%# %s', async (change, expected) => {
    const { people, organizationId } = await cast()
    const response = await call(people.author, writeDocument, {
      organizationId,
      htmlContent: text,
      fileName: 'Договор',
      visibilityScope: 1,
      ...change,
    } as never)
    expect(alias(response)).toBe(expected)
    if (expected === null) expect(response.result.name).toBe('/../etc/пароли "x".PDF')
  })
})

test('a preview is a PDF with empty variables marked', async () => {
  const { people, organizationId } = await cast()
  const preview = async (person: string | null, htmlContent: string) =>
    app.inject({
      method: 'POST',
      url: fillPath(previewDocument.path, { organizationId }).path,
      payload: { htmlContent, fileName: 'Шарт' },
      headers: { origin: publicUrl.origin, ...(person && { cookie: `session=${await tokenOf(person)}` }) },
    })
  const shown = await preview(people.colleague, '<p>Город: <span data-variable="Город">x</span></p>')
  expect(shown.statusCode).toBe(200)
  expect(shown.headers['content-type']).toBe('application/pdf')
  expect(await wordsOf(shown.rawPayload)).toContain('Город: [Город]')
  expect((await preview(people.colleague, '<p></p>')).json<ErrorBody>().ExceptionData.Alias).toBe(
    'rich-text-empty',
  )
  expect((await preview(people.stranger, text)).statusCode).toBe(403)
  expect((await preview(null, text)).statusCode).toBe(401)
})

test('a large document does not block the main thread, and is refused if it takes too long', async () => {
  const richText = openRichTextWorkers({ deadlineMs: 500 })
  const rows = `<tr>${'<td>Пшеница 3 класса</td>'.repeat(5)}</tr>`.repeat(900)
  const before = process.threadCpuUsage()
  await expect(
    richText.print(`<table>${rows}</table>`, 'x', { mustBeFilled: true, claimant: null }),
  ).rejects.toThrow('rich-text-too-large')
  // Printing in this thread would take seconds of CPU time.
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000)
  // The next document gets a new worker.
  const again = openRichTextWorkers()
  expect(
    (await again.print(text, 'x', { mustBeFilled: true, claimant: null })).pdf.subarray(0, 5).toString(),
  ).toBe('%PDF-')
  await richText.close()
  await again.close()
})
