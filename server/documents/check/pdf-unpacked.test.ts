import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { oddPdfs } from '../../outputs/printable/testing-pdfs.ts'
import { deflated, pdfWithContent, twiceDeflated } from '../testing-bombs.ts'
import { goodPdf, pdfOfSize } from '../testing-corpus.ts'
import { unpacksTooLarge } from './pdf-unpacked.ts'

const twice = deflateSync(deflated(256), { level: 9 })
const hex = (bytes: Buffer) => Buffer.from(`${bytes.toString('hex')}>`)

test('the zip bomb used by the tests is small', () => {
  expect(twiceDeflated().length).toBeLessThan(8 * 1024)
})

test.each<[string, Buffer]>([
  ['deflated twice', twiceDeflated()],
  ['deflated once', pdfWithContent('/Filter /FlateDecode', deflated(256))],
  ['whose filter has an escaped name', pdfWithContent('/Filter /Fl#61teDecode', deflated(256))],
  ['whose filter has a short name', pdfWithContent('/F [/Fl]', deflated(256))],
  ['whose filters stand in another object', pdfWithContent('/Filter 5 0 R', twice)],
  ['whose filters cannot be found', pdfWithContent('/Filter 77 0 R', twice)],
  [
    'in hexadecimal digits around the rest',
    pdfWithContent('/Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]', hex(twice)),
  ],
  ['in ASCII 85', pdfWithContent('/Filter [/A85 /FlateDecode]', ascii85(deflated(256)))],
  ['of runs', pdfWithContent('/Filter [/FlateDecode /RunLengthDecode]', deflateSync(runs(2 * 1024 * 1024)))],
  ['of LZW', pdfWithContent('/Filter [/FlateDecode /LZWDecode]', deflateSync(lzw(80)))],
  ['behind a wrong length', replaced(twiceDeflated(), /\/Length \d+/, '/Length 7   ')],
  ['of many streams', manyStreams(40)],
  ['that is damaged at its end', pdfWithContent('/Filter /FlateDecode', damaged(100))],
  ['that hides the end of its stream', hidingItsEnd()],
])('a PDF %s unpacks too large', async (_, bytes) => {
  expect(await unpacksTooLarge(bytes)).toBe(true)
})

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ['of the tests', () => goodPdf],
  ['of 20 MB', () => pdfOfSize(20 * 1024 * 1024)],
  ['with a stream of 10 MB', () => pdfWithContent('/Filter /FlateDecode', deflated(10))],
  [
    'with a scanned page',
    () => pdfWithContent('/Subtype /Image /Filter /FlateDecode', deflateSync(Buffer.alloc(1_000_000))),
  ],
  ['of noise between the words', () => pdfWithContent('/Filter /LZWDecode', randomBytes(50_000))],
  ...oddPdfs.map(({ name, make }): [string, () => Promise<Uint8Array> | Uint8Array] => [name, make]),
])('a PDF %s does not unpack too large', async (_, make) => {
  expect(await unpacksTooLarge(Buffer.from(await make()))).toBe(false)
})

function replaced(bytes: Buffer, what: RegExp, by: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(what, by), 'latin1')
}

function ascii85(bytes: Buffer): Buffer {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const piece = Buffer.alloc(4)
    const length = bytes.copy(piece, 0, at, at + 4)
    let value = piece.readUInt32BE(0)
    let digits = ''
    for (let i = 0; i < 5; i++) {
      digits = String.fromCharCode(33 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    text += length === 4 && digits === '!!!!!' ? 'z' : digits.slice(0, length + 1)
  }
  return Buffer.from(`${text}~>`)
}

/** Two bytes unpack to 128. */
function runs(count: number): Buffer {
  return Buffer.concat([Buffer.alloc(count * 2, Buffer.from([129, 32])), Buffer.from([128])])
}

/** Codes that each repeat the longest string so far with one more byte, from a cleared table to a full one. */
function lzw(megabytes: number): Buffer {
  const bits: number[] = []
  const put = (code: number, width: number) => {
    for (let bit = width - 1; bit >= 0; bit--) bits.push((code >> bit) & 1)
  }
  for (let unpacked = 0; unpacked < megabytes * 1024 * 1024;) {
    let width = 9
    put(256, width)
    put(32, width)
    for (let code = 258, length = 2; code < 4094; code++, length++) {
      if (code + 1 > (1 << width) - 1 && width < 12) width++
      put(code, width)
      unpacked += length
    }
    // The next clearing code has the width of the full table.
    put(256, 12)
  }
  put(257, 9)
  const packed = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [i, bit] of bits.entries()) packed[i >> 3]! |= bit << (7 - (i & 7))
  return packed
}

function damaged(megabytes: number): Buffer {
  return Buffer.concat([deflated(megabytes).subarray(0, -16), Buffer.alloc(100, 0xff)])
}

/** Streams of which each is small enough alone. */
function manyStreams(count: number): Buffer {
  const stream = deflated(10).toString('latin1')
  const object = `<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n${stream}\nendstream\n`
  return Buffer.from(
    `%PDF-1.4\n${Array.from({ length: count }, (_, i) => `${i + 1} 0 obj\n${object}endobj\n`).join('')}`,
    'latin1',
  )
}

/** A stored block with the word that ends streams, then the bomb; the length says where it really ends. */
function hidingItsEnd(): Buffer {
  const word = Buffer.from('\nendstream\nendobj\n')
  const head = Buffer.from([0x78, 0xda, 0x00, word.length, 0, 0xff - word.length, 0xff])
  return pdfWithContent('/Filter /FlateDecode', Buffer.concat([head, word, deflated(256).subarray(2)]))
}
