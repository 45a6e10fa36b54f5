/** Signed PDFs as programs make them, and as attackers change them. */
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { joined, latin1, toHex } from '../asn1/values.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { fullOcspResponse } from '../revocation/ocsp.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import {
  bytesOf,
  contract,
  numbers,
  pageText,
  signed,
  withObjects,
  type PdfFile,
  type SigningOptions,
} from '../testing/pdf-files.ts'
import { examinePdf, type PdfSignature } from './examine-pdf.ts'

let nation: Nation
let person: CmsSigner
beforeAll(async () => {
  nation = await foundNation('rsa')
  person = nation.person
})

const sign = (file: PdfFile, options: Partial<SigningOptions> = {}) =>
  signed(file, person, { at: signedOn, ...options })

async function examined(bytes: Uint8Array, setting = settingIn(nation)) {
  const examination = await examinePdf(bytes, setting)
  return examination ?? { findings: ['unsigned'], signatures: [] }
}

const findingsOf = ({ examination }: PdfSignature) => [
  ...examination.findings,
  ...examination.signers.flatMap(({ findings }) => findings),
]

/** All findings about the signatures and about the file. */
async function faultsIn(bytes: Uint8Array): Promise<string[]> {
  const { findings, signatures } = await examined(bytes)
  return [...findings, ...signatures.flatMap(findingsOf)]
}

const replaced = (bytes: Uint8Array, what: string, by: string) => {
  const text = latin1(bytes)
  if (!text.includes(what) || what.length !== by.length) throw new RangeError(what)
  return bytesOf(text.replace(what, by))
}

describe('a signed PDF', () => {
  test.each(['ETSI.CAdES.detached', 'adbe.pkcs7.detached'])('%s covers the whole file', async (form) => {
    const { bytes } = await sign(contract(), { form })
    const { findings, signatures } = await examined(bytes)
    expect(findings).toEqual([])
    expect(signatures).toHaveLength(1)
    const [signature] = signatures as [PdfSignature]
    expect(findingsOf(signature)).toEqual([])
    expect(signature).toMatchObject({
      field: 'Signature1',
      format: form.startsWith('ETSI') ? 'PAdES' : 'PKCS7',
      covers: { revision: 2, of: 2, isWhole: true, to: bytes.length },
      changesAfter: [],
    })
    expect(signature.examination.signers[0]!.owner?.commonName).toBe('ТЕСТОВ ТЕСТ')
  })

  test.each(['gost-kz-512', 'gost-kz-2004'] as const)('with a key of %s', async (kind) => {
    const country = await foundNation(kind)
    const { bytes } = await signed(contract(), country.person, { at: signedOn })
    const { signatures } = await examined(bytes, settingIn(country))
    expect(signatures.map(findingsOf)).toEqual([[]])
  })

  test('of two signers: the second one adds to what the first one signed', async () => {
    const other = await nation.issue('ДРУГОВ ДРУГ')
    const first = await sign(contract())
    const { bytes } = await signed(first, other, { at: signedOn, field: 'Signature2' })
    const { signatures } = await examined(bytes)
    expect(signatures.map(findingsOf)).toEqual([[], []])
    expect(
      signatures.map(({ covers, changesAfter }) => [covers?.revision, covers?.isWhole, changesAfter]),
    ).toEqual([
      [2, false, ['signatures']],
      [3, true, []],
    ])
    // The part of the file that the first signature covers can be saved: it is the beginning of the file.
    const { to } = signatures[0]!.covers!
    expect(bytes.subarray(0, to)).toEqual(first.bytes)
    expect(await faultsIn(bytes.slice(0, to))).toEqual([])
  })

  test('is not recognised without a signature', async () => {
    expect(await examinePdf(contract().bytes, settingIn(nation))).toBeNull()
    expect(await examinePdf(bytesOf('%PDF-1.7 and nothing else'), settingIn(nation))).toBeNull()
  })

  test('may have packed objects, and is refused if these are numbered in another way', async () => {
    const { signatures } = await examined((await sign(packedContract([1, 2]))).bytes)
    expect(signatures.map(findingsOf)).toEqual([[]])
    expect(await faultsIn((await sign(packedContract([3, 2]))).bytes)).toEqual(['pdf-damaged'])
  })
})

