/**
 * What attackers add to a signed PDF, or prepare before it is signed, so that it shows something else while nothing
 * seems to have changed. Sources: "Shadow Attacks", "Breaking the Specification: PDF Certification", and a review of
 * this code.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import {
  contract,
  numbers,
  pageText,
  signed,
  withObjects,
  type PdfFile,
  type SigningOptions,
} from '../testing/pdf-files.ts'
import { examinePdf } from './examine-pdf.ts'

let nation: Nation
let person: CmsSigner
beforeAll(async () => {
  nation = await foundNation('rsa')
  person = nation.person
})

const sign = (file: PdfFile, options: Partial<SigningOptions> = {}) =>
  signed(file, person, { at: signedOn, ...options })

async function faultsIn({ bytes }: PdfFile): Promise<string[]> {
  const examination = await examinePdf(bytes, settingIn(nation))
  return [
    ...(examination?.findings ?? ['unsigned']),
    ...(examination?.signatures ?? []).flatMap((one) => [
      ...one.examination.findings,
      ...one.examination.signers.flatMap(({ findings }) => findings),
    ]),
  ]
}

const changed = ['changed-after-signing']
const pageOf = (file: PdfFile) => file.objects.get(numbers.page)!
const catalogOf = (file: PdfFile) => file.objects.get(numbers.catalog)!
const noted = (file: PdfFile, what = '30 0 R') => pageOf(file).replace('/Annots [', `/Annots [${what} `)
/** An appearance that covers the text of the page with another text. */
const drawing = '1 g 0 0 595 842 re f BT (900 tonnes) Tj ET'
const cover = `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length ${drawing.length} >>
stream
${drawing}
endstream`
const certified = (level: number) =>
  `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P ${level} /V /1.2 >> >>]`

