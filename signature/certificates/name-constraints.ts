/**
 * Name constraints (RFC 5280, 4.2.1.10): which names the certificates below an authority may have.
 *
 * Permitted names are compared strictly and excluded ones tolerantly, so that neither another spelling nor another kind
 * of string bypasses a constraint.
 */
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
  takeIf,
  type Element,
} from '../asn1/read.ts'
import { isSame, smallInteger, textOf } from '../asn1/values.ts'
import { extensionOids, type Certificate } from './certificate.ts'
import { generalNameOf, readGeneralNames, type GeneralName } from './general-names.ts'
import { attributesOf, nameOids, rdnsOf } from './names.ts'

export type NameConstraints = { permitted: readonly GeneralName[]; excluded: readonly GeneralName[] }

/** Bounds the cost of a certificate with many names under many constraints. */
const maxComparisons = 100_000

export function readNameConstraints(value: Uint8Array): NameConstraints {
  const fields = inside(read(value, tags.sequence))
  const permitted = takeIf(fields, constructed(0))
  const excluded = takeIf(fields, constructed(1))
  finish(fields)
  if (!permitted && !excluded) throw new MalformedError('Constraints of nothing')
  return { permitted: subtreesOf(permitted), excluded: subtreesOf(excluded) }
}

function subtreesOf(list: Element | null): GeneralName[] {
  if (!list) return []
  const subtrees = elements(list).map((subtree) => {
    if (subtree.tag !== tags.sequence) throw new MalformedError('Not a subtree of names')
    const fields = inside(subtree)
    const base = generalNameOf(next(fields))
    const minimum = takeIf(fields, primitive(0))
    finish(fields)
    // RFC 5280 allows only zero, which is not written in DER
    if (minimum && smallInteger(minimum) !== 0)
      throw new MalformedError('A subtree that starts below its base')
    return base
  })
  if (subtrees.length === 0) throw new MalformedError('Subtrees of nothing')
  return subtrees
}

export type NamesResult = 'allowed' | 'refused' | 'too-complex'

/** Whether all names of a certificate satisfy the constraints of all authorities above it. */
export function checkNames(certificate: Certificate, constraints: readonly NameConstraints[]): NamesResult {
  if (constraints.length === 0) return 'allowed'
  const names = namesOf(certificate)
  const subtrees = constraints.reduce(
    (sum, { permitted, excluded }) => sum + permitted.length + excluded.length,
    0,
  )
  if (names.length * subtrees > maxComparisons) return 'too-complex'
  const areAllowed = names.every((name) => constraints.every((constraint) => isAllowed(name, constraint)))
  return areAllowed ? 'allowed' : 'refused'
}

/** The subject, its e-mail addresses (used before alternative names existed) and the alternative names. */
function namesOf({ subject, extensions }: Certificate): GeneralName[] {
  const attributes = attributesOf(subject)
  const emails = attributes.filter(({ oid }) => oid === nameOids.email)
  const alternative = extensions.get(extensionOids.subjectAltName)
  return [
    ...(attributes.length > 0 ? [{ form: 'directory' as const, name: subject }] : []),
    ...emails.map(({ value }) => ({ form: 'email' as const, text: textOf(value) ?? '' })),
    ...(alternative ? readGeneralNames(alternative.value) : []),
  ]
}

function isAllowed(name: GeneralName, { permitted, excluded }: NameConstraints): boolean {
  const ofSameForm = (base: GeneralName) =>
    base.form === name.form && (base.form !== 'other' || name.form !== 'other' || base.tag === name.tag)
  const permittedHere = permitted.filter(ofSameForm)
  const excludedHere = excluded.filter(ofSameForm)
  // a constraint on a form that cannot be compared here
  if (name.form === 'other') return permittedHere.length === 0 && excludedHere.length === 0
  if (excludedHere.some((base) => isWithin(name, base, 'forgivingly') !== false)) return false
  return permittedHere.length === 0 || permittedHere.some((base) => isWithin(name, base, 'strictly') === true)
}

