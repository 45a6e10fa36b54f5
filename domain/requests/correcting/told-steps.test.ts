import { expect, test } from 'vitest'
import { toldSides, toldSteps } from './told-steps.ts'

test('steps are listed in their order, those of one turn together', () => {
  const before = [{ order: 4, name: 'Директор', pointId: 'd' }]
  const after = [
    { order: 5, name: 'Директор', pointId: 'd' },
    { order: 4, name: 'Юристы', pointId: 'l' },
    { order: 4, name: 'Бухгалтеры', pointId: 'a' },
  ]
  expect(toldSteps({ before, after })).toEqual({
    before: 'Директор',
    after: 'Юристы + Бухгалтеры → Директор',
  })
  expect(toldSteps({ before: [], after: [] })).toEqual({ before: '', after: '' })
})

test('a correction of the document, which has hashes before and after, lists no steps', () => {
  expect(toldSteps({ before: 'ab', document: 'cd' })).toBeNull()
})

test('sides are listed once each, those without a name by their number', () => {
  const sides = [
    { name: 'ТОО «А»', bin: '1', pointId: 'a' },
    { name: 'ТОО «А»', bin: '1', pointId: 'b' },
    { name: '', bin: '240540017348', pointId: 'c' },
  ]
  expect(toldSides({ sides })).toBe('ТОО «А», 240540017348')
  expect(toldSides({})).toBeNull()
})
