import { inflateRawSync } from 'node:zlib'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { fullCapacity, fullQrOf } from '@kelisim/pdf/qr-code.ts'
import { partsOf } from './qr-set.ts'

const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7919 + (i >> 3) * 104729) & 255)

test.each([0, 1, 500, fullCapacity - 1, fullCapacity])(
  'a code of %i bytes is the same as another encoder makes',
  (length) => {
    const bytes = noise(length)
    const sample = {
      minVersion: 25,
      maxVersion: 25,
      maskPattern: 0,
      ecc: 'M',
      boostEcc: false,
      border: 0,
    } as const
    // For no bytes the other encoder writes no segment, while this one writes an empty segment.
    const { size, modules } = fullQrOf(bytes)
    expect(size).toBe(117)
    if (length > 0)
      expect([...modules]).toEqual(
        encode([...bytes], sample)
          .data.flat()
          .map(Number),
      )
  },
)

test('content over the capacity of a code is an error', () => {
  expect(() => fullQrOf(noise(fullCapacity + 1))).toThrow(RangeError)
})

test.each([1, 700, 6000, 40_000])('a signature of %i bytes can be restored from its parts', (length) => {
  const cms = noise(length)
  const parts = partsOf(cms, 3)
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(fullCapacity)
  const read = parts.map(
    (part) => JSON.parse(part) as { signId: number; total: number; index: number; data: string },
  )
  expect(read.map(({ index }) => index)).toEqual(read.map((_, i) => i + 1))
  expect(read.every(({ signId, total }) => signId === 3 && total === parts.length)).toBe(true)
  expect(unzipped(Buffer.from(read.map(({ data }) => data).join(''), 'base64'))).toEqual([
    '3.cms',
    Buffer.from(cms),
  ])
})

function unzipped(zip: Buffer): [string, Buffer] {
  const [packed, name] = [zip.readUInt32LE(18), zip.readUInt16LE(26)]
  return [zip.toString('utf8', 30, 30 + name), inflateRawSync(zip.subarray(30 + name, 30 + name + packed))]
}
