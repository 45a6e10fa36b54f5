/**
 * Evidence records for many documents: one tree and one timestamp for a batch, and what has to be stored for each
 * document. A record is composed from that only when it is requested.
 */
import { digestLength, type HashName } from '../algorithms/hash.ts'
import { joined } from '../asn1/values.ts'
import { leafOf, reducedTree, siblingsOf, treeOver } from './hash-tree.ts'
import {
  hashRenewalHashes,
  newRecord,
  renewedByHash,
  renewedByTimestamp,
  timestampRenewalHash,
} from './write.ts'

/** What is stored for a document from one change of the hash to the next. */
export type KeptChain = {
  hash: HashName
  /** The hashes of the document's files. */
  digests: readonly Uint8Array[]
  /** The timestamps, oldest first, each with the siblings on the path to its root. */
  timestamps: readonly { token: Uint8Array; siblings: readonly Uint8Array[] }[]
}

export function composedRecord(chains: readonly KeptChain[]): Uint8Array {
  let record: Uint8Array | null = null
  for (const { hash, digests, timestamps } of chains) {
    const [first, ...later] = timestamps
    if (!first) throw new RangeError('A chain without a timestamp')
    const group: readonly Uint8Array[] = record ? hashRenewalHashes(record, hash, digests) : digests
    const begun = { hash, lists: reducedTree(group, first.siblings), token: first.token }
    record = record ? renewedByHash(record, begun) : newRecord(begun)
    for (const { token, siblings } of later) {
      const lists = reducedTree([timestampRenewalHash(record, hash)], siblings)
      record = renewedByTimestamp(record, { hash, lists, token })
    }
  }
  if (!record) throw new RangeError('A record without a chain')
  return record
}

/** The leaf of a document in the next tree with this hash: the document alone, or with its existing record. */
export function leafOfDocument(
  hash: HashName,
  digests: readonly Uint8Array[],
  before: readonly KeptChain[],
): Uint8Array {
  if (before.length === 0) return leafOf(hash, digests)
  return leafOf(hash, hashRenewalHashes(composedRecord(before), hash, digests))
}

export type Batch = { root: Uint8Array; siblingsOf: (leaf: number) => Uint8Array[] }

/** The most leaves under one timestamp: each needs a path of 14 hashes, and the tree takes a few megabytes. */
export const largestBatch = 2 ** 14

export function batchOver(hash: HashName, leaves: readonly Uint8Array[]): Batch {
  if (leaves.length > largestBatch) throw new RangeError('Too many leaves for one batch')
  const levels = treeOver(hash, leaves)
  return { root: levels.at(-1)![0]!, siblingsOf: (leaf) => siblingsOf(levels, leaf) }
}

/** Hashes one after another, as they are stored. */
export function packedHashes(hashes: readonly Uint8Array[]): Uint8Array {
  return joined(hashes)
}

export function unpackedHashes(hash: HashName, packed: Uint8Array): Uint8Array[] {
  const length = digestLength(hash)
  if (packed.length % length !== 0) throw new RangeError('Not a whole number of hashes')
  return Array.from({ length: packed.length / length }, (_, i) =>
    packed.subarray(i * length, (i + 1) * length),
  )
}
