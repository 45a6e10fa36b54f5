/** What the program reports to a page about the chosen key. */
import { toHex, textOf } from '@kelisim/signature/asn1/values.ts'
import { attributesOf, nameOids, textsIn } from '@kelisim/signature/certificates/names.ts'
import { pem } from '../shared/pem.ts'
import type { OwnKey } from './prompting/prompts.ts'

export type KeyInfo = {
  alias: string
  keyId: string
  algorithm: string
  subjectCn: string
  subjectDn: string
  issuerCn: string
  issuerDn: string
  /** In decimal digits. */
  serialNumber: string
  /** Milliseconds since 1970, as a string. */
  certNotAfter: string
  certNotBefore: string
  authorityKeyIdentifier: string
  pem: string
}

export function keyInfoOf({ key, certificate, alias }: OwnKey): KeyInfo {
  const commonName = (name: Uint8Array) => textsIn(name, nameOids.commonName)[0] ?? ''
  return {
    alias,
    keyId: toHex(certificate.subjectKeyId ?? key.keyId),
    algorithm: key.kind === 'rsa' ? 'RSA' : isOf2015(key.kind) ? 'ECGOST3410-2015' : 'ECGOST34310',
    subjectCn: commonName(certificate.subject),
    subjectDn: dnText(certificate.subject),
    issuerCn: commonName(certificate.issuer),
    issuerDn: dnText(certificate.issuer),
    serialNumber: BigInt(`0x${toHex(certificate.serial)}`).toString(),
    certNotAfter: String(certificate.notAfter.getTime()),
    certNotBefore: String(certificate.notBefore.getTime()),
    authorityKeyIdentifier: toHex(certificate.authorityKeyId ?? new Uint8Array()),
    pem: pem('CERTIFICATE', certificate.der),
  }
}

const isOf2015 = (kind: string) => kind === 'gost-kz-512' || kind === 'gost-kz-256'

/** Short names as the national library writes them: G and S. */
const shortNames: Record<string, string> = {
  [nameOids.commonName]: 'CN',
  [nameOids.surname]: 'SURNAME',
  [nameOids.serialNumber]: 'SERIALNUMBER',
  [nameOids.country]: 'C',
  [nameOids.locality]: 'L',
  [nameOids.state]: 'S',
  [nameOids.organization]: 'O',
  [nameOids.organizationalUnit]: 'OU',
  [nameOids.givenName]: 'G',
  [nameOids.userId]: 'UID',
  [nameOids.domainComponent]: 'DC',
  [nameOids.businessCategory]: 'BusinessCategory',
  [nameOids.email]: 'E',
}

function dnText(name: Uint8Array): string {
  return attributesOf(name)
    .map(({ oid, value }) => {
      const text = (textOf(value) ?? '').replaceAll(/[\\,+"<>;=]/g, (sign) => `\\${sign}`)
      return `${shortNames[oid] ?? oid}=${text}`
    })
    .join(',')
}
