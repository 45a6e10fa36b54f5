/** Matches signatures to documents: by the signed hash, else by the file names. */
import { createHash, type HashName } from '../algorithms/hash.ts'
import { MalformedError, type Element } from '../asn1/read.ts'
import { isSame, octetsOf, toHex } from '../asn1/values.ts'
import { digestAlgorithmOf } from '../certificates/algorithm-identifier.ts'
import { allValues, cmsOids } from '../cms/signed-data.ts'
import { baseName, piecesOf, type InputFile } from './input-file.ts'
import { readable } from './kind-of.ts'

export type SignedDigest = { hash: HashName; digest: Uint8Array }

/** The hashes that the signers signed. */
export function digestsIn(der: Uint8Array): SignedDigest[] {
  return (readable(der)?.signers ?? []).flatMap(({ digestAlgorithm, signedAttributes }) => {
    const name = digestAlgorithmOf(digestAlgorithm)
    const [value] = allValues(signedAttributes?.list ?? [], cmsOids.messageDigest)
    const digest = value && octetsIn(value)
    return name && digest ? [{ hash: name, digest }] : []
  })
}

/** Null: malformed, which the examination reports. */
function octetsIn(value: Element): Uint8Array | null {
  try {
    return octetsOf(value)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
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
 * The document that a signature belongs to: the one with the signed hash, preferably from the same container.
 * Otherwise, so that the change can be reported, the only document in the container, the one with the same name, or
 * the only one in the folder.
 */
export function documentOf<D extends { name: string; digests: Digests }>(
  signature: { name: string; digests: readonly SignedDigest[] },
  { beside, elsewhere }: { beside: readonly D[]; elsewhere: readonly D[] },
): D | null {
  const exact = [...beside, ...elsewhere].find(({ digests }) => isUnder(signature.digests, digests))
  if (exact) return exact
  const [only, ...more] = beside
  if (only && more.length === 0) return only
  return byName(signature.name, beside) ?? byFolder(signature.name, beside)
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
    const near = found.filter(({ name }) => folderOf(name) === folderOf(signature))
    const [one, ...more] = near.length > 0 ? near : found
    if (one) return more.length === 0 ? one : null
  }
  return null
}

/**
 * The only document of the nearest folder around the signature that has documents; null if that folder has several.
 */
function byFolder<F extends { name: string }>(signature: string, documents: readonly F[]): F | null {
  const steps = signature.split('/').slice(0, -1)
  for (let length = steps.length; length > 0; length--) {
    const folder = `${steps.slice(0, length).join('/')}/`
    const [one, ...more] = documents.filter(({ name }) => name.startsWith(folder))
    if (one) return more.length === 0 ? one : null
  }
  return null
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

function fold(name: string): string {
  return baseName(name).normalize('NFC').toLowerCase()
}

function withoutEnding(name: string): string {
  return name.replace(/\.[a-z\d]{1,5}$/, '')
}
