/**
 * Heads of the log: the size and root of the tree, signed. Anyone who kept a head can check it against every later one,
 * so the log cannot be rewritten unnoticed.
 */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import { addHead, findHead, sizeOfTree, type SignedHead } from './queries.ts'
import { sequence } from './sequencing.ts'
import { rootOfTree } from './tree.ts'

/** The signed bytes: the same facts always give the same bytes. */
export function headBytes({ size, at, root, keyId }: Omit<SignedHead, 'signature'>): Buffer {
  const facts = {
    version: 1,
    size,
    at: at.toISOString(),
    root: root.toString('hex'),
    log: keyId.toString('hex'),
  }
  return Buffer.from(canonicalJson(facts))
}

/** Identifies a key: the SHA-256 of its public key as SPKI. */
export function keyIdOf(key: KeyObject): Buffer {
  const publicKey = key.type === 'public' ? key : createPublicKey(key)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest()
}

export function signedHead(key: KeyObject, facts: Omit<SignedHead, 'signature'>): SignedHead {
  return { ...facts, signature: sign(null, headBytes(facts), key) }
}

/** Signs the tree with everything that is committed; a size that was signed before is not signed again. */
export async function signHead(database: Database, key: KeyObject, now: Date): Promise<SignedHead> {
  await sequence(database)
  const size = await sizeOfTree(database.db)
  const before = await findHead(database.db, size)
  if (before) return before
  const root = Buffer.from(await rootOfTree(database.db, size))
  const head = signedHead(key, { size, at: now, root, keyId: keyIdOf(key) })
  await database.write((tx) => addHead(tx, head))
  return (await findHead(database.db, size))!
}

export function isHeadSigned({ signature, ...facts }: SignedHead, publicKey: KeyObject): boolean {
  return keyIdOf(publicKey).equals(facts.keyId) && verify(null, headBytes(facts), publicKey, signature)
}
