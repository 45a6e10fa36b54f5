import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { loadKeys } from './provider/keys.ts'
import { createSignIn } from './service.ts'
import { sweep } from './sweep.ts'
import { password, signIn, startSignIn, type Browser } from './testing.ts'

const demoAccounts = [
  {
    email: 'demo@example.kz',
    fullName: 'Айдос <Демо>',
    note: { ru: 'Руководитель', kk: 'Басшы', en: 'Head' },
  },
]
const service = await startSignIn({ demoAccounts })
const { application, browser, makeAccount, publicUrl, database, clock } = service

const isSignedIn = async (person: Browser) => {
  const { url } = await application.begin({ prompt: 'none' })
  return !(await person.open(url)).url.searchParams.has('error')
}

describe('signing out', () => {
  test('with the ID token it happens at once, and the application is notified', async () => {
    await makeAccount('leaver@example.kz')
    const person = browser()
    const { tokens } = await signIn(service, person, 'leaver@example.kz')
    service.logoutTokens.length = 0
    const end = new URLSearchParams({
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: `${publicUrl.origin}/api-user/signed-out`,
      state: 'abc',
    })
    const answer = await person.open(`/connect/session/end?${end.toString()}`)
    expect(answer.url.href).toBe(`${publicUrl.origin}/api-user/signed-out?state=abc`)
    expect(service.logoutTokens).toHaveLength(1)
    expect(person.cookie('connect')).toBeUndefined()
    expect(await isSignedIn(person)).toBe(false)
    // Again without a session: no intermediate page either.
    const again = await person.open(`/connect/session/end?${end.toString()}`)
    expect(again.url.pathname).toBe('/api-user/signed-out')
  })

  test('without the ID token the person is asked, and a foreign page cannot answer', async () => {
    await makeAccount('asked@example.kz')
    const person = browser()
    await signIn(service, person, 'asked@example.kz')
    const question = await person.open('/connect/signout')
    expect(question.text).toContain('<h1>Выйти?</h1>')
    const foreign = await person.submit(question, {}, '/confirm', { origin: 'https://evil.example' })
    expect([foreign.status, await isSignedIn(person)]).toEqual([403, true])
    const answer = await person.submit(await person.open('/connect/signout'), {}, '/confirm')
    expect([answer.url.href, await isSignedIn(person)]).toEqual([`${publicUrl.origin}/`, false])
  })

  test('somebody else’s ID token does not sign a person out unasked', async () => {
    await makeAccount('mallory@example.kz')
    await makeAccount('alice@example.kz')
    const { tokens } = await signIn(service, browser(), 'mallory@example.kz')
    const alice = browser()
    await signIn(service, alice, 'alice@example.kz')
    const answer = await alice.open(`/connect/session/end?id_token_hint=${tokens.id_token!}`)
    expect([answer.text.includes('Выйти?'), await isSignedIn(alice)]).toEqual([true, true])
  })

  test('everywhere ends all sessions, and the application is notified of each', async () => {
    await makeAccount('everywhere@example.kz')
    const [office, home] = [browser(), browser('10.9.9.9')]
    const one = await signIn(service, office, 'everywhere@example.kz')
    const two = await signIn(service, home, 'everywhere@example.kz')
    service.logoutTokens.length = 0
    const account = await office.open('/connect/account')
    const answer = await office.submit(account, {}, '/account/sign-out')
    expect(answer.text).toContain('Вы вышли')
    expect([await isSignedIn(office), await isSignedIn(home)]).toEqual([false, false])
    const told = service.logoutTokens.map((token) => payloadOf(token)['sid'])
    expect(new Set(told)).toEqual(new Set([one.tokens.claims()?.['sid'], two.tokens.claims()?.['sid']]))
    await expect(
      fetch(`${publicUrl.origin}/connect/me`, { headers: bearer(one.tokens.access_token) }),
    ).resolves.toMatchObject({ status: 401 })
  })
})

