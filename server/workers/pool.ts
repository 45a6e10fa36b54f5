/**
 * Child processes for tasks that must not block the event loop or may never end: hashing documents, opening the files
 * of strangers. A child that is too slow, uses too much memory or crashes is killed and replaced, which frees its
 * memory; others are used again, because starting a child takes longer than most jobs.
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
  /** How many jobs run at once; children are started when they are needed. */
  seats: number
  /** How many jobs may wait, besides those in progress. */
  maxQueue: number
  /** How many of these may be of one person, or of all callers without an account. */
  maxOwnQueue?: number
  /** How long a job may wait for its turn. */
  queueTimeoutMs?: number
  /** How long one job may run after a child has started it; time without a processor does not count. */
  deadlineMs: number
  /** The CPU time of a process in milliseconds; null: unknown. */
  timeOf?: (pid: number) => number | null
  memory: MemoryLimits
  /** How much one claimant may have at a time; by default counted over all pools of this process. */
  shares?: Shares
  /** Answers the questions of a child while it works, so that it needs no network. */
  answer?: (question: unknown) => Promise<unknown>
}

export type Pool<Job, Result> = {
  run: (job: Job, claimant: Claimant) => Promise<Result>
  /** Why a job of this claimant would be refused at once; null: it would not. */
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
  /** Whether the child has loaded its modules. */
  isReady: boolean
  /** Whether a job of the child took long. */
  isLong: boolean
  /** Whether it serves organisations that had a job killed lately: of low priority, and not counted in `seats`. */
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

/** The memory and CPU time that a child has used so far. */
export type Used = { megabytes: number; cpuSeconds: number }

/** A child that needs longer to start is broken, however busy the machine is. */
const startMs = minute
/** Most jobs take less; a longer one gets a low priority in favour of shorter ones, and another child is started. */
const longMs = second
/** Low enough not to slow other jobs down, high enough to end within the deadline on a busy machine. */
const lowPriority = 10
/** A job that takes even longer gets only processor time that nobody else needs. */
const veryLongMs = 2 * second
const lowestPriority = 19
/** After this many times its deadline a job is ended, however little CPU time it had. */
const mostDeadlines = 4
/** With so few seats none is kept free for others, or else some claimants would never get one. */
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
    // A child that is not ready yet has not received any job, so no job is to blame.
    const reason = () => (seat.isReady ? 'crashed' : 'unstarted')
    child.on('error', (error) => end(seat, new PoolError(reason(), { cause: error })))
    child.on('exit', () => end(seat, new PoolError(reason(), { cause: lastWords() })))
    send(seat, { setup: settings.setup })
    return seat
  }

  /** A message to a child that is ending fails, which is ignored: its `exit` event is handled separately. */
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
    // A child that failed, grew or got a low priority is replaced, which frees its memory.
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

  /** Called last, because jobs that waited for this share begin at once. */
  function giveBack(task: Task | null, wasKilled: boolean): void {
    if (task) shares.end(task.claimant, wasKilled)
    if (wasKilled) haveSpare(1)
    next()
  }

  /**
   * Makes a child idle: it does not keep the process alive, and ends after a while unless it is the only idle one.
   */
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
   * Whether the claimant may take the last ready child, which is kept for others: an organisation may if it has no
   * other child, a caller without an account may not.
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

  /** Starts idle children, so that the next claimants do not wait for a process to start. */
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

  /** Starts a job; its time counts from here, because the start of a process says nothing about the job. */
  function begin(seat: Seat, task: Task): void {
    for (const timer of seat.timers.splice(0)) clearTimeout(timer)
    const before = worked(seat)
    seat.timers.push(
      setTimeout(() => endOverdue(seat, before, settings.deadlineMs), settings.deadlineMs),
      setTimeout(() => makeLong(seat, before), longMs),
    )
    send(seat, { job: task.job })
  }

  /** Ends an overdue job. CPU time counts, up to a limit: a job that a busy machine gave no time is not overdue. */
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

  /** Gives a long job a low priority, but not a job that only a busy machine kept waiting. */
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
      // The child has ended at this moment, or the system has no priorities.
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
              // Keeps this process alive until the child has ended, because nothing else may do so.
              seat.child.ref()
              seat.child.once('exit', () => resolve())
              end(seat, new PoolError('closed'))
            }),
        ),
      )
    },
  }
}

/** Whether a child holds more than half of its memory limit, or has used half of its CPU time. */
function isWorn(used: Used, { heapMb, outsideMb }: MemoryLimits): boolean {
  return used.megabytes > ownMb + (heapMb + outsideMb) / 2 || used.cpuSeconds > cpuSeconds / 2
}

/** The megabytes that Node and its modules take before any work. */
const ownMb = 64
