/**
 * Workers for tasks that must not block the event loop or may never end: hashing documents, parsing untrusted bytes. A
 * worker that is too slow or uses too much memory is killed and replaced; a full queue refuses at once.
 */
import { Worker, type ResourceLimits, type Transferable } from 'node:worker_threads'

export type PoolSettings = {
  /** The worker's module. */
  file: URL
  workerData: unknown
  size: number
  /** Jobs that may wait besides those in progress. */
  maxQueue: number
  /** For one job, from when a worker has started it. */
  deadlineMs: number
  memory: ResourceLimits
  /** Answers what a worker requests while it works (it has no network access of its own). */
  answer: (question: unknown) => Promise<unknown>
}

export type Pool<Job, Result> = {
  run: (job: Job, transfer?: readonly Transferable[]) => Promise<Result>
  close: () => Promise<void>
}

export class PoolError extends Error {
  readonly reason: 'full' | 'overdue' | 'crashed' | 'closed'
  constructor(reason: PoolError['reason'], options?: ErrorOptions) {
    super(`The worker pool is or has ${reason}`, options)
    this.reason = reason
  }
}

type Task = {
  job: unknown
  transfer: readonly Transferable[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

type Seat = { worker: Worker; task: Task | null; timer: NodeJS.Timeout | null }

/** The messages between the pool and a worker. */
export type ToWorker =
  | { job: unknown }
  | { answerTo: number; answer: unknown }
  | { answerTo: number; failure: string }
export type FromWorker = { result: unknown } | { failure: string } | { question: unknown; id: number }

export function createPool<Job, Result>(settings: PoolSettings): Pool<Job, Result> {
  const seats: Seat[] = []
  const queue: Task[] = []
  let isClosed = false

  for (let i = 0; i < settings.size; i++) seats.push(seat())

  function seat(): Seat {
    const { file, workerData, memory } = settings
    const worker = new Worker(file, { workerData, resourceLimits: memory })
    const own: Seat = { worker, task: null, timer: null }
    worker.unref()
    worker.on('message', (message: FromWorker) => hear(own, message))
    worker.on('error', (error) => replace(own, new PoolError('crashed', { cause: error })))
    worker.on('exit', () => replace(own, new PoolError('crashed')))
    return own
  }

  function hear(own: Seat, message: FromWorker): void {
    if ('question' in message) {
      void reply(own, message.id, message.question)
      return
    }
    const task = release(own)
    if ('result' in message) task?.resolve(message.result)
    else task?.reject(new PoolError('crashed', { cause: message.failure }))
    next()
  }

  async function reply(own: Seat, id: number, question: unknown): Promise<void> {
    const message = await settings.answer(question).then(
      (answer): ToWorker => ({ answerTo: id, answer }),
      (error: unknown): ToWorker => ({ answerTo: id, failure: String(error) }),
    )
    own.worker.postMessage(message, [])
  }

  /** Replaces a dead worker, unless the pool is closing. */
  function replace(own: Seat, error: PoolError): void {
    const at = seats.indexOf(own)
    if (at < 0) return
    const task = release(own)
    own.worker.removeAllListeners('exit')
    void own.worker.terminate()
    if (isClosed) seats.splice(at, 1)
    else seats[at] = seat()
    task?.reject(error)
    next()
  }

  function release(own: Seat): Task | null {
    const { task, timer } = own
    if (timer) clearTimeout(timer)
    own.task = null
    own.timer = null
    own.worker.unref()
    return task
  }

  function next(): void {
    const free = seats.find(({ task }) => task === null)
    const task = free && queue.shift()
    if (!free || !task) return
    free.task = task
    // a busy worker keeps the process alive, an idle one does not
    free.worker.ref()
    free.timer = setTimeout(() => replace(free, new PoolError('overdue')), settings.deadlineMs)
    free.worker.postMessage({ job: task.job } satisfies ToWorker, task.transfer)
    next()
  }

  return {
    run(job, transfer = []) {
      if (isClosed) return Promise.reject(new PoolError('closed'))
      const isFree = seats.some(({ task }) => task === null)
      if (!isFree && queue.length >= settings.maxQueue) return Promise.reject(new PoolError('full'))
      return new Promise<Result>((resolve, reject) => {
        queue.push({ job, transfer, resolve: resolve as (result: unknown) => void, reject })
        next()
      })
    },
    async close() {
      isClosed = true
      for (const task of queue.splice(0)) task.reject(new PoolError('closed'))
      await Promise.all(
        seats.splice(0).map(({ worker, task, timer }) => {
          if (timer) clearTimeout(timer)
          task?.reject(new PoolError('closed'))
          worker.removeAllListeners('exit')
          return worker.terminate()
        }),
      )
    },
  }
}
