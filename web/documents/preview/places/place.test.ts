import { expect, test } from 'vitest'
import { addThread } from '@kelisim/domain/comments/contract.ts'
import { areaAround, areaOf, quoteOf } from './place.ts'

const sheet = { left: 100, top: 200, right: 300, bottom: 600 }

test('the area of a selection holds all its lines, in fractions of the page', () => {
  const lines = [
    { left: 150, top: 300, right: 250, bottom: 320 },
    { left: 120, top: 320, right: 200, bottom: 340 },
  ]
  expect(areaOf(lines, sheet)).toEqual({
    left: 0.1,
    top: 0.25,
    width: 0.65,
    height: expect.closeTo(0.1) as number,
  })
})

test('a selection beside the page has no area, and one that sticks out is cut', () => {
  expect(areaOf([{ left: 0, top: 0, right: 50, bottom: 50 }], sheet)).toBeNull()
  expect(areaOf([{ left: 150, top: 300, right: 150, bottom: 320 }], sheet)).toBeNull()
  expect(areaOf([{ left: 0, top: 100, right: 400, bottom: 700 }], sheet)).toEqual({
    left: 0,
    top: 0,
    width: 1,
    height: 1,
  })
})

test('a point at the edge still gives an area inside the page', () => {
  expect(areaAround({ x: 300, y: 600 }, sheet)).toMatchObject({ left: 0.92, top: 0.97 })
  expect(areaAround({ x: 200, y: 400 }, sheet)).toMatchObject({ left: 0.46, top: 0.485 })
})

test('a quote is one line, and a long one ends with an ellipsis', () => {
  expect(quoteOf(' цена\n договора  ', 100)).toBe('цена договора')
  expect(quoteOf('а'.repeat(20), 10)).toBe(`${'а'.repeat(9)}…`)
  expect(quoteOf(`${'а'.repeat(8)}😀😀`, 10)).toHaveLength(10)
})

test('a quote has no characters that a comment may not have', () => {
  const quote = quoteOf('цена\u0000 дого\u202eвора\u200b \u0001', 100)
  const comment = { page: null, quote, area: null, text: 'Дорого', revision: 1 }
  const of = { organizationId: crypto.randomUUID(), signingRequestId: crypto.randomUUID() }
  expect(quote).toMatch(/^цена договора/)
  expect(addThread.input.safeParse({ ...of, ...comment }).success).toBe(true)
})