describe('evidence in the file', () => {
  test('a document timestamp proves when the signature existed, and the store that it was not revoked', async () => {
    const first = await sign(contract())
    const answer = fullOcspResponse((await nation.ocsp(person.certificate, 'good', daysLater(1))).der)
    const stream = (der: Uint8Array) => `<< /Length ${der.length} >>\nstream\n${latin1(der)}\nendstream`
    const catalog = first.objects
      .get(numbers.catalog)!
      .replace(/ >>$/, ' /DSS << /OCSPs [20 0 R] /Certs [21 0 R] >> >>')
    const stored = withObjects(first, { 1: catalog, 20: stream(answer), 21: stream(nation.centre.der) })
    const { bytes } = await signed(stored, person, {
      at: daysLater(1),
      field: 'Timestamp',
      form: 'ETSI.RFC3161',
      makeSignature: (covered) => nation.stamp(covered, daysLater(1)),
    })
    // Years later the certificate has expired, and the centre's certificate is not given.
    const setting = settingIn(nation, { at: daysLater(1000), revocation: 'any' })
    const { signatures } = await examined(bytes, { ...setting, trust: { ...setting.trust, others: [] } })
    expect(signatures.map(findingsOf)).toEqual([[], []])
    expect(signatures.map(({ format, changesAfter }) => [format, changesAfter])).toEqual([
      ['PAdES', expect.arrayContaining(['evidence', 'signatures'])],
      ['document-timestamp', []],
    ])
    expect(signatures[0]!.examination.signers[0]!.timestampTime).toEqual(daysLater(1))
    expect(signatures[1]!.timestamp?.time).toEqual(daysLater(1))
    // Without the timestamp nothing proves the time.
    const alone = await examined(stored.bytes, { ...setting, trust: { ...setting.trust, others: [] } })
    expect(alone.signatures.flatMap(findingsOf)).toContain('certificate-expired')
  })

  test('a timestamp over other bytes proves nothing', async () => {
    const { bytes } = await sign(contract(), {
      form: 'ETSI.RFC3161',
      makeSignature: () => nation.stamp(bytesOf('something else')),
    })
    expect(await faultsIn(bytes)).toEqual(['timestamp-of-other'])
  })
})

