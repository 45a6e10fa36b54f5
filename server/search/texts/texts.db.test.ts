/** The texts of documents: read in the background, found by people who see the document, deleted together with it. */
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { statementsOf } from '@kelisim/db/testing-statements.ts'
import { docxParts, makePdf, makeZip, xlsxParts } from '@kelisim/demo/sample-files.ts'
import { deleteDocument } from '@kelisim/domain/documents/contract.ts'
import { writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { actingIn, startRequestsApp } from '../../requests/core/testing-requests.ts'
import { searcher } from '../testing-search.ts'
import { openTextReader, readNextText, type TextReader } from './reading.ts'
import { claimText } from './queries.ts'
import type { Recogniser } from './recognise.ts'

const testApp = await startRequestsApp()
const { call, database, archive, time } = testApp
const { groups, titles } = searcher(testApp)
const { act, signatureOf } = actingIn(testApp)
const reader = openTextReader()
afterAll(() => reader.close())

const failures: unknown[] = []
const dependencies = {
  database,
  storage: archive.storage,
  reader,
  recogniser: null as Recogniser | null,
  clock: () => time.now,
  onError: (error: unknown) => void failures.push(error),
}

async function readAll(by: TextReader = reader): Promise<void> {
  while (await readNextText({ ...dependencies, reader: by }));
}

const stateOf = async (name: string) =>
  (
    await database.db
      .selectFrom('searchTexts as t')
      .innerJoin('documents as d', 'd.fileId', 't.fileId')
      .select('t.state')
      .where('d.name', '=', name)
      .executeTakeFirst()
  )?.state

test('documents of every kind are found by their text, with the page', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  const files = {
    'Один.pdf': makePdf(['First page'], ['Second page about penalties']),
    'Два.docx': makeZip(docxParts(['Приказ', 'О премировании & отпусках', 'Итого | 100'])),
    'Три.xlsx': makeZip(
      xlsxParts('Лист', [
        ['Пшеница', 777],
        ['Арпа', 2],
      ]),
    ),
  }
  for (const [name, bytes] of Object.entries(files)) await upload(employee, organizationId, { name, bytes })
  await call(employee, writeDocument, {
    organizationId,
    htmlContent: '<p>Неустойка составляет 5 % за каждый день</p>',
    fileName: 'Четыре',
    visibilityScope: 1,
  })
  expect(await titles(employee, organizationId, 'penalties', 'document')).toEqual([])
  await readAll()
  const [found] = await groups(employee, organizationId, 'penalties')
  expect(found!.items).toMatchObject([
    {
      title: [{ text: 'Один.pdf', isFound: false }],
      place: {
        field: 'text',
        page: 2,
        parts: [
          { text: 'Second page about ', isFound: false },
          { text: 'penalties', isFound: true },
        ],
      },
    },
  ])
  expect(await titles(employee, organizationId, 'премирование отпуска', 'document')).toEqual(['Два.docx'])
  expect(await titles(employee, organizationId, 'пшеницы 777', 'document')).toEqual(['Три.xlsx'])
  expect(await titles(employee, organizationId, 'неустойку', 'document')).toEqual(['Четыре.pdf'])
  expect(failures).toEqual([])
})

test('a text is found by those who may see the document or its request, from the time they may see it', async () => {
  const [sender, receiver] = [await testApp.company(), await testApp.company()]
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  const routeId = await sender.route(signing, external)
  const bytes = makePdf(['Secret clause about zirconium'])
  const { result: document } = await sender.upload(sender.employee, sender.organizationId, { bytes })
  const form = { documentId: document.id, name: 'Договор' }
  const { result: sent } = await sender.send(routeId, form)
  await readAll()
  const kinds = async (id: string, { organizationId }: { organizationId: string }) =>
    (await groups(id, organizationId, 'zirconium')).map(({ kind }) => kind)
  expect(await kinds(sender.employee, sender)).toEqual(['request', 'document'])
  expect(await kinds(sender.colleague, sender)).toEqual(['request'])
  expect(await kinds(sender.administrator, sender)).toEqual([])
  expect(await kinds(receiver.owner, receiver)).toEqual([])
  const employee = { id: sender.employee, organizationId: sender.organizationId }
  const signature = await signatureOf(sender.stamp, bytes)
  await act(employee, sent, 'CompanyInternalSign', 'sign', { signature })
  expect(await kinds(receiver.owner, receiver)).toEqual(['request'])
  expect(await kinds(receiver.employee, receiver)).toEqual([])
})

