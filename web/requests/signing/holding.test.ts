// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { openHolding } from './holding.ts'
import { letGo } from './signing-calls.ts'

vi.mock('./signing-calls.ts', () => ({ letGo: vi.fn() }))

const released = () => vi.mocked(letGo).mock.calls.map(([, id]) => id)

beforeEach(() => {
  vi.mocked(letGo).mockClear()
})

test('what was locked is released when its dialog ends, and nothing else', () => {
  const holding = openHolding('org', ['a', 'b'])
  holding.keep(['a'])
  expect(released()).toEqual([])
  holding.end()
  expect(released()).toEqual(['a'])
})

test('a dialog that was closed while it sends does not release what the next one holds', () => {
  const first = openHolding('org', ['a', 'b'])
  first.keep(['a', 'b'])
  const second = openHolding('org', ['b'])
  first.end()
  expect(released()).toEqual(['a'])
  second.keep(['b'])
  second.end()
  expect(released()).toEqual(['a', 'b'])
})

test('a lock that came after the dialog was closed is released, unless the next one has it', () => {
  const first = openHolding('org', ['a', 'b'])
  first.end()
  const second = openHolding('org', ['b'])
  first.keep(['a', 'b'])
  expect(released()).toEqual(['a'])
  second.keep(['b'])
  second.end()
  expect(released()).toEqual(['a', 'b'])
})

test('a page that is left releases all of it', () => {
  const [first, second] = [openHolding('org', ['a']), openHolding('org', ['a'])]
  first.keep(['a'])
  window.dispatchEvent(new Event('pagehide'))
  expect(released()).toEqual(['a'])
  first.end()
  second.end()
})
