/** The child process of a pool: it does one job at a time, and may ask its parent questions meanwhile. */
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { workerFolder } from './worker-folder.ts'
import type { FromWorker, ToWorker, Used } from './pool.ts'

export type Ask = (question: unknown) => Promise<unknown>

/** `prepare` gets the `setup` of the pool, and returns the function that does a job. */
export function serveJobs(prepare: (setup: never, ask: Ask) => (job: never) => unknown): void {
  const send = (message: FromWorker) => void process.send!(message)
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>()
  let questions = 0
  let work: ((job: never) => unknown) | null = null

  const ask: Ask = (question) => {
    const id = ++questions
    send({ question, id })
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  async function run(job: unknown): Promise<void> {
    try {
      const result = await work!(job as never)
      send({ result, used: used() })
    } catch (error) {
      send({ failure: String(error), isOutOfSpace: isOutOfSpace(error), used: used() })
    }
  }

  process.on('message', (message: ToWorker) => {
    if ('setup' in message) {
      work = prepare(message.setup as never, ask)
      send({ isReady: true })
    } else if ('job' in message) {
      void run(message.job)
    } else {
      const asked = waiting.get(message.answerTo)
      waiting.delete(message.answerTo)
      if ('answer' in message) asked?.resolve(message.answer)
      else asked?.reject(new Error(message.failure))
    }
  })
  // Signals to the process group are ignored here: the parent handles them and lets work finish before it ends its
  // children.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', leave)
  if (!process.connected) leave()
}

/**
 * The parent was killed, so nobody needs the result or removes the folder. A child started by hand is in somebody
 * else's folder, which stays.
 */
function leave(): void {
  const folder = process.cwd()
  if (basename(folder).startsWith(workerFolder)) rmSync(folder, { recursive: true, force: true })
  process.exit()
}

/** The disk is full or broken, which says nothing about the job. */
function isOutOfSpace(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(ENOSPC|EDQUOT|EROFS|EIO)$/.test(code)
}

function used(): Used {
  const { user, system } = process.cpuUsage()
  return { megabytes: process.memoryUsage.rss() / 1024 / 1024, cpuSeconds: (user + system) / 1e6 }
}
