/**
 * Child processes for tasks that must not block the event loop or may never end: hashing documents, opening the files of
 * strangers. One that is too slow, uses too much memory or crashes is killed and replaced, so its memory returns; others are
 * used again, because starting one takes longer than most jobs.
 */
import { setPriority } from 'node:os'
import { minute, second } from '@kelisim/domain/durations.ts'
import { cpuSeconds, startLimited, type LimitedProcess, type MemoryLimits } from './limited-process.ts'
import { machineShares, type Shares } from './shares.ts'
import { createTurns, type Claimant } from './turns.ts'
import { workedMs } from './worked-time.ts'

export type PoolSettings = {
  /** The module that the child process runs. */
  file: URL
  /** Sent to every child before its first job. */
  setup: unknown
  /** Jobs at once; children are started when they are needed. */
  seats: number
  /** Jobs that may wait besides those in progress. */
  maxQueue: number
  /** Of those, jobs of one person, or of all callers without an account. */
  maxOwnQueue?: number
  /** How long a job may wait for its turn. */
  queueTimeoutMs?: number
  /** For one job, from when a child has started it; the time for which it had no processor does not count. */
  deadlineMs: number
  /** How long a process has worked. */
  timeOf?: (pid: number) => number | null
  memory: MemoryLimits
  /** What one claimant may have at a time; by default of all pools of this process together. */
  shares?: Shares
  /** Answers what a child requests while it works (it has no need of a network). */
  answer?: (question: unknown) => Promise<unknown>
}

export type Pool<Job, Result> = {
  run: (job: Job, claimant: Claimant) => Promise<Result>
  /** Why this claimant would be refused at once; null: they would not. */
  whyNot: (claimant: Claimant) => PoolError | null
  close: () => Promise<void>
}

export class PoolError extends Error {
  readonly reason:
    | 'full'
    | 'own-queue-full'
    | 'queue-timeout'
    | 'unstarted'
    | 'overdue'
    | 'crashed'
    | 'out-of-space'
    | 'closed'
  constructor(reason: PoolError['reason'], options?: ErrorOptions) {
    super(`A job of the worker pool failed: ${reason}`, options)
    this.reason = reason
  }
}

