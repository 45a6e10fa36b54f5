/** A Merkle tree that is rebuilt leaf by leaf: only its right edge is kept, so that a log of millions can be audited. */
import { foldPlaces, nodeHash, placesCompletedBy, placesOf, type NodePlace } from './merkle.ts'

export type TreeNode = NodePlace & { hash: Uint8Array }

export function growingTree() {
  const edge: Uint8Array[] = []
  let size = 0
  let total = 0
  const edgeNow = () => placesOf({ start: 0, end: size }).map(({ level }) => edge[level]!)
  return {
    /** Returns the subtrees above the leaf that are complete now. */
    add(leaf: Uint8Array): TreeNode[] {
      let hash = leaf
      const nodes = placesCompletedBy(size).map(({ level, index }) => {
        if (level > 0) hash = nodeHash(edge[level - 1]!, hash)
        // The left half of a subtree that is not complete yet.
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
    /** How many nodes there are, the leaves too. */
    total: () => total,
  }
}
