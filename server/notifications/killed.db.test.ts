/** The notifying process is killed at any moment: everybody is notified once, and gets one e-mail at most. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSmtp } from '../mail/testing-smtp.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const smtp = await startSmtp({ pause: () => Math.random() * 10 })
const app = await startNotificationsApp()
const { database, connection } = app
const company = await app.company()
const route = await company.route(await company.point('InternalApprove'))
const requests = 24
const kills = 3

function start() {
  const settings = JSON.stringify({ connection, smtpUrl: smtp.url })
  return fork(new URL('./testing-notifier.ts', import.meta.url), [settings], { execArgv: [] })
}

/**
 * Does what pg-boss does by itself half a minute after a process stopped responding: retries the jobs that were taken
 * before.
 */
async function noticeDeath(before: Date): Promise<void> {
  await database.pool.query(
    `update pgboss.job set state = 'retry', start_after = now() where state = 'active' and started_on < $1`,
    [before],
  )
}

const left = async () => {
  const owed = await database.db.selectFrom('untoldEvents').select('requestId').execute()
  const mails = await database.db
    .selectFrom('mails')
    .select('id')
    .where('state', 'in', ['queued', 'handing-over'])
    .execute()
  return owed.length + mails.length
}

test('a killed process notifies once, and no e-mail is sent twice', async () => {
  const ids: string[] = []
  for (let i = 0; i < requests; i++) ids.push((await company.send(route)).result.id)
  for (let i = 0; i < kills; i++) {
    const child = start()
    await once(child, 'message')
    await setTimeout(Math.random() * 150)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await noticeDeath(new Date())
  }
  const began = new Date()
  const last = start()
  const leftAtLast = async () => {
    // The database may finish a statement of the previous process only after its death.
    await noticeDeath(began)
    return left()
  }
  await expect.poll(leftAtLast, { timeout: 40_000, interval: 100 }).toBe(0)
  last.kill('SIGKILL')

  const notices = await database.db.selectFrom('notices').selectAll().where('requestId', 'in', ids).execute()
  expect(notices.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted())
  const mails = await database.db.selectFrom('mails').select(['id', 'state']).execute()
  expect(mails.map(({ id }) => id).toSorted()).toEqual(notices.map(({ mailId }) => mailId!).toSorted())
  const taken = Map.groupBy(smtp.received, ({ messageId }) => messageId)
  for (const { id, state } of mails) {
    const times = taken.get(id)?.length ?? 0
    if (state === 'sent') expect(times).toBe(1)
    else expect([state, times <= 1]).toEqual(['uncertain', true])
  }
}, 120_000)
