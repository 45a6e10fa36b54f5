/** The seals in a printed PDF, read by pdf.js: what each says, and where on the page it is seen. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, constantFrom, double, property, record, tuple } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { sealRatio, sealWidth } from '@kelisim/domain/requests/places/place.ts'
import { sealsIn } from '../testing-seals.ts'
import { printDocument } from './print.ts'
import type { PrintableJob, PrintableSignature } from './printable-job.ts'
import { sealOn } from './seal-marks.ts'
import { jobOf, signaturesOf } from './testing-jobs.ts'
import { oddPdfs } from './testing-pdfs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-seals-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [originalPath, outPath] = [join(folder, 'original.pdf'), join(folder, 'printed.pdf')]

let signatures: PrintableSignature[]
beforeAll(async () => {
  signatures = await signaturesOf(Buffer.from('a document'), 3)
})

const place = { page: 2, left: 0.1, top: 0.5 }

async function printed(original: Uint8Array, parts: Partial<PrintableJob>): Promise<Buffer> {
  writeFileSync(originalPath, original)
  await printDocument(jobOf({ originalPath, outPath, ...parts }))
  return readFileSync(outPath)
}

const placed = (seals: PrintableSignature['seal'][]) =>
  signatures.map((signature, i) => ({ ...signature, seal: seals[i] ?? null }))

test('a seal has the name of the certificate and the day, on its page and at its place', async () => {
  const original = makePdf(['One'], ['Two'])
  const bytes = await printed(original, { signatures: placed([{ pointId: 'a', place }]) })
  expect(bytes.subarray(0, original.length).equals(original)).toBe(true)
  expect(await sealsIn(bytes, 1)).toEqual([])
  const [seal, ...others] = await sealsIn(bytes, 2)
  expect(others).toEqual([])
  expect(seal!.text).toContain('Подписано ЭЦП')
  expect(seal!.text).toContain('НҰРЛАНОВА ӘЙГЕРІМ СЕРІКҚЫЗЫ')
  expect(seal!.text).toContain('01.06.2026 · ТОО «Дала Транс»')
  expect(seal!.left).toBeCloseTo(place.left, 3)
  expect(seal!.top).toBeCloseTo(place.top, 3)
  expect(seal!.width).toBeCloseTo(sealWidth, 3)
})

test('several signatures of one point share a seal, and others have their own', async () => {
  const there = { pointId: 'b', place: { ...place, left: 0.6 } }
  const here = { pointId: 'a', place }
  const { facts } = jobOf({ originalPath, outPath })
  const bytes = await printed(makePdf(['One'], ['Two']), {
    signatures: placed([here, here, there]),
    facts: { ...facts, areTimesShown: false, hasFooterMark: true },
    language: 'en',
  })
  const seals = (await sealsIn(bytes, 2)).filter(({ text }) => text.includes('Signed digitally'))
  expect(seals.map(({ text }) => text.includes('signatures: 2'))).toEqual([true, false])
  expect(seals.map(({ text }) => text.includes('2026'))).toEqual([false, false])
})

test('a seal on a page that the document does not have is not printed', async () => {
  const bytes = await printed(makePdf(['One']), { signatures: placed([{ pointId: 'a', place }]) })
  expect(await sealsIn(bytes, 1)).toEqual([])
})

test.each(oddPdfs)('a seal is where it was placed on a PDF $name', async ({ make }) => {
  const original = await make()
  const before = await sealsIn(original, 1)
  const first = { pointId: 'a', place: { page: 1, left: 0.4, top: 0.25 } }
  const seals = await sealsIn(await printed(original, { signatures: placed([first]) }), 1)
  expect(seals).toHaveLength(before.length + 1)
  const { left, top, width } = seals.at(-1)!
  expect([left, top, width].map((part) => part.toFixed(2))).toEqual(['0.40', '0.25', sealWidth.toFixed(2)])
})

test('a seal is inside its page with any rotation and cropping', () => {
  const corner = double({ min: -500, max: 500, noNaN: true })
  const length = double({ min: 50, max: 3000, noNaN: true })
  const share = (max: number) => double({ min: 0, max, noNaN: true })
  const given = record({
    at: tuple(corner, corner),
    size: tuple(length, length),
    turn: constantFrom(0, 90, 180, 270, -90, 450),
    left: share(1 - sealWidth),
    top: share(1),
  })
  assert(
    property(given, ({ at: [x, y], size: [width, height], turn, left, top }) => {
      const seen = turn % 180 === 0 ? width : height
      const [x1, y1, x2, y2] = sealOn({ box: [x, y, x + width, y + height], turn }, { page: 1, left, top })
        .rect as [number, number, number, number]
      const [across, down] = turn % 180 === 0 ? [x2 - x1, y2 - y1] : [y2 - y1, x2 - x1]
      expect(across).toBeCloseTo(seen * sealWidth, 6)
      expect(down).toBeCloseTo((seen * sealWidth) / sealRatio, 6)
      const isLow = down > (turn % 180 === 0 ? height : width)
      const slack = 1e-6
      const isInside =
        x1 >= x - slack && y1 >= y - slack && x2 <= x + width + slack && y2 <= y + height + slack
      // A strip of a page that is lower than a seal cannot hold one.
      expect(isInside || isLow).toBe(true)
    }),
  )
})
