/** The Merkle tree of the transparency log: appending to it, and proofs from it. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import {
  consistencyRanges,
  foldPlaces,
  inclusionRanges,
  nodeHash,
  placesCompletedBy,
  placesOf,
  type NodePlace,
  type Range,
} from '@kelisim/signature/transparency/merkle.ts'
import { findNodes, lockTree, saveGrowth, type Leaf } from './queries.ts'

/** Appends leaves. Locks the tree, so nobody else appends until this transaction ends. */
export async function appendLeaves(tx: Tx, leaves: readonly Leaf[]): Promise<void> {
  await growTree(tx, await lockTree(tx), leaves)
}

/** Adds leaves to the tree; size and edge are those read when it was locked. */
export async function growTree(
  tx: Tx,
  { size, edge }: { size: number; edge: Buffer[] },
  leaves: readonly Leaf[],
): Promise<void> {
  const known = nodesOf(placesOf({ start: 0, end: size }).map((place, i) => ({ ...place, hash: edge[i]! })))
  const made = leaves.flatMap((leaf, i) =>
    placesCompletedBy(size + i).map(({ level, index }) => {
      const below = () => nodeHash(known.get(level - 1, index * 2), known.get(level - 1, index * 2 + 1))
      const hash = Buffer.from(level === 0 ? leaf.hash : below())
      known.set({ level, index }, hash)
      return { level, index, hash }
    }),
  )
  const grown = size + leaves.length
  const newEdge = placesOf({ start: 0, end: grown }).map(({ level, index }) => known.get(level, index))
  await saveGrowth(tx, { from: size, leaves, nodes: made, edge: newEdge })
}

export async function rootOfTree(db: Db, size: number): Promise<Uint8Array> {
  const [root] = await hashesOf(db, [{ start: 0, end: size }])
  return root!
}

export function inclusionProof(db: Db, leaf: number, size: number): Promise<Uint8Array[]> {
  return hashesOf(db, inclusionRanges(leaf, size))
}

/** Proofs of many leaves with one query. */
export async function inclusionProofs(
  db: Db,
  leaves: readonly number[],
  size: number,
): Promise<Uint8Array[][]> {
  const ranges = leaves.map((leaf) => inclusionRanges(leaf, size))
  const hashes = await hashesOf(db, ranges.flat())
  let at = 0
  return ranges.map(({ length }) => hashes.slice(at, (at += length)))
}

export function consistencyProof(db: Db, first: number, second: number): Promise<Uint8Array[]> {
  return hashesOf(db, consistencyRanges(first, second))
}

/** The hashes of ranges, with one query however many there are. */
async function hashesOf(db: Db, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const nodes = await readNodes(db, ranges.flatMap(placesOf))
  return ranges.map((range) => foldPlaces(placesOf(range).map(({ level, index }) => nodes.get(level, index))))
}

export async function readNodes(db: Db, places: readonly NodePlace[]) {
  if (places.length === 0) return nodesOf([])
  const once = new Map(places.map((place) => [`${place.level}.${place.index}`, place]))
  return nodesOf(await findNodes(db, [...once.values()]))
}

function nodesOf(rows: readonly (NodePlace & { hash: Buffer })[]) {
  const kept = new Map(rows.map(({ level, index, hash }) => [`${level}.${index}`, hash]))
  const find = (level: number, index: number): Buffer | undefined => kept.get(`${level}.${index}`)
  return {
    find,
    get(level: number, index: number): Buffer {
      const hash = find(level, index)
      if (!hash) throw new Error(`the log has no node ${level}.${index}`)
      return hash
    },
    set: ({ level, index }: NodePlace, hash: Buffer): void => void kept.set(`${level}.${index}`, hash),
  }
}
