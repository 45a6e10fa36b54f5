/**
 * Watches a folder: every file put there is sent, and what was signed is saved beside it. What was done is kept in a journal in
 * the folder, so a watch that was killed goes on where it was; calls that it repeats do nothing twice.
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
    /** Of the file when it was sent: a changed one is another document. */
    modifiedAt: z.number(),
    state: z.enum(['sent', 'saved', 'ended', 'refused']),
    reason: z.optional(z.string()),
  }),
)
type Journal = z.infer<typeof Journal>
type Entry = Journal[string]

const journalName = '.kelisim.json'
/** What people and programs put there for a moment. */
const passing = /^[.~]|^__proto__$|\.(tmp|part|crdownload|signed\.zip)$/i
/** The journal lies where others may write: it names files of the folder and no other place. */
const plainName = /^[^/\\\0]+$/

export type WatchEvent = { file: string; state: Entry['state']; requestId: string | null; reason?: string }

/** One look at the folder; yields what happened. */
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
    // What a link leads to was not put here, and may be what its maker cannot read.
    if (!stat?.isFile()) continue
    const modifiedAt = stat.mtimeMs
    // A file that is still being written is left until it has rested.
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

/** A refusal is kept, so that the same file is not tried for ever; what is temporary is thrown and tried with the next look. */
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

/** As a whole or not at all, whenever the process ends. */
function writeWhole(file: string, content: string | Uint8Array): void {
  const passingFile = `${file}.tmp`
  // A new file: a link of that name would lead elsewhere.
  rmSync(passingFile, { force: true })
  writeFileSync(passingFile, content, { flag: 'wx' })
  renameSync(passingFile, file)
}
