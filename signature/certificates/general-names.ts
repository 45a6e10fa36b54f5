/** GeneralName: the forms of names besides the distinguished name. */
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  primitive,
  read,
  tags,
  take,
} from '../asn1/read.ts'
import type { Element } from '../asn1/read.ts'
import { isSame, latin1 } from '../asn1/values.ts'

export type GeneralName =
  | { form: 'email' | 'dns' | 'uri'; text: string }
  /** As DER, compared as such. */
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

export function isSameGeneralName(one: GeneralName, other: GeneralName): boolean {
  switch (one.form) {
    case 'email':
    case 'dns':
    case 'uri':
      return one.form === other.form && one.text === other.text
    case 'directory':
      return other.form === 'directory' && isSame(one.name, other.name)
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
