/** Captchas for callers without a session: a proof of work or a question; each answer is accepted once. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { createChallenge, verifySolution, type Payload } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type * as z from 'zod/mini'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { hour, minute } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  getCaptcha,
  getCaptchaQuestion,
  type CaptchaAnswer,
} from '@kelisim/domain/landing/captcha-contract.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { sharedLimit } from '../http/limits/calls.ts'
import type { Serve } from '../http/serve.ts'
import { serverKey } from '../keys/queries.ts'
import { addUsedCaptcha } from './queries.ts'

type CaptchaInput = z.output<typeof CaptchaAnswer>

export type Captcha = {
  challenge: () => Promise<Record<string, unknown>>
  question: (language: Language, address: string) => Promise<{ question: string; token: string }>
  /**
   * Checks an answer before the transaction that needs it: taking a second connection inside a transaction could
   * exhaust the pool and block every call.
   */
  check: (answer: CaptchaInput | undefined) => Promise<ProofCheck>
}

/** Refuses an answer that is wrong, expired or used; runs in the transaction that needs the captcha. */
export type ProofCheck = (tx: Tx) => Promise<void>

const lifetime = 20 * minute
/**
 * A program can read a question as easily as a person. A proof of work costs time; questions are limited in number
 * instead: per network when they are given out, and for everybody together when right answers are accepted.
 */
const questions = { lifetime: 5 * minute, perNetworkAndHour: 10, acceptedPerHour: 60 }
/** About a second on an ordinary phone. */
const usualWork = { cost: 5000, tries: 700 }

export function openCaptcha(database: Database, clock: () => Date, work = usualWork): Captcha {
  const ofNetwork = sharedLimit(database, {
    name: 'captcha-network',
    points: questions.perNetworkAndHour,
    duration: hour,
  })
  const ofAll = sharedLimit(database, {
    name: 'captcha-all',
    points: questions.acceptedPerHour,
    duration: hour,
  })
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

    async question(language, address) {
      await ofNetwork(networkOf(address))
      const t = textsOf(language, 'landing-captcha')
      const [one, other] = [randomInt(2, 10), randomInt(2, 10)] as [Spoken, Spoken]
      const signed = `${randomBytes(12).toString('base64url')}.${clock().getTime() + questions.lifetime}`
      return {
        question: t('question', { one: t(`numbers.${one}`), other: t(`numbers.${other}`) }),
        token: `${signed}.${macOf(await secret(), signed, one + other).toString('base64url')}`,
      }
    },

    async check(answer) {
      const now = clock()
      const until = new Date(now.getTime() + 2 * lifetime)
      if (answer === undefined) return refused
      if ('work' in answer) {
        const nonce = await nonceOfWork(answer.work, now)
        if (nonce === null) return refused
        return async (tx) => {
          // In the same transaction, so that a failed call does not use the work up.
          if (!(await use(tx, `work ${nonce}`, until))) refuse('captcha-needed')
        }
      }
      const [nonce, expires, mac] = answer.token.split('.')
      if (!nonce || !expires || !mac) return refused
      // A wrong answer uses the question up too, because there are few enough answers to try them all.
      const isNew = await database.write((own) => use(own, `question ${nonce}`, until))
      const expected = macOf(await secret(), `${nonce}.${expires}`, Number(answer.answer.trim()))
      const isRight = isSame(Buffer.from(mac, 'base64url'), expected) && Number(expires) > now.getTime()
      if (!isNew || !isRight) return refused
      await ofAll('accepted')
      return async () => {}
    },
  }

  /** The nonce of a correct proof of work, or null. */
  async function nonceOfWork(work: string, now: Date): Promise<string | null> {
    const payload = readPayload(work)
    if (!payload) return null
    const { challenge, solution } = payload
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...(await secrets()) })
    const { expiresAt, nonce } = challenge.parameters
    // The library uses the clock of the machine; tests have their own.
    const isFresh = typeof expiresAt === 'number' && expiresAt * 1000 > now.getTime()
    return verified && isFresh ? nonce : null
  }
}

const refused: ProofCheck = async () => refuse('captcha-needed')

type Spoken = 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

export function captchaHandlers(serve: Serve, captcha: Captcha): void {
  serve(getCaptcha, async () => ({ challenge: await captcha.challenge() }))
  serve(getCaptchaQuestion, ({ language, address }) => captcha.question(language, address))
}

/** False if the proof was used before. */
function use(tx: Tx, name: string, expiresAt: Date): Promise<boolean> {
  return addUsedCaptcha(tx, createHash('sha256').update(name).digest(), expiresAt)
}

function readPayload(work: string): Payload | null {
  try {
    const payload = JSON.parse(Buffer.from(work, 'base64').toString('utf8')) as Payload
    const isWhole =
      typeof payload.challenge.parameters.nonce === 'string' && typeof payload.solution === 'object'
    return isWhole ? payload : null
  } catch {
    return null
  }
}

function macOf(key: Buffer, signed: string, answer: number): Buffer {
  return createHmac('sha256', key).update(`question ${signed} ${answer}`).digest()
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
