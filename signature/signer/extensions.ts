/** Extensions and names of certificates, as the national centres write them. */
import { primitive, tags } from '../asn1/read.ts'
import {
  boolean,
  element,
  explicit,
  ia5String,
  integer,
  nothing,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  utf8String,
} from '../asn1/write.ts'
import { extensionOids, keyUses, type KeyUse } from '../certificates/certificate.ts'
import { nameOids } from '../certificates/names.ts'
import type { Bytes } from './keys.ts'

/** One attribute in each relative name, in the given order. */
export function makeName(attributes: Partial<Record<keyof typeof nameOids, string>>): Bytes {
  const entries = Object.entries(attributes) as [keyof typeof nameOids, string][]
  return sequence(
    ...entries.map(([kind, text]) => setOf([sequence(oid(nameOids[kind]), nameText(kind, text))])),
  )
}

function nameText(kind: keyof typeof nameOids, text: string): Bytes {
  if (kind === 'country' || kind === 'serialNumber') return printableString(text)
  if (kind === 'email' || kind === 'domainComponent') return ia5String(text)
  return utf8String(text)
}

export function extension(id: string, value: Uint8Array, isCritical = false): Bytes {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value))
}

/** The extensions of an authority: basic constraints, and the right to sign certificates and CRLs. */
export function authority(pathLength?: number): Bytes[] {
  return [basicConstraints(true, pathLength), keyUsage('keyCertSign', 'cRLSign')]
}

export function basicConstraints(isAuthority: boolean, pathLength?: number): Bytes {
  const fields = [
    ...(isAuthority ? [boolean(true)] : []),
    ...(pathLength === undefined ? [] : [integer(pathLength)]),
  ]
  return extension(extensionOids.basicConstraints, sequence(...fields), true)
}

export function keyUsage(...uses: KeyUse[]): Bytes {
  const bits = uses.map((use) => keyUses.indexOf(use))
  return extension(extensionOids.keyUsage, namedBits(bits), true)
}

export function extendedKeyUsage(oids: readonly string[], isCritical = false): Bytes {
  return extension(extensionOids.extendedKeyUsage, sequence(...oids.map(oid)), isCritical)
}

export function subjectKeyId(keyId: Uint8Array): Bytes {
  return extension(extensionOids.subjectKeyId, octetString(keyId))
}

export function authorityKeyId(keyId: Uint8Array): Bytes {
  return extension(extensionOids.authorityKeyId, sequence(element(primitive(0), keyId)))
}

/** Certificate policies, each with the address of its practice statement if there is one. */
export function certificatePolicies(policies: readonly { oid: string; rules?: string }[]): Bytes {
  const cps = '1.3.6.1.5.5.7.2.1'
  const written = policies.map(({ oid: id, rules }) =>
    sequence(oid(id), ...(rules === undefined ? [] : [sequence(sequence(oid(cps), ia5String(rules)))])),
  )
  return extension(extensionOids.certificatePolicies, sequence(...written))
}

export function authorityInfoAccess({ ocsp, issuer }: { ocsp?: string; issuer?: string }): Bytes {
  const access = (id: string, address: string | undefined) =>
    address === undefined ? [] : [sequence(oid(id), uri(address))]
  return extension(
    extensionOids.authorityInfoAccess,
    sequence(...access('1.3.6.1.5.5.7.48.2', issuer), ...access('1.3.6.1.5.5.7.48.1', ocsp)),
  )
}

export function crlDistributionPoints(addresses: readonly string[]): Bytes {
  return extension(extensionOids.crlDistributionPoints, distributionPoints(addresses))
}

/** The addresses of the delta list. */
export function freshestCrl(addresses: readonly string[]): Bytes {
  return extension(extensionOids.freshestCrl, distributionPoints(addresses))
}

function distributionPoints(addresses: readonly string[]): Bytes {
  return sequence(sequence(explicit(0, explicit(0, ...addresses.map(uri)))))
}

const uri = (address: string) => element(primitive(6), new TextEncoder().encode(address))

export function subjectEmail(address: string): Bytes {
  const name = element(primitive(1), new TextEncoder().encode(address))
  return extension(extensionOids.subjectAltName, sequence(name))
}

/** States that this responder's certificate needs no revocation check. */
export function ocspNoCheck(): Bytes {
  return extension(extensionOids.ocspNoCheck, nothing())
}

/** Where the key is stored: .1.1 a PKCS#12 file, .2.1 an identity card, .3.1 the cloud, and so on. */
export function keyStorage(kind: string): Bytes {
  return extension('1.2.398.3.3.5', sequence(oid(`1.2.398.3.3.5.${kind}`)))
}

/** A BIT STRING of named bits: trailing zeros are left out. */
export function namedBits(bits: readonly number[], tag: number = tags.bitString): Bytes {
  if (bits.length === 0) return element(tag, Uint8Array.of(0))
  const last = Math.max(...bits)
  const bytes = new Uint8Array((last >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
  return element(tag, Uint8Array.of(7 - (last & 7)), bytes)
}
