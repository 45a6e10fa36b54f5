/** For tests: a real mail server that keeps accepted messages and replies as a test wants. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

export type Received = { to: string; source: string; messageId: string }

/** How the server replies for an address: at RCPT TO, or after the whole message. */
export type Mood = {
  toAddress?: (address: string) => { code: number; text: string } | undefined
  toMessage?: (address: string) => { code: number; text: string } | undefined
  /** The delay before the reply to a message, in milliseconds. */
  pause?: () => number
}

export const inAHurry = { retryDelay: 0, retryBackoff: false, lookEverySeconds: 0.5 }

export async function startSmtp(mood: Mood = {}) {
  const received: Received[] = []
  let notify: () => void = () => {}
  const refusal = ({ code, text }: { code: number; text: string }) =>
    Object.assign(new Error(text), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      const reply = mood.toAddress?.(address)
      done(reply ? refusal(reply) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]!.address
        const reply = mood.toMessage?.(to)
        if (reply) return done(refusal(reply))
        const source = Buffer.concat(chunks).toString()
        received.push({ to, source, messageId: /^Message-ID: <(.+?)@/im.exec(source)![1]! })
        notify()
        setTimeout(done, mood.pause?.() ?? 0)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  afterAll(() => server.close(() => {}))
  return {
    received,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Waits until the received messages meet the condition. */
    until: async (isThere: (received: readonly Received[]) => boolean): Promise<void> => {
      while (!isThere(received)) await new Promise<void>((resolve) => (notify = resolve))
    },
  }
}
