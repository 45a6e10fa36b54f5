/** Two-step sign-in: nobody gets in with the password alone, and codes can neither be guessed nor used twice. */
import { describe, expect, test } from 'vitest'
import { minute, second } from '@kelisim/domain/durations.ts'
import { codeAt, stepAt, secretInLetters } from './accounts/one-time-code.ts'
import { findSecondFactor } from './accounts/second-factor-queries.ts'
import { linkOf, password, signIn, startSignIn, type Browser } from './testing.ts'

const service = await startSignIn()
const { application, browser, makeAccount, clock, time, emails, database } = service
const accountPage = '/connect/account/second-factor'

/** The code on the person's phone. A code works once, so the clock is moved to the next one. */
async function codeOf(accountId: string): Promise<string> {
  time.ahead += 30 * second
  const { secret } = (await findSecondFactor(database.db, accountId))!
  return codeAt(secret, stepAt(clock()))
}

const spareCodesIn = (text: string) => [...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code!)

async function withSecondFactor(email: string) {
  const id = await makeAccount(email)
  const person = browser()
  await signIn(service, person, email)
  const enrolment = await person.submit(await person.open(accountPage), { password }, '/second-factor')
  const done = await person.submit(enrolment, { code: await codeOf(id) }, '/confirm')
  return { id, person, spareCodes: spareCodesIn(done.text) }
}

/** The page that asks for the code. */
async function passwordTyped(person: Browser, email: string) {
  const attempt = await application.begin({ prompt: 'login' })
  const page = await person.submit(await person.open(attempt.url), { email, password }, '/password')
  return { page, finish: attempt.finish }
}

/** Two-step sign-in was turned on eight days ago. */
const makeOld = (accountId: string) =>
  database.pool.query(
    `update sign_in_second_factors set confirmed_at = confirmed_at - interval '8 days' where account_id = $1`,
    [accountId],
  )

async function resetPassword(email: string): Promise<void> {
  const person = browser()
  await person.submit(await person.open('/connect/forgot'), { email })
  const link = linkOf(emails.findLast(({ to }) => to === email))
  expect((await person.submit(await person.open(link), { password: newPassword })).status).toBe(200)
}
const newPassword = 'другой длинный пароль'

describe('turning on the second factor', () => {
  test('needs the password and the first code, shows spare codes once and sends an e-mail', async () => {
    const id = await makeAccount('on@example.kz')
    const person = browser()
    await signIn(service, person, 'on@example.kz')
    const page = await person.open(accountPage)
    expect((await person.submit(page, { password: 'not this one' }, '/second-factor')).status).toBe(422)
    expect(await findSecondFactor(database.db, id)).toBeUndefined()

    const enrolment = await person.submit(page, { password }, '/second-factor')
    expect(enrolment.text).toContain('<svg')
    expect((await person.submit(enrolment, { code: '000000' }, '/confirm')).status).toBe(422)
    // No code is asked for until the phone has proved that it has the secret.
    expect((await signIn(service, browser(), 'on@example.kz')).tokens.claims()?.['amr']).toEqual(['pwd'])

    const done = await person.submit(enrolment, { code: await codeOf(id) }, '/confirm')
    expect(spareCodesIn(done.text)).toHaveLength(10)
    expect(emails.at(-1)).toMatchObject({ to: 'on@example.kz', subject: 'Екі қадаммен кіру қосылды' })
    const later = await person.open(accountPage)
    expect(spareCodesIn(later.text)).toEqual([])
    expect(later.text).toContain('Резервных кодов осталось: 10')
  })

  test('the secret of an enrolment that was left unfinished is not shown to somebody who comes later', async () => {
    const id = await makeAccount('left-behind@example.kz')
    const person = browser()
    await signIn(service, person, 'left-behind@example.kz')
    const enrolment = await person.submit(await person.open(accountPage), { password }, '/second-factor')
    const letters = secretInLetters((await findSecondFactor(database.db, id))!.secret)
    expect(enrolment.text).toContain(letters)
    time.ahead += 11 * minute
    const after = await person.submit(enrolment, { code: '000000' }, '/confirm')
    expect(after.url.pathname).toBe(accountPage)
    expect(after.text).not.toContain(letters)
    expect(after.text).toContain('name="password"')
  })

  test('a secret that is in use is not replaced', async () => {
    const { id, person } = await withSecondFactor('stays@example.kz')
    const before = await findSecondFactor(database.db, id)
    await person.open(accountPage, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      headers: { origin: service.publicUrl.origin },
    })
    expect((await findSecondFactor(database.db, id))!.secret).toEqual(before!.secret)
  })
})

