/** The signed document: hashed in one pass, in pieces, with every hash the signers used. */
import { createHash, digestLength, type HashName } from '../algorithms/hash.ts'
import { isSame } from '../asn1/values.ts'

/** A file's stream, a list of pieces, or anything else that yields the document's bytes in order. */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type Digests = ReadonlyMap<HashName, Uint8Array>

/**
 * A document whose digests are partly known. The caller guarantees that they are digests of these bytes. Digests that
 * had to be computed are added to the map.
 */
export type HashedContent = { pieces: Content; digests: Map<HashName, Uint8Array> }

export function isHashed(content: Content | HashedContent): content is HashedContent {
  return 'digests' in content
}

/** Reads the document only if a digest is missing. */
export async function completeDigests(
  { pieces, digests }: HashedContent,
  names: Iterable<HashName>,
): Promise<Digests> {
  const missing = [...names].filter((name) => digests.get(name)?.length !== digestLength(name))
  if (missing.length > 0)
    for (const [name, digest] of await digestsOf(pieces, missing)) digests.set(name, digest)
  return digests
}

export async function digestsOf(content: Content, names: Iterable<HashName>): Promise<Digests> {
  const hashes = [...new Set(names)].map((name) => [name, createHash(name)] as const)
  for await (const piece of content) for (const [, hash] of hashes) hash.update(piece)
  return new Map(hashes.map(([name, hash]) => [name, hash.digest()]))
}

/** Whether two documents have the same bytes, however each is split into pieces. */
export async function isSameContent(one: Content, pieces: readonly Uint8Array[]): Promise<boolean> {
  const rest = pieces.filter((piece) => piece.length > 0)
  let index = 0
  let at = 0
  for await (let piece of one) {
    while (piece.length > 0) {
      const other = rest[index]
      if (!other) return false
      const length = Math.min(piece.length, other.length - at)
      if (!isSame(piece.subarray(0, length), other.subarray(at, at + length))) return false
      piece = piece.subarray(length)
      at += length
      if (at === other.length) {
        index++
        at = 0
      }
    }
  }
  return index === rest.length
}
