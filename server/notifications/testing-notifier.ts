/** For tests: a process that notifies and delivers e-mails, to be killed. */
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { startQueue } from '../jobs/queue.ts'
import { openMailer } from '../mail/outbox.ts'
import { inAHurry } from '../mail/testing-smtp.ts'
import { startNotifying, deliverNext } from './delivery.ts'
import { openSignedLinks } from '../mail/signed-links.ts'

const { connection, smtpUrl } = JSON.parse(process.argv[2]!) as { connection: Connection; smtpUrl: string }
const database = openDatabase({ ...connection, max: 5 }, () => {})
const queue = await startQueue(connection, () => {}, inAHurry)
const clock = () => new Date()
const publicUrl = new URL('https://kelisim.kz')
const from = 'Келісім <no-reply@kelisim.kz>'
const { queueMail, startDelivery } = openMailer({
  queue,
  database,
  smtpUrl,
  from,
  mustEncrypt: false,
  publicUrl,
  clock,
})
const dependencies = {
  database,
  queueMail,
  publicUrl,
  signedLinks: openSignedLinks(database, clock),
  clock,
}
const onError = (error: unknown) => console.error(error)
await startDelivery()
startNotifying(
  () => deliverNext(dependencies, (tx, pending) => queue.add(tx, 'tell-events', pending), onError),
  {
    everyMs: 20,
    onError,
  },
)
// Ends with its parent process.
process.once('disconnect', () => process.exit())
process.send!('notifying')
