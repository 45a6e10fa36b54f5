/** Places for signatures in PDFs as programs write them: signed twice, with evidence, and read by the engine. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { evidenceIncrement } from '@kelisim/pdf/incremental/evidence-increment.ts'
import { signatureIncrement } from '@kelisim/pdf/incremental/signature-increment.ts'
import { examineNewest, examinePdf, faultsOfNewest } from '@kelisim/signature/pdf/examine-pdf.ts'
import { fullOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { signAttached, signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation, settingIn, signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import { contract, signed as signedByOther } from '@kelisim/signature/testing/pdf-files.ts'
import { oddPdfs } from '../../outputs/printable/testing-pdfs.ts'

const room = 8192
let nation: Nation
beforeAll(async () => {
  nation = await foundNation('gost-kz-512')
})

async function signedOnce(
  bytes: Uint8Array,
  { at = signedOn, make = signDetached }: { at?: Date; make?: typeof signDetached } = {},
): Promise<Buffer> {
  const original = Buffer.from(bytes)
  const { before, after, gap } = await signatureIncrement(original, { at, room })
  const covered = Buffer.concat([original, before, after])
  const cms = Buffer.from(await make(covered, nation.person, { signingTime: at }))
  expect(gap).toEqual({
    from: original.length + before.length,
    to: original.length + before.length + room * 2 + 2,
  })
  const digits = cms.toString('hex').padEnd(room * 2, '0')
  return Buffer.concat([original, before, Buffer.from(`<${digits}>`), after])
}

async function examined(bytes: Uint8Array) {
  const { findings, signatures } = (await examinePdf(bytes, settingIn(nation)))!
  return {
    findings,
    signatures: signatures.map(({ format, covers, changesAfter, examination }) => ({
      format,
      isWhole: covers?.isWhole,
      changesAfter,
      faults: [...examination.findings, ...examination.signers.flatMap((one) => one.findings)],
    })),
  }
}

const whole = { format: 'PAdES', isWhole: true, changesAfter: [], faults: [] }
const followed = { format: 'PAdES', isWhole: false, changesAfter: ['signatures'], faults: [] }

/** An XFA form, which a program draws, is not signed: what it shows is not in the pages. */
const signable = oddPdfs.filter(({ name, isAddedTo }) => isAddedTo && !name.includes('XFA'))

describe.each(signable)('a PDF $name', ({ make }) => {
  test('can be signed twice, and begins with its original bytes', async () => {
    const original = await make()
    const once = await signedOnce(original)
    expect(once.subarray(0, original.length).equals(original)).toBe(true)
    const before = (await examinePdf(original, settingIn(nation)))?.signatures.length ?? 0
    expect((await examined(once)).signatures.slice(before)).toEqual([whole])
    const twice = await signedOnce(once)
    expect(twice.subarray(0, once.length).equals(once)).toBe(true)
    expect((await examined(twice)).signatures.slice(before)).toEqual([followed, whole])
    expect(await examineNewest(twice, settingIn(nation))).toMatchObject({
      findings: [],
      signers: [{ findings: [] }],
    })
  })
})

test.each(oddPdfs.filter((one) => !signable.includes(one)))(
  'a PDF $name cannot be signed',
  async ({ make }) => {
    await expect(signatureIncrement(Buffer.from(await make()), { at: signedOn, room })).rejects.toThrow(
      /broken|dynamic/,
    )
  },
)

test('the same bytes and time give the same revision, another time another one', async () => {
  const original = Buffer.from(contract().bytes)
  const made = (at: Date) => signatureIncrement(original, { at, room })
  expect(await made(signedOn)).toEqual(await made(signedOn))
  expect(await made(new Date(signedOn.getTime() + 1000))).not.toEqual(await made(signedOn))
})

test('evidence is added at the end of the PDF, and invalidates no signature', async () => {
  const bytes = await signedOnce(await signedOnce(contract().bytes))
  const ocsp = await nation.ocsp(nation.person.certificate, 'good', signedOn)
  const evidence = {
    certificates: [nation.centre.der],
    ocspResponses: [fullOcspResponse(ocsp.der)],
    crls: [(await nation.crl([], signedOn, nation.rootParty)).der],
  }
  const proved = Buffer.concat([bytes, await evidenceIncrement(bytes, evidence)])
  expect((await examined(proved)).signatures).toEqual([
    { ...followed, changesAfter: ['signatures', 'evidence'] },
    { ...followed, changesAfter: ['evidence'] },
  ])
})

test('a signature after one that forbids changes is a fault', async () => {
  const certified = await signedByOther(contract(), nation.person, {
    at: signedOn,
    also: '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>]',
  })
  const once = await signedOnce(certified.bytes)
  expect(await faultsOfNewest(once)).toEqual(['changed-after-signing'])
})

describe('the newest signature', () => {
  test('is a fault if it contains the document', async () => {
    const bytes = await signedOnce(contract().bytes, { make: signAttached })
    expect((await examineNewest(bytes, settingIn(nation))).findings).toContain('not-a-document')
  })

  test('is a fault over other bytes', async () => {
    const bytes = await signedOnce(contract().bytes, {
      make: (_, signer, options) => signDetached(contract('Another').bytes, signer, options),
    })
    const { signers } = await examineNewest(bytes, settingIn(nation))
    expect(signers[0]!.findings).toContain('other-document')
  })

  test('is a fault if missing, or if it does not cover the whole file', async () => {
    expect((await examineNewest(contract().bytes, settingIn(nation))).findings).toEqual(['range-wrong'])
    const bytes = Buffer.concat([await signedOnce(contract().bytes), Buffer.from('%more')])
    expect((await examineNewest(bytes, settingIn(nation))).findings).toEqual(['pdf-damaged'])
  })
})

/** The output of other software; null where it is not installed. */
function saidBy(program: string, ...args: string[]): string | null {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

test('qpdf and pdfsig can read the signed PDF', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-increments-'))
  try {
    const path = join(folder, 'signed.pdf')
    writeFileSync(path, await signedOnce(await signedOnce(contract().bytes)))
    expect(saidBy('qpdf', '--check', path) ?? 'No syntax or stream encoding errors found').toContain(
      'No syntax or stream encoding errors found',
    )
    const signatures = saidBy('pdfsig', '-nocert', path)
    if (signatures === null) return
    expect(signatures.match(/Signature Type: ETSI.CAdES.detached/g)).toHaveLength(2)
    expect(signatures).toContain('Total document signed')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
