/**
 * Sends e-mails to a mail server over a few connections. A server accepts a message at its final dot, so that is held
 * back until we have recorded the attempt:
 *
 *   MAIL FROM, RCPT TO, DATA, the whole message ──▶ mayFinish() ──▶ the dot ──▶ the server's reply
 *
 * Before `mayFinish` resolves the server cannot have accepted the message; after that only its reply tells.
 */
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import type { Options as MailOptions } from 'nodemailer/lib/mailer'
import { deliveryResultOf, type DeliveryResult } from '@kelisim/domain/mail/delivery.ts'
import { minute, second } from '@kelisim/domain/durations.ts'

export type SendResult =
  | { outcome: 'accepted'; code: number | null; answer: string }
  | { outcome: DeliveryResult; code: number | null; answer: string }

export type Smtp = {
  send: (mail: MailOptions, mayFinish: () => Promise<boolean>) => Promise<SendResult>
  close: () => void
}

export type SmtpOptions = {
  url: string
  /** A server without TLS gets no e-mail from us. */
  mustEncrypt: boolean
  connections: number
}

/** Servers limit the messages of one connection and close idle connections. */
const messagesPerConnection = 100
const idleTimeout = 15 * second

type PooledConnection = { connection: SMTPConnection; messageCount: number; idle?: NodeJS.Timeout }

export function openSmtp({ url, mustEncrypt, connections }: SmtpOptions): Smtp {
  const options = {
    ...parseConnectionUrl(url),
    ...(mustEncrypt && { requireTLS: true }),
    connectionTimeout: 10 * second,
    greetingTimeout: 30 * second,
    socketTimeout: minute,
  }
  const idle: PooledConnection[] = []
  const waiting: (() => void)[] = []
  let taken = 0

  async function acquire(): Promise<void> {
    if (taken < connections) {
      taken++
      return
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  async function connect(): Promise<PooledConnection> {
    const connection = new SMTPConnection(options)
    const pooled: PooledConnection = { connection, messageCount: 0 }
    const forget = () => {
      clearTimeout(pooled.idle)
      if (idle.includes(pooled)) idle.splice(idle.indexOf(pooled), 1)
    }
    await new Promise<void>((resolve, reject) => {
      connection.on('error', (error) => {
        forget()
        reject(error)
      })
      connection.on('end', () => {
        forget()
        reject(new Error('the connection was closed'))
      })
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    const { auth } = options
    if (auth && 'user' in auth && auth.user) {
      await new Promise<void>((resolve, reject) => {
        connection.login({ credentials: auth }, (error) => (error ? reject(error) : resolve()))
      }).catch((error: unknown) => {
        connection.close()
        throw error
      })
    }
    return pooled
  }

  function rest(pooled: PooledConnection): void {
    if (pooled.messageCount >= messagesPerConnection) return pooled.connection.quit()
    pooled.idle = setTimeout(() => {
      idle.splice(idle.indexOf(pooled), 1)
      pooled.connection.quit()
    }, idleTimeout)
    pooled.idle.unref()
    idle.push(pooled)
  }

  async function sendOver(message: Composed, mayFinish: () => Promise<boolean>): Promise<SendResult> {
    const reused = idle.pop()
    if (reused) clearTimeout(reused.idle)
    let pooled = reused
    try {
      pooled ??= await connect()
    } catch (error) {
      return failed(error, false)
    }
    const result = await send(pooled, message, mayFinish)
    if (result.outcome === 'accepted') {
      rest(pooled)
      return result
    }
    pooled.connection.close()
    // The server had closed an idle connection: that says nothing about this message.
    if (reused && result.outcome === 'again' && result.code === null) return sendOver(message, mayFinish)
    return result
  }

  return {
    async send(mail, mayFinish) {
      const message = await compose(mail)
      await acquire()
      try {
        return await sendOver(message, mayFinish)
      } finally {
        release()
      }
    },
    close: () => {
      for (const pooled of idle.splice(0)) {
        clearTimeout(pooled.idle)
        pooled.connection.quit()
      }
    },
  }
}

type Composed = { envelope: SMTPConnection.Envelope; message: Buffer }

async function compose(mail: MailOptions): Promise<Composed> {
  const node = new MailComposer({ ...mail, disableFileAccess: true, disableUrlAccess: true }).compile()
  const { from, to } = node.getEnvelope()
  const message = await node.build()
  return { envelope: { from, to, size: message.length }, message }
}

async function send(
  pooled: PooledConnection,
  { envelope, message }: Composed,
  mayFinish: () => Promise<boolean>,
): Promise<SendResult> {
  pooled.messageCount++
  let isOver = false
  let isHandedOver = false
  let decided: Promise<unknown> | undefined
  const held = new Readable({
    read() {
      if (decided) return
      this.push(message)
      decided = mayFinish().then(
        (may) => {
          if (isOver || !may) return void this.destroy(new Error('not let go of'))
          isHandedOver = true
          this.push(null)
        },
        (error: unknown) => void this.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  held.on('error', () => {})
  type Sent = { error: unknown } | { error: null; response: string }
  const sent = await new Promise<Sent>((resolve) => {
    pooled.connection.send(envelope, held, (error, info) => {
      isOver = true
      resolve(error ? { error } : { error: null, response: info.response })
    })
  })
  // Nothing is reported about a message until it is known whether its end was sent.
  await decided
  if (!('response' in sent)) return failed(sent.error, isHandedOver)
  return { outcome: 'accepted', code: codeOf(sent.response), answer: sent.response }
}

function failed(error: unknown, isHandedOver: boolean): SendResult {
  const { code, responseCode, command, response, message } = error as SMTPConnection.SMTPError
  const answer = (response ?? message ?? String(error)).slice(0, 500)
  const isAddressWrong = code === 'EENVELOPE' && responseCode === undefined
  const failure = { code: responseCode ?? null, command: command ?? '', isHandedOver, isAddressWrong }
  return { outcome: deliveryResultOf(failure), code: failure.code, answer }
}

function codeOf(response: string): number | null {
  return Number(/^\d{3}/.exec(response)?.[0] ?? NaN) || null
}
