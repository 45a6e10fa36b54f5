/** The application as a client of foreign sign-in services: a real one, and a malicious one. */
import { describe, expect, test } from 'vitest'
import { acceptAgreement, agreementVersion, getProfile, signOut } from '@kelisim/domain/identity/contract.ts'
import { nastyAddresses } from '../../testing-addresses.ts'
import { publicUrl, startTestApp } from '../../testing.ts'
import { client, openBrowser, startMaliciousIssuer, startProvider } from './testing-providers.ts'

const people: Record<string, { name: string; email: string; email_verified: boolean; locale?: string }> = {
  aigerim: { name: 'Айгерім Қасымова', email: 'Aigerim@Example.kz', email_verified: true, locale: 'kk' },
  twin: { name: 'Another Person', email: 'aigerim@example.kz', email_verified: true },
}
const provider = await startProvider(people)
const { app, database } = await startTestApp({ signIn: { issuer: provider.issuer, ...client } })
const appAddress = await app.listen({ port: 0, host: '127.0.0.1' })
provider.open(`${appAddress}/api-user/backchannel-logout`)

const profileOf = async (jar: Map<string, string>) =>
  app.inject({ url: getProfile.path, headers: { cookie: `session=${jar.get('session') ?? ''}` } })

async function signedIn(sub = 'aigerim') {
  provider.seat(sub)
  const browser = openBrowser(app)
  const { shown } = await browser.follow('/api-user/autologin')
  expect(shown.pathname).toBe('/signingRequests/incomings')
  return browser
}

describe('signing in at an external service', () => {
  test('brings the person back to the page they wanted, signed in with their name', async () => {
    provider.seat('aigerim')
    const browser = openBrowser(app)
    const returnApp = '/documents/my?organizationId=1&path=a%20b#top'
    const { shown, cookies } = await browser.follow(
      `/api-user/autologin?returnApp=${encodeURIComponent(returnApp)}`,
    )
    expect(shown.href).toBe(new URL(returnApp, publicUrl).href)
    expect((await profileOf(browser.jar)).json()).toMatchObject({
      Login: 'aigerim@example.kz',
      FullName: 'Айгерім Қасымова',
      Email: 'aigerim@example.kz',
      Language: 'kk',
    })
    const session = cookies.find((line) => line.startsWith('session='))!
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=604800'])
      expect(session).toContain(flag)
    expect(browser.jar.has('sign-in')).toBe(false)
  })

  test('identifies a person by issuer and subject, never by the e-mail', async () => {
    const first = (await profileOf((await signedIn('aigerim')).jar)).json<{ UserId: string; Email: string }>()
    const second = (await profileOf((await signedIn('twin')).jar)).json<{ UserId: string; Email: string }>()
    expect(second.Email).toBe(first.Email)
    expect(second.UserId).not.toBe(first.UserId)

    people['aigerim']!.email = 'moved@example.kz'
    const moved = (await profileOf((await signedIn('aigerim')).jar)).json<{ UserId: string; Email: string }>()
    expect(moved).toMatchObject({ UserId: first.UserId, Email: 'moved@example.kz' })
  })

  test('at an embedded service whose address changed, finds the same person', async () => {
    const idAt = async (service: typeof provider) => {
      const own = await startTestApp({
        database,
        signIn: { issuer: service.issuer, ...client, keptAs: 'embedded' },
      })
      const address = await own.app.listen({ port: 0, host: '127.0.0.1' })
      service.open(`${address}/api-user/backchannel-logout`)
      service.seat('aigerim')
      const browser = openBrowser(own.app)
      await browser.follow('/api-user/autologin')
      const cookie = `session=${browser.jar.get('session') ?? ''}`
      const profile = await own.app.inject({ url: getProfile.path, headers: { cookie } })
      await own.app.close()
      return profile.json<{ UserId: string }>().UserId
    }
    const [before, after] = [await idAt(await startProvider(people)), await idAt(await startProvider(people))]
    expect(before).toMatch(/-/)
    expect(after).toBe(before)
  })

  test('gives a new session each time and ends the old one', async () => {
    const browser = await signedIn()
    const old = new Map(browser.jar)
    await browser.follow('/api-user/autologin')
    expect(browser.jar.get('session')).not.toBe(old.get('session'))
    expect((await profileOf(browser.jar)).statusCode).toBe(200)
    expect((await profileOf(old)).statusCode).toBe(401)
  })

  test('does not take over a session cookie set beforehand', async () => {
    provider.seat('aigerim')
    const browser = openBrowser(app)
    browser.jar.set('session', 'fixed-by-an-attacker')
    await browser.follow('/api-user/autologin')
    expect(browser.jar.get('session')).not.toBe('fixed-by-an-attacker')
    expect((await profileOf(new Map([['session', 'fixed-by-an-attacker']]))).statusCode).toBe(401)
  })

  test('stores with the person an agreement accepted beforehand', async () => {
    provider.seat('twin')
    const browser = openBrowser(app)
    const accepted = await app.inject({
      method: 'POST',
      url: acceptAgreement.path,
      payload: { version: agreementVersion },
    })
    browser.jar.set('agreement', accepted.cookies[0]!.value)
    await browser.follow('/api-user/autologin')
    expect((await profileOf(browser.jar)).json()).toMatchObject({ IsAgreementAccepted: true })
    expect(browser.jar.get('agreement')).toBeFalsy() // the next person at this browser must accept for themselves
  })

  test('does not accept a response of the service twice', async () => {
    provider.seat('aigerim')
    const browser = openBrowser(app)
    let page = await browser.load('/api-user/autologin')
    const attempt = browser.jar.get('sign-in')!
    while (!page.location!.href.includes('/api-user/callback')) page = await browser.load(page.location!)
    const callback = page.location!
    await browser.load(callback)
    expect((await profileOf(browser.jar)).statusCode).toBe(200)

    const thief = openBrowser(app)
    thief.jar.set('sign-in', attempt)
    const replayed = await thief.load(callback)
    expect(replayed.location!.pathname).toBe('/api-user/autologin')
    expect(thief.jar.has('session')).toBe(false)
  })

  test('asks for another account when the person wants one', async () => {
    const { location } = await openBrowser(app).load('/api-user/autologin?changeAccount=true')
    expect(location!.searchParams.get('prompt')).toBe('login')
    expect(location!.searchParams.get('code_challenge_method')).toBe('S256')
  })
})

