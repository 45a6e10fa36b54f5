/**
 * The Merkle tree of the transparency log (RFC 9162, section 2) and its proofs. Nodes are addressed by level and
 * index, so that the same functions serve a table of a million entries and a bundle with a proof.
 *
 *           root of 7                     level 2 ┐ complete: never changes again
 *         ┌─────┴─────┐                   level 1 ┤
 *      (2, 0)      incomplete 3               level 0 ┘ the leaves
 *      ┌──┴──┐     ┌──┴──┐
 *   (1,0) (1,1) (1,2)  (0,6)
 */
import { createHash } from '../algorithms/hash.ts'

/** A complete subtree: 2^level leaves, beginning with leaf index × 2^level. */
export type NodePlace = { level: number; index: number }
/** Leaves from `start` (included) to `end` (not included). */
export type Range = { start: number; end: number }

export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(0), entry)
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(1), left, right)
}

export function emptyRoot(): Uint8Array {
  return sha256()
}

/** The complete subtrees of a range, from left to right. A range of the tree starts where a subtree starts. */
export function placesOf({ start, end }: Range): NodePlace[] {
  const places: NodePlace[] = []
  for (let at = start; at < end;) {
    const left = end - at
    // logarithms and 32-bit operations are not exact for large trees
    let [size, level] = [1, 0]
    while (2 * size <= left && at % (2 * size) === 0) {
      size *= 2
      level++
    }
    places.push({ level, index: at / size })
    at += size
  }
  return places
}

/** The hash of a range, from the hashes of its subtrees. */
export function foldPlaces(hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** The subtrees that become complete when a leaf is added to a tree of this size; the leaf itself comes first. */
export function placesCompletedBy(size: number): NodePlace[] {
  const places: NodePlace[] = [{ level: 0, index: size }]
  for (let level = 1, index = size; index % 2 === 1; level++) {
    index = (index - 1) / 2
    places.push({ level, index })
  }
  return places
}

/** The siblings on the path from a leaf to the root, from below (section 2.1.3.1). */
export function inclusionRanges(leaf: number, size: number): Range[] {
  if (leaf < 0 || leaf >= size) throw new RangeError('there is no such leaf')
  return pathIn({ start: 0, end: size }, leaf)
}

function pathIn({ start, end }: Range, leaf: number): Range[] {
  if (end - start === 1) return []
  const middle = start + splitOf(end - start)
  return leaf < middle
    ? [...pathIn({ start, end: middle }, leaf), { start: middle, end }]
    : [...pathIn({ start: middle, end }, leaf), { start, end: middle }]
}

/**
 * The ranges whose hashes prove that a tree of `first` leaves is a prefix of a tree of `second` (section 2.1.4.1).
 */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first < 0 || first > second) throw new RangeError('the first tree is larger than the second')
  return first === 0 || first === second ? [] : subproof(first, { start: 0, end: second }, true)
}

function subproof(first: number, { start, end }: Range, isWhole: boolean): Range[] {
  if (first === end) return isWhole ? [] : [{ start, end }]
  const middle = start + splitOf(end - start)
  return first <= middle
    ? [...subproof(first, { start, end: middle }, isWhole), { start: middle, end }]
    : [...subproof(first, { start: middle, end }, false), { start, end: middle }]
}

/** The largest power of two below a number of leaves. */
function splitOf(size: number): number {
  let power = 1
  while (2 * power < size) power *= 2
  return power
}

/** Verifies a proof of inclusion (section 2.1.3.2). */
export function isIncluded(
  hash: Uint8Array,
  { leaf, size, root, proof }: { leaf: number; size: number; root: Uint8Array; proof: readonly Uint8Array[] },
): boolean {
  if (!isCount(leaf) || !isCount(size) || leaf >= size) return false
  if (![hash, root, ...proof].every(isHash)) return false
  const ranges = inclusionRanges(leaf, size)
  if (ranges.length !== proof.length) return false
  const found = ranges.reduce(
    (below, { start }, i) => (start > leaf ? nodeHash(below, proof[i]!) : nodeHash(proof[i]!, below)),
    hash,
  )
  return isSame(found, root)
}

/** Verifies a proof of consistency (section 2.1.4.2): both roots are recomputed from the same proof. */
export function isConsistent(
  first: { size: number; root: Uint8Array },
  second: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(first.size) || !isCount(second.size) || first.size > second.size) return false
  if (![first.root, second.root, ...proof].every(isHash)) return false
  if (first.size === second.size) return proof.length === 0 && isSame(first.root, second.root)
  if (first.size === 0) return proof.length === 0 && isSame(first.root, emptyRoot())
  const ranges = consistencyRanges(first.size, second.size)
  if (ranges.length !== proof.length) return false
  // If the first tree is a complete subtree of the second, the proof does not repeat its root.
  const isWhole = 2 * splitOf(first.size) === first.size || first.size === 1
  const known = new Map(ranges.map((range, i) => [nameOf(range), proof[i]!]))
  if (isWhole) known.set(nameOf({ start: 0, end: first.size }), first.root)
  const remade = (range: Range): Uint8Array | null => {
    const given = known.get(nameOf(range))
    if (given) return given
    if (range.end - range.start <= 1) return null
    const middle = range.start + splitOf(range.end - range.start)
    const [left, right] = [
      remade({ start: range.start, end: middle }),
      remade({ start: middle, end: range.end }),
    ]
    return left && right && nodeHash(left, right)
  }
  const [before, after] = [remade({ start: 0, end: first.size }), remade({ start: 0, end: second.size })]
  return before !== null && after !== null && isSame(before, first.root) && isSame(after, second.root)
}

function nameOf({ start, end }: Range): string {
  return `${start}-${end}`
}

/** A longer or shorter value could pass for two hashes, or for a part of one. */
function isHash(hash: Uint8Array): boolean {
  return hash.length === 32
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}

function sha256(...parts: Uint8Array[]): Uint8Array {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha-256')).digest()
}
