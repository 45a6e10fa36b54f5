/**
 * Work after commit: a job is queued in the transaction that causes it, so there is one if and only if the
 * transaction was committed. A job may run twice (a process dies before it says done): handlers are idempotent.
 */
import { fromKysely, PgBoss } from 'pg-boss'
import type { Connection, Tx } from '@kelisim/db/db.ts'

/** Every kind of job and what it carries. */
export type Jobs = {
  'deliver-mail': { mailId: string }
  /** Somebody left the group: what waited only for them is done. */
  'settle-requests': { groupId: string }
}
export type JobName = keyof Jobs

export type Queue = {
  add: <N extends JobName>(tx: Tx, name: N, data: Jobs[N]) => Promise<void>
  run: <N extends JobName>(name: N, handle: (data: Jobs[N]) => Promise<void>) => Promise<void>
  stop: () => Promise<void>
}

const names: JobName[] = ['deliver-mail', 'settle-requests']

/** How patiently work that failed is tried again; tests are in a hurry. */
export type Pace = { retryDelay: number; retryBackoff: boolean; lookEverySeconds: number }

/** A minute, two, four …: ten tries over most of a day. New work is announced, only retries must be looked for. */
const usualPace: Pace = { retryDelay: 60, retryBackoff: true, lookEverySeconds: 30 }

export async function startQueue(
  connection: Connection,
  onError: (error: Error) => void,
  { lookEverySeconds, ...pauses }: Pace = usualPace,
): Promise<Queue> {
  const look = {
    notifyPollingIntervalSeconds: lookEverySeconds,
    pollingIntervalSeconds: Math.min(2, lookEverySeconds),
  }
  const boss = new PgBoss({ ...connection, max: 4, useListenNotify: true, application_name: 'kelisim-jobs' })
  boss.on('error', onError)
  await boss.start()
  for (const name of names) {
    await boss.createQueue(name, { notify: true, retryLimit: 10, ...pauses })
  }
  return {
    add: async (tx, name, data) => void (await boss.send(name, data, { db: fromKysely(tx) })),
    run: async (name, handle) =>
      void (await boss.work<Jobs[typeof name]>(name, look, async (jobs) => {
        for (const job of jobs) await handle(job.data)
      })),
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}
