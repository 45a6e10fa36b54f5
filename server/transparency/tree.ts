/** The tree of the transparency log in the database: appending to it, and proofs from it. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import {
  consistencyRanges,
  foldPlaces,
  inclusionRanges,
  nodeHash,
  placesCompletedBy,
  placesOf,
  type Place,
  type Range,
} from '@kelisim/signature/transparency/merkle.ts'

/** Takes its turn: until this transaction ends nobody else appends. Gives back the number of the first leaf. */
export async function appendLeaves(tx: Tx, leaves: readonly Uint8Array[]): Promise<number> {
  const { size } = await tx
    .updateTable('logSize')
    .set((eb) => ({ size: eb('size', '+', leaves.length) }))
    .returning('size')
    .executeTakeFirstOrThrow()
  const first = size - leaves.length
  const known = await readNodes(tx, placesOf({ start: 0, end: first }))
  const made: { level: number; index: number; hash: Buffer }[] = []
  for (const [i, leaf] of leaves.entries()) {
    for (const { level, index } of placesCompletedBy(first + i)) {
      const hash =
        level === 0 ? leaf : nodeHash(known.get(level - 1, index * 2), known.get(level - 1, index * 2 + 1))
      known.set({ level, index }, hash)
      made.push({ level, index, hash: Buffer.from(hash) })
    }
  }
  await tx.insertInto('logNodes').values(made).execute()
  return first
}

export async function sizeOfTree(db: Db): Promise<number> {
  return (await db.selectFrom('logSize').select('size').executeTakeFirstOrThrow()).size
}

export async function rootOfTree(db: Db, size: number): Promise<Uint8Array> {
  const [root] = await hashesOf(db, [{ start: 0, end: size }])
  return root!
}

export function inclusionProof(db: Db, leaf: number, size: number): Promise<Uint8Array[]> {
  return hashesOf(db, inclusionRanges(leaf, size))
}

export function consistencyProof(db: Db, first: number, second: number): Promise<Uint8Array[]> {
  return hashesOf(db, consistencyRanges(first, second))
}

/** However many ranges there are, the database is asked once. */
async function hashesOf(db: Db, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const nodes = await readNodes(db, ranges.flatMap(placesOf))
  return ranges.map((range) => foldPlaces(placesOf(range).map(({ level, index }) => nodes.get(level, index))))
}

export async function readNodes(db: Db, places: readonly Place[]) {
  const kept = new Map<string, Buffer>()
  const nodes = {
    find: (level: number, index: number): Buffer | undefined => kept.get(`${level}.${index}`),
    get(level: number, index: number): Buffer {
      const hash = nodes.find(level, index)
      if (!hash) throw new Error(`the log has no node ${level}.${index}`)
      return hash
    },
    set({ level, index }: Place, hash: Uint8Array): void {
      kept.set(`${level}.${index}`, Buffer.from(hash))
    },
  }
  if (places.length === 0) return nodes
  const wanted = sql.join(places.map(({ level, index }) => sql`(${level}::integer, ${index}::bigint)`))
  const rows = await db
    .selectFrom('logNodes')
    .selectAll()
    .where(sql<boolean>`(level, index) in (${wanted})`)
    .execute()
  for (const { level, index, hash } of rows) nodes.set({ level, index }, hash)
  return nodes
}
