/**
 * A Merkle tree that is rebuilt leaf by leaf. Only its right edge is stored, so that a log of millions of entries can
 * be audited.
 */
import { foldPlaces, nodeHash, placesCompletedBy, placesOf, type NodePlace } from './merkle.ts'

export type TreeNode = NodePlace & { hash: Uint8Array }

export function growingTree() {
  const edge: Uint8Array[] = []
  let size = 0
  let total = 0
  const edgeNow = () => placesOf({ start: 0, end: size }).map(({ level }) => edge[level]!)
  return {
    /** Adds a leaf; returns the subtrees above it that are complete now. */
    add(leaf: Uint8Array): TreeNode[] {
      let hash = leaf
      const nodes = placesCompletedBy(size).map(({ level, index }) => {
        if (level > 0) hash = nodeHash(edge[level - 1]!, hash)
        // A left half is kept on the edge until its right half is complete.
        if (index % 2 === 0) edge[level] = hash
        return { level, index, hash }
      })
      size++
      total += nodes.length
      return nodes.slice(1)
    },
    edge: edgeNow,
    root: () => foldPlaces(edgeNow()),
    size: () => size,
    /** The number of nodes, including the leaves. */
    total: () => total,
  }
}
