/**
 * Reads the texts of documents in the background, one at a time in each process: uploading never waits for it. A file
 * that is being read is claimed for a while, so that another process takes over if this one dies.
 */
import type { Database } from '@kelisim/db/db.ts'
import { minute, second } from '@kelisim/domain/durations.ts'
import { wordsOf } from '@kelisim/domain/search/folding.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import { claimText, giveUpText, putOffText, saveText, type WaitingText } from './queries.ts'
import { mostWords, withinLimits, type ReadJob, type ReadResult } from './read-job.ts'
import type { Recogniser } from './recognise.ts'
import { startLoop, type Loop } from '../../jobs/loop.ts'

export type TextReader = {
  read: (job: ReadJob) => Promise<ReadResult>
  close: () => Promise<void>
}

const deadlineMs = 30 * second
const claimedFor = 10 * minute
/** A file whose reading was begun this many times and never finished is not tried again. */
const mostTries = 3

export function openTextReader(): TextReader {
  // Started with the first document, to save memory until then.
  let pool: Pool<ReadJob, ReadResult> | null = null
  const start = () =>
    createPool<ReadJob, ReadResult>({
      file: new URL('read-worker.ts', import.meta.url),
      setup: null,
      seats: 1,
      maxQueue: 10,
      deadlineMs,
      memory: { heapMb: 256, outsideMb: 256 },
    })
  return {
    // Reading has no claimant, so that it does not take a turn of the person who uploaded the document.
    read: (job) => (pool ??= start()).run(job, null),
    close: async () => pool?.close(),
  }
}

export type ReadingDependencies = {
  database: Database
  storage: Storage
  reader: TextReader
  /** Null: scans are found by their names only. */
  recogniser: Recogniser | null
  clock: () => Date
  onError: (error: unknown) => void
  signal?: AbortSignal
}

/** Reads the newest document that waits, or else the newest scan; false: there is none. */
export async function readNextText(dependencies: ReadingDependencies): Promise<boolean> {
  const { database, clock, recogniser } = dependencies
  const now = clock()
  const until = new Date(now.getTime() + claimedFor)
  const waiting = await database.write((tx) => claimText(tx, 'waiting', now, until))
  if (waiting) {
    await attempt(dependencies, waiting, async (path) => {
      const text = await dependencies.reader.read({ path, size: waiting.size, format: waiting.format })
      return { ...text, state: text.words.length > 0 || waiting.format !== 'pdf' ? 'read' : 'scan' }
    })
    return true
  }
  if (!recogniser) return false
  const scan = await database.write((tx) => claimText(tx, 'scan', now, until))
  if (!scan) return false
  await attempt(dependencies, scan, (path) => recogniseScan(dependencies, recogniser, path, scan.size))
  return true
}

type KeptText = ReadResult & { state: 'read' | 'scan' }

async function recogniseScan(
  { reader, signal = new AbortController().signal }: ReadingDependencies,
  recogniser: Recogniser,
  path: string,
  size: number,
): Promise<KeptText> {
  // The scan is read only for the number of its pages.
  const { pages: blank } = await reader.read({ path, size, format: 'pdf' })
  const pages = withinLimits(await recogniser.recognise(path, blank.length, signal))
  return { state: 'read', pages, words: wordsOf(pages.join('\n')).slice(0, mostWords) }
}

async function attempt(
  { database, storage, clock, onError, signal }: ReadingDependencies,
  { tries, ...file }: WaitingText,
  read: (path: string) => Promise<KeptText>,
): Promise<void> {
  try {
    const borrowed = await borrowVerified(storage, file)
    try {
      const text = await read(borrowed.path)
      await database.write((tx) => saveText(tx, file.id, text))
    } finally {
      await borrowed.release()
    }
  } catch (error) {
    const isClosing = (error instanceof PoolError && error.reason === 'closed') || signal?.aborted === true
    const isFaulty = error instanceof PoolError && ['crashed', 'overdue'].includes(error.reason)
    if (!isClosing && !isFaulty) onError(error)
    await database.write((tx) =>
      isFaulty || (tries >= mostTries && !isClosing)
        ? giveUpText(tx, file.id)
        : putOffText(tx, file.id, new Date(clock().getTime() + minute)),
    )
  }
}

/** Runs until `stop` is called. */
export function startReadingTexts(dependencies: Omit<ReadingDependencies, 'signal'>, everyMs = second): Loop {
  const loop = startLoop((signal) => readNextText({ ...dependencies, signal }), {
    everyMs,
    onError: dependencies.onError,
  })
  return {
    async stop() {
      const stopped = loop.stop()
      await dependencies.reader.close()
      await stopped
    },
  }
}
