/**
 * Judging a PDF of 20 MB with a signature inside, in milliseconds: its structure, what the signature covers, the hash, the
 * signature and its certificates. Against hashing the same bytes alone. They alternate, and the best of each counts.
 */
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
import { foundNation, settingIn, signedOn } from '@kelisim/signature/testing/nation.ts'
import { contract, signed, withObjects } from '@kelisim/signature/testing/pdf-files.ts'
import { randomNumbers } from '@kelisim/signature/testing/random-numbers.ts'
import { rounded, type Measure } from './parts/measure.ts'

const most = 1.3
const rounds = 9

export async function pdfLarge(): Promise<Measure> {
  const national = await compared('gost-kz-512', 'streebog-512')
  const foreign = await compared('rsa', 'sha-256')
  const ratio = rounded(national.value / national.anchor)
  return {
    name: 'pdfLarge',
    value: rounded(national.value),
    anchor: rounded(national.anchor),
    ratio,
    goal: `<= ${most} × the time of hashing the same bytes`,
    ok: ratio <= most,
    note: `RSA with SHA-256: ${rounded(foreign.value / foreign.anchor)}`,
  }
}

async function compared(kind: 'gost-kz-512' | 'rsa', hashName: HashName) {
  const nation = await foundNation(kind)
  const { bytes } = await signed(large(), nation.person, { at: signedOn })
  const setting = settingIn(nation)
  let [value, anchor] = [Infinity, Infinity]
  for (let round = 0; round < rounds; round++) {
    value = Math.min(
      value,
      await timed(async () => {
        const found = await examinePdf(bytes, setting)
        const faults = found?.signatures.flatMap(({ examination }) => examination.signers)[0]?.findings
        if (faults?.length !== 0) throw new Error(`A right signature was refused: ${faults?.join(', ')}`)
      }),
    )
    anchor = Math.min(anchor, await timed(async () => void hash(hashName, bytes)))
  }
  return { value, anchor }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}

/** Two hundred pictures of 100 KB with random bytes, which look like compressed ones. */
function large() {
  const random = randomNumbers(7)
  const picture = () => String.fromCharCode(...Array.from({ length: 1000 }, () => random(256))).repeat(100)
  const dictionary =
    '<< /Type /XObject /Subtype /Image /Width 100 /Height 1000 /BitsPerComponent 8 /Length 100000 >>'
  const pictures = Array.from({ length: 200 }, (_, i) => [
    i + 6,
    `${dictionary}\nstream\n${picture()}\nendstream`,
  ])
  return withObjects(contract(), Object.fromEntries(pictures) as Record<number, string>)
}