describe('signing out', () => {
  test('ends the session here and returns the address for signing out at the service too', async () => {
    const browser = await signedIn()
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.inject({
      method: 'POST',
      url: signOut.path,
      payload: { returnApp: '/ru' },
      headers: { cookie, origin: publicUrl.origin },
    })
    expect((await profileOf(browser.jar)).statusCode).toBe(401)
    expect(answer.cookies.find((c) => c.name === 'session')).toMatchObject({ value: '', path: '/' })
    const end = new URL(answer.json<{ location: string }>().location)
    expect(end.origin).toBe(provider.issuer.origin)
    expect(end.searchParams.get('id_token_hint')).toMatch(/^ey/)

    browser.jar.set('signed-out-to', answer.cookies.find((c) => c.name === 'signed-out-to')!.value)
    const question = await browser.load(end)
    const back = await browser.submit(...confirmation(question.body))
    expect(back.location!.pathname).toBe('/api-user/signed-out')
    const { shown } = await browser.follow(back.location!)
    expect(shown.href).toBe(new URL('/ru', publicUrl).href)
  })

  test('at the service ends the session here without the browser: back-channel logout', async () => {
    const [browser, bystander] = [await signedIn('aigerim'), await signedIn('aigerim')]
    const question = await browser.load(new URL('/session/end', provider.issuer))
    const told = provider.told()
    await browser.submit(...confirmation(question.body))
    await told
    expect((await profileOf(browser.jar)).statusCode).toBe(401)
    expect((await profileOf(bystander.jar)).statusCode).toBe(200) // another browser of the same person
  })

  test('works for somebody who was never signed in', async () => {
    const answer = await app.inject({ method: 'POST', url: signOut.path, payload: {} })
    expect(answer.statusCode).toBe(200)
  })
})

/** The form with which the provider asks "do you want to sign out there too?". */
function confirmation(html: string): [string, Record<string, string>] {
  const action = /action="([^"]+)"/.exec(html)![1]!
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)![1]!
  return [new URL(action, provider.issuer).href, { xsrf, logout: 'yes' }]
}

