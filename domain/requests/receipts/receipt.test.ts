import { array, assert, constantFrom, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { newReceipts, receiptType, receiptTypes, type PointReceipt } from './receipt.ts'

test.each([
  [false, null, 'delivered'],
  [true, 'sent', 'delivered'],
  [true, 'kept', 'delivered'],
  [true, 'refused', 'undelivered'],
  [true, 'failed', 'undelivered'],
  [true, 'queued', null],
  [true, 'handing-over', null],
  [true, 'uncertain', null],
  [true, null, null],
] as const)('with an e-mail: %s, its state: %s, the receipt is %s', (hasEmail, state, expected) => {
  expect(receiptType(hasEmail, state)).toBe(expected)
})

const receipts = array(
  record({
    type: constantFrom(...receiptTypes),
    attempt: constantFrom(0, 1),
    pointId: constantFrom('a', 'b'),
    isOfColleague: constantFrom(true, false),
  }),
  { maxLength: 12 },
)
const keyOf = ({ attempt, pointId }: PointReceipt) => `${attempt} ${pointId}`
const ofSides = (some: readonly PointReceipt[]) => some.filter(({ isOfColleague }) => !isOfColleague)

test('receipts of another side are recorded once, and never as undelivered after a delivery', () => {
  assert(
    property(array(receipts, { maxLength: 4 }), (looks) => {
      const history: PointReceipt[] = []
      for (const found of looks) {
        history.push(...newReceipts(history, found))
        expect(ofSides(newReceipts(history, found))).toEqual([])
      }
      for (const [key, said] of Map.groupBy(ofSides(history), keyOf)) {
        const types = said.map(({ type }) => type)
        expect(types, key).toEqual(types.filter((type, i) => types.indexOf(type) === i))
        expect(types.indexOf('delivered'), key).toBe(types.includes('delivered') ? types.length - 1 : -1)
      }
      const cameTo = (some: readonly PointReceipt[]) =>
        new Set(ofSides(some).flatMap((one) => (one.type === 'delivered' ? [keyOf(one)] : [])))
      expect(cameTo(history)).toEqual(cameTo(looks.flat()))
    }),
  )
})

test('every receipt of a colleague is recorded', () => {
  assert(
    property(receipts, receipts, (known, found) => {
      const count = (some: readonly PointReceipt[]) =>
        some.filter(({ isOfColleague }) => isOfColleague).length
      expect(count(newReceipts(known, found))).toBe(count(found))
    }),
  )
})
