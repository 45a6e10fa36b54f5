/** Heads of the log as signed notes (c2sp.org/tlog-checkpoint), which witnesses and monitors of others read. */
import { createPublicKey, sign, type KeyObject } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import { ed25519KeyIn } from '@kelisim/signature/algorithms/ed25519.ts'
import { writeCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { keyTypes, verifierKey, writeNote, type VerifierKey } from '@kelisim/signature/transparency/note.ts'
import { addCheckpoint, findCheckpoint, type KeptCheckpoint } from './checkpoint-queries.ts'
import { signHead } from './heads.ts'

/** The key and the name by which others know the log. */
export type Log = {
  key: KeyObject
  /** The name of the log for witnesses, which must never change. */
  origin: string
}

/** The origin if none is configured. */
export function originAt(publicUrl: URL): string {
  return `${publicUrl.host}/log`
}

/** The public key of the log in the form that is published. */
export function noteKeyOf({ key, origin }: Log): VerifierKey {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return verifierKey(origin, keyTypes.ed25519, new Uint8Array(ed25519KeyIn(spki)))
}

/** Signs the tree with everything that is committed; a size that was signed before is not signed again. */
export async function signCheckpoint(database: Database, log: Log, now: Date): Promise<KeptCheckpoint> {
  const { size, root } = await signHead(database, log.key, now)
  const before = await findCheckpoint(database.db, size)
  if (before) return before
  const note = noteOfTree(log, size, root)
  await database.write((tx) => addCheckpoint(tx, { size, note }))
  return (await findCheckpoint(database.db, size))!
}

export function noteOfTree(log: Log, size: number, root: Uint8Array): string {
  const { origin, key } = log
  const text = writeCheckpoint({ origin, size: BigInt(size), root, extensions: [] })
  const { name, keyId } = noteKeyOf(log)
  return writeNote({ text, signatures: [{ name, keyId, bytes: sign(null, Buffer.from(text), key) }] })
}

/** The note with the co-signatures that it has. */
export function wholeNote({ note, lines }: KeptCheckpoint): string {
  return note + lines.join('')
}
