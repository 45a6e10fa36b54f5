import { expect, test } from 'vitest'
import { pageOfBookmark } from './pdf-outline.tsx'

const ref = (num: number) => ({ num, gen: 0 })
const pdf: Parameters<typeof pageOfBookmark>[0] = {
  getDestination: (name) => Promise.resolve(name === 'chapter' ? [ref(7), { name: 'XYZ' }] : null),
  getPageIndex: ({ num }) => (num === 7 ? Promise.resolve(2) : Promise.reject(new Error('no such page'))),
}

test('a bookmark leads to its page, by name, by reference or by index', async () => {
  expect(await pageOfBookmark(pdf, 'chapter')).toBe(3)
  expect(await pageOfBookmark(pdf, [ref(7)])).toBe(3)
  expect(await pageOfBookmark(pdf, [0])).toBe(1)
})

test('a bookmark that leads nowhere has no page', async () => {
  for (const destination of ['unknown', [ref(8)], [null], [], null]) {
    expect(await pageOfBookmark(pdf, destination)).toBeNull()
  }
})
