/** GeneralName: the forms of names besides the distinguished name. */
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  next,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
} from '../asn1/read.ts'
import type { Cursor, Element } from '../asn1/read.ts'
import { isSame, latin1, takeOid } from '../asn1/values.ts'
import { isSameName, rdnsOf } from './names.ts'

export type GeneralName =
  | { form: 'email' | 'dns' | 'uri'; text: string }
  /** As DER. */
  | { form: 'directory'; name: Uint8Array }
  /** An address; in a constraint, an address and a mask. */
  | { form: 'ip'; bytes: Uint8Array }
  /** Forms that are not used here, distinguished by their tags. */
  | { form: 'other'; tag: number; bytes: Uint8Array }

export function generalNameOf(element: Element): GeneralName {
  switch (element.tag) {
    case primitive(1):
      return { form: 'email', text: asciiOf(element) }
    case primitive(2):
      return { form: 'dns', text: asciiOf(element) }
    case primitive(6):
      return { form: 'uri', text: asciiOf(element) }
    case constructed(4): {
      const fields = inside(element)
      const name = take(fields, tags.sequence).whole
      finish(fields)
      return { form: 'directory', name }
    }
    case primitive(7):
      return { form: 'ip', bytes: element.content }
    case constructed(0):
    case constructed(3):
    case constructed(5):
    case primitive(8):
      return { form: 'other', tag: element.tag, bytes: element.content }
    default:
      throw new MalformedError('Not a form of names')
  }
}

/** The names in a SEQUENCE, or in a tag that replaces it. */
export function generalNamesOf(list: Element): GeneralName[] {
  return elements(list).map(generalNameOf)
}

/** The value of the extensions subjectAltName and issuerAltName. */
export function readGeneralNames(value: Uint8Array): GeneralName[] {
  return generalNamesOf(read(value, tags.sequence))
}

/** subjectAltName: at least one name, and each as its form demands. */
export function readSubjectNames(value: Uint8Array): GeneralName[] {
  const names = readGeneralNames(value)
  if (names.length === 0) throw new MalformedError('A name of nothing')
  for (const name of names) refuseMisshapen(name)
  return names
}

function refuseMisshapen(name: GeneralName): void {
  if ('text' in name && name.text === '') throw new MalformedError('An empty name')
  if (name.form === 'ip' && name.bytes.length !== 4 && name.bytes.length !== 16)
    throw new MalformedError('Not an address')
  if (name.form === 'directory') rdnsOf(name.name)
  if (name.form === 'other' && name.tag === constructed(0)) {
    const fields: Cursor = { bytes: name.bytes, at: 0, encoding: 'der', depth: 0 }
    takeOid(fields)
    const holder = takeExplicit(fields, 0)
    if (!holder) throw new MalformedError('A name without a value')
    finish(fields)
  }
}

export type AccessDescription = { method: string; location: GeneralName }

/** authorityInfoAccess: at least one description. */
export function readAccess(value: Uint8Array): AccessDescription[] {
  const descriptions = elements(read(value, tags.sequence)).map((item) => {
    if (item.tag !== tags.sequence) throw new MalformedError('Not a description of access')
    const fields = inside(item)
    const method = takeOid(fields)
    const location = generalNameOf(next(fields))
    finish(fields)
    return { method, location }
  })
  if (descriptions.length === 0) throw new MalformedError('Access to nothing')
  return descriptions
}

export function isSameGeneralName(one: GeneralName, other: GeneralName): boolean {
  switch (one.form) {
    case 'email':
    case 'dns':
    case 'uri':
      return one.form === other.form && one.text === other.text
    case 'directory':
      return other.form === 'directory' && isSameName(one.name, other.name)
    case 'ip':
      return other.form === 'ip' && isSame(one.bytes, other.bytes)
    case 'other':
      return other.form === 'other' && one.tag === other.tag && isSame(one.bytes, other.bytes)
  }
}

/** Characters outside ASCII in such a name are there to deceive. */
function asciiOf({ content }: Element): string {
  if (content.some((byte) => byte >= 0x80 || byte === 0)) throw new MalformedError('Not a name in ASCII')
  return latin1(content)
}
