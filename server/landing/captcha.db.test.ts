import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { openCaptcha } from './captcha.ts'
import { sweepCaptchas } from './queries.ts'

const { database } = await testDatabase()
const start = new Date()
const time = { now: start }
const captcha = openCaptcha(database, () => time.now, { cost: 10, tries: 20 })
/** Another process of the same installation, and another installation. */
const sibling = openCaptcha(database, () => time.now, { cost: 10, tries: 20 })
const stranger = openCaptcha((await testDatabase()).database, () => time.now, { cost: 10, tries: 20 })

type CaptchaAnswer = Parameters<typeof captcha.check>[0]
const checkAnswer = async (from: typeof captcha, answer: CaptchaAnswer) =>
  database.write(await from.check(answer))
const demand = (answer: CaptchaAnswer) => checkAnswer(captcha, answer)
const refused = (answer: CaptchaAnswer) => expect(demand(answer)).rejects.toThrow('captcha-needed')

let networks = 0
const someone = () => `10.0.0.${++networks}`

beforeEach(async () => {
  time.now = start
  await database.pool.query('delete from rate_limits')
})

async function solved(from = captcha) {
  const challenge = (await from.challenge()) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return { challenge, solution: solution! }
}
const asAnswer = (payload: unknown) => ({ work: Buffer.from(JSON.stringify(payload)).toString('base64') })

describe('a proof of work', () => {
  test('counts once, in any process', async () => {
    const answer = asAnswer(await solved(sibling))
    await demand(answer)
    await refused(answer)
    await expect(checkAnswer(sibling, answer)).rejects.toThrow('captcha-needed')
  })

  test('counts for one of several simultaneous calls', async () => {
    const answer = asAnswer(await solved())
    const outcomes = await Promise.allSettled([demand(answer), demand(answer), demand(answer)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is not used up if the call fails for another reason', async () => {
    const answer = asAnswer(await solved())
    const checkProof = await captcha.check(answer)
    const failing = database.write(async (tx) => {
      await checkProof(tx)
      throw new Error('something else')
    })
    await expect(failing).rejects.toThrow('something else')
    await demand(answer)
  })

  test('expires', async () => {
    const answer = asAnswer(await solved())
    time.now = new Date(start.getTime() + 21 * 60_000)
    await refused(answer)
  })

  test('that is missing, wrong, changed or from another installation is refused', async () => {
    const { challenge, solution } = await solved()
    const { parameters } = challenge
    await refused(undefined)
    await refused({ work: '' })
    await refused({ work: Buffer.from('null').toString('base64') })
    await refused(asAnswer({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }))
    await refused(asAnswer({ challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution }))
    await refused(
      asAnswer({ challenge: { ...challenge, parameters: { ...parameters, expiresAt: 9e9 } }, solution }),
    )
    await refused(asAnswer({ challenge: { parameters }, solution }))
    await refused(asAnswer(await solved(stranger)))
    await demand(asAnswer({ challenge, solution }))
  })
})

/** The answer of a person who reads the question. */
const read = (question: string, language: (typeof languages)[number]) => {
  const t = textsOf(language, 'landing-captcha')
  const words = ([2, 3, 4, 5, 6, 7, 8, 9] as const).map((number) => [t(`numbers.${number}`), number] as const)
  const found = question
    .toLowerCase()
    .split(/[\s?]+/)
    .flatMap((word) => words.filter(([known]) => known === word).map(([, number]) => number))
  return String(found.reduce((sum, number) => sum + number, 0))
}

describe('a captcha question', () => {
  test.each(languages)('is in %s, and its answer counts once', async (language) => {
    const { question, token } = await captcha.question(language, someone())
    const answer = { token, answer: ` ${read(question, language)} ` }
    await demand(answer)
    await refused(answer)
  })

  test('is used up by a wrong answer', async () => {
    const { question, token } = await captcha.question('en', someone())
    const right = read(question, 'en')
    await refused({ token, answer: String(Number(right) + 1) })
    await refused({ token, answer: right })
  })

  test('expires, and cannot be forged', async () => {
    const { question, token } = await captcha.question('ru', someone())
    const answer = read(question, 'ru')
    const [nonce, , mac] = token.split('.')
    await refused({ token: `${nonce}.9999999999999.${mac}`, answer })
    const fresh = await captcha.question('ru', someone())
    time.now = new Date(start.getTime() + 6 * 60_000)
    await refused({ token: fresh.token, answer: read(fresh.question, 'ru') })
    await refused({ token: 'a.b', answer })
  })
})

describe('questions, which programs can read,', () => {
  const right = async (address = someone()) => {
    const { question, token } = await captcha.question('en', address)
    return { token, answer: read(question, 'en') }
  }

  test('are given to one network ten times an hour, over all processes', async () => {
    const address = someone()
    for (let i = 0; i < 5; i++) {
      await captcha.question('ru', address)
      await sibling.question('kk', address)
    }
    await expect(captcha.question('ru', address)).rejects.toThrow('too-many-requests')
    await captcha.question('ru', someone())
  })

  test('are accepted sixty times an hour for everybody together, and a proof of work is still accepted', async () => {
    for (let i = 0; i < 60; i++) await demand(await right())
    await expect(demand(await right())).rejects.toThrow('too-many-requests')
    await demand(asAnswer(await solved()))
  })

  test('count towards the common limit only when the answer is right', async () => {
    for (let i = 0; i < 61; i++) {
      const { token } = await captcha.question('en', someone())
      await refused({ token, answer: '0' })
    }
    await demand(await right())
  })
})

test('expired captchas are deleted', async () => {
  await demand(asAnswer(await solved()))
  await database.write((tx) => sweepCaptchas(tx, new Date(start.getTime() + 120 * 60_000)))
  const { count } = await database.db
    .selectFrom('usedCaptchas')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})
