// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../api/api.ts'
import { button, click, render, settle, texts, type, until } from '../testing/render.tsx'
import type { Column } from './columns.tsx'
import { List, ListOf } from './list.tsx'

type Person = { id: string; name: string; city: string; phone: string }

const people: Person[] = [
  { id: '1', name: 'Айгерім', city: 'Алматы', phone: '111' },
  { id: '2', name: 'Бауыржан', city: 'Астана', phone: '222' },
]

const columns: Column<Person>[] = [
  { key: 'name', title: 'Имя', isFixed: true, isSortable: true, cell: ({ name }) => name },
  { key: 'city', title: 'Город', isSortable: true, cell: ({ city }) => city },
  { key: 'phone', title: 'Телефон', isHiddenAtFirst: true, cell: ({ phone }) => phone },
]

const common = {
  id: 'people',
  label: 'Люди',
  columns,
  rowKey: ({ id }: Person) => id,
  empty: <p>Пока никого нет</p>,
}

let shown: Awaited<ReturnType<typeof render>> | null = null

async function show(...parameters: Parameters<typeof render>) {
  shown = await render(...parameters)
  return shown
}

beforeEach(() => localStorage.clear())

afterEach(async () => {
  await shown?.unmount()
  shown = null
})

test('rows are shown under their columns', async () => {
  const { place } = await show(<ListOf {...common} items={people} totalCount={2} />)
  expect(place.querySelector('table')?.getAttribute('aria-label')).toBe('Люди')
  expect(texts(place, 'th')).toEqual(['Имя', 'Город'])
  expect(texts(place, 'tbody td')).toEqual(['Айгерім', 'Алматы', 'Бауыржан', 'Астана'])
})

test('a list that fits one page has no paging', async () => {
  const { place } = await show(<ListOf {...common} items={people} totalCount={10} />)
  expect(place.querySelector('nav')).toBeNull()
})

test('paging shows the range and changes the page in the address', async () => {
  const { place, search } = await show(<ListOf {...common} items={people} totalCount={25} />)
  const paging = place.querySelector('nav')!
  expect(paging.textContent).toContain('Показано 1–10 из 25')
  expect(paging.textContent).toContain('1 / 3')
  expect(button(paging, 'Предыдущая страница')?.disabled).toBe(true)
  await click(button(paging, 'Следующая страница'))
  expect(search()).toMatchObject({ page: 2 })
  expect(paging.textContent).toContain('Показано 11–20 из 25')
  await click(button(paging, 'Следующая страница'))
  expect(paging.textContent).toContain('Показано 21–25 из 25')
  expect(button(paging, 'Следующая страница')?.disabled).toBe(true)
  await click(button(paging, 'Предыдущая страница'))
  expect(search()).toMatchObject({ page: 2 })
})

