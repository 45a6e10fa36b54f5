/** Distinguished names, compared as RFC 5280, 7.1 says. */
import { elements, finish, inside, MalformedError, next, read, tags, type Element } from '../asn1/read.ts'
import { isSame, takeOid, textOf, toHex } from '../asn1/values.ts'

export type NameAttribute = { oid: string; value: Element }

/** All attributes in their order. */
export function attributesOf(name: Uint8Array): NameAttribute[] {
  return rdnsOf(name).flat()
}

/** The relative names, from the root of the directory down. */
export function rdnsOf(name: Uint8Array): NameAttribute[][] {
  return elements(read(name, tags.sequence)).map((rdn) => {
    if (rdn.tag !== tags.set) throw new MalformedError('Not a relative name')
    const attributes = elements(rdn).map(attributeOf)
    if (attributes.length === 0) throw new MalformedError('A relative name of nothing')
    return attributes
  })
}

function attributeOf(element: Element): NameAttribute {
  if (element.tag !== tags.sequence) throw new MalformedError('Not an attribute')
  const fields = inside(element)
  const oid = takeOid(fields)
  const value = next(fields)
  finish(fields)
  return { oid, value }
}

/**
 * Whether two names mean the same: the same attributes in the same order, whatever kind of string they are written in,
 * without regard to case and to the number of spaces. Two national roots share a common name and differ by organisation
 * and order: these stay different.
 */
export function isSameName(one: Uint8Array, other: Uint8Array): boolean {
  if (isSame(one, other)) return true
  const [first, second] = [foldedName(one), foldedName(other)]
  return first !== null && first === second
}

/** Cached, because a message may contain hundreds of certificates to compare with. Null: it cannot be read. */
function foldedName(name: Uint8Array): string | null {
  const known = foldedNames.get(name)
  if (known !== undefined) return known
  const made = folded(name)
  foldedNames.set(name, made)
  return made
}

const foldedNames = new WeakMap<Uint8Array, string | null>()

function folded(name: Uint8Array): string | null {
  try {
    const rdns = rdnsOf(name).map((rdn) =>
      rdn.map(({ oid, value }) => JSON.stringify([oid, foldedValue(value)])).toSorted(),
    )
    return JSON.stringify(rdns)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

/** Texts with invisible or unassigned characters, which string preparation prohibits, are compared byte by byte. */
function foldedValue(value: Element): { text: string } | { der: string } {
  const text = textOf(value)
  if (text === null || text.includes('\ufffd') || /\p{C}/u.test(text)) return { der: toHex(value.whole) }
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKC')
  return { text: plain.replaceAll(/\s+/gu, ' ').trim() }
}

/** The texts of all attributes of one kind. */
export function textsIn(name: Uint8Array, oid: string): string[] {
  return attributesOf(name).flatMap((attribute) =>
    attribute.oid === oid ? [textOf(attribute.value) ?? ''] : [],
  )
}

export const nameOids = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  state: '2.5.4.8',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  givenName: '2.5.4.42',
  userId: '0.9.2342.19200300.100.1.1',
  domainComponent: '0.9.2342.19200300.100.1.25',
  businessCategory: '2.5.4.15',
  email: '1.2.840.113549.1.9.1',
} as const

const shortNames: Record<string, string> = {
  [nameOids.commonName]: 'CN',
  [nameOids.surname]: 'SURNAME',
  [nameOids.serialNumber]: 'SERIALNUMBER',
  [nameOids.country]: 'C',
  [nameOids.locality]: 'L',
  [nameOids.state]: 'ST',
  [nameOids.organization]: 'O',
  [nameOids.organizationalUnit]: 'OU',
  [nameOids.givenName]: 'GIVENNAME',
  [nameOids.userId]: 'UID',
  [nameOids.domainComponent]: 'DC',
  [nameOids.email]: 'E',
}

/** For display, in the written order: CN=…, O=…, C=KZ. */
export function nameText(name: Uint8Array): string {
  return attributesOf(name)
    .map(({ oid, value }) => `${shortNames[oid] ?? oid}=${escaped(textOf(value) ?? '')}`)
    .join(', ')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,+"<>;=]/g, (sign) => `\\${sign}`)
}
