/** Signatures of our printed card are read back from paper: printed at 300 dpi, turned, blurred a little. */
import { expect, test } from 'vitest'
import type { Matrix } from '@kelisim/pdf/qr-code.ts'
import { signaturesInCodes } from '@kelisim/signature/container/paper.ts'
import { pngOf } from '@kelisim/signature/testing/pictures.ts'
import { randomNumbers } from '@kelisim/signature/testing/random-numbers.ts'
import { qrSetOf } from '../../server/outputs/printable/qr-set.ts'
import { codesIn, useReader } from '../../web/verify/paper/read-codes.ts'
import { readerBytes } from './paper.ts'

useReader(readerBytes())

/** The size of a module of our card in pixels at 300 dpi: 42 mm for 117 modules and the margin around them. */
const pixels = ((42 / 25.4) * 300) / 125
const inRow = 4

/** Around each code, in modules. */
const margin = 4

/** A page with these codes, four in a row, one byte a module: 1 is dark. */
function pageOf(codes: readonly Matrix[]) {
  const cell = 125
  const width = Math.min(inRow, codes.length) * cell
  const height = Math.ceil(codes.length / inRow) * cell
  const dark = new Uint8Array(width * height)
  for (const [n, { size, modules }] of codes.entries()) {
    const at = (Math.floor(n / inRow) * cell + margin) * width + (n % inRow) * cell + margin
    for (let y = 0; y < size; y++) dark.set(modules.slice(y * size, (y + 1) * size), at + y * width)
  }
  return { dark, width, height }
}

/** The page as a scanner sees it that did not draw it in straight: turned, unsharp, with noise. */
function scanned(codes: readonly Matrix[], angle: number, random: (below: number) => number) {
  const page = pageOf(codes)
  // Large enough for the turned page.
  const side = Math.ceil(Math.hypot(page.width, page.height) * pixels) + 40
  const sin = Math.sin(angle) / pixels
  const cos = Math.cos(angle) / pixels
  const sharp = new Uint8Array(side * side).fill(235)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = x + 0.5 - side / 2
      const dy = y + 0.5 - side / 2
      const column = Math.floor(dx * cos + dy * sin + page.width / 2)
      const row = Math.floor(dy * cos - dx * sin + page.height / 2)
      const isOutside = column < 0 || row < 0 || column >= page.width || row >= page.height
      if (!isOutside && page.dark[row * page.width + column] === 1) sharp[y * side + x] = 30
    }
  }
  const grey = sharp.slice()
  for (let at = side + 1; at < side * (side - 1) - 1; at++) {
    const around = sharp[at - 1]! + sharp[at + 1]! + sharp[at - side]! + sharp[at + side]!
    grey[at] = Math.max(0, Math.min(255, (sharp[at]! * 4 + around) / 8 + random(13) - 6))
  }
  return new Blob([pngOf(grey, side, side)])
}

test(
  'a signature is restored byte for byte from a scan of its QR codes, 50 times of 50',
  { timeout: 300_000 },
  async () => {
    const random = randomNumbers(50)
    for (let i = 0; i < 50; i++) {
      const cms = Uint8Array.from({ length: 1200 + random(2500) }, () => random(256))
      const angle = ((random(2001) - 1000) / 1000) * ((8 * Math.PI) / 180) + (random(4) * Math.PI) / 2
      const texts = await codesIn(scanned(qrSetOf(cms, i + 1), angle, random))
      const [set] = await signaturesInCodes(texts)
      expect(set?.signature, `the ${i}th, turned by ${angle}`).toBeTruthy()
      expect(new Uint8Array(await set!.signature!.blob.arrayBuffer())).toEqual(cms)
    }
  },
)
