/**
 * Hash trees of evidence records (RFC 4998, section 4; RFC 6283, 3.1.1): a node is the hash of its children, sorted
 * and concatenated. One timestamp over the root proves every leaf, and a leaf needs only the siblings on its way to
 * the root.
 */
import { createHash, type HashName } from '../algorithms/hash.ts'
import { compareBytes } from '../asn1/write.ts'

/** Children are sorted, so that nobody needs to know which of them was first. */
export function parentOf(name: HashName, children: readonly Uint8Array[]): Uint8Array {
  const node = createHash(name)
  for (const child of children.toSorted(compareBytes)) node.update(child)
  return node.digest()
}

/** Documents that belong together count as one leaf; the hash of a single one is the leaf itself. */
export function leafOf(name: HashName, group: readonly Uint8Array[]): Uint8Array {
  return group.length === 1 ? group[0]! : parentOf(name, group)
}

/** The root of a reduced tree: each list gets the hash of the one before it, and a single first hash stays as it is. */
export function rootOf(name: HashName, [first, ...rest]: readonly (readonly Uint8Array[])[]): Uint8Array {
  return rest.reduce<Uint8Array>((below, list) => parentOf(name, [...list, below]), leafOf(name, first ?? []))
}

/**
 * The root, and the root by another reading of RFC 4998, 4.3 step 3, in which a first list with a single hash is
 * hashed once more. By either reading only somebody who had the document could have it timestamped.
 */
export function rootsOf(name: HashName, lists: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  const [first, ...rest] = lists
  if (first?.length !== 1) return [rootOf(name, lists)]
  return [rootOf(name, lists), rootOf(name, [[parentOf(name, first)], ...rest])]
}

/** All levels of a binary tree, leaves first; a node without a partner rises unchanged. */
export function treeOver(name: HashName, leaves: readonly Uint8Array[]): Uint8Array[][] {
  if (leaves.length === 0) throw new RangeError('A tree without leaves')
  const levels: Uint8Array[][] = [[...leaves]]
  for (let level = levels[0]!; level.length > 1; level = levels.at(-1)!) {
    const above: Uint8Array[] = []
    for (let at = 0; at < level.length; at += 2) above.push(parentOrLone(name, level, at))
    levels.push(above)
  }
  return levels
}

function parentOrLone(name: HashName, level: readonly Uint8Array[], at: number): Uint8Array {
  const [left, right] = [level[at]!, level[at + 1]]
  return right ? parentOf(name, [left, right]) : left
}

/** The siblings that lead a leaf to the root, from below. */
export function siblingsOf(levels: readonly (readonly Uint8Array[])[], leaf: number): Uint8Array[] {
  return levels.slice(0, -1).flatMap((level, height) => level[Math.floor(leaf / 2 ** height) ^ 1] ?? [])
}

/**
 * The lists of a reduced tree. The first has only the group's own hashes, so that the record shows which files it
 * covers.
 */
export function reducedTree(group: readonly Uint8Array[], siblings: readonly Uint8Array[]): Uint8Array[][] {
  return [group.toSorted(compareBytes), ...siblings.map((sibling) => [sibling])]
}
