/** For tests: requests whose notices are delivered when a test calls for it; e-mails stay in the table. */
import { afterAll } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { startQueue } from '../jobs/queue.ts'
import { openMailer } from '../mail/outbox.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import { deliverNext } from './delivery.ts'
import { openSignedLinks } from '../mail/signed-links.ts'

export async function startNotificationsApp() {
  const { database, connection } = await testDatabase()
  const queue = await startQueue(connection, () => {})
  afterAll(() => queue.stop())
  const clock = (): Date => app.time.now
  const from = 'Келісім <no-reply@kelisim.kz>'
  const mailer = openMailer({
    queue,
    database,
    publicUrl,
    smtpUrl: undefined,
    from,
    mustEncrypt: false,
    clock,
  })
  const app = await startRequestsApp({ database, queues: { queueMail: mailer.queueMail } })
  const signedLinks = openSignedLinks(database, clock)
  const dependencies = { database, queueMail: mailer.queueMail, publicUrl, signedLinks, clock }

  /** Delivers everything that is due; an error fails the test. */
  async function deliverAll(): Promise<void> {
    const fail = (error: unknown) => {
      throw error
    }
    while (await deliverNext(dependencies, async () => {}, fail));
  }

  const noticesOf = (requestId: string) =>
    database.db.selectFrom('notices').selectAll().where('requestId', '=', requestId).orderBy('id').execute()
  const emailsTo = async (recipient: string) =>
    database.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', recipient)
      .orderBy('createdAt')
      .execute()
  const emailOf = async (userId: string) =>
    (await database.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow())
      .email

  return { ...app, connection, queue, dependencies, deliverAll, noticesOf, emailsTo, emailOf, signedLinks }
}
