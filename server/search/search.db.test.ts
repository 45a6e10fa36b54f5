/** What is found, how it is ranked, and that the index is always up to date. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { sql } from 'kysely'
import { deleteDocument, saveDocument } from '@kelisim/domain/documents/contract.ts'
import { deletePoint } from '@kelisim/domain/points/contract.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { addTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { routeCalls, templateCalls } from '@kelisim/domain/routes/contract.ts'
import { search } from '@kelisim/domain/search/contract.ts'
import { fold, wordsOf } from '@kelisim/domain/search/folding.ts'
import { russianStem } from '@kelisim/domain/search/stems.ts'
import { pointForm } from '../points/testing-points.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { someBin } from '../testing.ts'
import { searcher } from './testing-search.ts'

const testApp = await startRequestsApp()
const { call, database, make } = testApp
const { groups, titles } = searcher(testApp)

describe('the search index', () => {
  test('folds letters and splits words as the rules of the domain do', async () => {
    const letters = 'аяАЯёЁәғқңөұүһіӘҒҚҢӨҰҮҺІzZşğ09/.-№« —'
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...Array.from(letters)), maxLength: 40 }), 300)
    const { rows } = await sql<{ folded: string; words: string[] }>`
      select search_fold(t) as folded, search_words(t) as words
      from unnest(${texts}::text[]) with ordinality as given (t, place) order by place`.execute(database.db)
    for (const [i, text] of texts.entries()) {
      const known = (folded: string) => folded.replaceAll(/[^0-9a-zа-я/.-]/g, ' ')
      expect(known(rows[i]!.folded)).toBe(known(fold(text)))
      expect(rows[i]!.words.toSorted()).toEqual(wordsOf(text).toSorted())
    }
  })

  test('has the same stems of Russian words as PostgreSQL', async () => {
    const folder = new URL('../../texts/ru/', import.meta.url)
    const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const all = wordsOf(texts.join(' ')).filter((word) => /^[а-я]{2,}$/.test(word))
    const { rows } = await sql<{ word: string; stem: string | null }>`
      select word, (ts_lexize('russian_stem', word))[1] as stem from unnest(${all}::text[]) word`.execute(
      database.db,
    )
    const stems = rows.filter(({ stem }) => stem !== null)
    expect(stems.length).toBeGreaterThan(1000)
    expect(stems.filter(({ word, stem }) => russianStem(word) !== stem)).toEqual([])
  })

  test('writes the entry of a request once when it is sent, with its points and inboxes', async () => {
    const { route, point, send } = await testApp.company()
    const routeId = await route(await point('InternalApprove'), await point('CompanyInternalSign'))
    await sql`create table written (id uuid)`.execute(database.db)
    await sql`create function note_written() returns trigger language plpgsql as
      $$ begin insert into written values (new.id); return null; end $$`.execute(database.db)
    await sql`create trigger note_written after insert or update on search_entries
      for each row execute function note_written()`.execute(database.db)
    const { result } = await send(routeId)
    const { rows } = await sql`select id from written where id = ${result.id}`.execute(database.db)
    expect(rows).toHaveLength(1)
    await sql`drop trigger note_written on search_entries`.execute(database.db)
    const inboxes = sql`select from search_entries
      where id = ${result.id} and words::text like '%@i%'`
    expect((await inboxes.execute(database.db)).rows).toHaveLength(1)
  })

  test('is the same as when rebuilt', async () => {
    const { organizationId, employee, owner, upload, route, point, send } = await testApp.company()
    const { result: kept } = await upload(employee, organizationId, { name: 'Приложение.pdf' })
    const { result: gone } = await upload(employee, organizationId, { name: 'Черновик.pdf' })
    await call(employee, saveDocument, {
      organizationId,
      documentId: kept.id,
      currentVersion: kept.currentVersion,
      description: 'Смета работ',
    })
    await call(employee, deleteDocument, { organizationId, documentId: gone.id })
    await send(await route(await point('InternalApprove')), { name: 'Приказ' })
    const unused = await point('InternalInformation', { name: 'Лишний' })
    await call(owner, deletePoint, { organizationId, pointId: unused })
    await call(owner, removeMember, { organizationId, userId: employee })
    const entries = () =>
      database.db.selectFrom('searchEntries').selectAll().orderBy('kind').orderBy('id').execute()
    const before = await entries()
    await database.write((tx) => sql`select search_refresh_all()`.execute(tx))
    expect(await entries()).toEqual(before)
    expect(before.some(({ id }) => id === gone.id || id === unused)).toBe(false)
  })
})

describe('an object of every kind', () => {
  test('is found by its name, in other forms and spellings', async () => {
    const { organizationId, owner, employee, upload, point, route, send } = await testApp.company()
    await upload(employee, organizationId, { name: 'Акт сверки взаиморасчётов.pdf' })
    const shared = { organizationId, description: '', visibilityScope: 2 } as const
    const html = '<p>Текст</p>'
    await call(owner, addTemplate, {
      ...shared,
      param: 'new',
      name: 'Жалға беру шарты',
      template: html,
      language: 'kk',
    })
    const signing = await point('CompanyInternalSign', { name: 'Подпись директора' })
    const points = [{ pointId: signing, order: 1 }]
    await call(owner, routeCalls.add, { ...shared, name: 'Согласование закупок', points })
    await call(owner, templateCalls.add, { ...shared, name: 'Типовое согласование', points })
    await send(await route(signing), { name: 'Договор аренды № 77/2026' })
    const found = (q: string, kind: Parameters<typeof titles>[3]) => titles(employee, organizationId, q, kind)
    expect(await found('взаиморасчетам', 'document')).toEqual(['Акт сверки взаиморасчётов.pdf'])
    expect(await found('шарттардын', 'template')).toEqual(['Жалға беру шарты'])
    expect(await found('закупка', 'route')).toEqual(['Согласование закупок'])
    expect(await found('типовой', 'routeTemplate')).toEqual(['Типовое согласование'])
    expect(await found('директор', 'point')).toEqual(['Подпись директора'])
    for (const q of ['договор аренды', 'dogovor', 'ljujdjh', 'аренде', '77/2026', 'дог']) {
      expect(await found(q, 'request')).toEqual(['Договор аренды № 77/2026'])
    }
  })

  test('is shown with the matching text and where it was found', async () => {
    const { organizationId, employee, point, route, send } = await testApp.company()
    const other = { bin: someBin(9000) }
    const external = await point('ExternalSign', {
      bin: other.bin,
      organizationName: 'ТОО «Шамшырақ»',
      emails: ['a@example.kz'],
    })
    await send(await route(external), { name: 'Поставка бумаги', description: 'По заявке отдела кадров' })
    const [byName] = await groups(employee, organizationId, 'бумага', { kind: 'request' })
    expect(byName!.items[0]).toMatchObject({
      title: [
        { text: 'Поставка ', isFound: false },
        { text: 'бумаги', isFound: true },
      ],
      place: null,
    })
    const [described] = await groups(employee, organizationId, 'кадры', { kind: 'request' })
    expect(described!.items[0]!.place).toMatchObject({ field: 'description' })
    const parties = await groups(employee, organizationId, other.bin)
    expect(parties.map(({ kind }) => kind)).toEqual(['request', 'counterparty', 'point'])
    expect(parties[0]!.items[0]!.place).toMatchObject({ field: 'party' })
    expect(parties[1]!.items).toEqual([
      {
        id: other.bin,
        title: [{ text: 'ТОО «Шамшырақ»', isFound: false }],
        note: other.bin,
        status: null,
        at: null,
        place: null,
      },
    ])
    expect(await titles(employee, organizationId, 'шамшырак', 'counterparty')).toEqual(['ТОО «Шамшырақ»'])
  })
})

test('better matches come first, and newer ones among equals', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  const at = testApp.time.now
  for (const [i, name] of ['Аренда.pdf', 'Арендованное.pdf', 'Аренды.pdf', 'Аренду.pdf'].entries()) {
    testApp.time.now = new Date(at.getTime() + i * 1000)
    await upload(employee, organizationId, { name })
  }
  testApp.time.now = at
  expect(await titles(employee, organizationId, 'аренда', 'document')).toEqual([
    'Аренда.pdf',
    'Аренду.pdf',
    'Аренды.pdf',
    'Арендованное.pdf',
  ])
})

test('without a query the newest requests and documents are listed', async () => {
  const { organizationId, employee, point, route, send } = await testApp.company()
  await send(await route(await point('InternalApprove')), { name: 'Приказ об отпуске' })
  const newest = await groups(employee, organizationId, ' ')
  expect(newest.map(({ kind, items }) => [kind, items[0]!.title[0]!.text])).toEqual([
    ['request', 'Приказ об отпуске'],
    ['document', 'Договор.pdf'],
  ])
})

test('results of one kind are paged, and say whether there are more', async () => {
  const { organizationId, employee, upload } = await testApp.company()
  for (let i = 1; i <= 8; i++) await upload(employee, organizationId, { name: `Счёт ${i}.pdf` })
  const [all] = await groups(employee, organizationId, 'счета')
  expect([all!.items.length, all!.hasMore]).toEqual([5, true])
  const [rest] = await groups(employee, organizationId, 'счета', { kind: 'document', skip: 5, take: 5 })
  expect([rest!.items.length, rest!.hasMore]).toEqual([3, false])
  const ids = new Set([...all!.items, ...rest!.items].map(({ id }) => id))
  expect(ids.size).toBe(8)
})

test.each([
  [{ q: 'а'.repeat(201) }],
  [{ q: 'договор', take: 51 }],
  [{ q: 'договор', skip: -1 }],
  [{ q: 'договор', kind: 'user' }],
])('%j is refused', async (input) => {
  const owner = await make.person()
  const organizationId = await make.organization(owner)
  const { status } = await call(owner, search, { organizationId, ...input } as never)
  expect(status).toBe(400)
})

test.each(["'", "a' | 'b", '\\', ':*', '<->', '@o', '!договор', "'@p", '%', '()', '&'])(
  'the character %s is no operator of the database',
  async (q) => {
    const owner = await make.person()
    const organizationId = await make.organization(owner)
    expect((await call(owner, search, { organizationId, q })).status).toBe(200)
  },
)

describe('among many objects', () => {
  /** Points with these names, the newest last; `name` is SQL over the number `n` of the point. */
  async function manyPoints(count: number, name: string) {
    const { organizationId, owner } = await testApp.company()
    const point = pointForm('InternalInformation')
    await database.write((tx) =>
      sql`insert into points (id, organization_id, author_id, name, description, type, scope, agreement_condition,
          is_eds_presentation_required, organization_name, key_holder, created_at)
        select gen_random_uuid(), ${organizationId}, ${owner}, ${sql.raw(name)}, '', ${point.type}, 'common', 'any', false, '',
          'head', timestamptz '2026-01-01' + n * interval '1 minute'
        from generate_series(1, ${count}::int) n`.execute(tx),
    )
    return async (q: string) => {
      const page = { organizationId, q, kind: 'point', take: 50 } as const
      const [found] = (await call(owner, search, page)).result.groups
      return found?.items.map(({ title }) => title.map(({ text }) => text).join('')) ?? []
    }
  }

  test('old objects with rare words are found', async () => {
    const found = await manyPoints(3000, `case n when 1 then 'Редкостный' else 'Обычный ' || n end`)
    expect(await found('редкостная')).toEqual(['Редкостный'])
    expect(await found('обычный')).toHaveLength(50)
    expect((await found('обычный 3000'))[0]).toBe('Обычный 3000')
  })

  test('a rare combination of frequent words is found', async () => {
    const found = await manyPoints(
      6000,
      `concat_ws(' ', n,
        case when n % 4 = 0 or n in (1, 2, 3) then 'Синий' end,
        case when n % 100 = 0 then 'Круглый' end,
        case when n % 4 = 2 or n = 1 then 'Квадратный' end,
        case when n = 2 then 'Единственный' end,
        case when n < 2500 and n % 4 <> 0 then 'Старинный' end)`,
    )
    // Ten of the newest thousand have both words, so more of the newest are searched.
    const newest = Array.from({ length: 50 }, (_, i) => `${6000 - i * 100} Синий Круглый`)
    expect((await found('синий круглый')).slice(0, 30)).toEqual(newest.slice(0, 30))
    // None of the newest has both words, and neither is rare.
    expect(await found('синий квадратный')).toEqual([
      '2 Синий Квадратный Единственный Старинный',
      '1 Синий Квадратный Старинный',
    ])
    // One of the two words is rare.
    expect(await found('синий единственный')).toEqual(['2 Синий Квадратный Единственный Старинный'])
    // One word is rare among the newest, but more of the old ones have it than are read from the index.
    expect(await found('старинный синий')).toHaveLength(3)
  })
})

describe('a mistyped query', () => {
  test('finds what was meant, and shows the corrected query', async () => {
    const { organizationId, employee, upload } = await testApp.company()
    await upload(employee, organizationId, { name: 'Договор аренды склада.pdf' })
    const { result } = await call(employee, search, { organizationId, q: 'дагавор арнеды' })
    expect(result.corrected).toBe('договор аренды')
    expect(await titles(employee, organizationId, 'дагавор арнеды', 'document')).toEqual([
      'Договор аренды склада.pdf',
    ])
    const { result: right } = await call(employee, search, { organizationId, q: 'договор' })
    expect(right.corrected).toBeNull()
  })

  test('is not corrected by words of what the viewer cannot see', async () => {
    const { organizationId, employee, colleague, upload } = await testApp.company()
    await upload(employee, organizationId, { name: 'Увольнение директора.pdf' })
    const { result } = await call(colleague, search, { organizationId, q: 'увольненее' })
    expect(result).toEqual({ corrected: null, groups: [] })
  })
})