describe('a signature field that nobody signed', () => {
  const field = (more: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Sig /T (S2) /Rect [0 0 595 842] /F 4 /P 3 0 R ${more} >>`
  const listed = (file: PdfFile) => catalogOf(file).replace('/Fields [', '/Fields [30 0 R ')

  test.each([
    ['with an appearance', '/AP << /N 31 0 R >>'],
    ['with a value that is no signature', '/V 5 /AP << /N 31 0 R >>'],
    ['with a background', '/MK << /BG [1 1 1] >>'],
  ])('covers the page %s', async (_, more) => {
    const file = await sign(contract())
    const added = { 1: listed(file), 3: noted(file), 30: field(more), 31: cover }
    expect(await faultsIn(withObjects(file, added))).toEqual(changed)
  })

  test('covers the page as an annotation that is not in the form', async () => {
    const file = await sign(contract())
    const signature = '/V << /Type /Sig /Filter /Adobe.PPKLite >> /AP << /N 31 0 R >>'
    const added = { 3: noted(file), 30: field(signature), 31: cover }
    expect(await faultsIn(withObjects(file, added))).toEqual(changed)
  })

  test('was empty when others signed, and is then moved over the text', async () => {
    const base = contract()
    const empty = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (S0) /Rect [0 0 0 0] /P 3 0 R >>'
    const prepared = withObjects(base, {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] >> >>',
      3: pageOf(base).replace(/ >>$/, ' /Annots [10 0 R] >>'),
      10: empty,
    })
    const file = await sign(prepared)
    expect(await faultsIn(file)).toEqual([])
    const moved = empty.replace('[0 0 0 0]', '[0 0 595 842] /AP << /N 31 0 R >>')
    expect(await faultsIn(withObjects(file, { 10: moved, 31: cover }))).toEqual(changed)
    expect(await faultsIn(withObjects(file, { 10: moved.replace('/T', '/V (x) /T'), 31: cover }))).toEqual(
      changed,
    )
    // Signing is what the field is for.
    const other = await nation.issue('ДРУГОВ ДРУГ')
    expect(await faultsIn(await signed(file, other, { at: signedOn, field: 'S2' }))).toEqual([])
  })
})

describe('a signer who allowed nothing', () => {
  test('is followed by nothing but evidence and timestamps', async () => {
    const file = await sign(contract(), { also: certified(1) })
    const other = await nation.issue('ДРУГОВ ДРУГ')
    expect(await faultsIn(await signed(file, other, { at: signedOn, field: 'S2' }))).toEqual(changed)
    const stamped = await signed(file, person, {
      at: signedOn,
      field: 'Timestamp',
      form: 'ETSI.RFC3161',
      makeSignature: (covered) => nation.stamp(covered),
    })
    expect(await faultsIn(stamped)).toEqual([])
    const filling = await sign(contract(), { also: certified(2) })
    expect(await faultsIn(await signed(filling, other, { at: signedOn, field: 'S2' }))).toEqual([])
  })
})

describe('a timestamp of the document', () => {
  const stamped = (file: PdfFile, place: string, objects: Record<number, string>) =>
    signed(file, person, {
      at: signedOn,
      field: 'Timestamp',
      form: 'ETSI.RFC3161',
      makeSignature: (covered) => nation.stamp(covered),
      place,
      objects,
    })

  test.each([0, 1, 2, 3])(
    'may not show anything over what was signed, whatever the signer allowed (%i)',
    async (level) => {
      const file = await sign(contract(), level === 0 ? {} : { also: certified(level) })
      const shown = await stamped(file, '/Rect [0 0 595 842] /AP << /N 60 0 R >>', { 60: cover })
      expect(await faultsIn(shown)).toEqual(changed)
      const painted = await stamped(file, '/Rect [0 0 595 842] /MK << /BG [1 1 1] >>', {})
      expect(await faultsIn(painted)).toEqual(changed)
      const kid = '<< /Type /Annot /Subtype /Widget /Rect [0 0 595 842] /AP << /N 60 0 R >> /F 4 /P 3 0 R >>'
      const below = await stamped(file, '/Rect [0 0 0 0] /Kids [61 0 R]', { 60: cover, 61: kid })
      expect(await faultsIn(below)).toEqual(changed)
      // A field without an area shows nothing, whatever its appearance is.
      expect(
        await faultsIn(await stamped(file, '/Rect [0 0 0 0] /AP << /N 60 0 R >>', { 60: cover })),
      ).toEqual([])
    },
  )
})

describe('a comment', () => {
  const comment = (more: string) =>
    `<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Agreed) ${more} >>`

  test.each([
    ['that runs a script', comment('/A << /S /JavaScript /JS (1) >>')],
    ['that acts when it is shown', comment('/AA << /PV << /S /JavaScript /JS (1) >> >>')],
    ['that is a watermark', '<< /Type /Annot /Subtype /Watermark /Rect [0 0 595 842] /AP << /N 31 0 R >> >>'],
    ['that blacks out', '<< /Type /Annot /Subtype /Redact /Rect [0 0 595 842] >>'],
    ['that plays', '<< /Type /Annot /Subtype /RichMedia /Rect [0 0 595 842] >>'],
    ['of no kind', '<< /Type /Annot /Rect [0 0 595 842] /AP << /N 31 0 R >> >>'],
  ])('%s is a change of the document', async (_, annotation) => {
    const file = await sign(contract())
    expect(await faultsIn(withObjects(file, { 3: noted(file), 30: annotation, 31: cover }))).toEqual(changed)
    const direct = annotation.replace(/\s+/g, ' ')
    expect(await faultsIn(withObjects(file, { 3: noted(file, direct), 31: cover }))).toEqual(changed)
  })

  test('that the signer saw is part of what was signed', async () => {
    const amount = '<< /Type /Annot /Subtype /FreeText /Rect [10 10 90 30] /Contents (100 tonnes) >>'
    const base = contract()
    const annotated = pageOf(base).replace(/ >>$/, ' /Annots [30 0 R] >>')
    const file = await sign(withObjects(base, { 3: annotated, 30: amount }))
    expect(await faultsIn(withObjects(file, { 30: amount.replace('100', '900') }))).toEqual(changed)
    const inPage = pageOf(base).replace(/ >>$/, ` /Annots [${amount} 29 0 R] >>`)
    const direct = await sign(withObjects(base, { 3: inPage, 29: comment('') }))
    const other = pageOf(direct).replace('(100', '(900')
    expect(await faultsIn(withObjects(direct, { 3: other }))).toEqual(changed)
    expect(await faultsIn(withObjects(direct, { 3: pageOf(direct).replace(amount, '') }))).toEqual(changed)
  })
})

describe('a form is changed', () => {
  const withField = (field: string) => {
    const base = contract()
    return withObjects(base, {
      1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] >> >>`,
      3: pageOf(base).replace(/ >>$/, ' /Annots [10 0 R] >>'),
      10: field,
      11: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    })
  }
  const field = (more: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [0 0 90 20] /P 3 0 R ${more} >>`

  test('if it shows another value than it has', async () => {
    const file = await sign(withField(field('/V (100)')))
    expect(
      await faultsIn(withObjects(file, { 10: field('/V (100) /AP << /N 31 0 R >>'), 31: cover })),
    ).toEqual(changed)
    expect(
      await faultsIn(withObjects(file, { 10: field('/V (900) /AP << /N 31 0 R >>'), 31: cover })),
    ).toEqual([])
  })

  test('if its read-only field is filled in', async () => {
    const file = await sign(withField(field('/Ff 1 /V (100)')))
    expect(await faultsIn(withObjects(file, { 10: field('/Ff 1 /V (900)') }))).toEqual(changed)
  })

  test('if its font shows other digits', async () => {
    const inForm = '/DR << /Font << /Helv 11 0 R >> >>'
    const file = await sign(withField(field('/V (100)')), { inForm })
    expect(await faultsIn(file)).toEqual([])
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>'
    expect(await faultsIn(withObjects(file, { 11: font }))).toEqual(changed)
    const more = catalogOf(file).replace('/Helv 11 0 R', '/Helv 11 0 R /More 32 0 R')
    expect(await faultsIn(withObjects(file, { 1: more, 32: font }))).toEqual([])
  })
})

describe('an object with two roles', () => {
  test('layers that become a comment, so that they would not be compared', async () => {
    const base = contract()
    const layers = (state: string) => `<< /OCGs [21 0 R] /D << /BaseState /${state} >> >>`
    const prepared = withObjects(base, {
      1: '<< /Type /Catalog /Pages 2 0 R /OCProperties 20 0 R >>',
      20: layers('OFF'),
      21: '<< /Type /OCG /Name (Hidden) >>',
    })
    const file = await sign(prepared)
    const shown = withObjects(file, { 3: noted(file, '20 0 R'), 20: layers('ON') })
    expect(await faultsIn(shown)).toEqual(changed)
  })

  test.each(['Tabs', 'LastModified'])(
    'a page that is its own list of pictures, one of them called %s',
    async (name) => {
      const base = contract()
      const page = pageOf(base).replace('/Resources <<', `/${name} 30 0 R /Resources << /XObject 3 0 R`)
      const picture = (text: string) =>
        pageText(text).replace('<<', '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9]')
      const file = await sign(
        withObjects(base, {
          3: page,
          4: pageText(`) Tj /${name} Do (`),
          30: picture('100'),
          31: picture('900'),
        }),
      )
      expect(await faultsIn(file)).toEqual([])
      const turned = pageOf(file).replace(`/${name} 30 0 R`, `/${name} 31 0 R`)
      expect(await faultsIn(withObjects(file, { 3: turned }))).toEqual(changed)
    },
  )

  test('a form of signature with the name of a property that every object has', async () => {
    for (const form of ['constructor', 'toString', '__proto__']) {
      expect(await faultsIn(await sign(contract(), { form }))).toEqual(['pdf-form-unknown'])
    }
  })
})
