import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  consistencyRanges,
  emptyRoot,
  foldPlaces,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  placesCompletedBy,
  placesOf,
  type Range,
} from './merkle.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex')

/** The definition of section 2.1.1, literally: slow but obviously right. */
function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot()
  if (leaves.length === 1) return leaves[0]!
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => leafHash(Uint8Array.of(i, i >> 8)))
const inTree = (leaves: readonly Uint8Array[]) => {
  const of = ({ start, end }: Range) => treeHash(leaves.slice(start, end))
  return {
    root: treeHash(leaves),
    inclusion: (leaf: number) => inclusionRanges(leaf, leaves.length).map(of),
    consistency: (first: number) => consistencyRanges(first, leaves.length).map(of),
  }
}

test('the tree is the same as that of others: known entries have known roots', () => {
  const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].map(bytes)
  const last = bytes('606162636465666768696a6b6c6d6e6f')
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const leaves = [...entries, last].map(leafHash)
  expect(leaves.map((_, i) => hex(treeHash(leaves.slice(0, i + 1))))).toEqual(roots)
  expect(hex(emptyRoot())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('a tree that grows leaf by leaf keeps its complete subtrees, and its root is computed from them', () => {
  const leaves = leavesOf(70)
  const kept = new Map<string, Uint8Array>()
  const at = (level: number, index: number) => kept.get(`${level}.${index}`)!
  for (const [size, leaf] of leaves.entries()) {
    for (const { level, index } of placesCompletedBy(size)) {
      const node = level === 0 ? leaf : nodeHash(at(level - 1, index * 2), at(level - 1, index * 2 + 1))
      kept.set(`${level}.${index}`, node)
    }
    const root = foldPlaces(placesOf({ start: 0, end: size + 1 }).map(({ level, index }) => at(level, index)))
    expect(hex(root)).toBe(hex(treeHash(leaves.slice(0, size + 1))))
  }
})

test('every range of a proof consists of complete subtrees', () => {
  const leaves = leavesOf(45)
  const ranges = [
    ...leaves.flatMap((_, leaf) => inclusionRanges(leaf, leaves.length)),
    ...leaves.flatMap((_, first) => consistencyRanges(first, leaves.length)),
  ]
  for (const range of ranges) {
    const places = placesOf(range)
    const hashes = places.map(({ level, index }) =>
      treeHash(leaves.slice(index << level, (index + 1) << level)),
    )
    expect(hex(foldPlaces(hashes))).toBe(hex(treeHash(leaves.slice(range.start, range.end))))
  }
})

describe('a proof', () => {
  test('of every leaf of every tree up to 40 is valid, and of no other leaf, place, size or root', () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = leavesOf(size)
      const { root, inclusion } = inTree(leaves)
      for (const [leaf, hash] of leaves.entries()) {
        const proof = inclusion(leaf)
        const said = { leaf, size, root, proof }
        expect(isIncluded(hash, said)).toBe(true)
        expect(isIncluded(leafHash(bytes('ff')), said)).toBe(false)
        expect(isIncluded(hash, { ...said, root: emptyRoot() })).toBe(false)
        expect(isIncluded(hash, { ...said, leaf: leaf + 1 })).toBe(false)
        expect(isIncluded(hash, { ...said, proof: [...proof, root] })).toBe(false)
        if (proof.length > 0) expect(isIncluded(hash, { ...said, proof: proof.slice(1) })).toBe(false)
      }
    }
  })

  test('of every earlier tree up to 40 is valid, and of no other', () => {
    const leaves = leavesOf(40)
    const trees = leaves.map((_, i) => inTree(leaves.slice(0, i + 1)))
    for (const [i, second] of trees.entries()) {
      for (let size = 1; size <= i + 1; size++) {
        const first = { size, root: trees[size - 1]!.root }
        const later = { size: i + 1, root: second.root }
        const proof = second.consistency(size)
        expect(isConsistent(first, later, proof)).toBe(true)
        expect(isConsistent({ ...first, root: emptyRoot() }, later, proof)).toBe(false)
        expect(isConsistent(first, { ...later, root: emptyRoot() }, proof)).toBe(false)
        expect(isConsistent(later, { ...first, size: size - 1 }, proof)).toBe(false)
      }
    }
    expect(isConsistent({ size: 0, root: emptyRoot() }, { size: 40, root: trees[39]!.root }, [])).toBe(true)
  })

  test('of trees beyond 32 bits is exact', () => {
    for (const power of [31, 32, 33, 40, 49, 52]) {
      const size = 2 ** power
      expect(placesOf({ start: 0, end: size + 1 })).toEqual([
        { level: power, index: 0 },
        { level: 0, index: size },
      ])
      expect(inclusionRanges(size, size + 1)).toEqual([{ start: 0, end: size }])
      expect(consistencyRanges(size, size + 1)).toEqual([{ start: size, end: size + 1 }])
      // the first tree is a subtree of the second, so its root is not repeated
      const [root, leaf] = [leafHash(Uint8Array.of(1)), leafHash(Uint8Array.of(2))]
      const second = { size: size + 1, root: nodeHash(root, leaf) }
      expect(isConsistent({ size, root }, second, [leaf])).toBe(true)
      expect(isIncluded(leaf, { leaf: size, ...second, proof: [root] })).toBe(true)
    }
  })

  test('of hashes of another length is not valid', () => {
    const leaves = leavesOf(4)
    const { root, inclusion, consistency } = inTree(leaves)
    const [first, ...rest] = inclusion(1)
    const longer = Uint8Array.of(...first!, 0)
    expect(isIncluded(leaves[1]!, { leaf: 1, size: 4, root, proof: [longer, ...rest] })).toBe(false)
    // two hashes in place of one leaf: an inner node passed off as an entry
    const joinedLeaves = Uint8Array.of(...leaves[0]!, ...leaves[1]!)
    expect(isIncluded(joinedLeaves, { leaf: 0, size: 1, root: joinedLeaves, proof: [] })).toBe(false)
    const short = consistency(3).map((hash) => hash.subarray(1))
    expect(isConsistent({ size: 3, root }, { size: 4, root }, short)).toBe(false)
    expect(isConsistent({ size: 0, root: emptyRoot() }, { size: 4, root: new Uint8Array() }, [])).toBe(false)
  })

  test('with one bit flipped anywhere is not valid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 64 }), fc.nat(), fc.nat(), fc.nat(255), (size, a, b, bit) => {
        const leaves = leavesOf(size)
        const { root, inclusion, consistency } = inTree(leaves)
        const [leaf, first] = [a % size, 1 + (b % (size - 1))]
        const turned = (proof: Uint8Array[], at: number) =>
          proof.map((hash, i) =>
            i === at % proof.length ? hash.with(bit >> 3, hash[bit >> 3]! ^ (1 << (bit & 7))) : hash,
          )
        const included = turned(inclusion(leaf), b)
        expect(isIncluded(leaves[leaf]!, { leaf, size, root, proof: included })).toBe(false)
        const earlier = { size: first, root: treeHash(leaves.slice(0, first)) }
        expect(isConsistent(earlier, { size, root }, turned(consistency(first), a))).toBe(false)
      }),
    )
  })
})