type Task = {
  job: unknown
  claimant: Claimant
  queueTimer: NodeJS.Timeout
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

type Seat = LimitedProcess & {
  task: Task | null
  timers: NodeJS.Timeout[]
  /** It has loaded its modules. */
  isReady: boolean
  /** Its job took long. */
  isLong: boolean
  /** For organisations that had a job killed lately: behind all others from its start, and not one of the places. */
  isAside: boolean
}

/** The messages between the pool and a child. */
export type ToWorker =
  | { setup: unknown }
  | { job: unknown }
  | { answerTo: number; answer: unknown }
  | { answerTo: number; failure: string }
export type FromWorker =
  | { isReady: true }
  | { question: unknown; id: number }
  | { result: unknown; used: Used }
  | { failure: string; isOutOfSpace: boolean; used: Used }

/** What a child has taken so far. */
export type Used = { megabytes: number; cpuSeconds: number }

/** A child that needs longer to start, on however busy a machine, does not work. */
const startMs = minute
/** Most jobs take less; one that takes longer yields the processor to shorter ones, and another child is made ready. */
const longMs = second
/** Low enough for others not to feel it, high enough to end within its deadline on a busy machine. */
const lowPriority = 10
/** One that takes even longer has what nobody else wants. */
const veryLongMs = 2 * second
const lowestPriority = 19
/** After so many times its deadline a job ends, however little it has worked. */
const mostDeadlines = 4
/** With so few places none is held back, or suspects would never get one. */
const fewSeats = 2
/** One idle child is kept; others end after this time. */
const idleMs = 30 * second

export function createPool<Job, Result>(settings: PoolSettings): Pool<Job, Result> {
  const { seats, maxQueue, maxOwnQueue = 30, queueTimeoutMs = 30 * second, shares = machineShares } = settings
  const timeOf = settings.timeOf ?? workedMs
  const open = new Set<Seat>()
  const turns = createTurns<Task>({ maxWaiting: maxQueue, maxOwnWaiting: maxOwnQueue })
  let isClosed = false
  const forgetShares = shares.onFree(() => next())

  function start(isAside: boolean): Seat {
    const started = startLimited(settings.file, settings.memory)
    const seat: Seat = { ...started, task: null, timers: [], isReady: false, isLong: false, isAside }
    const { child, lastWords } = seat
    open.add(seat)
    if (isAside) putBehind(seat, lowPriority)
    child.on('message', (message) => hear(seat, message as FromWorker))
    // Before it is ready it has not seen any work, so no work is to blame.
    const reason = () => (seat.isReady ? 'crashed' : 'unstarted')
    child.on('error', (error) => end(seat, new PoolError(reason(), { cause: error })))
    child.on('exit', () => end(seat, new PoolError(reason(), { cause: lastWords() })))
    send(seat, { setup: settings.setup })
    return seat
  }

  /** A message to a child that is ending fails; its end is heard of separately. */
  function send({ child }: Seat, message: ToWorker): void {
    if (child.connected) child.send(message, () => {})
  }

  function hear(seat: Seat, message: FromWorker): void {
    if ('isReady' in message) {
      seat.isReady = true
      if (seat.task) begin(seat, seat.task)
      next()
      return
    }
    if ('question' in message) {
      void reply(seat, message.id, message.question)
      return
    }
    const task = release(seat)
    // One that failed, grew or was put behind others is replaced, so that what it holds returns.
    if ('failure' in message || seat.isLong || isWorn(message.used, settings.memory)) remove(seat)
    else settle(seat)
    if ('result' in message) task?.resolve(message.result)
    else {
      const reason = message.isOutOfSpace ? 'out-of-space' : 'crashed'
      task?.reject(new PoolError(reason, { cause: message.failure }))
    }
    giveBack(task, 'failure' in message && !message.isOutOfSpace)
  }

  async function reply(seat: Seat, id: number, question: unknown): Promise<void> {
    const answer = settings.answer ?? (() => Promise.reject(new Error('nothing can be asked here')))
    const message = await answer(question).then(
      (given): ToWorker => ({ answerTo: id, answer: given }),
      (error: unknown): ToWorker => ({ answerTo: id, failure: String(error) }),
    )
    send(seat, message)
  }

  /** Kills the child; its task, if it has one, fails with this error. */
  function end(seat: Seat, error: PoolError): void {
    if (!open.has(seat)) return
    const task = release(seat)
    remove(seat)
    task?.reject(error)
    giveBack(task, error.reason === 'crashed' || error.reason === 'overdue')
  }

  function remove(seat: Seat): void {
    open.delete(seat)
    for (const timer of seat.timers.splice(0)) clearTimeout(timer)
    seat.child.kill('SIGKILL')
  }

  function release(seat: Seat): Task | null {
    const { task } = seat
    for (const timer of seat.timers.splice(0)) clearTimeout(timer)
    seat.task = null
    return task
  }

  /** Last, because others who waited for the share begin at once. */
  function giveBack(task: Task | null, wasKilled: boolean): void {
    if (task) shares.end(task.claimant, wasKilled)
    if (wasKilled) haveSpare(1)
    next()
  }

  /** An idle child does not keep the process alive; all but one, and one that is aside, end after a while. */
  function settle(seat: Seat): void {
    seat.child.unref()
    seat.child.channel?.unref()
    const timer = setTimeout(() => {
      const idle = seatsOf(false).filter(({ task }) => task === null)
      if (seat.task === null && (seat.isAside || idle.length > 1)) remove(seat)
    }, idleMs)
    timer.unref()
    seat.timers.push(timer)
  }

  const seatsOf = (isAside: boolean) => [...open].filter((seat) => seat.isAside === isAside)

  function next(): void {
    for (;;) {
      const task = isClosed ? undefined : turns.next(mayTake)
      if (!task) break
      const isAside = shares.wasKilledLately(task.claimant)
      const idle = seatsOf(isAside).filter((seat) => seat.task === null)
      take(idle.find(({ isReady }) => isReady) ?? idle[0] ?? start(isAside), task)
    }
    if (turns.canStart((claimant) => shares.mayStart(claimant) && !shares.wasKilledLately(claimant)))
      haveSpare(2)
  }

  function mayTake(claimant: Claimant): boolean {
    if (!shares.mayStart(claimant)) return false
    const isAside = shares.wasKilledLately(claimant)
    const busy = seatsOf(isAside).filter(({ task }) => task !== null)
    if (isAside) return busy.length === 0
    if (busy.length >= seats) return false
    const ready = seatsOf(false).filter(({ task, isReady }) => task === null && isReady)
    return isFirst(claimant) || ready.length > 1 || seats <= fewSeats
  }

  /**
   * The last child that is ready is left to somebody else: an organisation gets no second one while it is the last, and a
   * caller without an account none.
   */
  function isFirst(claimant: Claimant): boolean {
    if (claimant === null) return true
    if ('network' in claimant) return false
    const { organization } = claimant
    return ![...open].some(
      ({ task }) =>
        task?.claimant && 'organization' in task.claimant && task.claimant.organization === organization,
    )
  }

  /** Somebody else should not wait for a process to start. */
  function haveSpare(count: number): void {
    const own = seatsOf(false)
    const idle = own.filter(({ task }) => task === null).length
    const missing = isClosed ? 0 : Math.min(count - idle, seats - own.length)
    for (let i = 0; i < missing; i++) settle(start(false))
  }

  function take(seat: Seat, task: Task): void {
    clearTimeout(task.queueTimer)
    for (const timer of seat.timers.splice(0)) clearTimeout(timer)
    shares.start(task.claimant)
    seat.task = task
    seat.child.ref()
    seat.child.channel?.ref()
    if (seat.isReady) begin(seat, task)
    else seat.timers.push(setTimeout(() => end(seat, new PoolError('unstarted')), startMs))
  }

  /** Its time counts from here, because starting a process says nothing about the job. */
  function begin(seat: Seat, task: Task): void {
    for (const timer of seat.timers.splice(0)) clearTimeout(timer)
    const before = worked(seat)
    seat.timers.push(
      setTimeout(() => endOverdue(seat, before, settings.deadlineMs), settings.deadlineMs),
      setTimeout(() => makeLong(seat, before), longMs),
    )
    send(seat, { job: task.job })
  }

  /** One to which a busy machine gave no time to work is not overdue: what it worked counts, within reason. */
  function endOverdue(seat: Seat, before: number | null, passedMs: number): void {
    const now = worked(seat)
    const { deadlineMs } = settings
    const left = before === null || now === null ? 0 : deadlineMs - (now - before)
    if (left < deadlineMs / 10 || passedMs >= mostDeadlines * deadlineMs) {
      end(seat, new PoolError('overdue'))
    } else seat.timers.push(setTimeout(() => endOverdue(seat, before, passedMs + left), left))
  }

  function worked({ child }: Seat): number | null {
    return child.pid === undefined ? null : timeOf(child.pid)
  }

  /** One that a busy machine kept waiting is not long. */
  function makeLong(seat: Seat, before: number | null): void {
    const now = worked(seat)
    const left = before === null || now === null ? 0 : longMs - (now - before)
    if (left > longMs / 10) {
      seat.timers.push(setTimeout(() => makeLong(seat, before), left))
      return
    }
    seat.isLong = true
    putBehind(seat, lowPriority)
    seat.timers.push(setTimeout(() => putBehind(seat, lowestPriority), veryLongMs - longMs))
    haveSpare(1)
  }

  function putBehind({ child }: Seat, priority: number): void {
    try {
      if (child.pid !== undefined) setPriority(child.pid, priority)
    } catch {
      // It has ended in this moment, or the system has no priorities.
    }
  }

  function whyNot(claimant: Claimant): PoolError | null {
    const reason = isClosed ? 'closed' : turns.whyNot(claimant)
    return reason && new PoolError(reason)
  }

  return {
    whyNot,
    run(job, claimant) {
      const refused = whyNot(claimant)
      if (refused) return Promise.reject(refused)
      return new Promise<Result>((resolve, reject) => {
        const queueTimer = setTimeout(() => {
          if (turns.withdraw(claimant, task)) reject(new PoolError('queue-timeout'))
        }, queueTimeoutMs)
        const task: Task = {
          job,
          claimant,
          queueTimer,
          resolve: resolve as (result: unknown) => void,
          reject,
        }
        turns.add(claimant, task)
        next()
      })
    },
    async close() {
      isClosed = true
      forgetShares()
      for (const task of turns.clear()) {
        clearTimeout(task.queueTimer)
        task.reject(new PoolError('closed'))
      }
      await Promise.all(
        [...open].map(
          (seat) =>
            new Promise<void>((resolve) => {
              // Nothing else may keep this process alive until the child has gone.
              seat.child.ref()
              seat.child.once('exit', () => resolve())
              end(seat, new PoolError('closed'))
            }),
        ),
      )
    },
  }
}

/** It holds more than half of what it may, or has used half of its time. */
function isWorn(used: Used, { heapMb, outsideMb }: MemoryLimits): boolean {
  return used.megabytes > ownMb + (heapMb + outsideMb) / 2 || used.cpuSeconds > cpuSeconds / 2
}

/** What Node and its modules take before any work. */
const ownMb = 64
