/** Matches signatures to documents: by the signed hash, else by the file names. */
import { createHash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { isSame, octetsOf, toHex } from '@kelisim/signature/asn1/values.ts'
import { digestAlgorithmOf } from '@kelisim/signature/certificates/algorithm-identifier.ts'
import { allValues, cmsOids } from '@kelisim/signature/cms/signed-data.ts'
import { readable } from '../reading/kind-of.ts'
import { baseName, piecesOf, type InputFile } from '../reading/input-file.ts'

export type SignedDigest = { hash: HashName; digest: Uint8Array }

/** The hashes that the signers signed. */
export function digestsIn(der: Uint8Array): SignedDigest[] {
  return (readable(der)?.signers ?? []).flatMap(({ digestAlgorithm, signedAttributes }) => {
    const name = digestAlgorithmOf(digestAlgorithm)
    const [value] = allValues(signedAttributes?.list ?? [], cmsOids.messageDigest)
    return name && value ? [{ hash: name, digest: octetsOf(value) }] : []
  })
}

export type Digests = ReadonlyMap<HashName, Uint8Array>

/** Hashes in one pass. SHA-256 is always included, because people compare it. */
export async function digestsOfFile(
  { blob }: Pick<InputFile, 'blob'>,
  names: Iterable<HashName>,
  onRead?: (bytes: number) => void,
): Promise<Digests> {
  const hashes = [...new Set<HashName>(['sha-256', ...names])].map(
    (name) => [name, createHash(name)] as const,
  )
  for await (const piece of piecesOf(blob, onRead)) for (const [, hash] of hashes) hash.update(piece)
  return new Map(hashes.map(([name, hash]) => [name, hash.digest()]))
}

export function fingerprintOf(digests: Digests): string {
  return toHex(digests.get('sha-256')!)
}

export function isUnder(signed: readonly SignedDigest[], document: Digests): boolean {
  return signed.some(({ hash, digest }) => {
    const found = document.get(hash)
    return found !== undefined && isSame(found, digest)
  })
}

/**
 * contract.pdf goes with contract.pdf.cms, "contract.pdf - Signer.cms" and contract.sig. Null: no match or more than
 * one.
 */
export function byName<F extends { name: string }>(signature: string, documents: readonly F[]): F | null {
  const wanted = fold(signature)
  const fits = (name: string) => wanted.startsWith(`${name}.`) || wanted.startsWith(`${name} `)
  for (const nameOf of [fold, (name: string) => withoutEnding(fold(name))]) {
    const found = documents.filter(({ name }) => fits(nameOf(name)))
    if (found.length === 1) return found[0]!
    if (found.length > 1) return null
  }
  return null
}

function fold(name: string): string {
  return baseName(name).normalize('NFC').toLowerCase()
}

function withoutEnding(name: string): string {
  return name.replace(/\.[a-z\d]{1,5}$/, '')
}
