// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { openHolding } from './holding.ts'
import { letGo } from './signing-calls.ts'

vi.mock('./signing-calls.ts', () => ({ letGo: vi.fn() }))

const released = () => vi.mocked(letGo).mock.calls.map(([, id]) => id)

beforeEach(() => {
  vi.mocked(letGo).mockClear()
})

test('the documents that a dialog locked are released when it ends, and no others', () => {
  const holding = openHolding('org', ['a', 'b'])
  holding.keep(['a'])
  expect(released()).toEqual([])
  holding.end()
  expect(released()).toEqual(['a'])
})

test('a dialog that was closed while it sends does not release what the next dialog holds', () => {
  const first = openHolding('org', ['a', 'b'])
  first.keep(['a', 'b'])
  const second = openHolding('org', ['b'])
  first.end()
  expect(released()).toEqual(['a'])
  second.keep(['b'])
  second.end()
  expect(released()).toEqual(['a', 'b'])
})

test('a lock that arrives after its dialog was closed is released, unless the next dialog has it', () => {
  const first = openHolding('org', ['a', 'b'])
  first.end()
  const second = openHolding('org', ['b'])
  first.keep(['a', 'b'])
  expect(released()).toEqual(['a'])
  second.keep(['b'])
  second.end()
  expect(released()).toEqual(['a', 'b'])
})

test('leaving the page releases all locks', () => {
  const [first, second] = [openHolding('org', ['a']), openHolding('org', ['a'])]
  first.keep(['a'])
  window.dispatchEvent(new Event('pagehide'))
  expect(released()).toEqual(['a'])
  first.end()
  second.end()
})