describe('signing in with the second factor', () => {
  test('the password leads to the page for the code, and the code to the application', async () => {
    const { id } = await withSecondFactor('two@example.kz')
    const person = browser()
    const { page, finish } = await passwordTyped(person, 'two@example.kz')
    expect(page.text).toContain('Код с телефона')
    const code = await codeOf(id)
    const callback = await person.submit(page, { code }, '/code')
    expect((await finish(callback.url)).claims()).toMatchObject({ sub: id, amr: ['pwd', 'otp', 'mfa'] })

    const thief = browser('10.9.0.1')
    const again = await passwordTyped(thief, 'two@example.kz')
    expect((await thief.submit(again.page, { code }, '/code')).status).toBe(401)
  })

  test('a spare code is valid once', async () => {
    const { spareCodes } = await withSecondFactor('spare@example.kz')
    const person = browser()
    const first = await passwordTyped(person, 'spare@example.kz')
    const callback = await person.submit(first.page, { spareCode: spareCodes[0]!.toUpperCase() }, '/code')
    expect((await first.finish(callback.url)).claims()?.email).toBe('spare@example.kz')
    const second_ = await passwordTyped(person, 'spare@example.kz')
    expect((await person.submit(second_.page, { spareCode: spareCodes[0]! }, '/code')).status).toBe(401)
  })

  test('somebody who knows the password cannot guess codes by typing it again and again', async () => {
    await withSecondFactor('guessed@example.kz')
    const thief = browser('10.9.0.2')
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) {
      const { page } = await passwordTyped(thief, 'guessed@example.kz')
      statuses.push(page.status)
      if (page.text.includes('name="code"'))
        statuses.push((await thief.submit(page, { code: '123456' }, '/code')).status)
    }
    expect(statuses).toContain(429)
    expect(statuses.slice(statuses.indexOf(429)).every((status) => status === 429)).toBe(true)
  })

  test('sign-ins with codes do not use up the attempts of the office', async () => {
    const { id } = await withSecondFactor('office@example.kz')
    const person = browser('10.9.0.3')
    const counted = async () => {
      const { rows } = await database.pool.query('select sum(failures)::int as sum from sign_in_failures')
      return rows[0] as unknown
    }
    const before = await counted()
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const { page } = await passwordTyped(person, 'office@example.kz')
      statuses.push((await person.submit(page, { code: await codeOf(id) }, '/code')).status)
    }
    expect(statuses).toEqual([303, 303, 303])
    expect(await counted()).toEqual(before)
  })

  test('the page for the code works in one browser only, and ends with a new password or after ten minutes', async () => {
    const { id } = await withSecondFactor('ends@example.kz')
    await makeOld(id)
    const person = browser()
    const { page } = await passwordTyped(person, 'ends@example.kz')
    const stranger = browser()
    const elsewhere = await stranger.open(page.url, {
      method: 'POST',
      body: new URLSearchParams({ code: await codeOf(id) }),
      headers: { origin: service.publicUrl.origin },
    })
    expect(elsewhere.url.pathname).not.toBe('/api-user/callback')

    await resetPassword('ends@example.kz')
    const late = await person.submit(page, { code: await codeOf(id) }, '/code')
    expect(late.url.pathname).not.toBe('/api-user/callback')
    expect(late.text).not.toContain('name="code"')

    await withSecondFactor('late@example.kz')
    const slow = await passwordTyped(person, 'late@example.kz')
    time.ahead += 11 * minute
    expect((await person.open(slow.page.url)).text).not.toContain('name="code"')
  })
})

describe('turning off the second factor', () => {
  test('needs the password and a code, and then the password is enough again', async () => {
    const { id, person } = await withSecondFactor('off@example.kz')
    const page = await person.open(accountPage)
    const post = (fields: Record<string, string>, path = '/off') =>
      person.open(`${accountPage}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: service.publicUrl.origin },
      })
    expect(page.text).toContain('formaction="/connect/account/second-factor/off"')
    expect((await post({ password, code: '000000' })).status).toBe(422)
    expect((await post({ password: 'not this one', code: await codeOf(id) })).status).toBe(422)
    const renewed = await post({ password, code: await codeOf(id) }, '/codes')
    expect(spareCodesIn(renewed.text)).toHaveLength(10)
    await post({ password, code: spareCodesIn(renewed.text)[3]! })
    expect(await findSecondFactor(database.db, id)).toBeUndefined()
    expect(emails.at(-1)?.subject).toBe('Екі қадаммен кіру өшірілді')
    expect((await signIn(service, browser(), 'off@example.kz')).tokens.claims()?.['amr']).toEqual(['pwd'])
  })

  test('is done by a new password that is set by e-mail within seven days', async () => {
    const email = 'thief-turned-it-on@example.kz'
    const { id } = await withSecondFactor(email)
    await resetPassword(email)
    expect(await findSecondFactor(database.db, id)).toBeUndefined()
    const subjects = emails.filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(subjects.slice(-2)).toEqual(['Екі қадаммен кіру өшірілді', 'Құпиясөз өзгертілді'])
    const attempt = await application.begin({ prompt: 'login' })
    const person = browser()
    const page = await person.open(attempt.url)
    const inside = await person.submit(page, { email, password: newPassword }, '/password')
    expect((await attempt.finish(inside.url)).claims()?.['sub']).toBe(id)
  })

  test('is not done by a new password that is set later', async () => {
    const email = 'on-for-long@example.kz'
    const { id } = await withSecondFactor(email)
    await makeOld(id)
    await resetPassword(email)
    expect(await findSecondFactor(database.db, id)).toMatchObject({ confirmedAt: expect.any(Date) })
  })
})
