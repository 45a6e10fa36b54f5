/**
 * Ten thousand queued e-mails over SMTP, with every state saved and none sent twice; against nodemailer in a plain loop
 * over as many connections, which saves nothing. Both send the same e-mails to the same mail server, alternating.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { openDatabase, type Database } from '@kelisim/db/db.ts'
import { migrate } from '@kelisim/db/migrate.ts'
import { startQueue } from '@kelisim/server/jobs/queue.ts'
import { openMailer } from '@kelisim/server/mail/outbox.ts'
import { renderEmail } from '@kelisim/server/mail/rendering/render.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { temporaryData } from './parts/product.ts'

const goal = 0.7
const emailCount = Number(process.env['BENCH_EMAILS'] ?? 10_000)
const connections = 10
const publicUrl = new URL('https://kelisim.example')
const from = 'Келісім <no-reply@kelisim.example>'

const emailTo = (i: number) => ({
  to: `person${i}@example.kz`,
  language: 'ru' as const,
  subject: `На подпись: «Договор поставки № ${i}»`,
  paragraphs: ['Документ «Договор поставки» от ТОО «Алтын Дала» ждёт вашей подписи.', 'Ждёт с 15.11.2026.'],
  button: { label: 'Открыть документ', url: `https://kelisim.example/signingRequests/${i}` },
})

export async function mailDrain(): Promise<Measure> {
  const dataDir = temporaryData()
  const embedded = await startEmbedded(join(dataDir, 'postgres'))
  await migrate(embedded.connection)
  const database = openDatabase(embedded.connection, () => {})
  const sink = fork(new URL('./parts/mail-sink.ts', import.meta.url), { execArgv: [] })
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
  const smtpUrl = `smtp://127.0.0.1:${port}`
  try {
    // Half of the plain loop before, half after: a machine that slows down affects both.
    const first = await bareLoop(smtpUrl, emailCount / 2)
    const seconds = await drain(database, embedded.connection, smtpUrl, sink)
    const second = await bareLoop(smtpUrl, emailCount / 2)
    const [value, anchor] = [emailCount / seconds, emailCount / (first + second)]
    const ratio = rounded(value / anchor)
    return {
      name: 'mailDrain',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `ratio >= ${goal}`,
      ok: ratio >= goal,
      note: `e-mails a second, ${emailCount} of them over ${connections} connections`,
    }
  } finally {
    sink.kill('SIGKILL')
    await database.close()
    await embedded.stopIfUnused()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function bareLoop(smtpUrl: string, count: number): Promise<number> {
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: connections })
  const began = performance.now()
  const numbers = Array.from({ length: count }, (_, i) => i).values()
  const workers = Array.from({ length: connections }, async () => {
    for (const i of numbers) {
      const email = emailTo(i)
      const { to, subject } = email
      await transport.sendMail({ from, to, subject, ...renderEmail(email, publicUrl) })
    }
  })
  await Promise.all(workers)
  transport.close()
  return (performance.now() - began) / 1000
}

async function drain(
  database: Database,
  connection: Parameters<typeof startQueue>[0],
  smtpUrl: string,
  sink: ChildProcess,
): Promise<number> {
  const queue = await startQueue(connection, (error) => console.error(error.message))
  const mailer = openMailer({
    queue,
    database,
    publicUrl,
    smtpUrl,
    from,
    mustEncrypt: false,
    clock: () => new Date(),
  })
  for (let i = 0; i < emailCount; i += 500) {
    await database.write(async (tx) => {
      for (let j = i; j < Math.min(emailCount, i + 500); j++) await mailer.queueMail(tx, emailTo(j))
    })
  }
  const before = await takenBy(sink)
  const began = performance.now()
  await mailer.startDelivery()
  while ((await takenBy(sink)) - before < emailCount || (await leftIn(database)) > 0) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - began) / 1000
  const taken = (await takenBy(sink)) - before
  if (taken !== emailCount) throw new Error(`${taken} e-mails came of ${emailCount}`)
  await queue.stop()
  mailer.close()
  return seconds
}

async function takenBy(sink: ChildProcess): Promise<number> {
  sink.send('?')
  const [{ taken }] = (await once(sink, 'message')) as [{ taken: number }]
  return taken
}

async function leftIn(database: Database): Promise<number> {
  const rows = await database.db
    .selectFrom('mails')
    .select('id')
    .where('state', '<>', 'sent')
    .limit(1)
    .execute()
  return rows.length
}
