/** What a witness remembers of each log: written to disk before a response is sent, and never only half written. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { readCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { readNote } from '@kelisim/signature/transparency/note.ts'
import type { RefusedHead, SeenHead } from '@kelisim/signature/transparency/witness-protocol.ts'

/** The most refused heads of a log and kind that are kept: otherwise it could fill the disk with notes against itself. */
const mostRefused = 1000

export type KeptHeads = ReturnType<typeof keptHeads>

export function keptHeads(folder: string) {
  const heads = join(folder, 'heads')
  const refusedHeads = { conflict: join(folder, 'conflicts'), unproven: join(folder, 'unproven') }
  for (const path of [heads, ...Object.values(refusedHeads)]) mkdirSync(path, { recursive: true })
  const fileOf = (origin: string) => join(heads, idOf(origin))
  return {
    /** The newest note that was co-signed, with the co-signature; by the id of its log. */
    noteOf(id: string): string | undefined {
      const file = join(heads, id)
      return /^[0-9a-f]{64}$/.test(id) && existsSync(file) ? readFileSync(file, 'utf8') : undefined
    },
    seenOf(origin: string): SeenHead | undefined {
      if (!existsSync(fileOf(origin))) return undefined
      const note = readNote(readFileSync(fileOf(origin)))
      const checkpoint = note && readCheckpoint(note.text)
      // Starting again from nothing would let the log rewrite everything.
      if (checkpoint?.origin !== origin) throw new Error(`${fileOf(origin)} is damaged`)
      return { size: Number(checkpoint.size), root: checkpoint.root }
    },
    remember: (origin: string, note: string): void => writeWhole(fileOf(origin), note),
    /**
     * Keeps what was sent with a refused head, once a tree: anybody can vary a proof, and the log the other lines of a
     * head, and neither must fill the room with them.
     */
    keepRefused({ kind, origin, size, root, submission }: RefusedHead): void {
      const kept = refusedHeads[kind]
      const log = idOf(origin).slice(0, 16)
      const path = join(kept, `${log}-${size}-${Buffer.from(root).toString('hex')}`)
      const ofLog = readdirSync(kept).filter((name) => name.startsWith(log))
      if (ofLog.length < mostRefused && !existsSync(path)) writeWhole(path, submission)
    },
  }
}

/** The id of a log for file names: a hash, because names of logs may contain slashes. */
export function idOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex')
}

function writeWhole(path: string, contents: Uint8Array | string): void {
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, Buffer.from(contents))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  const folder = openSync(join(path, '..'), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