describe('what was added after signing', () => {
  const pageOf = (file: PdfFile) => file.objects.get(numbers.page)!
  const withNote = (page: string) => page.replace('/Annots [', '/Annots [30 0 R ')
  const note = '<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Agreed) >>'

  test('a comment is harmless and reported', async () => {
    const file = await sign(contract())
    const { signatures } = await examined(withObjects(file, { 3: withNote(pageOf(file)), 30: note }).bytes)
    expect(signatures.map((one) => [findingsOf(one), one.changesAfter])).toEqual([[[], ['annotations']]])
  })

  test('a comment is a change if the signer allowed only filling in', async () => {
    const also =
      '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 2 /V /1.2 >> >>]'
    const file = await sign(contract(), { also })
    const added = withObjects(file, { 3: withNote(pageOf(file)), 30: note })
    expect(await faultsIn(added.bytes)).toEqual(['changed-after-signing'])
    expect(await faultsIn(file.bytes)).toEqual([])
  })

  const withField = () => {
    const file = contract()
    const page = pageOf(file).replace(/ >>$/, ' /Annots [10 0 R] >>')
    const catalog = '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] >> >>'
    const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Date) /Rect [0 0 90 20] /P 3 0 R >>'
    return withObjects(file, { 1: catalog, 3: page, 10: field })
  }
  const filled = (file: PdfFile) =>
    withObjects(file, { 10: file.objects.get(10)!.replace('/T (Date)', '/T (Date) /V (1 June)') }).bytes

  test('a field that is filled in is harmless, unless the signer locked it', async () => {
    const file = await sign(withField())
    const { signatures } = await examined(filled(file))
    expect(signatures.map((one) => [findingsOf(one), one.changesAfter])).toEqual([[[], ['form']]])
    const lock = (fields: string) =>
      `/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << ${fields} >> >>]`
    const locked = await sign(withField(), { also: lock('/Action /Include /Fields [(Date)]') })
    expect(await faultsIn(filled(locked))).toEqual(['changed-after-signing'])
    const other = await sign(withField(), { also: lock('/Action /Include /Fields [(Place)]') })
    expect(await faultsIn(filled(other))).toEqual([])
  })

  test.each([
    ['another text of the page', { 4: pageText('Contract for 900 tonnes') }],
    ['another font', { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' }],
    ['one more page', { 2: '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>' }],
    [
      'another page',
      { 2: '<< /Type /Pages /Kids [9 0 R] /Count 1 >>', 9: '<< /Type /Page /Parent 2 0 R >>' },
    ],
    ['no page', { 2: '<< /Type /Pages /Kids [] /Count 0 >>' }],
  ])('%s is a change of the document', async (_, objects) => {
    const file = await sign(contract())
    const { bytes } = withObjects(file, objects)
    expect(await faultsIn(bytes)).toEqual(['changed-after-signing'])
  })

  test.each([
    ['a script that runs when it is opened', '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'],
    ['layers', '/OCProperties << /OCGs [] /D << >> >>'],
    ['names', '/Names << /JavaScript << /Names [] >> >>'],
  ])('%s in the catalogue is a change of the document, too', async (_, entry) => {
    const file = await sign(contract())
    const catalog = file.objects.get(numbers.catalog)!.replace(/ >>$/, ` ${entry} >>`)
    expect(await faultsIn(withObjects(file, { 1: catalog }).bytes)).toEqual(['changed-after-signing'])
  })

  test('another parent is a change of the document, too: a page inherits its fonts from it', async () => {
    const file = contract()
    const fonts = '/Resources << /Font << /F1 5 0 R >> >>'
    const inheriting = withObjects(file, {
      2: `<< /Type /Pages /Kids [3 0 R] /Count 1 ${fonts} >>`,
      3: pageOf(file).replace(` ${fonts}`, ''),
    })
    const whole = await sign(inheriting)
    expect(await faultsIn(whole.bytes)).toEqual([])
    const changed = withObjects(whole, {
      3: pageOf(whole).replace('/Parent 2 0 R', '/Parent 20 0 R'),
      20: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 21 0 R >> >> >>',
      21: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    })
    expect(await faultsIn(changed.bytes)).toEqual(['changed-after-signing'])
  })

  test('a signature that was removed is reported', async () => {
    const file = await sign(contract())
    const bytes = withObjects(file, { 1: '<< /Type /Catalog /Pages 2 0 R >>' }).bytes
    expect(await faultsIn(bytes)).toEqual(['changed-after-signing'])
  })

  test('content prepared before signing cannot be shown by a harmless change (shadow attack)', async () => {
    // The font is listed as a comment of the page, so that changing it would look like changing a comment.
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
    const prepared = withObjects(contract(), { 3: pageOf(contract()).replace(/ >>$/, ' /Annots [5 0 R] >>') })
    const file = await sign(prepared)
    const changed = withObjects(file, { 5: font.replace('Helvetica', 'Courier') })
    expect(await faultsIn(changed.bytes)).toContain('changed-after-signing')
    // A comment that refers to another generation of the page's content, which does not exist: that result must not
    // be remembered for the real content.
    const otherGeneration = pageOf(contract()).replace(/ >>$/, ' /Annots [4 1 R] >>')
    const misled = await sign(withObjects(contract(), { 3: otherGeneration }))
    expect(await faultsIn(misled.bytes)).toEqual([])
    const misledLater = withObjects(misled, { 4: pageText('Contract for 900 tonnes') })
    expect(await faultsIn(misledLater.bytes)).toEqual(['changed-after-signing'])
    // The content of the page is in the file twice, and the cross-references are redirected to the second one.
    const hidden = await sign(withObjects(contract(), { 8: pageText('Contract for 900 tonnes') }))
    const at = latin1(hidden.bytes).indexOf('8 0 obj')
    const xref = hidden.bytes.length
    const turned = `xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 12 /Root 1 0 R /Prev ${hidden.xref} >>\nstartxref\n${xref}\n%%EOF\n`
    expect(await faultsIn(joined([hidden.bytes, bytesOf(turned)]))).toEqual(['changed-after-signing'])
  })
})

describe('an attack is detected:', () => {
  test('a changed text', async () => {
    const { bytes } = await sign(contract())
    const changed = replaced(bytes, '100 tonnes', '900 tonnes')
    expect(await faultsIn(changed)).toEqual(['other-document'])
  })

  test('bytes after the end, with or without an end of their own', async () => {
    const { bytes } = await sign(contract())
    const objects = bytesOf('4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n')
    expect(await faultsIn(joined([bytes, objects]))).toEqual(['pdf-damaged'])
    expect(await faultsIn(joined([bytes, bytesOf('   \r\n')]))).toEqual([])
  })

  test('an object that is not in the cross-references of an addition', async () => {
    const file = await sign(contract())
    const smuggled = joined([
      file.bytes,
      bytesOf(`4 0 obj\n${pageText('Contract for 900 tonnes')}\nendobj\n`),
    ])
    const { bytes } = withObjects({ ...file, bytes: smuggled }, { 40: '<< >>' })
    expect(await faultsIn(bytes)).toEqual(['changed-after-signing'])
  })

  test.each([
    ['leaves out the beginning', ([, length, next, rest]: number[]) => [10, length! - 10, next!, rest!]],
    [
      'leaves out more than the signature',
      ([, length, next, rest]: number[]) => [0, length! - 9, next!, rest!],
    ],
    [
      'leaves out something behind it',
      ([, length, next, rest]: number[]) => [0, length!, next! + 9, rest! - 9],
    ],
    ['ends early', ([, length, next, rest]: number[]) => [0, length!, next!, rest! - 9]],
    ['ends behind the file', ([, length, next, rest]: number[]) => [0, length!, next!, rest! + 9]],
    ['overlaps', ([, length, next, rest]: number[]) => [0, length! + 50, next! - 5, rest! + 5]],
  ])('a range of bytes that %s', async (_, change) => {
    const { bytes } = await sign(contract())
    const [whole, range] = /\/ByteRange \[([^\]]*)\]/.exec(latin1(bytes))!
    const other = change(range!.trim().split(/\s+/).map(Number)).join(' ')
    const put = `/ByteRange [${other.padEnd(range!.length)}]`
    expect(await faultsIn(replaced(bytes, whole, put))).toEqual(['range-wrong'])
  })

  test('bytes hidden behind the signature in its own place', async () => {
    const { bytes } = await sign(contract())
    const end = latin1(bytes).lastIndexOf('0000>')
    const hidden = bytes.slice()
    hidden.set(bytesOf('4142'), end)
    expect(await faultsIn(hidden)).toEqual(['range-wrong'])
  })

  test('the signature of another file', async () => {
    const { bytes } = await sign(contract())
    const other = (await sign(contract('Contract for 900 tonnes'))).bytes
    const contents = (file: Uint8Array) => /\/Contents <([0-9a-f]+)>/.exec(latin1(file))![1]!
    expect(await faultsIn(replaced(other, contents(other), contents(bytes)))).toEqual(['other-document'])
  })

  test('two values of one key, or two places of one object', async () => {
    const { bytes } = await sign(contract())
    expect(await faultsIn(replaced(bytes, '/Filter /Adobe.PPKLite', '/SubFilter /xdobe.PPKL'))).toEqual([
      'pdf-damaged',
    ])
  })

  test('an encrypted file, which is not judged', async () => {
    const file = await sign(contract())
    const { bytes } = withObjects(file, { 40: '<< >>' }, ' /Encrypt << /Filter /Standard >>')
    expect(await faultsIn(bytes)).toEqual(['pdf-encrypted'])
  })

  test('a form of signature that is obsolete', async () => {
    expect(await faultsIn((await sign(contract(), { form: 'adbe.x509.rsa_sha1' })).bytes)).toEqual([
      'pdf-form-unknown',
    ])
  })

  test(
    'ten thousand changed files: none with other content passes, and none causes an exception',
    { timeout: 300_000 },
    async () => {
      const { bytes } = await sign(contract(), { room: 2048 })
      const whole = toHex(bytes)
      const random = randomNumbers(7)
      for (let i = 0; i < 10_000; i++) {
        const changed = mutated(bytes, random)
        if (toHex(changed) === whole) continue
        const faults = await faultsIn(changed)
        if (faults.length === 0)
          expect(isSpaceAtEnd(changed, bytes) || isOtherCase(changed, bytes)).toBe(true)
      }
    },
  )
})

