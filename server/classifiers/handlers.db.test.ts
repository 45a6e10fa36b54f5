import { describe, expect, test } from 'vitest'
import {
  addClassifier,
  getClassifier,
  getClassifiers,
  getClassifiersByIds,
  saveClassifier,
} from '@kelisim/domain/classifiers/contract.ts'
import { newId } from '@kelisim/db/id.ts'
import { startTestApp } from '../testing.ts'

const { call, make, app, time, tokenOf } = await startTestApp()

async function office() {
  const [owner, employee] = [await make.person('Айгерім'), await make.person('Данияр')]
  const organizationId = await make.organization(owner)
  await make.member(organizationId, employee)
  const add = async (name: string) => (await call(owner, addClassifier, { organizationId, name })).result
  return { owner, employee, organizationId, add }
}

const first = { skip: 0, take: 10 }

test('an owner creates a classifier, and all members see it with its author', async () => {
  const { employee, organizationId, add } = await office()
  const { classificatorId } = await add('  Договоры  ')
  const { result } = await call(employee, getClassifiers, { organizationId, ...first })
  expect(result).toMatchObject({
    totalCount: 1,
    items: [
      { classificatorId, name: 'Договоры', author: { fullName: 'Айгерім' }, allowed: { rename: false } },
    ],
  })
})

test('only owners create and rename classifiers', async () => {
  const { employee, organizationId, add } = await office()
  const { classificatorId, currentVersion } = await add('Счета')
  expect((await call(employee, addClassifier, { organizationId, name: 'Акты' })).status).toBe(403)
  const rename = { organizationId, classificatorId, name: 'Акты', currentVersion }
  expect((await call(employee, saveClassifier, rename)).status).toBe(403)
})

describe('the name', () => {
  test.each([
    ['', 400],
    ['   ', 400],
    ['я'.repeat(256), 200],
    ['я'.repeat(257), 400],
    ['a\u0000b', 400],
    ['a\u202eb', 400],
    ["'; drop table classifiers; --", 200],
    ['😀', 200],
  ])('%j returns %i', async (name, status) => {
    const { owner, organizationId } = await office()
    expect((await call(owner, addClassifier, { organizationId, name })).status).toBe(status)
  })

  test('is unique in an organisation, ignoring case', async () => {
    const { owner, organizationId, add } = await office()
    await add('Өтінімдер')
    const { error } = await call(owner, addClassifier, { organizationId, name: 'өТІНІМДЕР' })
    expect(error.ExceptionData.Alias).toBe('classificator-name-already-in-use')
    const other = await office()
    expect(await other.add('Өтінімдер')).toMatchObject({ name: 'Өтінімдер' })
  })

  test('is given to one of ten simultaneous calls', async () => {
    const { owner, organizationId } = await office()
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call(owner, addClassifier, { organizationId, name: 'Приказы' })),
    )
    const statuses = responses.map(({ status }) => String(status))
    expect(statuses.toSorted()).toEqual(['200', ...Array<string>(9).fill('409')])
  })

  test('can be changed only from the current version, and not to a name in use', async () => {
    const { owner, organizationId, add } = await office()
    await add('Занято')
    const { classificatorId, currentVersion } = await add('Старое')
    const rename = (name: string, seen: number) =>
      call(owner, saveClassifier, { organizationId, classificatorId, name, currentVersion: seen })
    expect((await rename('занято', currentVersion)).error.ExceptionData.Alias).toBe(
      'classificator-name-already-in-use',
    )
    expect((await rename('Новое', currentVersion)).result).toMatchObject({ name: 'Новое' })
    expect((await rename('Ещё новее', currentVersion)).error.ExceptionData.Alias).toBe('request-changed')
    expect((await rename('новое', currentVersion + 1)).result).toMatchObject({ name: 'новое' })
  })
})

test('a classifier of another organisation is not found', async () => {
  const [ours, theirs] = [await office(), await office()]
  const { classificatorId, currentVersion } = await theirs.add('Чужое')
  const { owner, organizationId } = ours
  for (const id of [classificatorId, newId()]) {
    const of = { organizationId, classificatorId: id }
    expect((await call(owner, getClassifier, of)).error.ExceptionData.Alias).toBe('classificator-not-found')
    const rename = await call(owner, saveClassifier, { ...of, name: 'x', currentVersion })
    expect(rename.error.ExceptionData.Alias).toBe('classificator-not-found')
  }
  const byIds = await call(owner, getClassifiersByIds, { organizationId, classificatorsId: classificatorId })
  expect(byIds.result).toEqual({ items: [], totalCount: 0 })
})

test('classifiers are found by ids, repeated in the address or separated by commas', async () => {
  const { owner, organizationId, add } = await office()
  const ids = [await add('Б'), await add('А'), await add('В')].map((one) => one.classificatorId)
  const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
  const some = await call(owner, getClassifiersByIds, {
    organizationId,
    classificatorsId: ids.slice(0, 2).join(','),
  })
  expect(names(some.result)).toEqual(['А', 'Б'])
  const repeated = await app.inject({
    url: `/api/Classificators/${organizationId}/getByIds?${ids.map((id) => `classificatorsId=${id}`).join('&')}`,
    headers: { cookie: `session=${await tokenOf(owner)}` },
  })
  expect(names(repeated.json())).toEqual(['А', 'Б', 'В'])
  const wrong = await call(owner, getClassifiersByIds, { organizationId, classificatorsId: 'x' })
  expect(wrong.status).toBe(400)
})

test('the list is searched inside names, sorted and paged', async () => {
  const { owner, organizationId, add } = await office()
  for (const name of ['Договор аренды', '100%_скидка', 'Приказ', 'Договор поставки']) {
    time.now = new Date(time.now.getTime() + 1000)
    await add(name)
  }
  const list = async (filter: object) => {
    const { result } = await call(owner, getClassifiers, { organizationId, ...first, ...filter })
    return result.items.map(({ name }) => name)
  }
  expect(await list({ name: 'ДОГОВОР', sort: 'name' })).toEqual(['Договор аренды', 'Договор поставки'])
  expect(await list({ name: 'ставк' })).toEqual(['Договор поставки'])
  expect(await list({ name: '%_с' })).toEqual(['100%_скидка'])
  expect(await list({ name: 'пр' })).toEqual(['Приказ'])
  expect(await list({ sort: '-name', take: 2 })).toEqual(['Приказ', 'Договор поставки'])
  expect(await list({ sort: 'created', skip: 3 })).toEqual(['Договор поставки'])
  expect(await list({})).toHaveLength(4)
})
