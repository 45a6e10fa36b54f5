/** For tests: a process that only delivers e-mails, to be killed. */
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { startQueue } from '../jobs/queue.ts'
import { openMailer } from './outbox.ts'
import { inAHurry } from './testing-smtp.ts'

const { connection, smtpUrl } = JSON.parse(process.argv[2]!) as { connection: Connection; smtpUrl: string }
const database = openDatabase({ ...connection, max: 5 }, () => {})
const queue = await startQueue(connection, () => {}, inAHurry)
const mailer = openMailer({
  queue,
  database,
  smtpUrl,
  from: 'Келісім <no-reply@kelisim.kz>',
  mustEncrypt: false,
  publicUrl: new URL('https://kelisim.kz'),
  clock: () => new Date(),
})
await mailer.startDelivery()
// Ends with its parent process.
process.once('disconnect', () => process.exit())
process.send!('delivering')
