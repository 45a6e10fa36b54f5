/** The extensions of each kind of certificate, in the order of the national centres. */
import { primitive } from '@kelisim/signature/asn1/read.ts'
import { element, explicit, ia5String, oid, sequence, utf8String } from '@kelisim/signature/asn1/write.ts'
import { extensionOids, type Certificate, type KeyUse } from '@kelisim/signature/certificates/certificate.ts'
import {
  authorityKeyId,
  basicConstraints,
  crlDistributionPoints,
  extendedKeyUsage,
  extension,
  freshestCrl,
  keyStorage,
  keyUsage,
  ocspNoCheck,
  subjectEmail,
  subjectKeyId,
} from '@kelisim/signature/signer/extensions.ts'
import { nationalSerial } from '@kelisim/signature/signer/issue.ts'
import type { Bytes, SigningKey } from '@kelisim/signature/signer/keys.ts'
import { certificatePath, families, listPath, ocspPath, type FamilyKind } from './families.ts'

/** The address of the practice statement; the national one, whose profile this is. */
const rules = 'http://pki.gov.kz/cps'
const rootRules = 'http://root.gov.kz/cps'
const inFile = '1.1'

export function rootExtensions(keys: SigningKey, subject: Uint8Array): Bytes[] {
  return [
    basicConstraints(true),
    keyUsage('keyCertSign', 'cRLSign'),
    subjectKeyId(keys.keyId),
    fullAuthorityKeyId(keys.keyId, subject, nationalSerial(keys)),
    policies('1.2.398.3.1.2', rootRules),
  ]
}

export function centreExtensions(
  kind: FamilyKind,
  keys: SigningKey,
  root: Certificate,
  address: string,
): Bytes[] {
  const { root: above, centre } = families[kind]
  return [
    basicConstraints(true, centre.pathLength),
    keyUsage('keyCertSign', 'cRLSign'),
    crlDistributionPoints([address + listPath(above.list)]),
    subjectKeyId(keys.keyId),
    fullAuthorityKeyId(root.subjectKeyId!, root.subject, root.serial),
    informationAccess([[caIssuers, address + certificatePath(above.file)]]),
    policies('1.2.398.3.3.2', rules),
  ]
}

export type LeafParts = {
  kind: FamilyKind
  keys: SigningKey
  issuerKeyId: Uint8Array
  address: string
  uses: KeyUse[]
  extendedUses: string[]
  isExtendedUseCritical?: boolean
  policy: string
  email?: string | undefined
  isOcspResponder?: boolean
}

/** The extensions of certificates for people and for the centre's own services. */
export function leafExtensions(parts: LeafParts): Bytes[] {
  const { kind, keys, address } = parts
  const { centre, style } = families[kind]
  const isOlder = style === 'older'
  const policy = policies(parts.policy, rules, isOlder)
  const uses = keyUsage(...parts.uses)
  const extendedUses = extendedKeyUsage(parts.extendedUses, parts.isExtendedUseCritical)
  const lists = [
    crlDistributionPoints([address + listPath(centre.list)]),
    freshestCrl([address + listPath(centre.delta)]),
  ]
  const services: [string, string][] = [
    [ocspService, address + ocspPath],
    [caIssuers, address + certificatePath(centre.file)],
  ]
  const access = informationAccess(isOlder ? services.toReversed() : services)
  return [
    ...(isOlder
      ? [uses, extendedUses, policy, ...lists, access]
      : [policy, access, ...lists, extendedUses, uses]),
    ...(parts.email === undefined ? [] : [subjectEmail(parts.email)]),
    ...(parts.isOcspResponder ? [ocspNoCheck()] : []),
    subjectKeyId(keys.keyId),
    authorityKeyId(parts.issuerKeyId),
    keyStorage(inFile),
  ]
}

const caIssuers = '1.3.6.1.5.5.7.48.2'
const ocspService = '1.3.6.1.5.5.7.48.1'

function informationAccess(services: readonly [string, string][]): Bytes {
  const uri = (address: string) => element(primitive(6), new TextEncoder().encode(address))
  return extension(
    extensionOids.authorityInfoAccess,
    sequence(...services.map(([id, address]) => sequence(oid(id), uri(address)))),
  )
}

/** The older centres repeat the address as a user notice. */
function policies(policy: string, address: string, hasNotice = false): Bytes {
  const qualifiers = sequence(
    sequence(oid('1.3.6.1.5.5.7.2.1'), ia5String(address)),
    ...(hasNotice ? [sequence(oid('1.3.6.1.5.5.7.2.2'), sequence(utf8String(address)))] : []),
  )
  return extension(extensionOids.certificatePolicies, sequence(sequence(oid(policy), qualifiers)))
}

/** With the name and serial number of the issuer's certificate, as in the certificates of national centres. */
function fullAuthorityKeyId(keyId: Uint8Array, name: Uint8Array, serial: Uint8Array): Bytes {
  return extension(
    extensionOids.authorityKeyId,
    sequence(element(primitive(0), keyId), explicit(1, explicit(4, name)), element(primitive(2), serial)),
  )
}