describe('an invalid response of the service is refused', async () => {
  const crooked = await startMaliciousIssuer()
  const own = await startTestApp({ signIn: { issuer: crooked.issuer, ...client } })

  /** Starts at the application and returns with the token that the test made. */
  async function comeBack(options: {
    claims?: Record<string, unknown>
    how?: 'right key' | 'foreign key' | 'no signature' | 'client secret'
    userInfo?: object
    query?: Record<string, string>
    prepare?: (jar: Map<string, string>) => void
    start?: string
  }) {
    const browser = openBrowser(own.app)
    const { location } = await browser.load(options.start ?? '/api-user/autologin?returnApp=/wanted')
    const { state, nonce } = Object.fromEntries(location!.searchParams) as { state: string; nonce: string }
    crooked.next.idToken = await crooked.sign({ sub: 'someone', nonce, ...options.claims }, options.how)
    crooked.next.userInfo = options.userInfo ?? { sub: 'someone', name: 'Someone' }
    options.prepare?.(browser.jar)
    const query = new URLSearchParams({ code: 'code', state, ...options.query })
    const page = await browser.load(`/api-user/callback?${query}`)
    return { page, browser, state }
  }

  test('while a valid one signs the person in', async () => {
    const { page, browser } = await comeBack({})
    expect(page.location!.pathname).toBe('/wanted')
    expect(browser.jar.has('session')).toBe(true)
  })

  test('while invisible characters are removed from a name, and a name of nothing else is ignored', async () => {
    const nameOf = async (name: string) => {
      await comeBack({ userInfo: { sub: 'someone', name, preferred_username: 'someone' } })
      const { rows } = await own.database.pool.query<{ fullName: string }>(
        `select full_name as "fullName" from users where subject = 'someone'`,
      )
      return rows.at(-1)!.fullName
    }
    expect(await nameOf('Иван\u202eов\u3164 ')).toBe('Иванов')
    expect(await nameOf('\u3164\u2800')).toBe('someone')
  })

  test.each<[string, Parameters<typeof comeBack>[0]]>([
    ['a foreign state', { query: { state: 'foreign' } }],
    ['an empty state', { query: { state: '' } }],
    ['a foreign nonce', { claims: { nonce: 'foreign' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['a token for somebody else', { claims: { aud: 'another-application' } }],
    [
      'a token for us and somebody else, not made for us',
      { claims: { aud: [client.clientId, 'x'], azp: 'x' } },
    ],
    ['a token of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['an expired token', { claims: { exp: 1_700_000_000 } }],
    ['a token without a subject', { claims: { sub: undefined } }],
    ['a token signed by a foreign key', { how: 'foreign key' }],
    ['a token without a signature', { how: 'no signature' }],
    ['a token signed with our own secret', { how: 'client secret' }],
    ['information about another person', { userInfo: { sub: 'another' } }],
    ['a refusal by the service', { query: { error: 'access_denied' } }],
    ['no code', { query: { code: '' } }],
    ['no attempt in this browser', { prepare: (jar) => void jar.delete('sign-in') }],
    ['an attempt that cannot be read', { prepare: (jar) => void jar.set('sign-in', 'eyJ4') }],
    [
      'another attempt of this browser',
      { prepare: (jar) => void jar.set('sign-in', attemptOf({ state: 'other' })) },
    ],
  ])('%s', async (_, options) => {
    const { page, browser } = await comeBack(options)
    expect(page.status).toBe(302)
    expect(page.location!.pathname).toBe('/api-user/autologin')
    expect(browser.jar.has('session')).toBe(false)
    expect(browser.jar.has('sign-in')).toBe(false)
  })

  test('the sign-in is tried once more, then an error is shown instead of endless redirects', async () => {
    const first = await comeBack({ claims: { aud: 'x' } })
    expect(first.page.location!.search).toBe('?again=1&returnApp=%2Fwanted')
    const second = await comeBack({ claims: { aud: 'x' }, start: first.page.location!.href })
    expect(second.page.location!.href).toBe(new URL('/?signIn=failed', publicUrl).href)
    const withoutCookies = {
      prepare: (jar: Map<string, string>) => jar.clear(),
      start: first.page.location!.href,
    }
    expect((await comeBack(withoutCookies)).page.location!.search).toBe('?signIn=failed')
  })

  test('a sign-in never returns to a page of another site', async () => {
    for (const nasty of nastyAddresses) {
      const start = `/api-user/autologin?returnApp=${encodeURIComponent(nasty)}`
      const { page } = await comeBack({ start })
      expect(page.location!.origin, nasty).toBe(publicUrl.origin)
    }
  })

  test('a sign-in with a forged attempt cookie never returns to a page of another site', async () => {
    for (const returnApp of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const prepare = (jar: Map<string, string>) => {
        const attempt = JSON.parse(Buffer.from(jar.get('sign-in')!, 'base64url').toString()) as object
        jar.set('sign-in', attemptOf({ ...attempt, returnApp }))
      }
      const { page } = await comeBack({ prepare })
      expect(page.location!.href, returnApp).toBe(publicUrl.href)
    }
  })

  test('signing out never returns to a page of another site', async () => {
    for (const returnApp of nastyAddresses) {
      const browser = openBrowser(own.app)
      const answer = await own.app.inject({ method: 'POST', url: signOut.path, payload: { returnApp } })
      const { location } = answer.json<{ location: string }>()
      expect(new URL(location, publicUrl).origin, returnApp).toBe(publicUrl.origin)
      for (const cookie of answer.cookies) browser.jar.set(cookie.name, encodeURIComponent(cookie.value))
      expect((await browser.load('/api-user/signed-out')).location!.origin, returnApp).toBe(publicUrl.origin)
      browser.jar.set('signed-out-to', encodeURIComponent(returnApp))
      expect((await browser.load('/api-user/signed-out')).location!.origin, returnApp).toBe(publicUrl.origin)
    }
  })

  describe('back-channel logout', () => {
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const alive = async (jar: Map<string, string>) =>
      (await own.app.inject({ url: getProfile.path, headers: { cookie: `session=${jar.get('session')}` } }))
        .statusCode === 200
    const tell = (body: string, type = 'application/x-www-form-urlencoded') =>
      own.app.inject({
        method: 'POST',
        url: '/api-user/backchannel-logout',
        payload: body,
        headers: { 'content-type': type },
      })
    const someone = async (sub: string, sid: string) =>
      (await comeBack({ claims: { sub, sid }, userInfo: { sub, name: sub } })).browser.jar

    test('by session ends that session, by person all of their sessions', async () => {
      const [first, second, other] = [
        await someone('dana', 's1'),
        await someone('dana', 's2'),
        await someone('erlan', 's3'),
      ] as const
      const bySession = await crooked.sign({ sub: 'dana', sid: 's1', events: event, jti: '1' })
      expect((await tell(`logout_token=${bySession}`)).statusCode).toBe(200)
      expect([await alive(first), await alive(second)]).toEqual([false, true])
      const byPerson = await crooked.sign({ sub: 'dana', events: event, jti: '2' })
      expect((await tell(`logout_token=${byPerson}`)).statusCode).toBe(200)
      expect([await alive(second), await alive(other)]).toEqual([false, true])
    })

    test.each<[string, Record<string, unknown>, ('foreign key' | 'no signature' | 'client secret')?]>([
      ['signed by a foreign key', {}, 'foreign key'],
      ['without a signature', {}, 'no signature'],
      ['signed with our own secret', {}, 'client secret'],
      ['for somebody else', { aud: 'another-application' }],
      ['of another issuer', { iss: 'https://evil.example' }],
      ['that is an identity token', { events: undefined }],
      ['of another event', { events: { 'https://evil.example': {} } }],
      ['with a nonce', { nonce: 'x' }],
      ['of yesterday', { iat: 1_700_000_000, exp: undefined }],
      ['about nobody', { sub: undefined, sid: undefined }],
    ])('by a token %s is refused', async (_, claims, how) => {
      const jar = await someone('forged', 's9')
      const token = await crooked.sign({ sub: 'forged', sid: 's9', events: event, ...claims }, how)
      expect((await tell(`logout_token=${token}`)).statusCode).toBe(400)
      expect(await alive(jar)).toBe(true)
    })

    test('without a valid token is refused', async () => {
      for (const body of ['', 'logout_token=', 'a=b', 'logout_token=x.y.z']) {
        expect((await tell(body)).statusCode).toBe(400)
      }
      expect((await tell('{}', 'application/json')).statusCode).toBe(400)
      expect((await tell('{}', 'text/plain')).statusCode).toBe(415)
    })
  })
})

test('while the sign-in service is down signing in is refused with 503, and works again afterwards', async () => {
  const crooked = await startMaliciousIssuer()
  const own = await startTestApp({ signIn: { issuer: crooked.issuer, ...client } })
  crooked.next.isUp = false
  const away = await own.app.inject('/api-user/autologin')
  expect(away.statusCode).toBe(503)
  expect(away.json()).toMatchObject({ ExceptionData: { Alias: 'service-unavailable' } })
  const signedOut = await own.app.inject({ method: 'POST', url: signOut.path, payload: { returnApp: '/ru' } })
  expect(signedOut.json()).toEqual({ location: '/ru' }) // an unavailable service keeps nobody signed in
  crooked.next.isUp = true
  expect((await own.app.inject('/api-user/autologin')).statusCode).toBe(302)
})

test('over https the cookies are bound to this host', async () => {
  const crooked = await startMaliciousIssuer()
  const own = await startTestApp({
    signIn: { issuer: crooked.issuer, ...client },
    publicUrl: new URL('https://kelisim.kz'),
  })
  const response = await own.app.inject('/api-user/autologin')
  expect(String(response.headers['set-cookie'])).toMatch(
    /^__Host-sign-in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(response.headers['strict-transport-security']).toContain('max-age=63072000')
})

test('the database does not contain session tokens in clear text', async () => {
  const browser = await signedIn()
  const { rows } = await database.pool.query<{ row: string }>('select s::text as row from sessions s')
  expect(rows.map((r) => r.row).join()).not.toContain(browser.jar.get('session'))
})

function attemptOf(values: object): string {
  const attempt = { state: 's', nonce: 'n', verifier: 'v'.repeat(43), returnApp: '/', ...values }
  return Buffer.from(JSON.stringify(attempt)).toString('base64url')
}
