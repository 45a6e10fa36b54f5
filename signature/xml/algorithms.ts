/** The algorithms of XML signatures by their addresses: national ones (docs: signature/README.md), and those of W3C. */
import type { HashName } from '../algorithms/hash.ts'
import type { SignatureAlgorithm } from '../algorithms/verify.ts'

const national = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const basic = 'http://www.w3.org/2000/09/xmldsig#'
const encryption = 'http://www.w3.org/2001/04/xmlenc#'

const digests = new Map<string, HashName>([
  [`${national}gostr34112015-512`, 'streebog-512'],
  [`${national}gostr34112015-256`, 'streebog-256'],
  [`${more}gost34311`, 'gost-34.311'],
  [`${encryption}sha256`, 'sha-256'],
  [`${encryption}sha512`, 'sha-512'],
  [`${more}sha384`, 'sha-384'],
  [`${more}sha1`, 'sha-1'],
  [`${basic}sha1`, 'sha-1'],
])

const signatures = new Map<string, SignatureAlgorithm>([
  [`${national}gostr34102015-gostr34112015-512`, { kind: 'gost', hash: 'streebog-512', wire: 'kz' }],
  [`${national}gostr34102015-gostr34112015-256`, { kind: 'gost', hash: 'streebog-256', wire: 'kz' }],
  [`${more}gost34310-gost34311`, { kind: 'gost', hash: 'gost-34.311', wire: 'kz' }],
  [`${more}rsa-sha256`, { kind: 'rsa-pkcs1', hash: 'sha-256' }],
  [`${more}rsa-sha384`, { kind: 'rsa-pkcs1', hash: 'sha-384' }],
  [`${more}rsa-sha512`, { kind: 'rsa-pkcs1', hash: 'sha-512' }],
  [`${more}rsa-sha1`, { kind: 'rsa-pkcs1', hash: 'sha-1' }],
  [`${basic}rsa-sha1`, { kind: 'rsa-pkcs1', hash: 'sha-1' }],
])

export function digestNamed(algorithm: string): HashName | null {
  return digests.get(algorithm) ?? null
}

export function signatureNamed(algorithm: string): SignatureAlgorithm | null {
  return signatures.get(algorithm) ?? null
}

/** The address of a hash, for XML that is written here. */
export function digestAddress(name: HashName): string {
  const found = [...digests].find(([, known]) => known === name)
  if (!found) throw new RangeError(`No address for ${name}`)
  return found[0]
}
