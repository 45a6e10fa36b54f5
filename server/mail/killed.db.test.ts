/** The delivering process is killed at any moment: no e-mail is lost, and none arrives twice. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { startQueue } from '../jobs/queue.ts'
import { openMailer } from './outbox.ts'
import { inAHurry, startSmtp } from './testing-smtp.ts'

const smtp = await startSmtp({ pause: () => Math.random() * 20 })
const { database, connection } = await testDatabase()
const queue = await startQueue(connection, () => {}, inAHurry)
afterAll(() => queue.stop())

const messageCount = 400
const kills = 10

function deliver() {
  const settings = JSON.stringify({ connection, smtpUrl: smtp.url })
  return fork(new URL('./testing-delivery.ts', import.meta.url), [settings], { execArgv: [] })
}

/** Retries jobs taken before this time, as pg-boss does half a minute after a process stopped responding. */
async function noticeDeath(before: Date): Promise<void> {
  await database.pool.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active' and started_on < $1`,
    [before],
  )
}

const statesOf = async () => {
  const rows = await database.db.selectFrom('mails').select(['id', 'state']).execute()
  return new Map(rows.map(({ id, state }) => [id, state]))
}

test('each e-mail is accepted by the server once, or is marked as uncertain', async () => {
  const mailer = openMailer({
    queue,
    database,
    smtpUrl: smtp.url,
    from: 'x@kelisim.kz',
    mustEncrypt: false,
    publicUrl: new URL('https://kelisim.kz'),
    clock: () => new Date(),
  })
  await database.write(async (tx) => {
    for (let i = 0; i < messageCount; i++) {
      await mailer.queueMail(tx, {
        to: `p${i}@example.kz`,
        language: 'ru',
        subject: `${i}`,
        paragraphs: ['…'],
      })
    }
  })

  for (let i = 0; i < kills; i++) {
    const child = deliver()
    await once(child, 'message')
    const before = smtp.received.length
    await smtp.until((all) => all.length > before || all.length >= messageCount)
    await setTimeout(Math.random() * 60)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await noticeDeath(new Date())
  }
  const began = new Date()
  const last = deliver()
  const unsent = async () => {
    // The database may finish a statement of the previous process only after its death, so its jobs are retried
    // again.
    await noticeDeath(began)
    return [...(await statesOf()).values()].filter((s) => s === 'queued' || s === 'handing-over')
  }
  await expect.poll(unsent, { timeout: 40_000, interval: 200 }).toEqual([])
  last.kill('SIGKILL')

  const taken = Map.groupBy(smtp.received, ({ messageId }) => messageId)
  const states = await statesOf()
  expect(states.size).toBe(messageCount)
  for (const [id, state] of states) {
    const times = taken.get(id)?.length ?? 0
    if (state === 'sent') expect(times, id).toBe(1)
    else {
      expect(state, id).toBe('uncertain')
      expect(times, id).toBeLessThanOrEqual(1)
    }
  }
  // The kills did hit deliveries that were in progress.
  expect([...states.values()].filter((state) => state === 'sent').length).toBeGreaterThan(messageCount / 2)
}, 120_000)
