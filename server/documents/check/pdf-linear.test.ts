import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { slowToRead } from '../testing-bombs.ts'
import { pdfOfSize } from '../testing-corpus.ts'
import { faultOf, packed, pdfWithPacked } from './testing-pdfs.ts'
import { TakesTooMuch, findObjects } from './pdf-objects.ts'
import { noFacts } from './pdf-rules.ts'

/** Much more than the check takes, and much less than it took when the time grew with the square of the size. */
const mostMs = 5000

/** The CPU time of this thread alone, because a busy machine lets a test wait. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const opening = (...packing: Parameters<typeof packed>) =>
  pdfWithPacked({ catalog: '/OpenAction 9 0 R' }, packed(...packing))

test.each<[string, string, string | null]>([
  ['comments that do not end', '/S%'.repeat(4_300_000), null],
  ['escaped letters', `/${'#41'.repeat(5_000_000)}`, null],
  ['open brackets', '<<'.repeat(2_000_000), 'broken'],
  ['too much', '/S%'.repeat(12_000_000), 'bomb'],
])('a small file of many compressed %s is read in little time', async (_, text, expected) => {
  const pdf = opening('', { pack: () => deflateSync(Buffer.from(`9 0 ${text}`), { level: 9 }) })
  expect(pdf.length).toBeLessThan(100_000)
  expect(await timeOf(async () => expect(await faultOf(pdf)).toBe(expected))).toBeLessThan(mostMs)
})

test.each<[string, string]>([
  ['digits', `1 0 obj /XFA /S ${'1'.repeat(4_000_000)}`],
  ['comments that do not end', `1 0 obj ${'/S%'.repeat(1_000_000)}`],
  ['space', `1 0 obj ${`/S${' '.repeat(4_000_000)}`.repeat(3)}`],
  ['references', `1 0 obj << ${'/AA 1 0 R '.repeat(400_000)} >>`],
  ['streams that do not end', '1 0 obj << >> stream '.repeat(200_000)],
])('searching many %s ends in little time', async (_, text) => {
  expect(await timeOf(() => findObjects(Buffer.from(text), noFacts()))).toBeLessThan(mostMs)
})

test.each<[string, string]>([
  ['strings', '1 0 obj ('.repeat(100_000)],
  ['comments', '%1 0 obj '.repeat(100_000)],
  ['dictionaries', '1 0 obj '.repeat(600_000)],
])('a file of many objects inside of %s is refused as taking too much', async (_, text) => {
  const read = () => expect(() => findObjects(Buffer.from(text), noFacts())).toThrow(TakesTooMuch)
  expect(await timeOf(read)).toBeLessThan(mostMs)
})

test('a file of objects without an end is searched completely', () => {
  expect(findObjects(slowToRead(), noFacts()).objects).toHaveLength(130_000)
})

test('the largest file is read in little time', async () => {
  const pdf = pdfOfSize(20 * 1024 * 1024)
  expect(await timeOf(async () => expect(await faultOf(pdf)).toBeNull())).toBeLessThan(mostMs)
})
