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
import type { SeenHead } from '@kelisim/signature/transparency/witness-protocol.ts'

/** The most conflicts that are kept: otherwise a log could fill the disk with notes against itself. */
const mostConflicts = 1000

export type KeptHeads = ReturnType<typeof keptHeads>

export function keptHeads(folder: string) {
  const heads = join(folder, 'heads')
  const conflicts = join(folder, 'conflicts')
  for (const path of [heads, conflicts]) mkdirSync(path, { recursive: true })
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
    /** A note that contradicts what was seen, kept as proof together with what was seen. */
    keepConflict(origin: string, note: Uint8Array): void {
      const name = `${idOf(origin).slice(0, 16)}-${createHash('sha256').update(note).digest('hex')}`
      const isRoom = readdirSync(conflicts).length < mostConflicts
      if (isRoom && !existsSync(join(conflicts, name))) writeWhole(join(conflicts, name), note)
    },
    countConflicts: (): number => readdirSync(conflicts).length,
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