type Manner = 'strictly' | 'forgivingly'

/** Null where the name lacks what the constraint is about, such as a URI without a host. */
function isWithin(name: GeneralName, base: GeneralName, manner: Manner): boolean | null {
  if (name.form === 'directory' && base.form === 'directory')
    return isDirectoryWithin(name.name, base.name, manner)
  if (name.form === 'email' && base.form === 'email') return isEmailWithin(name.text, base.text, manner)
  if (name.form === 'dns' && base.form === 'dns') return isHostWithin(name.text, base.text, 'with subdomains')
  if (name.form === 'uri' && base.form === 'uri') {
    const host = hostOf(name.text)
    return host === null ? null : isHostWithin(host, base.text, 'alone')
  }
  if (name.form === 'ip' && base.form === 'ip') return isAddressWithin(name.bytes, base.bytes)
  return null
}

function isDirectoryWithin(name: Uint8Array, base: Uint8Array, manner: Manner): boolean {
  if (manner === 'strictly') {
    const rdns = elements(read(name, tags.sequence))
    return elements(read(base, tags.sequence)).every(({ whole }, i) => {
      const rdn = rdns[i]
      return rdn !== undefined && isSame(rdn.whole, whole)
    })
  }
  const [rdns, bases] = [foldedRdns(name), foldedRdns(base)]
  // an unreadable kind of string could hide any text: it is taken to be the excluded one
  return bases.every((rdn, i) => rdn === null || rdns[i] === null || rdns[i] === rdn)
}

/** Ignores differences of case, spaces and kind of string. */
function foldedRdns(name: Uint8Array): (string | null | undefined)[] {
  return rdnsOf(name).map((rdn) => {
    const texts = rdn.map(({ value }) => textOf(value))
    if (texts.includes(null)) return null
    const folded = rdn.map(
      ({ oid }, i) => `${oid}=${texts[i]!.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ')}`,
    )
    return folded.sort().join('+')
  })
}

/** The base is one mailbox, all mailboxes of a host or, after a dot, of all hosts of a domain. */
function isEmailWithin(address: string, base: string, manner: Manner): boolean | null {
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const host = address.slice(at + 1)
  const baseAt = base.lastIndexOf('@')
  if (baseAt < 0) return isHostWithin(host, base, 'alone')
  const [box, baseBox] = [address.slice(0, at), base.slice(0, baseAt)]
  // only the host itself knows whether it distinguishes case
  const isSameBox =
    box === baseBox || (manner === 'forgivingly' && box.toLowerCase() === baseBox.toLowerCase())
  return isSameBox && isSameHost(host.replace(/\.$/, ''), base.slice(baseAt + 1))
}

function isHostWithin(written: string, base: string, manner: 'alone' | 'with subdomains'): boolean {
  // a trailing dot means the same host
  const host = written.replace(/\.$/, '')
  if (base === '') return true
  if (base.startsWith('.')) return host.length > base.length && isSameHost(host.slice(-base.length), base)
  if (isSameHost(host, base)) return true
  return manner === 'with subdomains' && isSameHost(host.slice(-base.length - 1), `.${base}`)
}

function isSameHost(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Null where there is none, or where it is an IP address: constraints apply to host names only. */
function hostOf(uri: string): string | null {
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1]
  const host = authority?.replace(/^.*@/, '').replace(/:\d*$/, '')
  if (!host || host.startsWith('[') || /^[\d.]+$/.test(host)) return null
  return host
}

function isAddressWithin(address: Uint8Array, base: Uint8Array): boolean | null {
  if (base.length !== 8 && base.length !== 32) throw new MalformedError('Not an address and a mask')
  if (base.length !== address.length * 2) return address.length === 4 || address.length === 16 ? false : null
  return address.every((byte, i) => ((byte ^ base[i]!) & base[address.length + i]!) === 0)
}
