/** The signatures of a PDF: the values of its signature fields (ISO 32000-2, 12.7.5.5 and 12.8). */
import { viewOf, type PdfDocument, type View } from './document.ts'
import {
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfString,
  type PdfValue,
} from './values.ts'

export type SignatureField = {
  /** The full name of the field. */
  name: string
  /** `adbe.pkcs7.detached`, `ETSI.CAdES.detached`, `ETSI.RFC3161` or another one. */
  form: string | null
  byteRange: readonly PdfValue[] | null
  /** The signature and its place, if both are written directly in the dictionary. */
  contents: PdfString | null
  dict: PdfDict
}

const limits = { fields: 10_000, depth: 32 }

/** The signed fields of a view, in the order of the form. */
export function signatureFields({ catalog, resolve }: View): SignatureField[] {
  const form = resolve(catalog.entries.get('AcroForm'))
  if (!isDict(form)) return []
  const found: SignatureField[] = []
  let visited = 0
  const visit = (value: PdfValue | undefined, above: { name: string; type: PdfValue }, depth: number) => {
    const field = resolve(value)
    if (!isDict(field) || depth > limits.depth || ++visited > limits.fields) return
    const type = resolve(field.entries.get('FT')) ?? above.type
    const own = resolve(field.entries.get('T'))
    const name = [above.name, isString(own) ? textOf(own) : ''].filter(Boolean).join('.')
    const kids = resolve(field.entries.get('Kids'))
    if (isName(type, 'Sig')) {
      const signature = resolve(field.entries.get('V'))
      if (isDict(signature)) found.push(readSignature(name, signature, resolve))
    }
    if (isArray(kids)) for (const kid of kids) visit(kid, { name, type }, depth + 1)
  }
  const fields = resolve(form.entries.get('Fields'))
  if (isArray(fields)) for (const field of fields) visit(field, { name: '', type: null }, 0)
  return found
}

function readSignature(name: string, dict: PdfDict, resolve: View['resolve']): SignatureField {
  const form = resolve(dict.entries.get('SubFilter'))
  const range = resolve(dict.entries.get('ByteRange'))
  // The signature has to be in the dictionary itself, because its place must be known.
  const contents = dict.entries.get('Contents')
  return {
    name,
    form: isName(form) ? form.name : null,
    byteRange: isArray(range) ? range.map((one) => (isRef(one) ? null : one)) : null,
    contents: isString(contents) && contents.isHex ? contents : null,
    dict,
  }
}

/** Decodes as PDFDocEncoding (ASCII where it matters), or as UTF-16 or UTF-8 if marked (7.9.2.2). */
export function textOf({ text }: PdfString): string {
  if (text[0] === 0xfe && text[1] === 0xff) return new TextDecoder('utf-16be').decode(text.subarray(2))
  if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf)
    return new TextDecoder().decode(text.subarray(3))
  return String.fromCharCode(...text.subarray(0, 1000))
}

export type FoundSignature = SignatureField & {
  /** The index of the revision in which the signature first occurs. */
  since: number
  /** The newest revision does not have the signature any more. */
  isRemoved: boolean
}

/** All signatures that the file ever had, because a later revision may have removed some. */
export async function findSignatures(document: PdfDocument): Promise<FoundSignature[]> {
  const found = new Map<number, FoundSignature>()
  const withoutPlace: FoundSignature[] = []
  const newest = document.revisions.length - 1
  for (let i = 0; i <= newest; i++) {
    for (const field of signatureFields(await viewOf(document, i))) {
      if (!field.contents) {
        if (i === newest) withoutPlace.push({ ...field, since: i, isRemoved: false })
        continue
      }
      const place = field.contents.from
      const since = found.get(place)?.since ?? i
      found.set(place, { ...field, since, isRemoved: i < newest })
    }
  }
  return [...found.values(), ...withoutPlace].toSorted((one, other) => one.since - other.since)
}
