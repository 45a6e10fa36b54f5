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
import { outcomeOf, type Outcome } from '@kelisim/domain/mail/delivery.ts'

export type Handed =
  | { outcome: 'accepted'; code: number | null; answer: string }
  | { outcome: Outcome; code: number | null; answer: string }

export type Smtp = {
  hand: (mail: MailOptions, mayLetGo: () => Promise<boolean>) => Promise<Handed>
  close: () => void
}

export type SmtpOptions = {
  url: string
  /** A server without TLS gets no e-mail from us. */
  mustEncrypt: boolean
  connections: number
}

/** Servers limit the messages of one connection and close idle connections. */
const lettersPerConnection = 100
const idleFor = 15_000

type Line = { connection: SMTPConnection; letters: number; idle?: NodeJS.Timeout }

export function openSmtp({ url, mustEncrypt, connections }: SmtpOptions): Smtp {
  const options = {
    ...parseConnectionUrl(url),
    ...(mustEncrypt && { requireTLS: true }),
    connectionTimeout: 10_000,
    greetingTimeout: 30_000,
    socketTimeout: 60_000,
  }
  const idle: Line[] = []
  const waiting: (() => void)[] = []
  let taken = 0

  async function take(): Promise<void> {
    if (taken < connections) {
      taken++
      return
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function give(): void {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  async function connect(): Promise<Line> {
    const connection = new SMTPConnection(options)
    const line: Line = { connection, letters: 0 }
    const forget = () => {
      clearTimeout(line.idle)
      if (idle.includes(line)) idle.splice(idle.indexOf(line), 1)
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
    return line
  }

  function rest(line: Line): void {
    if (line.letters >= lettersPerConnection) return line.connection.quit()
    line.idle = setTimeout(() => {
      idle.splice(idle.indexOf(line), 1)
      line.connection.quit()
    }, idleFor)
    line.idle.unref()
    idle.push(line)
  }

  async function over(letter: Composed, mayLetGo: () => Promise<boolean>): Promise<Handed> {
    const reused = idle.pop()
    if (reused) clearTimeout(reused.idle)
    let line = reused
    try {
      line ??= await connect()
    } catch (error) {
      return failed(error, false)
    }
    const handed = await send(line, letter, mayLetGo)
    if (handed.outcome === 'accepted') {
      rest(line)
      return handed
    }
    line.connection.close()
    // The server had closed an idle connection: that says nothing about this message.
    if (reused && handed.outcome === 'again' && handed.code === null) return over(letter, mayLetGo)
    return handed
  }

  return {
    async hand(mail, mayLetGo) {
      const letter = await compose(mail)
      await take()
      try {
        return await over(letter, mayLetGo)
      } finally {
        give()
      }
    },
    close: () => {
      for (const line of idle.splice(0)) {
        clearTimeout(line.idle)
        line.connection.quit()
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
  line: Line,
  { envelope, message }: Composed,
  mayLetGo: () => Promise<boolean>,
): Promise<Handed> {
  line.letters++
  let isOver = false
  let isHandedOver = false
  let asked: Promise<unknown> | undefined
  const held = new Readable({
    read() {
      if (asked) return
      this.push(message)
      asked = mayLetGo().then(
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
    line.connection.send(envelope, held, (error, info) => {
      isOver = true
      resolve(error ? { error } : { error: null, response: info.response })
    })
  })
  // Nothing is reported about a message until it is known whether its end was sent.
  await asked
  if (!('response' in sent)) return failed(sent.error, isHandedOver)
  return { outcome: 'accepted', code: codeOf(sent.response), answer: sent.response }
}

function failed(error: unknown, isHandedOver: boolean): Handed {
  const { code, responseCode, command, response, message } = error as SMTPConnection.SMTPError
  const answer = (response ?? message ?? String(error)).slice(0, 500)
  const isAddressWrong = code === 'EENVELOPE' && responseCode === undefined
  const failure = { code: responseCode ?? null, command: command ?? '', isHandedOver, isAddressWrong }
  return { outcome: outcomeOf(failure), code: failure.code, answer }
}

function codeOf(response: string): number | null {
  return Number(/^\d{3}/.exec(response)?.[0] ?? NaN) || null
}
