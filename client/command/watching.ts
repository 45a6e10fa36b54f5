/**
 * Watches a folder: sends every new file and saves the signed result beside it. A journal in the folder records what
 * was done, so a watch that was killed continues where it stopped; repeated calls are idempotent.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { isEnded, KelisimError, type Kelisim } from '../client.ts'
import type { Recipient } from './arguments.ts'
import { sendFile } from './sending.ts'

const Journal = z.record(
  z.string(),
  z.object({
    /** Null: refused, for the reason given. */
    requestId: z.nullable(z.string()),
    /** The file's modification time when it was sent: a changed file is sent as another document. */
    modifiedAt: z.number(),
    state: z.enum(['sent', 'saved', 'ended', 'refused']),
    reason: z.optional(z.string()),
  }),
)
type Journal = z.infer<typeof Journal>
type Entry = Journal[string]

const journalName = '.kelisim.json'
/** Temporary and hidden files, and results saved by the watch itself, are not sent. */
const passing = /^[.~]|^__proto__$|\.(tmp|part|crdownload|signed\.zip)$/i
/** Others may write to the journal, so only names of files in this folder are accepted from it. */
const plainName = /^[^/\\\0]+$/

export type WatchEvent = { file: string; state: Entry['state']; requestId: string | null; reason?: string }

/** Scans the folder once and yields what happened. */
export async function* lookAt(
  folder: string,
  to: Recipient,
  kelisim: Kelisim,
  now: Date,
): AsyncGenerator<WatchEvent> {
  const journal = readJournal(folder)
  const keep = (file: string, entry: Entry): WatchEvent => {
    journal[file] = entry
    writeJournal(folder, journal)
    return {
      file,
      state: entry.state,
      requestId: entry.requestId,
      ...(entry.reason && { reason: entry.reason }),
    }
  }
  for (const file of readdirSync(folder)) {
    if (passing.test(file)) continue
    const stat = lstatSync(join(folder, file), { throwIfNoEntry: false })
    // Symbolic links are skipped: they could send a file that the person who made the link may not read.
    if (!stat?.isFile()) continue
    const modifiedAt = stat.mtimeMs
    // A file that may still be being written is left until it has not changed for a while.
    if (now.getTime() - modifiedAt < restTime) continue
    if (journal[file]?.modifiedAt === modifiedAt) continue
    yield keep(file, await sent(kelisim, { folder, file, modifiedAt, to }))
  }
  for (const [file, entry] of Object.entries(journal)) {
    if (entry.state !== 'sent' || entry.requestId === null || !plainName.test(file)) continue
    const request = await kelisim.request({ requestId: entry.requestId })
    if (!isEnded(request)) continue
    if (request.status !== 'Completed') {
      yield keep(file, { ...entry, state: 'ended', reason: request.status })
      continue
    }
    const { bytes } = await kelisim.download(entry.requestId, 'signed')
    writeWhole(join(folder, `${file}.signed.zip`), bytes)
    yield keep(file, { ...entry, state: 'saved' })
  }
}

const restTime = 2000

type ToSend = { folder: string; file: string; modifiedAt: number; to: Recipient }

/** A refusal is recorded, so that the file is not retried for ever; temporary failures are thrown and retried later. */
async function sent(kelisim: Kelisim, { folder, file, modifiedAt, to }: ToSend): Promise<Entry> {
  try {
    const occasion = `watch ${file} ${modifiedAt}`
    const { id } = await sendFile(kelisim, {
      file: join(folder, file),
      to,
      name: null,
      description: '',
      kindId: null,
      occasion,
    })
    return { requestId: id, modifiedAt, state: 'sent' }
  } catch (error) {
    if (!(error instanceof KelisimError) || error.isTemporary || error.status === 401) throw error
    return { requestId: null, modifiedAt, state: 'refused', reason: error.message }
  }
}

function readJournal(folder: string): Journal {
  const file = join(folder, journalName)
  return existsSync(file) ? Journal.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}

function writeJournal(folder: string, journal: Journal): void {
  writeWhole(join(folder, journalName), `${JSON.stringify(journal, null, 2)}\n`)
}

/** Writes atomically: the file is complete or unchanged, whenever the process ends. */
function writeWhole(file: string, content: string | Uint8Array): void {
  const passingFile = `${file}.tmp`
  // The temporary file must be new: an existing link of that name could lead elsewhere.
  rmSync(passingFile, { force: true })
  writeFileSync(passingFile, content, { flag: 'wx' })
  renameSync(passingFile, file)
}
