import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeEach, expect, test } from 'vitest'
import { getCaptcha, getCaptchaQuestion } from '@kelisim/domain/landing/captcha-contract.ts'
import { sendFeedback } from '@kelisim/domain/landing/feedback-contract.ts'
import { startTestApp } from '../testing.ts'
import { findFeedback } from './queries.ts'

// The library that checks the proof of work uses the clock of the machine.
const clock = () => new Date()
const { call, database, emails } = await startTestApp({ about: { supportEmail: 'help@example.kz' }, clock })

const message = {
  name: 'Әйгерім <b>Серікова</b>',
  email: 'Aigerim@Example.kz',
  phone: '+7 (701) 123-45-67',
  message: 'Здравствуйте!\n\nНе приходит письмо <script>',
}

const forgetCalls = () => database.pool.query('delete from rate_limits')

beforeEach(async () => {
  emails.length = 0
  await forgetCalls()
})

async function worked() {
  const { result } = await call(null, getCaptcha, {})
  const challenge = result.challenge as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return { work: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') }
}

test('a message is stored and e-mailed to support with the author as reply address', async () => {
  const { status } = await call(null, sendFeedback, { ...message, captcha: await worked() })
  expect(status).toBe(200)
  const [kept] = await findFeedback(database.db, 10)
  expect(kept).toMatchObject({ ...message, email: 'aigerim@example.kz', language: 'ru' })
  expect(emails).toEqual([
    expect.objectContaining({
      to: 'help@example.kz',
      replyTo: 'aigerim@example.kz',
      subject: expect.stringMatching(/^Сообщение с сайта № [0-9a-f]{8}$/) as string,
    }),
  ])
  expect(emails[0]!.paragraphs.slice(1)).toEqual(['Здравствуйте!', 'Не приходит письмо <script>'])
  await expect(database.pool.query('update feedback set name = name')).rejects.toThrow('append-only')
})

test('a message needs a captcha, and each captcha counts for one message', async () => {
  const before = (await findFeedback(database.db, 100)).length
  const captcha = await worked()
  const { token } = (await call(null, getCaptchaQuestion, {})).result
  const tries = [undefined, { work: 'e30=' }, { token, answer: 'много' }, { token, answer: '99' }]
  for (const attempt of tries) {
    const { error } = await call(null, sendFeedback, { ...message, ...(attempt && { captcha: attempt }) })
    expect(error.ExceptionData.Alias).toBe('captcha-needed')
  }
  expect(await findFeedback(database.db, 100)).toHaveLength(before)
  expect(emails).toEqual([])
  await forgetCalls()
  expect((await call(null, sendFeedback, { ...message, captcha })).status).toBe(200)
  const again = await call(null, sendFeedback, { ...message, captcha })
  expect(again.error.ExceptionData.Alias).toBe('captcha-needed')
})

test('every invalid field is listed, and the captcha is not used up', async () => {
  const captcha = await worked()
  const wrong = { name: ' ', email: 'aigerim@', phone: '12', message: '', captcha }
  const { status, error } = await call(null, sendFeedback, wrong)
  expect(status).toBe(400)
  const fields = error.ExceptionData.Parameters['fields'] as { path: string; code: string }[]
  expect(fields.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'name required',
    'email email-incorrect',
    'phone phone-incorrect',
    'message required',
  ])
  const tooLong = await call(null, sendFeedback, { ...message, message: 'ұ'.repeat(2001), captcha })
  expect(tooLong.status).toBe(400)
  expect((await call(null, sendFeedback, { ...message, captcha })).status).toBe(200)
})

test('too many messages are refused', async () => {
  const responses = []
  for (let i = 0; i < 6; i++) responses.push(await call(null, sendFeedback, message))
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429])
})