test('a text is removed with its document, unless a request uses it', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  const bytes = makePdf(['Nothing but vanadium'])
  const { result } = await upload(employee, organizationId, { name: 'Ванадий.pdf', bytes })
  await readAll()
  expect(await titles(employee, organizationId, 'vanadium', 'document')).toEqual(['Ванадий.pdf'])
  await call(employee, deleteDocument, { organizationId, documentId: result.id })
  expect(await titles(employee, organizationId, 'vanadium', 'document')).toEqual([])
  const left = await database.db
    .selectFrom('searchTexts')
    .selectAll()
    .where('words', 'is not', null)
    .execute()
  expect(left.some(({ pages }) => pages?.join('').includes('vanadium'))).toBe(false)
})

test('a document without text is a scan; one that cannot be read is given up', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  await upload(employee, organizationId, { name: 'Скан.pdf', bytes: makePdf([]) })
  await readAll()
  expect(await stateOf('Скан.pdf')).toBe('scan')
  await upload(employee, organizationId, { name: 'Тяжёлый.pdf' })
  const failing: TextReader = {
    read: () => reader.read({ path: '/none', size: 1, format: 'pdf' }),
    close: reader.close,
  }
  await readAll(failing)
  expect(await stateOf('Тяжёлый.pdf')).toBe('failed')
})

test('a scan is recognised if that is possible, also an earlier one, and found with its page', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  await upload(employee, organizationId, { name: 'Снимок.pdf', bytes: makePdf([], []) })
  await readAll()
  expect(await stateOf('Снимок.pdf')).toBe('scan')
  const asked: number[] = []
  const recogniser: Recogniser = {
    recognise: (_path, pageCount) => {
      asked.push(pageCount)
      return Promise.resolve(['Акт приёмки', 'Сдал кладовщик'])
    },
  }
  while (await readNextText({ ...dependencies, recogniser }));
  expect(asked).toContain(2)
  expect(await stateOf('Снимок.pdf')).toBe('read')
  const [found] = await groups(employee, organizationId, 'кладовщика')
  expect(found!.items).toMatchObject([{ place: { field: 'text', page: 2 } }])
})

test('a scan that cannot be recognised is tried again, and finally given up', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  await upload(employee, organizationId, { name: 'Пятно.pdf', bytes: makePdf([]) })
  const recogniser: Recogniser = { recognise: () => Promise.reject(new Error('killed')) }
  const now = time.now
  for (let i = 0; i < 8; i++) {
    while (await readNextText({ ...dependencies, recogniser }));
    time.now = new Date(time.now.getTime() + 120_000)
  }
  time.now = now
  expect(await stateOf('Пятно.pdf')).toBe('failed')
})

test('a file is read later while the storage is unavailable', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  await upload(employee, organizationId, { name: 'Позже.pdf', bytes: makePdf(['About tungsten']) })
  const away = { ...archive.storage, borrow: () => Promise.reject(new Error('away')) }
  const before = failures.length
  await readNextText({ ...dependencies, storage: away })
  expect(failures.length).toBe(before + 1)
  expect(await stateOf('Позже.pdf')).toBe('waiting')
  await readAll()
  expect(await stateOf('Позже.pdf')).toBe('waiting')
  const now = time.now
  time.now = new Date(now.getTime() + 120_000)
  await readAll()
  time.now = now
  expect(await stateOf('Позже.pdf')).toBe('read')
})

test.each([
  ['waiting', 'search_texts_waiting'],
  ['scan', 'search_texts_scans'],
] as const)(
  'the next text in the state %s is found by the index %s, with any values',
  async (state, index) => {
    const claim = () => database.write((tx) => claimText(tx, state, time.now, time.now))
    const statement = (await statementsOf(database, claim)).find((text) => text.includes('search_texts'))!
    const plan = await database.write(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<
        Record<string, string>
      >`explain (generic_plan) ${sql.raw(statement)}`.execute(tx)
      return rows.map((row) => Object.values(row)[0]).join('\n')
    })
    expect(plan).toContain(index)
  },
)