test('another page size returns to the first page', async () => {
  const { place, search } = await show(<ListOf {...common} items={people} totalCount={60} />, '/?page=3')
  const size = place.querySelector('select')!
  await act(async () => {
    size.value = '25'
    size.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await settle()
  expect(search()).toMatchObject({ page: 1, take: 25 })
  expect(place.querySelector('nav')?.textContent).toContain('Показано 1–25 из 60')
})

test('a page beyond the last becomes the last', async () => {
  const { search } = await show(<ListOf {...common} items={people} totalCount={25} />, '/?page=9')
  expect(search()).toMatchObject({ page: 3 })
})

test('paging does not go beyond the limit of counting', async () => {
  const { place } = await show(<ListOf {...common} items={people} totalCount={1001} countedUpTo={1000} />)
  const paging = place.querySelector('nav')!.textContent
  expect(paging.replaceAll(/\s/g, ' ')).toContain('из более 1 000')
  expect(paging).toContain('1 / 100')
})

test('a click on a column sorts by it, the next click reverses the order', async () => {
  const { place, search } = await show(
    <ListOf {...common} items={people} totalCount={25} defaultSort="name" />,
    '/?page=2',
  )
  const sorted = () =>
    [...place.querySelectorAll('th')].map((head) => head.getAttribute('aria-sort') ?? 'none')
  expect(sorted()).toEqual(['ascending', 'none'])
  await click(button(place, 'Город'))
  expect(search()).toEqual({ sort: 'city' })
  expect(sorted()).toEqual(['none', 'ascending'])
  await click(button(place, 'Город'))
  expect(search()).toEqual({ sort: '-city' })
  expect(sorted()).toEqual(['none', 'descending'])
})

test('columns are hidden and shown, and the choice is remembered', async () => {
  const first = await show(<ListOf {...common} items={people} totalCount={2} />)
  await click(button(first.place, 'Столбцы'))
  const item = (name: string) =>
    [...document.querySelectorAll('[role="menuitemcheckbox"]')].find((one) => one.textContent === name)
  // The menu is a chunk of its own.
  await until(() => expect(item('Телефон')).toBeDefined())
  await click(item('Телефон'))
  await click(item('Город'))
  expect(texts(first.place, 'th')).toEqual(['Имя', 'Телефон'])
  expect(item('Имя')).toBeUndefined()
  await first.unmount()
  const second = await show(<ListOf {...common} items={people} totalCount={2} />)
  expect(texts(second.place, 'th')).toEqual(['Имя', 'Телефон'])
})

function Selectable() {
  const [selected, onChange] = useState<string[]>(['elsewhere'])
  return (
    <>
      <output>{selected.join(' ')}</output>
      <ListOf
        {...common}
        items={people}
        totalCount={2}
        linkOf={({ id }) => ({ to: '/points/$path/$id', params: { path: 'my', id } })}
        selection={{ selected, onChange, labelOf: ({ name }) => `Выбрать ${name}` }}
      />
    </>
  )
}

test('rows are selected one by one or all of the page; those of other pages stay selected', async () => {
  const { place, address } = await show(<Selectable />)
  const box = (label: string) => place.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!
  const selected = () => place.querySelector('output')!.textContent
  const all = box('Выбрать все на странице')
  await click(box('Выбрать Айгерім'))
  expect(selected()).toBe('elsewhere 1')
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await click(all)
  expect(selected()).toBe('elsewhere 1 2')
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  await click(all)
  expect(selected()).toBe('elsewhere')
  expect(address()).toBe('/')
})

test('a row is a link to its page, an action does not follow it', async () => {
  const { place, address } = await show(
    <ListOf
      {...common}
      items={people}
      totalCount={2}
      linkOf={({ id }) => ({ to: '/points/$path/$id', params: { path: 'my', id } })}
      actions={({ name }) => <button type="button">Удалить {name}</button>}
    />,
  )
  const links = [...place.querySelectorAll('tbody a')]
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Айгерім', '/points/my/1'],
    ['Бауыржан', '/points/my/2'],
  ])
  await click(button(place, 'Удалить Айгерім'))
  expect(address()).toBe('/')
  await click(links[1])
  expect(address()).toBe('/points/my/2')
})

test('an empty list shows how to begin', async () => {
  const { place } = await show(<ListOf {...common} items={[]} totalCount={0} hasSearch />)
  expect(place.textContent).toContain('Пока никого нет')
  expect(place.textContent).not.toContain('Ничего не найдено')
})

test.each([
  ['by name', '/?name=x', {}],
  ['by filters', '/', { isNarrowed: true }],
])('an empty list that is narrowed %s says that nothing was found', async (_, address, narrowing) => {
  const { place } = await show(
    <ListOf {...common} items={[]} totalCount={0} hasSearch {...narrowing} />,
    address,
  )
  expect(place.textContent).toContain('Ничего не найдено')
  expect(place.textContent).not.toContain('Пока никого нет')
})

test('the search is put into the address after a pause in typing, from the first page', async () => {
  const { place, search } = await show(
    <ListOf {...common} items={people} totalCount={25} hasSearch />,
    '/?page=2',
  )
  const field = place.querySelector('input[type="search"]')
  await type(field, ' Айг')
  expect(search()).toEqual({ page: 2 })
  await until(() => {
    expect(search()).toEqual({ name: 'Айг' })
  })
})

test('a loading list keeps the shape of rows', async () => {
  const { place } = await show(<ListOf {...common} items={undefined} totalCount={0} />)
  expect(place.querySelectorAll('tbody tr')).toHaveLength(5)
  expect(place.querySelector('[aria-busy="true"]')).not.toBeNull()
  expect(place.textContent).not.toContain('Пока никого нет')
})

test('a failed list shows the reason and can be retried', async () => {
  let isDown = true
  const source = {
    queryKey: ['people'],
    queryFn: () =>
      isDown
        ? Promise.reject(new ApiError(0, 'TemporaryUnavailableException', 'connection-lost', {}, ''))
        : Promise.resolve({ items: people, totalCount: 2 }),
  }
  const { place } = await show(<List {...common} source={source} />)
  await until(() => {
    expect(place.textContent).toContain('Список не загрузился')
    expect(place.querySelector('table')).toBeNull()
  })
  isDown = false
  await click(button(place, 'Повторить'))
  await until(() => {
    expect(texts(place, 'tbody td')).toContain('Айгерім')
  })
})

test('a list that an outdated page cannot read says so instead of offering to retry', async () => {
  const source = {
    queryKey: ['old'],
    queryFn: () => Promise.reject(new ApiError(400, 'OldVersionException', 'old-version', {}, '')),
  }
  const { place } = await show(<List {...common} source={source} />)
  await until(() => expect(place.textContent).toContain('Страница устарела'))
  expect(button(place, 'Продолжить')).toBeDefined()
  expect(button(place, 'Повторить')).toBeUndefined()
})
