import { expect, test } from 'vitest'
import { isRequestId, readTraceparent, traceparentOf } from './traceparent.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test('a traceparent header can be read and written', () => {
  const context = { traceId: trace, spanId: span, isSampled: true }
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual(context)
  expect(readTraceparent(traceparentOf(context))).toEqual(context)
  expect(readTraceparent(`00-${trace}-${span}-00`)?.isSampled).toBe(false)
  expect(readTraceparent(`cc-${trace}-${span}-01-what-comes-later`)).toEqual(context)
})

test.each([
  undefined,
  '',
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-0x`,
])('an invalid traceparent starts a new trace: %s', (header) => {
  expect(readTraceparent(header)).toBeUndefined()
})

test('a request id must be short and plain', () => {
  expect(isRequestId('0193b3a2-8f0e-7000-8000-000000000001')).toBe(true)
  expect(isRequestId('short')).toBe(false)
  expect(isRequestId('x'.repeat(65))).toBe(false)
  expect(isRequestId('12345678\n{"level":50}')).toBe(false)
  expect(isRequestId('<script>alert()')).toBe(false)
})
