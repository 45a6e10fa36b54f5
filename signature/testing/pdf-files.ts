/** For tests: PDFs of a few objects, written and extended by hand, and signed as programs do it. */
import { joined, latin1, toHex } from '../asn1/values.ts'
import { signDetached, type CmsSigner } from '../signer/sign-cms.ts'

export type PdfFile = {
  bytes: Uint8Array
  /** The objects of the last revision, without `obj` and `endobj`. */
  objects: ReadonlyMap<number, string>
  xref: number
}

export const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const streamOf = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
export const pageText = (text: string) => streamOf(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`)

/** The numbers of the objects in a contract. */
export const numbers = { catalog: 1, pages: 2, page: 3, content: 4, font: 5 } as const

export function contract(text = 'Contract for 100 tonnes'): PdfFile {
  return withObjects(
    { bytes: bytesOf('%PDF-1.7\n%\u00e2\u00e3\n'), objects: new Map(), xref: -1 },
    {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      4: pageText(text),
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    },
  )
}

/** Adds a revision with these objects. */
export function withObjects(file: PdfFile, added: Readonly<Record<number, string>>, trailer = ''): PdfFile {
  const objects = new Map(file.objects)
  const places: [number, number][] = []
  let text = ''
  for (const [key, value] of Object.entries(added)) {
    const number = Number(key)
    objects.set(number, value)
    places.push([number, file.bytes.length + text.length])
    text += `${number} 0 obj\n${value}\nendobj\n`
  }
  const xref = file.bytes.length + text.length
  const table = places
    .map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
    .join('')
  const first = file.xref < 0 ? '0 1\n0000000000 65535 f \n' : ''
  const previous = file.xref < 0 ? '' : ` /Prev ${file.xref}`
  const size = Math.max(...objects.keys()) + 1
  text += `xref\n${first}${table}trailer\n<< /Size ${size} /Root 1 0 R${previous}${trailer} >>\n`
  text += `startxref\n${xref}\n%%EOF\n`
  return { bytes: joined([file.bytes, bytesOf(text)]), objects, xref }
}

export type SigningOptions = {
  at: Date
  field?: string
  form?: string
  /** Further entries of the signature dictionary. */
  also?: string
  /** Further entries of the form. */
  inForm?: string
  /** The place of the field, and what it shows. */
  place?: string
  /** Further objects of the revision. */
  objects?: Record<number, string>
  /** How many bytes are reserved for the signature. */
  room?: number
  makeSignature?: (covered: Uint8Array) => Promise<Uint8Array>
}

/** Adds a revision with one more signature, as a field on the first page. */
export async function signed(file: PdfFile, signer: CmsSigner, options: SigningOptions): Promise<PdfFile> {
  const { at, field = 'Signature1', form = 'ETSI.CAdES.detached', also = '', room = 8192 } = options
  const next = Math.max(...file.objects.keys()) + 1
  const [signature, widget] = [next, next + 1]
  const empty = '0'.repeat(room * 2)
  const hole = '*'.repeat(40)
  const dict = `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${form} ${also} /ByteRange [${hole}] /Contents <${empty}> >>`
  const fields = [...fieldsOf(file), `${widget} 0 R`].join(' ')
  const page = file.objects.get(numbers.page)!
  const annotations = /\/Annots \[([^\]]*)\]/.exec(page)?.[1] ?? ''
  const pageWithout = page.replace(/ \/Annots \[[^\]]*\]/, '')
  const catalog = file.objects.get(numbers.catalog)!.replace(/ \/AcroForm << .*? >>/, '')
  const revised = withObjects(file, {
    [numbers.catalog]: catalog.replace(
      / >>$/,
      ` /AcroForm << /Fields [${fields}] /SigFlags 3 ${options.inForm ?? ''} >> >>`,
    ),
    [numbers.page]: pageWithout.replace(/ >>$/, ` /Annots [${annotations} ${widget} 0 R] >>`),
    [signature]: dict,
    [widget]: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${field}) /V ${signature} 0 R ${options.place ?? '/Rect [0 0 0 0]'} /F 132 /P 3 0 R >>`,
    ...options.objects,
  })
  const text = latin1(revised.bytes)
  const from = text.lastIndexOf(`<${empty}>`)
  const to = from + empty.length + 2
  const range = `0 ${from} ${to} ${revised.bytes.length - to}`.padEnd(hole.length)
  const bytes = revised.bytes.slice()
  bytes.set(bytesOf(range), text.lastIndexOf(hole))
  const covered = joined([bytes.subarray(0, from), bytes.subarray(to)])
  const make = options.makeSignature ?? ((content) => signDetached(content, signer, { signingTime: at }))
  const made = await make(covered)
  bytes.set(bytesOf(toHex(made)), from + 1)
  const objects = new Map(revised.objects).set(
    signature,
    latin1(bytes.subarray(text.lastIndexOf(dict), to + 3)),
  )
  return { ...revised, bytes, objects }
}

function fieldsOf({ objects }: PdfFile): string[] {
  const fields = /\/Fields \[([^\]]*)\]/.exec(objects.get(numbers.catalog)!)?.[1] ?? ''
  return fields.match(/\d+ 0 R/g) ?? []
}
