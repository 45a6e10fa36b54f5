/**
 * Heads of the log: the size and root of the tree, signed. Anyone who kept a head can check it against every later one,
 * so the log cannot be rewritten unnoticed.
 */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { Database, Db } from '@kelisim/db/db.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import { rootOfTree, sizeOfTree } from './tree.ts'

export type SignedHead = { size: number; at: Date; root: Buffer; keyId: Buffer; signature: Buffer }

/** The signed bytes: the same facts always give the same bytes. */
export function headBytes({ size, at, root, keyId }: Omit<SignedHead, 'signature'>): Buffer {
  const said = {
    version: 1,
    size,
    at: at.toISOString(),
    root: root.toString('hex'),
    log: keyId.toString('hex'),
  }
  return Buffer.from(canonicalJson(said))
}

/** Identifies a key: the SHA-256 of its public key as SPKI. */
export function keyIdOf(key: KeyObject): Buffer {
  const publicKey = key.type === 'public' ? key : createPublicKey(key)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest()
}

/** Signs the newest tree; a size that was signed before is not signed again. */
export async function signHead(database: Database, key: KeyObject, now: Date): Promise<SignedHead> {
  const size = await sizeOfTree(database.db)
  const before = await findHead(database.db, size)
  if (before) return before
  const root = Buffer.from(await rootOfTree(database.db, size))
  const said = { size, at: now, root, keyId: keyIdOf(key) }
  const head = { ...said, signature: sign(null, headBytes(said), key) }
  await database.write((tx) =>
    tx
      .insertInto('logHeads')
      .values(head)
      // When two processes sign at once, the first one counts.
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  return (await findHead(database.db, size))!
}

export function findHead(db: Db, size: number): Promise<SignedHead | undefined> {
  return db.selectFrom('logHeads').selectAll().where('size', '=', size).executeTakeFirst()
}

export function findNewestHead(db: Db): Promise<SignedHead | undefined> {
  return db.selectFrom('logHeads').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst()
}

export function isHeadSigned({ signature, ...said }: SignedHead, publicKey: KeyObject): boolean {
  return keyIdOf(publicKey).equals(said.keyId) && verify(null, headBytes(said), publicKey, signature)
}
