import { expect, test } from 'vitest'
import { matcherOf, readQuery } from './query.ts'
import { byRank, rankOf, type Fields } from './ranking.ts'

const fields: Fields = [
  { field: 'name', text: 'Договор аренды № 77/2026' },
  { field: 'party', text: 'ТОО «Алатау» 150340012344' },
  { field: 'description', text: 'Офис на Абая, второй этаж' },
]
const rank = (query: string, isInText = false) => rankOf(matcherOf(readQuery(query)), fields, isInText)

test.each([
  ['договор', null],
  ['аренда 77/2026', null],
  ['алатау', 'party'],
  ['150340012344', 'party'],
  ['договор алатау', 'party'],
  ['абая', 'description'],
])('%s is found in its name or elsewhere (%s)', (query, field) => {
  expect(rank(query)!.place?.field ?? null).toBe(field)
})

test('a hit that no visible field contains is not shown', () => {
  expect(rank('тайное')).toBeNull()
  expect(rank('договор тайное')).toBeNull()
})

test('a hit in the text of the document is marked as such', () => {
  expect(rank('неустойка', true)!.place).toEqual({ field: 'text', text: '' })
})

test('a name weighs more than a party, that more than a description, the text least', () => {
  const scores = [rank('аренды'), rank('алатау'), rank('абая'), rank('неустойка', true)].map(
    (one) => one!.score,
  )
  expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  expect(new Set(scores).size).toBe(4)
})

test('better hits come first, and newer ones among equals', () => {
  const at = (day: number) => new Date(2026, 0, day)
  const sorted = [
    { score: 4, at: at(1) },
    { score: 8, at: at(2) },
    { score: 8, at: at(3) },
  ].toSorted(byRank)
  expect(sorted.map((one) => [one.score, one.at.getDate()])).toEqual([
    [8, 3],
    [8, 2],
    [4, 1],
  ])
})
