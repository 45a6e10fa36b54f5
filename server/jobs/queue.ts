/**
 * Work after commit: a job is queued in the transaction that causes it, so it exists if and only if the transaction was
 * committed. A job may run twice (its process dies before reporting success), so handlers are idempotent.
 *
 *   add ──▶ queued ──▶ running ──▶ done
 *             ▲          │ throws, or its process dies
 *             └─ pause ◀─┘ a minute, two, four …, each up to twice as long
 *                        └── eleven failed attempts ──▶ dead letter: kept with its data and reason, for the operator
 *
 * A chore is scheduled work. One process at a time runs it, however many there are; what came due while none was running
 * is done once at the next start.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fromKysely, PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss'
import { isUnavailable, sessionTimeouts, type Connection, type Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { day, second, yearInSeconds } from '@kelisim/domain/durations.ts'
import { currentCause, inCauseOf, type Cause } from '../tracing/tracing.ts'

/** Every kind of job and its data. */
export type Jobs = {
  'deliver-mail': { mailId: string }
  /** Somebody left the group: requests that waited only for them go on. */
  'settle-requests': { groupId: string }
  /** The notifications of these events could not be made at the first attempt. */
  'tell-events': { requestId: string; firstNumber: number; lastNumber: number }
  /** An accepted signature came without a timestamp. */
  'stamp-signature': { signatureId: string }
  /** Somebody requested a file made from a signing request. */
  'make-output': { outputId: string }
  /** People of a table are to be invited. */
  'invite-members': { importId: string }
}
export type JobName = keyof Jobs

/**
 * The data of a job with the call that caused it, whose log and trace continue in the job; jobs of chores have none.
 */
type Caused<D> = D & { cause?: Cause }

/** The number of the attempt; handlers that keep their own state record there that it was the last. */
export type Attempt = { number: number; isLast: boolean }

export type RunOptions = {
  /** How many jobs are fetched at once, and how many of these run at the same time. */
  batch?: number
  concurrency?: number
}

export type EveryOptions = {
  timeZone?: string
}

export type Queue = {
  /** Of the waiting jobs, those with the lowest place run first; it is 0 unless passed. */
  add: <N extends JobName>(tx: Tx, name: N, data: Jobs[N], place?: number) => Promise<void>
  run: <N extends JobName>(
    name: N,
    handle: (data: Jobs[N], attempt: Attempt) => Promise<void>,
    options?: RunOptions,
  ) => Promise<void>
  /** `cron` has five fields, in Almaty time unless a time zone is passed. */
  every: (name: string, cron: string, handle: () => Promise<void>, options?: EveryOptions) => Promise<void>
  /** Runs a chore outside its schedule; false if it is already queued or running. */
  runNow: (tx: Tx, chore: string) => Promise<boolean>
  /** Dead letters become jobs again, with all their attempts. */
  revive: (tx: Tx, dead: readonly { id: string; name: string; data: object }[]) => Promise<void>
  drop: (tx: Tx, deadIds: readonly string[]) => Promise<void>
  /** When it runs next; null: never. */
  nextOf: (cron: string, timeZone: string, after: Date) => Date | null
  stop: () => Promise<void>
}

const names: JobName[] = [
  'deliver-mail',
  'settle-requests',
  'tell-events',
  'stamp-signature',
  'make-output',
  'invite-members',
]

export const deadLetters = 'dead-letters'

/** The pauses between attempts, and the polling interval; tests use short ones. */
export type RetrySettings = {
  retryDelay: number
  retryBackoff: boolean
  lookEverySeconds: number
  retryLimit?: number
  cronEverySeconds?: number
}

/**
 * Eleven attempts: the first one and ten retries, after a minute, two, four … (each pause up to twice as long), which
 * take 17 to 34 hours in all. New jobs are announced; only retries need polling.
 */
const defaultRetrySettings: RetrySettings = { retryDelay: 60, retryBackoff: true, lookEverySeconds: 30 }
/** A process that dies is detected by its missing heartbeat, and another one takes over its jobs. */
const heartbeatSeconds = 30
const dayInSeconds = day / second
const keptForAYear = { retentionSeconds: yearInSeconds, deleteAfterSeconds: yearInSeconds }

