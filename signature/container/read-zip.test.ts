import { zipSync, strToU8 } from 'fflate'
import { describe, expect, test } from 'vitest'
import { bytesOf, ContainerError } from './input-file.ts'
import { readZip, unpacked, zipLimits } from './read-zip.ts'

const text = strToU8('Келісім шарты '.repeat(1000))
const zipped = (files: Record<string, Uint8Array>, level: 0 | 9 = 9) =>
  new Uint8Array(zipSync(files, { level }))
const open = (bytes: Uint8Array<ArrayBuffer>, limits = zipLimits) => readZip(new Blob([bytes]), limits)

async function reasonOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof ContainerError) return error.reason
    throw error
  }
}

/** Changes a field of the only entry in the central directory. */
function withListed(bytes: Uint8Array<ArrayBuffer>, place: number, value: number) {
  const changed = bytes.slice()
  const view = new DataView(changed.buffer)
  const at = view.getUint32(changed.length - 22 + 16, true)
  view.setUint32(at + place, value, true)
  return changed
}

describe('an archive', () => {
  test.each([0, 9] as const)('is unpacked to what was put in, packed by %s', async (level) => {
    const entries = await open(zipped({ 'Келісім.pdf': text, 'папка/подпись.cms': strToU8('x') }, level))
    expect(entries.map(({ name, size }) => [name, size])).toEqual([
      ['Келісім.pdf', text.length],
      ['папка/подпись.cms', 1],
    ])
    expect(await bytesOf(await unpacked(entries[0]!))).toEqual(text)
  })

  test('without files is empty; anything else is damaged', async () => {
    expect(await open(zipped({}))).toEqual([])
    for (const none of [new Uint8Array(), new Uint8Array(5), text.slice(0, 100)]) {
      expect(await reasonOf(open(new Uint8Array(none)))).toBe('damaged')
    }
  })

  test('truncated anywhere is reported as damaged', async () => {
    const whole = zipped({ 'a.pdf': text })
    for (let length = 0; length < whole.length; length += 7) {
      const cut = whole.slice(0, length)
      expect(await reasonOf(open(cut).then((entries) => Promise.all(entries.map((e) => unpacked(e)))))).toBe(
        'damaged',
      )
    }
  })
})

describe('a malicious archive is refused', () => {
  test.each(['../a', '/a', 'a//b', 'c:\\a', 'a/../../b', '.', 'a\u0000b', 'a\u202efdp.exe'])(
    'with the name %j',
    async (name) => {
      expect(await reasonOf(open(zipped({ [name]: text })))).toBe('unsafe-name')
    },
  )

  test('with two names that differ in case only', async () => {
    expect(await reasonOf(open(zipped({ 'A.pdf': text, 'a.PDF': text })))).toBe('unsafe-name')
  })

  test('with too many files, or too much in them', async () => {
    const many = zipped(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}`, strToU8('x')])))
    expect(await reasonOf(open(many, { ...zipLimits, entries: 19 }))).toBe('too-much')
    expect(await reasonOf(open(zipped({ a: text, b: text }), { ...zipLimits, bytes: text.length }))).toBe(
      'too-much',
    )
    const [entry] = await open(zipped({ a: text }))
    expect(await reasonOf(unpacked(entry!, text.length - 1))).toBe('too-much')
  })

  test('that would unpack from a few bytes to hundreds of megabytes', async () => {
    const whole = zipped({ a: text })
    const sized = (size: number) => open(withListed(whole, 24, size))
    expect(await reasonOf(sized(300 * 1024 ** 2))).toBe('too-much')
    expect(await reasonOf(sized(33 * 1024 ** 2))).toBe('too-much')
    expect(await sized(31 * 1024 ** 2)).toHaveLength(1)
  })

  test('that unpacks to another size than declared', async () => {
    const whole = zipped({ a: text })
    for (const said of [0, 10, text.length - 1, text.length + 1]) {
      const [entry] = await open(withListed(whole, 24, said))
      expect(await reasonOf(unpacked(entry!))).toBe('damaged')
    }
  })

  test('with offsets outside the file, in Zip64 format, or with a password', async () => {
    const whole = zipped({ a: text })
    for (const [place, value] of [
      [42, 5],
      [42, 1e6],
      [20, 1e6],
    ] as const) {
      const [entry] = await open(withListed(whole, place, value))
      expect(await reasonOf(unpacked(entry!))).toBe('damaged')
    }
    expect(await reasonOf(open(withListed(whole, 24, 0xffffffff)))).toBe('too-much')
    expect(await reasonOf(open(withListed(whole, 8, 0x0008_0001)))).toBe('damaged')
  })
})
