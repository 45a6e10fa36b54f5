/** The mail server of the signing day: takes everything and remembers what it took. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type TakenMail = { to: string; messageId: string }

export async function startMailSink(): Promise<{ url: string; taken: TakenMail[]; close: () => void }> {
  const taken: TakenMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.once('end', () => {
        const [, messageId = ''] = /^Message-ID: <(.+?)>/im.exec(Buffer.concat(parts).toString()) ?? []
        taken.push({ to: session.envelope.rcptTo[0]!.address, messageId })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, taken, close: () => server.close(() => {}) }
}