/** The bytes with one byte changed, or with some bytes removed or repeated. */
function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = random(bytes.length)
  const length = 1 + random(20)
  switch (random(4)) {
    case 0: {
      const changed = bytes.slice()
      changed[at] = random(256)
      return changed
    }
    case 1:
      return joined([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 2:
      return joined([bytes.subarray(0, at + length), bytes.subarray(at)])
    default:
      return joined([
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => random(256)),
        bytes.subarray(at),
      ])
  }
}

/** White space behind the end is not part of the document. */
function isSpaceAtEnd(changed: Uint8Array, bytes: Uint8Array): boolean {
  return latin1(changed).trimEnd() === latin1(bytes).trimEnd()
}

/** The digits of the signature in upper or lower case are the same signature. */
function isOtherCase(changed: Uint8Array, bytes: Uint8Array): boolean {
  return latin1(changed).toLowerCase() === latin1(bytes).toLowerCase()
}

/** With the catalog and the pages in an object stream, and the cross-references in a stream. */
function packedContract(numbered: [number, number]): PdfFile {
  const packed = `1 0 2 34 << /Type /Catalog /Pages 2 0 R >>  << /Type /Pages /Kids [3 0 R] /Count 1 >>`
  const first = packed.indexOf('<<')
  const objects = packed.replace(
    '1 0 2 34',
    `${numbered[0]} 0 ${numbered[1]} ${packed.lastIndexOf('<<') - first}`.padEnd(first),
  )
  const pieces: Uint8Array[] = [bytesOf('%PDF-1.7\n')]
  const places = new Map<number, number>()
  const length = () => joined(pieces).length
  const put = (number: number, head: string, data: Uint8Array) => {
    places.set(number, length())
    pieces.push(bytesOf(`${number} 0 obj\n${head.replace('LENGTH', String(data.length))}\nstream\n`), data)
    pieces.push(bytesOf('\nendstream\nendobj\n'))
  }
  const plain = (number: number, value: string) => {
    places.set(number, length())
    pieces.push(bytesOf(`${number} 0 obj\n${value}\nendobj\n`))
  }
  const zipped = new Uint8Array(deflateSync(bytesOf(objects)))
  put(6, `<< /Type /ObjStm /N 2 /First ${first} /Filter /FlateDecode /Length LENGTH >>`, zipped)
  for (const number of [3, 4, 5]) plain(number, contract().objects.get(number)!)
  const at = length()
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => {
    if (number === 0) return [0, 0, 0, 0]
    if (number < 3) return [2, 0, 6, number - 1]
    const place = number === 7 ? at : places.get(number)!
    return [1, place >> 8, place & 255, 0]
  })
  // Each row is stored as the difference from the row above.
  const up = rows.flatMap((row, i) => [2, ...row.map((value, j) => (value - (rows[i - 1]?.[j] ?? 0)) & 255)])
  const table = new Uint8Array(deflateSync(Uint8Array.from(up)))
  const dict = `<< /Type /XRef /Size 8 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >> /Length LENGTH >>`
  put(7, dict, table)
  pieces.push(bytesOf(`startxref\n${at}\n%%EOF\n`))
  return {
    bytes: joined(pieces),
    objects: new Map([...contract().objects, [7, '']]),
    xref: at,
  }
}
