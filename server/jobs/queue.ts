/**
 * Work after commit: a job is queued in the transaction that causes it, so there is one if and only if the
 * transaction was committed. A job may run twice (a process dies before it says done): handlers are idempotent.
 *
 *   add ──▶ waits ──▶ runs ──▶ done
 *             ▲         │ throws, or its process dies
 *             └─ pause ◀┘ a minute, two, four …
 *                       └── ten times in vain ──▶ dead letter: kept with what and why, for the operator
 *
 * A chore is work by the clock. However many processes there are, one of them does it, and never two at once; what came
 * due while none was running is done once at the next start.
 */
import { fromKysely, PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss'
import type { Connection, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'

/** Every kind of job and what it carries. */
export type Jobs = {
  'deliver-mail': { mailId: string }
  /** Somebody left the group: what waited only for them is done. */
  'settle-requests': { groupId: string }
  /** Whoever is to be told of these events was not at the first try. */
  'tell-events': { requestId: string; firstNumber: number; lastNumber: number }
  /** A signature was accepted that came without a timestamp. */
  'stamp-signature': { signatureId: string }
  /** Somebody asked for something to be made of a request. */
  'make-output': { outputId: string }
}
export type JobName = keyof Jobs

/** Which try this is; whoever keeps a state of their own says there that it was the last. */
export type Try = { number: number; isLast: boolean }

export type RunOptions = {
  /** How many are fetched at once, and of these how many are worked on at the same time. */
  batch?: number
  concurrency?: number
}

export type EveryOptions = {
  timeZone?: string
}

export type Queue = {
  add: <N extends JobName>(tx: Tx, name: N, data: Jobs[N]) => Promise<void>
  run: <N extends JobName>(
    name: N,
    handle: (data: Jobs[N], attempt: Try) => Promise<void>,
    options?: RunOptions,
  ) => Promise<void>
  /** `cron` has five fields, in the time of Almaty unless said otherwise. */
  every: (name: string, cron: string, handle: () => Promise<void>, options?: EveryOptions) => Promise<void>
  /** A chore out of its turn; false if it waits or runs already. */
  runNow: (tx: Tx, chore: string) => Promise<boolean>
  /** Dead letters become jobs again, with all their tries. */
  revive: (tx: Tx, dead: readonly { id: string; name: string; data: object }[]) => Promise<void>
  drop: (tx: Tx, deadIds: readonly string[]) => Promise<void>
  /** When it is due next; null: never. */
  nextOf: (cron: string, timeZone: string, after: Date) => Date | null
  stop: () => Promise<void>
}

const names: JobName[] = ['deliver-mail', 'settle-requests', 'tell-events', 'stamp-signature', 'make-output']

export const deadLetters = 'dead-letters'

/** How patiently work that failed is tried again, and how often we look; tests are in a hurry. */
export type Pace = {
  retryDelay: number
  retryBackoff: boolean
  lookEverySeconds: number
  retryLimit?: number
  cronEverySeconds?: number
}

/** A minute, two, four …: ten tries over most of a day. New work is announced, only retries must be looked for. */
const usualPace: Pace = { retryDelay: 60, retryBackoff: true, lookEverySeconds: 30 }
/** A process that dies is noticed by its silence, and what it was at is given to another. */
const heartbeatSeconds = 30
const year = 365 * 24 * 60 * 60
const day = 24 * 60 * 60
const keptForAYear = { retentionSeconds: year, deleteAfterSeconds: year }

export async function startQueue(
  connection: Connection,
  onError: (error: Error) => void,
  { lookEverySeconds, cronEverySeconds, retryLimit = 10, ...pauses }: Pace = usualPace,
): Promise<Queue> {
  const look = {
    notifyPollingIntervalSeconds: lookEverySeconds,
    pollingIntervalSeconds: Math.min(2, lookEverySeconds),
  }
  const boss = new PgBoss({
    ...connection,
    max: 4,
    useListenNotify: true,
    application_name: 'kelisim-jobs',
    ...(cronEverySeconds && {
      cronMonitorIntervalSeconds: cronEverySeconds,
      cronWorkerIntervalSeconds: cronEverySeconds,
    }),
  })
  boss.on('error', onError)
  await boss.start()
  await createOrUpdate(deadLetters, keptForAYear)
  for (const name of names) {
    await createOrUpdate(name, {
      notify: true,
      deadLetter: deadLetters,
      heartbeatSeconds,
      retryLimit,
      deleteAfterSeconds: day,
      ...pauses,
      retentionSeconds: year,
    })
  }

  /** What an earlier version of ours made is brought to what this one asks for. */
  async function createOrUpdate(
    name: string,
    { policy, ...settings }: NonNullable<Parameters<PgBoss['createQueue']>[1]>,
  ): Promise<void> {
    await boss.createQueue(name, { ...(policy && { policy }), ...settings })
    await boss.updateQueue(name, settings)
  }

  return {
    async run(name, handle, { batch = 10, concurrency = 1 } = {}) {
      type Job = JobWithMetadata<Jobs[typeof name]>
      const settings = {
        ...look,
        batchSize: batch,
        burstWhenBatchFull: true,
        ...({ includeMetadata: true, perJobResults: true } as const),
      }
      const handleOne = async (job: Job): Promise<JobResult> => {
        const attempt = { number: job.retryCount + 1, isLast: job.retryCount >= job.retryLimit }
        try {
          await handle(job.data, attempt)
          return { id: job.id, status: 'completed' }
        } catch (error) {
          if (attempt.isLast) onError(new Error(`${name} was given up: ${reasonOf(error).message}`))
          return { id: job.id, status: 'failed', output: reasonOf(error) }
        }
      }
      await boss.work<Jobs[typeof name], unknown, typeof settings>(name, settings, (jobs) =>
        severalAtOnce(jobs, concurrency, handleOne),
      )
    },

    async every(name, cron, handle, { timeZone = 'Asia/Almaty' } = {}) {
      await createOrUpdate(name, {
        policy: 'exclusive',
        notify: true,
        heartbeatSeconds,
        retryLimit: 5,
        retryDelayMax: 3600,
        ...pauses,
        retryBackoff: true,
        deleteAfterSeconds: 7 * day,
      })
      await boss.schedule(name, cron, null, { tz: timeZone, missed: 'once' })
      await boss.work(name, look, async () => {
        try {
          await handle()
        } catch (error) {
          onError(new Error(`${name} was put off: ${reasonOf(error).message}`))
          throw error
        }
      })
    },

    ...actsOf(boss),
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}

/** Without doing any of the work: for commands beside a server. */
export async function openQueue(connection: Connection): Promise<QueueActs & Pick<Queue, 'stop'>> {
  const boss = new PgBoss({ ...connection, max: 2, supervise: false, schedule: false })
  boss.on('error', () => {}) // whoever asks is told
  await boss.start()
  await boss.createQueue(deadLetters, keptForAYear)
  return { ...actsOf(boss), stop: () => boss.stop({ graceful: false }) }
}

type QueueActs = Omit<Queue, 'run' | 'every' | 'stop'>

function actsOf(boss: PgBoss): QueueActs {
  return {
    add: async (tx, name, data) => void (await boss.send(name, data, { db: fromKysely(tx) })),

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

/** In their order, so many at the same time. */
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

/** Kept with the job and shown to the operator: a sentence, no stack and nothing that hangs on the error. */
function reasonOf(error: unknown): { message: string } {
  return { message: (error instanceof Error ? error.message : String(error)).slice(0, 500) }
}
