import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { password, signIn, startSignIn } from './testing.ts'

const service = await startSignIn()
const { application, browser, makeAccount } = service

describe('signing in with a password', () => {
  test('the application learns who signed in, by code and PKCE', async () => {
    const id = await makeAccount('aigerim@example.kz')
    const { tokens, callback } = await signIn(service, browser(), 'Aigerim@Example.KZ ')
    expect(callback.url.pathname).toBe('/api-user/callback')
    expect(tokens.claims()).toMatchObject({
      sub: id,
      name: 'Айгерім Сейітова',
      locale: 'kk',
      email: 'aigerim@example.kz',
      email_verified: true,
      amr: ['pwd'],
      sid: expect.any(String),
    })
    const info = await oidc.fetchUserInfo(service.configuration, tokens.access_token, id)
    expect(info).toMatchObject({ sub: id, name: 'Айгерім Сейітова', email: 'aigerim@example.kz' })
    expect(tokens.refresh_token).toBeUndefined()
  })

  test('a second visit of the application from the same browser asks nothing', async () => {
    await makeAccount('silent@example.kz')
    const person = browser()
    await signIn(service, person, 'silent@example.kz')
    const again = await application.begin({ prompt: 'none' })
    const callback = await person.open(again.url)
    expect((await again.finish(callback.url)).claims()?.['email']).toBe('silent@example.kz')
  })

  test('a wrong password and an unknown e-mail get the same response', async () => {
    await makeAccount('known@example.kz')
    const answers = []
    for (const email of ['known@example.kz', 'nobody@example.kz']) {
      const person = browser('10.1.0.1')
      const login = await person.open((await application.begin()).url)
      const answer = await person.submit(login, { email, password: 'not this one at all' }, '/password')
      expect(answer.status).toBe(401)
      expect(answer.text).toContain('Почта или пароль не подошли')
      expect(answer.text).toContain(`value="${email}"`)
      expect(answer.text).not.toContain('not this one')
      answers.push(answer.text.replaceAll(email, '…').replace(/interaction[/=][\w-]{21,}/g, '…'))
    }
    expect(answers[0]).toBe(answers[1])
  })

  test('an unconfirmed e-mail address cannot be used', async () => {
    await makeAccount('unproved@example.kz', null)
    const person = browser('10.1.0.2')
    const login = await person.open((await application.begin()).url)
    expect((await person.submit(login, { email: 'unproved@example.kz', password }, '/password')).status).toBe(
      401,
    )
  })

  test('an empty form says at each field what is missing', async () => {
    const person = browser()
    const login = await person.open((await application.begin()).url)
    const answer = await person.submit(login, { email: '', password: '' }, '/password')
    expect(answer.status).toBe(422)
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(answer.text).toMatch(/aria-describedby="email-error"/)
    expect(answer.text).toMatch(/id="email-error" role="alert"/)
  })

  test('the session gets a new id at sign-in, and the old one is not accepted', async () => {
    await makeAccount('fixed@example.kz')
    const person = browser()
    await signIn(service, person, 'fixed@example.kz')
    const before = person.cookies.map((cookie) => ({ ...cookie }))
    await signIn(service, person, 'fixed@example.kz', { prompt: 'login' })
    expect(person.cookie('connect')).not.toBe(before.find(({ name }) => name === 'connect')?.value)

    const thief = browser()
    thief.cookies.push(...before)
    const answer = await thief.open((await application.begin()).url)
    expect(answer.text).toContain('<h1>Вход</h1>')
  })

  test('another person can sign in in the same browser; the first one is signed out of the application', async () => {
    const first = await makeAccount('first@example.kz')
    const second = await makeAccount('second@example.kz')
    const person = browser()
    await signIn(service, person, 'first@example.kz')
    service.logoutTokens.length = 0
    const { tokens } = await signIn(service, person, 'second@example.kz', { prompt: 'login' })
    expect(tokens.claims()?.sub).toBe(second)
    expect(service.logoutTokens.map(subjectOf)).toEqual([first])
  })

  test('a code works once, even for requests at the same moment', async () => {
    await makeAccount('replay@example.kz')
    const person = browser()
    const attempt = await application.begin()
    const login = await person.open(attempt.url)
    const callback = await person.submit(login, { email: 'replay@example.kz', password }, '/password')
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => attempt.finish(callback.url)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    await expect(attempt.finish(callback.url)).rejects.toThrow()
  })

  test('a request without PKCE, or with another return address, is refused', async () => {
    const { url } = await application.begin()
    const bare = new URL(url)
    bare.searchParams.delete('code_challenge')
    bare.searchParams.delete('code_challenge_method')
    expect((await browser().open(bare)).url.searchParams.get('error')).toBe('invalid_request')
    const foreign = new URL(url)
    foreign.searchParams.set('redirect_uri', 'https://evil.example/callback')
    const answer = await browser().open(foreign)
    expect([answer.status, answer.text.includes('Запрос не понят')]).toEqual([400, true])
  })

  test('a sign-in begun in one browser cannot be finished in another', async () => {
    const login = await browser().open((await application.begin()).url)
    const answer = await browser().submit(login, { email: 'known@example.kz', password }, '/password')
    expect([answer.url.pathname, answer.url.search]).toEqual(['/api-user/autologin', ''])
  })

  test('the page of an ended sign-in leads to a new one, which lets pass people who are signed in', async () => {
    await makeAccount('back@example.kz')
    const person = browser()
    const attempt = await application.begin()
    const login = await person.open(attempt.url)
    await person.submit(login, { email: 'back@example.kz', password }, '/password')
    const at = login.url.pathname
    for (const page of [at, `${at}?another`, `${at}/unknown`, `${at}/phone?challenge=1`]) {
      expect((await person.open(page)).url.pathname, page).toBe('/api-user/autologin')
    }
    const again = await person.submit(login, { email: 'back@example.kz', password }, '/password')
    expect(again.url.pathname).toBe('/api-user/autologin')
    expect((await person.open((await application.begin()).url)).url.pathname).toBe('/api-user/callback')
  })

  test('the provider’s own address of an ended sign-in also leads to a new one', async () => {
    const answer = await browser().open('/connect/auth/abcdefghijklmnopqrstu')
    expect(answer.url.pathname).toBe('/api-user/autologin')
  })

  test('without demo accounts there is neither a demo list nor a demo sign-in', async () => {
    await makeAccount('plain@example.kz')
    const person = browser()
    const login = await person.open((await application.begin()).url)
    expect(login.text).not.toContain('Демонстрация')
    const door = await person.open(`${login.url.pathname}/demo`, {
      method: 'POST',
      body: new URLSearchParams({ account: 'plain@example.kz' }),
      headers: { origin: service.publicUrl.origin },
    })
    expect(door.status).toBe(404)
  })
})