/** A start that fails leaves nothing open, so it may be repeated. */
export async function startQueue(
  connection: Connection,
  onError: (error: Error) => void,
  { lookEverySeconds, cronEverySeconds, retryLimit = 10, ...pauses }: RetrySettings = defaultRetrySettings,
): Promise<Queue> {
  const look = {
    notifyPollingIntervalSeconds: lookEverySeconds,
    pollingIntervalSeconds: Math.min(2, lookEverySeconds),
  }
  const boss = new PgBoss({
    ...connection,
    ...sessionTimeouts,
    max: 4,
    useListenNotify: true,
    application_name: 'kelisim-jobs',
    ...(cronEverySeconds && {
      cronMonitorIntervalSeconds: cronEverySeconds,
      cronWorkerIntervalSeconds: cronEverySeconds,
    }),
  })
  boss.on('error', onError)
  try {
    await boss.start()
    await createOrUpdate(deadLetters, keptForAYear)
    for (const name of names) {
      await createOrUpdate(name, {
        notify: true,
        deadLetter: deadLetters,
        heartbeatSeconds,
        retryLimit,
        deleteAfterSeconds: dayInSeconds,
        ...pauses,
        retentionSeconds: yearInSeconds,
      })
    }
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }

  /** Brings queues created by an earlier version to the settings of this one. */
  async function createOrUpdate(
    name: string,
    { policy, ...settings }: NonNullable<Parameters<PgBoss['createQueue']>[1]>,
  ): Promise<void> {
    await boss.createQueue(name, { ...(policy && { policy }), ...settings })
    await boss.updateQueue(name, settings)
  }

  /** Other processes use these tables while this one starts, and a lock may be held for too long. */
  async function onceNotRefused(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        onError(new Error(`a chore is set up later: ${reasonOf(error).message}`))
        await pause(second)
      }
    }
  }

  return {
    async run(name, handle, { batch = 10, concurrency = 1 } = {}) {
      type Job = JobWithMetadata<Caused<Jobs[typeof name]>>
      const settings = {
        ...look,
        batchSize: batch,
        burstWhenBatchFull: true,
        ...({ includeMetadata: true, perJobResults: true } as const),
      }
      const handleOne = async (job: Job): Promise<JobResult> => {
        const attempt = { number: job.retryCount + 1, isLast: job.retryCount >= job.retryLimit }
        const { cause, ...data } = job.data
        const work = () =>
          handle(data as Jobs[typeof name], attempt).catch((error: unknown) => {
            if (attempt.isLast) onError(new Error(`${name} was given up: ${reasonOf(error).message}`))
            throw error
          })
        try {
          await inCauseOf(cause, 'consumer', name, work)
          return { id: job.id, status: 'completed' }
        } catch (error) {
          return { id: job.id, status: 'failed', output: reasonOf(error) }
        }
      }
      let worker: string | undefined
      worker = await boss.work<Caused<Jobs[typeof name]>, unknown, typeof settings>(
        name,
        settings,
        (jobs) => {
          // The library looks for more at once after a full batch, but not after a batch of one.
          if (batch === 1 && worker !== undefined) boss.notifyWorker(worker)
          return severalAtOnce(jobs, concurrency, handleOne)
        },
      )
    },

    async every(name, cron, handle, { timeZone = 'Asia/Almaty' } = {}) {
      await onceNotRefused(async () => {
        await createOrUpdate(name, {
          policy: 'exclusive',
          notify: true,
          heartbeatSeconds,
          retryLimit: 5,
          retryDelayMax: 3600,
          ...pauses,
          retryBackoff: true,
          deleteAfterSeconds: 7 * dayInSeconds,
        })
        await boss.schedule(name, cron, null, { tz: timeZone, missed: 'once' })
      })
      await boss.work(name, look, async () => {
        await inCauseOf(undefined, 'internal', name, () =>
          handle().catch((error: unknown) => {
            onError(new Error(`${name} was put off: ${reasonOf(error).message}`))
            throw error
          }),
        )
      })
    },

    ...actsOf(boss),
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}

/** Opens the queue without running any job: for commands beside a server. */
export async function openQueue(connection: Connection): Promise<QueueActs & Pick<Queue, 'stop'>> {
  const boss = new PgBoss({ ...connection, ...sessionTimeouts, max: 2, supervise: false, schedule: false })
  boss.on('error', () => {}) // the error goes to the caller
  await boss.start()
  await boss.createQueue(deadLetters, keptForAYear)
  return { ...actsOf(boss), stop: () => boss.stop({ graceful: false }) }
}

type QueueActs = Omit<Queue, 'run' | 'every' | 'stop'>

function actsOf(boss: PgBoss): QueueActs {
  return {
    async add(tx, name, data, place = 0) {
      const cause = currentCause()
      await boss.send(name, cause ? { ...data, cause } : data, { db: fromKysely(tx), priority: -place })
    },

    runNow: async (tx, chore) => (await boss.send(chore, null, { db: fromKysely(tx) })) !== null,

    async revive(tx, dead) {
      const db = fromKysely(tx)
      for (const [name, jobs] of Map.groupBy(dead, (one) => one.name)) {
        await boss.insert(
          name,
          jobs.map(({ data }) => ({ id: newId(), data })),
          { db },
        )
      }
      if (dead.length > 0)
        await boss.deleteJob(
          deadLetters,
          dead.map(({ id }) => id),
          { db },
        )
    },

    async drop(tx, deadIds) {
      if (deadIds.length > 0) await boss.deleteJob(deadLetters, [...deadIds], { db: fromKysely(tx) })
    },

    nextOf: (cron, tz, from) => boss.previewSchedule(cron, { tz, from, count: 1 })[0] ?? null,
  }
}

/** Processes the items in order, at most so many at the same time. */
async function severalAtOnce<T, R>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = all.entries()
  const workers = Array.from({ length: Math.min(atOnce, all.length) }, async () => {
    for (const [index, one] of left) results[index] = await work(one)
  })
  await Promise.all(workers)
  return results
}

/** Stored with the job and shown to the operator: one sentence, without a stack or other properties of the error. */
function reasonOf(error: unknown): { message: string } {
  return { message: (error instanceof Error ? error.message : String(error)).slice(0, 500) }
}
