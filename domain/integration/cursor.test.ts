import { expect, test } from 'vitest'
import { beginning, cursorOf, positionIn } from './cursor.ts'

const ours = '01a1dd30-7646-7c69-beec-983c1b9df5c7'
const others = '01a1dd30-7646-7c69-beec-983c1b9df5c8'

test.each([beginning, 0, 7, 2 ** 40])('a cursor leads back to position %i', (position) => {
  expect(positionIn(cursorOf(ours, position), ours)).toBe(position)
})

test('a cursor of another organisation is not valid', () => {
  expect(positionIn(cursorOf(others, 7), ours)).toBeNull()
})

test.each([
  '',
  '.',
  '7',
  `${cursorOf(ours, 7)}.1`,
  cursorOf(ours, 7).replace('7', '07'),
  `${cursorOf(ours, 0)}x`,
  `${cursorOf(ours, 0)}9999999999999999`,
])('%j is not a valid cursor', (cursor) => expect(positionIn(cursor, ours)).toBeNull())
