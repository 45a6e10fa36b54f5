/** Makes and renews evidence records (RFC 4998). Existing parts stay unchanged, byte for byte. */
import { hash as hashOf, type HashName } from '../algorithms/hash.ts'
import { constructed, elements, inside, read, tags, take, takeIf, type Element } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { element, integer, octetString, sequence } from '../asn1/write.ts'
import { digestAlgorithmOf, digestIdentifier, readAlgorithm } from '../certificates/algorithm-identifier.ts'

/** One timestamp, and the tree that leads from the documents to it. */
export type NewTimestamp = {
  hash: HashName
  /** The reduced hash tree; empty: the timestamp is over a single hash. */
  lists: readonly (readonly Uint8Array[])[]
  token: Uint8Array
}

export function newRecord(first: NewTimestamp): Uint8Array {
  return written([first.hash], [sequence(archiveTimestamp(first))])
}

/**
 * Renews before the certificates of the last timestamp end: the new timestamp covers the last one, by the same hash.
 */
export function renewedByTimestamp(record: Uint8Array, next: NewTimestamp): Uint8Array {
  const { hashes, chains } = partsOf(record)
  const last = chains.at(-1)!
  const longer = sequence(last.content, archiveTimestamp(next))
  return written(hashes, [...chains.slice(0, -1).map(({ whole }) => whole), longer])
}

/** Renews before the hash is broken: the new timestamp covers the documents and all older chains, by another hash. */
export function renewedByHash(record: Uint8Array, next: NewTimestamp): Uint8Array {
  const { hashes, chains } = partsOf(record)
  const all = [...chains.map(({ whole }) => whole), sequence(archiveTimestamp(next))]
  return written([...new Set([...hashes, next.hash])], all)
}

/** The hash that the next timestamp of the same chain has to cover. */
export function timestampRenewalHash(record: Uint8Array, name: HashName): Uint8Array {
  const last = elements(partsOf(record).chains.at(-1)!).at(-1)!
  return hashOf(name, elements(last, 'ber').at(-1)!.whole)
}

/**
 * The hashes that the first timestamp of a chain with another hash has to cover: each document with all older chains.
 */
export function hashRenewalHashes(
  record: Uint8Array,
  name: HashName,
  documents: readonly Uint8Array[],
): Uint8Array[] {
  const older = hashOf(name, sequence(...partsOf(record).chains.map(({ whole }) => whole)))
  return documents.map((document) => hashOf(name, joined([document, older])))
}

function archiveTimestamp({ hash, lists, token }: NewTimestamp): Uint8Array {
  const algorithm = element(constructed(0), read(digestIdentifier(hash)).content)
  const tree = lists.map((list) => sequence(...list.map(octetString)))
  return sequence(algorithm, ...(tree.length > 0 ? [element(constructed(2), ...tree)] : []), token)
}

function written(hashes: readonly HashName[], chains: readonly Uint8Array[]): Uint8Array {
  return sequence(integer(1), sequence(...hashes.map(digestIdentifier)), sequence(...chains))
}

function partsOf(record: Uint8Array): { hashes: HashName[]; chains: Element[] } {
  const fields = inside(read(record, tags.sequence))
  take(fields, tags.integer)
  const hashes = elements(take(fields, tags.sequence)).flatMap(
    (one) => digestAlgorithmOf(readAlgorithm(one)) ?? [],
  )
  takeIf(fields, constructed(0))
  return { hashes, chains: elements(take(fields, tags.sequence)) }
}
