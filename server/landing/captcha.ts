/** Gives work and questions to callers without a session, and takes each answer once. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { createChallenge, verifySolution, type Payload } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type * as z from 'zod/mini'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  getCaptcha,
  getCaptchaQuestion,
  type CaptchaAnswer,
} from '@kelisim/domain/landing/captcha-contract.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../http/serve.ts'
import { serverKey } from '../keys/server-keys.ts'

type Answer = z.output<typeof CaptchaAnswer>

export type Captcha = {
  challenge: () => Promise<Record<string, unknown>>
  question: (language: Language) => Promise<{ question: string; token: string }>
  /**
   * Looks at an answer, before the transaction that it is needed for: whoever asks for a second connection with one in hand
   * waits for others who do the same, and with a few of them nobody gets any.
   */
  look: (answer: Answer | undefined) => Promise<Demand>
}

/** Refuses what is wrong, too old, or was given before. Part of the transaction that it is needed for. */
export type Demand = (tx: Tx) => Promise<void>

const lifetime = 20 * minute
/** About a second of an ordinary phone: nothing for a person, a lot for whoever wants thousands. */
const usualWork = { cost: 5000, tries: 700 }

export function openCaptcha(database: Database, clock: () => Date, work = usualWork): Captcha {
  let key: Promise<Buffer> | undefined
  const secret = () =>
    (key ??= serverKey(database, 'captcha', clock()).catch((error: unknown) => {
      key = undefined
      throw error
    }))
  const secrets = async () => {
    const of = (purpose: string, value: Buffer) => createHmac('sha256', value).update(purpose).digest('hex')
    const value = await secret()
    return { hmacSignatureSecret: of('work', value), hmacKeySignatureSecret: of('work key', value) }
  }

  return {
    async challenge() {
      const { cost, tries } = work
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(Math.ceil(tries / 2), tries),
        deriveKey,
        expiresAt: new Date(clock().getTime() + lifetime),
        ...(await secrets()),
      })
      return { ...challenge }
    },

    async question(language) {
      const t = textsOf(language, 'landing-captcha')
      const [one, other] = [randomInt(2, 10), randomInt(2, 10)] as [Spoken, Spoken]
      const said = `${randomBytes(12).toString('base64url')}.${clock().getTime() + lifetime}`
      return {
        question: t('question', { one: t(`numbers.${one}`), other: t(`numbers.${other}`) }),
        token: `${said}.${macOf(await secret(), said, one + other).toString('base64url')}`,
      }
    },

    async look(answer) {
      const now = clock()
      const until = new Date(now.getTime() + 2 * lifetime)
      if (answer === undefined) return refused
      if ('work' in answer) {
        const nonce = await worked(answer.work, now)
        if (nonce === null) return refused
        return async (tx) => {
          // With what it was done for: where that fails the work is not lost.
          if (!(await use(tx, `work ${nonce}`, until))) refuse('captcha-needed')
        }
      }
      const [nonce, expires, mac] = answer.token.split('.')
      if (!nonce || !expires || !mac) return refused
      // A wrong answer uses the question up, whatever becomes of the call: there are few enough to try them all.
      const isNew = await database.write((own) => use(own, `question ${nonce}`, until))
      const expected = macOf(await secret(), `${nonce}.${expires}`, Number(answer.answer.trim()))
      const isRight = isSame(Buffer.from(mac, 'base64url'), expected) && Number(expires) > now.getTime()
      return isNew && isRight ? async () => {} : refused
    },
  }

  /** Names the work that was done; null: none was. */
  async function worked(given: string, now: Date): Promise<string | null> {
    const payload = readPayload(given)
    if (!payload) return null
    const { challenge, solution } = payload
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...(await secrets()) })
    const { expiresAt, nonce } = challenge.parameters
    // The library looks at the clock of the machine; ours is the one that counts.
    const isFresh = typeof expiresAt === 'number' && expiresAt * 1000 > now.getTime()
    return verified && isFresh ? nonce : null
  }
}

const refused: Demand = async () => refuse('captcha-needed')

type Spoken = 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

export function captchaHandlers(serve: Serve, captcha: Captcha): void {
  serve(getCaptcha, async () => ({ challenge: await captcha.challenge() }))
  serve(getCaptchaQuestion, ({ language }) => captcha.question(language))
}

export async function sweepCaptchas(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('usedCaptchas').where('expiresAt', '<', now).execute()
}

/** False: it was used before. Two calls with the same answer at once: the second waits and finds it used. */
async function use(tx: Tx, named: string, expiresAt: Date): Promise<boolean> {
  const hash = createHash('sha256').update(named).digest()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('usedCaptchas')
    .values({ hash, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function readPayload(given: string): Payload | null {
  try {
    const payload = JSON.parse(Buffer.from(given, 'base64').toString('utf8')) as Payload
    const isWhole =
      typeof payload.challenge.parameters.nonce === 'string' && typeof payload.solution === 'object'
    return isWhole ? payload : null
  } catch {
    return null
  }
}

function macOf(key: Buffer, said: string, answer: number): Buffer {
  return createHmac('sha256', key).update(`question ${said} ${answer}`).digest()
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
