import { expect, test } from 'vitest'
import { zipOf } from '../testing/archives.ts'
import { linksInCodes, signaturesInCodes } from './paper.ts'

const cms = Uint8Array.from({ length: 3000 }, (_, i) => (i * 7919) & 255)

function codesOf(bytes: Uint8Array, signId: number, total = 3, first = 1): string[] {
  const whole = Buffer.from(zipOf({ [`${signId}.cms`]: bytes })).toString('base64')
  const length = Math.ceil(whole.length / total)
  return Array.from({ length: total }, (_, i) =>
    JSON.stringify({ signId, total, index: i + first, data: whole.slice(i * length, (i + 1) * length) }),
  )
}

async function read(texts: string[]): Promise<[number, Uint8Array | null][]> {
  const sets = await signaturesInCodes(texts)
  return Promise.all(
    sets.map(async ({ number, signature }): Promise<[number, Uint8Array | null]> => [
      number,
      signature && new Uint8Array(await signature.blob.arrayBuffer()),
    ]),
  )
}

test('signatures are assembled from codes in any order, also read twice, beside other codes', async () => {
  const other = cms.toReversed()
  const texts = [
    ...codesOf(cms, 1),
    'https://example.kz/',
    ...codesOf(other, 2, 5),
    ...codesOf(cms, 1),
    '{',
    '{}',
  ]
  expect(await read(texts.toReversed())).toEqual([
    [1, cms],
    [2, other],
  ])
})

test('codes may be counted from 0', async () => {
  expect(await read(codesOf(cms, 1, 3, 0).toReversed())).toEqual([[1, cms]])
  const [zero, one, two] = codesOf(cms, 1, 3, 0) as [string, string, string]
  expect(await read([zero, two])).toEqual([[1, null]])
  expect(await read([one, two])).toEqual([[1, null]])
  // With a 0 and the highest number in one set, the codes must belong to two sets.
  expect(await read([zero, one, two, two.replace('"index":2', '"index":3')])).toEqual([[1, null]])
})

test('with a missing code, or two that contradict each other, there is no signature', async () => {
  const [first, second, third] = codesOf(cms, 1) as [string, string, string]
  expect(await read([first, third])).toEqual([[1, null]])
  expect(await read([first, second, third, second.replace('"data":"', '"data":"A')])).toEqual([[1, null]])
  expect(await read([first, second.replace('"data":"', '"data":"%'), third])).toEqual([[1, null]])
})

test.each([
  '{"signId":1,"total":0,"index":1,"data":""}',
  '{"signId":1,"total":1e9,"index":1,"data":""}',
  '{"signId":1,"total":2,"index":3,"data":""}',
  '{"signId":"1","total":1,"index":1,"data":""}',
  '{"signId":1,"total":1,"index":1,"data":5}',
  'null',
])('a code that does not belong to a set is ignored: %s', async (text) => {
  expect(await read([text])).toEqual([])
})

test('addresses in codes are shown only with a protected connection', () => {
  const links = [
    'https://a.kz/x',
    'https://a.kz/x',
    'http://a.kz/',
    'javascript:alert(1)',
    'https://a@b.kz/',
    'x',
  ]
  expect(linksInCodes(links)).toEqual(['https://a.kz/x'])
})
