/** PDFs signed by Poppler's pdfsig (NSS, RSA), some of them linearised by qpdf before (fixtures/pdf). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { derOf } from '../asn1/pem.ts'
import { latin1 } from '../asn1/values.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { defaultPolicy, evidenceAtHand, type Setting } from '../examination/policy.ts'
import { bytesOf } from '../testing/pdf-files.ts'
import { examinePdf } from './examine-pdf.ts'

const folder = join(import.meta.dirname, '../fixtures/pdf')
const pdf = (name: string) => new Uint8Array(gunzipSync(readFileSync(join(folder, `${name}.pdf.gz`))))
const setting: Setting = {
  trust: { roots: [readCertificate(derOf(readFileSync(join(folder, 'root.pem'))))], others: [] },
  evidence: evidenceAtHand({ crls: [], ocsp: [] }),
  policy: { ...defaultPolicy, revocation: 'none' },
  at: new Date('2026-12-01T00:00:00Z'),
}

async function examined(bytes: Uint8Array) {
  const { findings, signatures } = (await examinePdf(bytes, setting))!
  return [
    ...findings,
    ...signatures.map(({ format, covers, changesAfter, examination }) => ({
      format,
      isWhole: covers?.isWhole ?? null,
      changesAfter,
      faults: [...examination.findings, ...examination.signers.flatMap((signer) => signer.findings)],
    })),
  ]
}

test('a PDF that was signed twice is valid', async () => {
  expect(await examined(pdf('poppler-twice'))).toEqual([
    { format: 'PKCS7', isWhole: false, changesAfter: ['signatures'], faults: [] },
    { format: 'PKCS7', isWhole: true, changesAfter: [], faults: [] },
  ])
})

test('a PDF that was linearised and then signed is valid', async () => {
  expect(await examined(pdf('poppler-linear'))).toEqual([
    { format: 'PKCS7', isWhole: true, changesAfter: [], faults: [] },
  ])
})

test('a PDF with another number in the text is not valid', async () => {
  const changed = bytesOf(latin1(pdf('poppler-twice')).replace('One hundred', 'Six hundred'))
  expect(await examined(changed)).toMatchObject([
    { faults: ['other-document'] },
    { faults: ['other-document'] },
  ])
})
