import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { toHex } from '../asn1/values.ts'
import { growingTree, type TreeNode } from './growing-tree.ts'
import { leafHash } from './merkle.ts'
import {
  hashesOfLevel,
  rangeOfTile,
  readTilePath,
  rebuildFromTiles,
  tilePath,
  tilesOfLevel,
} from './tiles.ts'

describe('addresses', () => {
  test.each([
    ['0/000', { level: 0, index: 0, width: 256 }],
    ['0/x001/x234/067', { level: 0, index: 1234067, width: 256 }],
    ['1/000.p/17', { level: 1, index: 0, width: 17 }],
    ['2/x001/000.p/255', { level: 2, index: 1000, width: 255 }],
  ])('%s', (path, tile) => {
    expect(readTilePath(path)).toEqual(tile)
    expect(tilePath(tile)).toBe(path)
  })

  test.each([
    '',
    '0',
    '0/0',
    '00/000',
    '0/x000/001',
    '0/001/002',
    '0/x001',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/017',
    '0/000.p',
    '9/000',
    'x/000',
    '0/-01',
    'entries/000',
    '0/000/../001',
    `0/${'x999/'.repeat(9)}999`,
  ])('%j is not a valid address', (path) => expect(readTilePath(path)).toBeNull())

  test('every tile has one address, and is found by it', () => {
    const tile = fc.record({
      level: fc.nat(6),
      index: fc.nat(10 ** 9),
      width: fc.integer({ min: 1, max: 256 }),
    })
    fc.assert(
      fc.property(tile, (one) => {
        expect(readTilePath(tilePath(one))).toEqual(one)
      }),
    )
  })

  test('a tree of 70 000 has the tiles that the specification lists', () => {
    const of = (level: number) => [...tilesOfLevel(level, 70_000)]
    expect(of(0)).toHaveLength(274)
    expect(of(0).at(-1)).toEqual({ level: 0, index: 273, width: 112 })
    expect(of(1).map(({ width }) => width)).toEqual([256, 17])
    expect(of(2)).toEqual([{ level: 2, index: 0, width: 1 }])
    expect(of(3)).toEqual([])
    expect([...tilesOfLevel(1, 256)]).toEqual([{ level: 1, index: 0, width: 1 }])
  })
})

describe('a stranger with the tiles of a log', () => {
  /** A log of this many leaves, and its tiles. */
  function published(size: number) {
    const tree = growingTree()
    const nodes = new Map<string, Uint8Array>()
    const keep = ({ level, index, hash }: TreeNode) => nodes.set(`${level}.${index}`, hash)
    for (let i = 0; i < size; i++) {
      const leaf = leafHash(Uint8Array.of(i, i >> 8))
      keep({ level: 0, index: i, hash: leaf })
      tree.add(leaf).forEach(keep)
    }
    const read = async (tile: Parameters<typeof rangeOfTile>[0]) => {
      const { level, start, end } = rangeOfTile(tile)
      return Buffer.concat(Array.from({ length: end - start }, (_, i) => nodes.get(`${level}.${start + i}`)!))
    }
    return { root: tree.root(), read }
  }

  test.each([0, 1, 2, 255, 256, 257, 512, 70_000])('rebuilds the root of %i leaves', async (size) => {
    const { root, read } = published(size)
    const asked: string[] = []
    const rebuilt = await rebuildFromTiles(size, (tile) => {
      asked.push(tilePath(tile))
      return read(tile)
    })
    expect(rebuilt.faults).toEqual([])
    expect(toHex(rebuilt.root)).toBe(toHex(root))
    const all = [0, 1, 2].flatMap((level) => [...tilesOfLevel(level, size)].map(tilePath))
    expect(asked.toSorted()).toEqual(all.toSorted())
    expect(hashesOfLevel(3, size)).toBe(0)
  })

  test('finds a tile that was changed, above or below, and one that is too short', async () => {
    const { root, read } = published(600)
    const changing = (path: string, change: (bytes: Buffer) => Buffer) =>
      rebuildFromTiles(600, async (tile) =>
        tilePath(tile) === path ? change(Buffer.from(await read(tile))) : read(tile),
      )
    const flip = (bytes: Buffer) => {
      bytes[5]! ^= 1
      return bytes
    }
    const above = await changing('1/000.p/2', flip)
    expect(above.faults).toEqual([{ fault: 'tile-other', path: '1/000.p/2' }])
    expect(toHex(above.root)).toBe(toHex(root))
    const below = await changing('0/001', flip)
    expect(toHex(below.root)).not.toBe(toHex(root))
    const short = await changing('0/002.p/88', (bytes) => bytes.subarray(1))
    expect(short.faults).toEqual([{ fault: 'tile-damaged', path: '0/002.p/88' }])
  })
})