describe('the account page', () => {
  test('asks to sign in first, by way of the application', async () => {
    const answer = await browser().open('/connect/account')
    expect(answer.url.href).toBe(`${publicUrl.origin}/api-user/autologin?returnApp=%2Fconnect%2Faccount`)
  })

  test('a new password keeps this session and ends the others', async () => {
    await makeAccount('changer@example.kz')
    const [here, there] = [browser('10.5.0.1'), browser('10.5.0.2')]
    await signIn(service, here, 'changer@example.kz')
    await signIn(service, there, 'changer@example.kz')
    const page = await here.open('/connect/account')
    const wrong = await here.submit(
      page,
      { currentPassword: 'wrong', newPassword: 'тоғыз тоты құс' },
      '/password',
    )
    expect([wrong.status, wrong.text.includes('Пароль не подошёл')]).toEqual([422, true])
    const right = { currentPassword: password, newPassword: 'тоғыз тоты құс' }
    expect((await here.submit(page, right, '/password')).text).toContain('Пароль изменён.')
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  })

  test('guesses at the current password are counted too', async () => {
    await makeAccount('stolen@example.kz')
    const thief = browser('10.5.0.3')
    await signIn(service, thief, 'stolen@example.kz')
    const page = await thief.open('/connect/account')
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const guess = { currentPassword: `guess ${i}`, newPassword: 'тоғыз тоты құс' }
      statuses.push((await thief.submit(page, guess, '/password')).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })
})

describe('forms from other sites', () => {
  const post = (path: string, headers: Record<string, string>) =>
    fetch(new URL(path, publicUrl), {
      method: 'POST',
      body: new URLSearchParams({ email: 'x@example.kz' }),
      headers,
      redirect: 'manual',
    }).then(({ status }) => status)

  test.each([
    '/connect/register',
    '/connect/forgot',
    '/connect/reset',
    '/connect/confirm',
    '/connect/account/sign-out',
    '/connect/account/password',
  ])('are refused at %s', async (path) => {
    expect(await post(path, { origin: 'https://evil.example' })).toBe(403)
    expect(await post(path, { origin: 'null' })).toBe(403)
    expect(await post(path, {})).toBe(403)
    expect(await post(path, { origin: publicUrl.origin, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await post(path, { origin: publicUrl.origin, 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await post(path, { origin: 'null', 'sec-fetch-site': 'same-origin' })).not.toBe(403)
  })

  test('bodies that no page of ours sends are refused', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(new URL('/connect/forgot', publicUrl), {
        method: 'POST',
        body,
        headers: { origin: publicUrl.origin, 'content-type': type },
      }).then(({ status }) => status)
    expect(await send('email=a%00b')).toBe(400)
    expect(await send('email=a@example.kz&email=b@example.kz')).toBe(400)
    expect(await send('{"email":"a@example.kz"}', 'text/plain')).toBe(415)
    expect(await send(`email=${'a'.repeat(20_000)}`)).toBe(413)
  })
})

describe('autologin and signout', () => {
  test('lead to the application with the path', async () => {
    const asked = encodeURIComponent(`${publicUrl.origin}/signingRequests/incomings?organizationId=7`)
    const answer = await browser().open(`/connect/autologin?returnApp=${asked}`)
    expect(answer.url.pathname).toBe('/api-user/autologin')
    expect(answer.url.searchParams.get('returnApp')).toBe('/signingRequests/incomings?organizationId=7')
    const out = await browser().open(`/connect/signout?returnApp=${asked}`)
    expect(out.url.pathname + out.url.search).toBe(
      '/api-user/signed-out?state=%2FsigningRequests%2Fincomings%3ForganizationId%3D7',
    )
  })

  test('without a place to return to, the application opens its own first page', async () => {
    const answer = await browser().open('/connect/autologin')
    expect(answer.url.pathname + answer.url.search).toBe('/api-user/autologin')
  })

  test.each(['//evil.example', 'https://evil.example/', '\\\\evil.example', 'javascript:alert(1)', ''])(
    'do not lead to %j',
    async (value) => {
      for (const door of ['autologin', 'signout']) {
        const answer = await browser().open(`/connect/${door}?returnApp=${encodeURIComponent(value)}`)
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      }
    },
  )
})

describe('every page', () => {
  test.each([
    '/connect/register',
    '/connect/forgot',
    '/connect/confirm?token=x',
    '/connect/nowhere',
    '/connect/session/end/success',
  ])('%s is closed to scripts, frames, caches and other sites', async (path) => {
    const { headers, text } = await browser().open(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(text).not.toMatch(/<script|style="|onclick/)
    expect(text).toMatch(/<html lang="ru">[\s\S]*<title>[^<]+ — Келісім<\/title>/)
  })

  test('is in the requested language, otherwise in the chosen one, otherwise in the browser’s', async () => {
    const person = browser()
    const title = async (path: string, accept = 'de, kk;q=0.9') =>
      /<h1>([^<]*)/.exec((await person.open(path, { headers: { 'accept-language': accept } })).text)?.[1]
    expect(await title('/connect/register')).toBe('Тіркелу')
    expect(await title('/connect/register', 'de')).toBe('Регистрация')
    expect(await title('/connect/register?ui_locales=en')).toBe('Create an account')
    expect(await title('/connect/register')).toBe('Create an account')
    const { url } = await application.begin({ ui_locales: 'kk' })
    expect((await person.open(url)).text).toContain('<html lang="kk">')
  })

  test('takes its own address from the configuration, not from the request', async () => {
    const answer = await fetch(new URL('/connect/.well-known/openid-configuration', publicUrl), {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const metadata: unknown = await answer.json()
    expect(metadata).toMatchObject({
      issuer: `${publicUrl.origin}/connect`,
      token_endpoint: `${publicUrl.origin}/connect/token`,
      response_types_supported: ['code'],
    })
  })

  test('has its style sheet, its fonts and the logo', async () => {
    const { text } = await browser().open('/connect/register')
    const css = await browser().open(/href="([^"]*sign-in\.css[^"]*)"/.exec(text)![1]!)
    expect(css.headers.get('content-type')).toContain('text/css')
    const font = await browser().open(/url\(([^)]*cyrillic-ext-400[^)]*)\)/.exec(css.text)![1]!)
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    expect((await browser().open('/connect/assets/mark.svg')).status).toBe(200)
    expect((await browser().open('/connect/assets/..%2fservice.ts')).status).toBe(404)
  })
})

describe('the demonstration', () => {
  test('one click signs in', async () => {
    const id = await makeAccount('demo@example.kz')
    const person = browser()
    const attempt = await application.begin({ ui_locales: 'kk' })
    const login = await person.open(attempt.url)
    expect(login.text).toContain('Демо нұсқа')
    expect(login.text).toContain('Айдос &lt;Демо&gt;')
    expect(login.text).toContain('Басшы')
    const callback = await person.submit(login, { account: 'demo@example.kz' }, '/demo')
    expect((await attempt.finish(callback.url)).claims()?.sub).toBe(id)
  })

  test('it signs in only people on the list', async () => {
    await makeAccount('real-person@example.kz')
    const person = browser()
    const login = await person.open((await application.begin()).url)
    const answer = await person.submit(login, { account: 'real-person@example.kz' }, '/demo')
    expect([answer.status, await isSignedIn(person)]).toEqual([404, false])
  })
})

test('processes that start at the same time agree on the keys', async () => {
  await database.write((tx) => tx.deleteFrom('signInKeys').execute())
  const all = await Promise.all([1, 2, 3].map(() => loadKeys(database, clock())))
  expect(all[1]).toEqual(all[0])
  expect(all[2]).toEqual(all[0])
})

test('behind https the cookies are bound to the host and secure', async () => {
  const log = { info: () => {}, error: () => {} }
  const secure = await createSignIn({
    database,
    clock,
    log,
    queueMail: async () => {},
    publicUrl: new URL('https://kelisim.kz'),
  })
  const server = createServer(secure.handle)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const query = new URLSearchParams({
    client_id: 'kelisim',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    redirect_uri: 'https://kelisim.kz/api-user/callback',
  })
  const answer = await fetch(`http://localhost:${port}/connect/auth?${query.toString()}`, {
    redirect: 'manual',
  })
  server.close()
  secure.stop()
  const cookies = answer.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(0)
  for (const line of cookies) {
    expect(line).toMatch(/^__Secure-/)
    expect(line).toMatch(/secure/i)
    expect(line).toMatch(/httponly/i)
    expect(line).toMatch(/samesite=lax/i)
  }
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('the sweep removes what has expired and leaves the rest', async () => {
  await makeAccount('kept@example.kz')
  const person = browser()
  await signIn(service, person, 'kept@example.kz')
  const count = async () => {
    const row = await database.db
      .selectFrom('signInPayloads')
      .select((s) => s.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return row.n
  }
  await database.write((tx) => sweep(tx, new Date()))
  expect(await count()).toBeGreaterThan(0)
  await database.write((tx) => sweep(tx, new Date(Date.now() + 8 * 24 * 60 * 60 * 1000)))
  expect(await count()).toBe(0)
})

test('no errors occurred behind the pages', () => {
  expect(service.faults).toEqual([])
})

function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
