/**
 * The tree of a log in tiles (c2sp.org/tlog-tiles): a full tile has 256 hashes of one level in a file that never
 * changes, so that anybody can keep copies and compute every root and every proof without asking the log.
 *
 *   tile/0/000         the hashes of leaves 0 to 255
 *   tile/0/x001/234    those of tile 1234
 *   tile/1/000.p/17    the first 17 hashes of the level above, each that of a full tile below
 */
import { isSame, joined } from '../asn1/values.ts'
import { growingTree } from './growing-tree.ts'
import type { NodePlace } from './merkle.ts'

export const tileWidth = 256
/** Levels of the tree between the hashes of one tile and those of the tile above. */
const tileHeight = 8
/** The top level for trees below 2^53 leaves, the largest that are supported. */
const highestLevel = 6

export type Tile = { level: number; index: number; width: number }

/** Parses the part of an address behind `tile/`; null: no log has such a tile. */
export function readTilePath(path: string): Tile | null {
  const [, level, groups, width] = /^(\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  if (level === undefined || groups === undefined) return null
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const tile = {
    level: Number(level),
    index,
    width: width === undefined ? tileWidth : Number(width),
  }
  if (tile.level > highestLevel || !Number.isSafeInteger((index + 1) * tileWidth)) return null
  if (tile.width < 1 || (width !== undefined && tile.width >= tileWidth)) return null
  // Each tile has one address: no leading zeroes.
  return tilePath(tile) === path ? tile : null
}

export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g)!
  const last = groups.pop()!
  const folders = groups.map((group) => `x${group}/`).join('')
  return `${level}/${folders}${last}${width === tileWidth ? '' : `.p/${width}`}`
}

/** The subtrees whose hashes a tile has. */
export function rangeOfTile({ level, index, width }: Tile): { level: number; start: number; end: number } {
  const start = index * tileWidth
  return { level: level * tileHeight, start, end: start + width }
}

/** How many complete subtrees of a tile's level a tree of this size has. */
export function hashesOfLevel(level: number, size: number): number {
  return Math.floor(size / tileWidth ** level)
}

/** The tiles of one level of a tree, from left to right. */
export function* tilesOfLevel(level: number, size: number): Generator<Tile> {
  const hashes = hashesOfLevel(level, size)
  for (let start = 0; start < hashes; start += tileWidth) {
    yield { level, index: start / tileWidth, width: Math.min(tileWidth, hashes - start) }
  }
}

export type TileReader = (tile: Tile) => Promise<Uint8Array>

export type TileFault = { fault: 'tile-damaged' | 'tile-other'; path: string }

/**
 * Rebuilds a tree from its tiles alone. The root is computed from the leaves, and the tiles above must agree with it,
 * because others compute proofs from them.
 */
export async function rebuildFromTiles(
  size: number,
  read: TileReader,
  onLeaf: (index: number, hash: Uint8Array, root: () => Uint8Array) => void = () => undefined,
): Promise<{ root: Uint8Array; faults: TileFault[] }> {
  const faults: TileFault[] = []
  const tree = growingTree()
  /** The hashes that the tiles above must have, collected while the leaves are read. */
  const above = new Map<number, Uint8Array[]>()
  const compare = async (level: number, hashes: readonly Uint8Array[], index: number) => {
    const tile = { level, index, width: hashes.length }
    const bytes = await read(tile)
    if (!isSame(bytes, joined(hashes))) faults.push({ fault: 'tile-other', path: tilePath(tile) })
  }
  const gather = async ({ level, index, hash }: NodePlace & { hash: Uint8Array }) => {
    if (level % tileHeight !== 0) return
    const tileLevel = level / tileHeight
    const hashes = above.get(tileLevel) ?? []
    above.set(tileLevel, [...hashes, hash])
    if (hashes.length + 1 < tileWidth) return
    above.set(tileLevel, [])
    await compare(tileLevel, [...hashes, hash], Math.floor(index / tileWidth))
  }
  for (const tile of tilesOfLevel(0, size)) {
    const bytes = await read(tile)
    if (bytes.length !== tile.width * 32) {
      faults.push({ fault: 'tile-damaged', path: tilePath(tile) })
      return { root: tree.root(), faults }
    }
    for (let i = 0; i < tile.width; i++) {
      const leaf = bytes.slice(i * 32, (i + 1) * 32)
      for (const node of tree.add(leaf)) await gather(node)
      onLeaf(tile.index * tileWidth + i, leaf, tree.root)
    }
  }
  for (const [level, hashes] of above) {
    const isLastPartial = hashes.length > 0
    if (isLastPartial) await compare(level, hashes, Math.floor(hashesOfLevel(level, size) / tileWidth))
  }
  return { root: tree.root(), faults }
}
