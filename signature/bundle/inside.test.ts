/** What a manifest says about a signature inside a PDF is compared with the PDF. */
import { expect, test } from 'vitest'
import { foundNation, signedOn } from '../testing/nation.ts'
import { contract, signed } from '../testing/pdf-files.ts'
import { filesAtHand } from './bundle.ts'
import { faultsOfInside } from './inside.ts'

const { person } = await foundNation('rsa')
const original = contract()
const { bytes } = await signed(original, person, { at: signedOn })
const text = Buffer.from(bytes).toString('latin1')
const from = text.indexOf('<', text.lastIndexOf('/Contents'))
const range = { from, to: text.indexOf('>', from) + 1, end: bytes.length }
const files = filesAtHand(
  new Map([
    ['a.pdf', original.bytes],
    ['signed.pdf', bytes],
  ]),
)
const faults = (change: Partial<typeof range>) =>
  faultsOfInside(files, { file: 'signed.pdf', ...range, ...change }, 'a.pdf')

test('the range of a signature is accepted as it is in the PDF, and no other', async () => {
  expect(await faults({})).toEqual([])
  expect(await faults({ from: 0 })).toEqual(['range-wrong'])
  expect(await faults({ from: from + 2 })).toEqual(['range-wrong'])
  expect(await faults({ to: range.to - 2 })).toEqual(['range-wrong'])
  expect(await faults({ end: range.end - 1 })).toEqual(['range-wrong'])
  expect(await faults({ from: 0, to: original.bytes.length, end: range.end })).toEqual(['range-wrong'])
})
