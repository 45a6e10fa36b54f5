/** A scanned sheet of a document card with the codes of one signature. */
import { fullQrOf } from '@kelisim/pdf/qr-code.ts'
import { zipOf } from '@kelisim/signature/testing/archives.ts'
import { pngOf } from '@kelisim/signature/testing/pictures.ts'

const [pixels, margin, inRow, partLength] = [4, 8, 3, 900]

export function scannedCodes(cms: Uint8Array): Uint8Array {
  const whole = Buffer.from(zipOf({ '1.cms': cms })).toString('base64')
  const total = Math.ceil(whole.length / partLength)
  const codes = Array.from({ length: total }, (_, i) => {
    const data = whole.slice(i * partLength, (i + 1) * partLength)
    return fullQrOf(Buffer.from(JSON.stringify({ signId: 1, total, index: i + 1, data })))
  })
  const cell = (codes[0]!.size + 2 * margin) * pixels
  const [width, height] = [inRow * cell, Math.ceil(total / inRow) * cell]
  const grey = new Uint8Array(width * height).fill(240)
  for (const [n, { size, modules }] of codes.entries()) {
    const [left, top] = [(n % inRow) * cell + margin * pixels, Math.floor(n / inRow) * cell + margin * pixels]
    for (let y = 0; y < size * pixels; y++)
      for (let x = 0; x < size * pixels; x++)
        if (modules[Math.floor(y / pixels) * size + Math.floor(x / pixels)])
          grey[(top + y) * width + left + x] = 20
  }
  return pngOf(grey, width, height)
}