describe('guessing passwords', () => {
  const guess = async (email: string, word: string, address: string) => {
    const person = browser(address)
    const login = await person.open((await application.begin()).url)
    return person.submit(login, { email, password: word }, '/password')
  }

  test('after five failures even the right password must wait; the owner elsewhere does not', async () => {
    await makeAccount('victim@example.kz')
    for (let i = 0; i < 5; i++)
      expect((await guess('victim@example.kz', `guess ${i}`, '10.2.0.1')).status).toBe(401)
    const blocked = await guess('victim@example.kz', password, '10.2.0.1')
    expect([blocked.status, blocked.text.includes('через 1 минуту')]).toEqual([429, true])

    expect((await guess('victim@example.kz', password, '10.2.0.2')).url.pathname).toBe('/api-user/callback')

    service.time.ahead += 61_000
    expect((await guess('victim@example.kz', password, '10.2.0.1')).url.pathname).toBe('/api-user/callback')
  })

  test('of many guesses sent at once only the allowed number is checked', async () => {
    await makeAccount('crowd@example.kz')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => guess('crowd@example.kz', `guess ${i}`, '10.2.0.3')),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('one password tried on many accounts blocks the address', async () => {
    const statuses = []
    for (let i = 0; i < 52; i++)
      statuses.push((await guess(`person${i}@example.kz`, 'Password2026', '10.2.0.4')).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.at(-1)).toBe(429)
  })

  test('people known at that address can still sign in, and lock nobody out by it', async () => {
    await makeAccount('colleague@example.kz')
    await makeAccount('newcomer@example.kz')
    const signedIn = async (email: string) =>
      (await guess(email, password, '10.2.0.5')).url.pathname === '/api-user/callback'
    expect(await signedIn('colleague@example.kz')).toBe(true)
    for (let i = 0; i < 49; i++) await guess(`someone${i}@example.kz`, 'Password2026', '10.2.0.5')
    // Each of these would be the fiftieth failure of the address if it were counted.
    expect([await signedIn('colleague@example.kz'), await signedIn('newcomer@example.kz')]).toEqual([
      true,
      true,
    ])
    await guess('someone@example.kz', 'Password2026', '10.2.0.5')
    await makeAccount('stranger@example.kz')
    expect([await signedIn('colleague@example.kz'), await signedIn('stranger@example.kz')]).toEqual([
      true,
      false,
    ])
  })

  test('an account tried from many addresses is open only at those where its owner has signed in', async () => {
    await makeAccount('famous@example.kz')
    await guess('famous@example.kz', password, '10.6.1.1')
    for (let i = 0; i < 30; i++)
      expect((await guess('famous@example.kz', `guess ${i}`, `10.6.0.${i}`)).status).toBe(401)
    expect((await guess('famous@example.kz', password, '10.6.0.99')).status).toBe(429)
    expect((await guess('famous@example.kz', password, '10.6.1.1')).url.pathname).toBe('/api-user/callback')
  })
})

test('no errors occurred behind the pages', () => {
  expect(service.faults).toEqual([])
})

function subjectOf(token: string): unknown {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return typeof payload === 'object' && payload !== null && 'sub' in payload ? payload.sub : undefined
}
