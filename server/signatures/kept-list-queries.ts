/** CRLs on which verdicts are based: each stored once, compressed, under its hash. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { UsedList } from './check-job.ts'

export type PackedList = { sha256: Buffer; packed: Buffer; size: number }

/** The stored lists that were already seen. Lists are never deleted, so these are not queried again. */
const seenStored = new WeakMap<Db, Set<string>>()

/**
 * Compresses the lists that are not stored yet. Called before the transaction, because compressing twenty megabytes
 * takes time.
 */
export async function packLists(db: Db, lists: readonly UsedList[]): Promise<PackedList[]> {
  const seen = seenStored.get(db) ?? new Set()
  seenStored.set(db, seen)
  const unseen = lists.filter(({ sha256 }) => !seen.has(sha256))
  if (unseen.length === 0) return []
  const hashes = unseen.map(({ sha256 }) => Buffer.from(sha256, 'hex'))
  const stored = await db
    .selectFrom('revocationLists')
    .select('sha256')
    .where('sha256', 'in', hashes)
    .execute()
  for (const { sha256 } of stored) seen.add(sha256.toString('hex'))
  const missing = unseen.filter(({ sha256 }) => !seen.has(sha256))
  return Promise.all(
    missing.map(async ({ sha256, der }) => ({
      sha256: Buffer.from(sha256, 'hex'),
      packed: await promisify(gzip)(der),
      size: der.length,
    })),
  )
}

export async function keepLists(tx: Tx, lists: readonly PackedList[], now: Date): Promise<void> {
  if (lists.length === 0) return
  await tx
    .insertInto('revocationLists')
    .values(lists.map((list) => ({ ...list, keptAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The uncompressed sizes in bytes; lists used before lists were stored are missing. */
export async function sizesOfLists(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map()
  const wanted = hashes.map((sha256) => Buffer.from(sha256, 'hex'))
  const rows = await db
    .selectFrom('revocationLists')
    .select(['sha256', 'size'])
    .where('sha256', 'in', wanted)
    .execute()
  return new Map(rows.map(({ sha256, size }) => [sha256.toString('hex'), size]))
}

/** undefined: the list was used before lists were stored. */
export async function findList(db: Db, sha256: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('revocationLists')
    .select('packed')
    .where('sha256', '=', Buffer.from(sha256, 'hex'))
    .executeTakeFirst()
  return row && promisify(gunzip)(row.packed)
}
