/** An intruder stays out once the owner of an account has ended all sessions or set a new password. */
import { beforeEach, describe, expect, test } from 'vitest'
import { findAccountById, replacePassword } from './accounts/account-queries.ts'
import { linkOf, password, signIn, startSignIn, type Browser } from './testing.ts'

const service = await startSignIn()
const { application, browser, makeAccount, emails, database } = service
const newPassword = 'тоғыз тоты құс ұшты'

beforeEach(() => {
  service.logoutTokens.length = 0
  service.faults.length = 0
})

const isSignedIn = async (person: Browser) => {
  const { url } = await application.begin({ prompt: 'none' })
  return !(await person.open(url)).url.searchParams.has('error')
}

async function resetPassword(email: string, word = newPassword) {
  const person = browser('10.7.0.9')
  await person.submit(await person.open('/connect/forgot'), { email }, '/forgot')
  const page = await person.open(linkOf(emails.findLast(({ to }) => to === email)))
  expect((await person.submit(page, { password: word }, '/reset')).status).toBe(200)
}

const sessionRows = () =>
  database.db.selectFrom('signInPayloads').selectAll().where('model', '=', 'Session').execute()

describe('a session that was ended', () => {
  test('is not restored by requests that were under way', async () => {
    await makeAccount('looped@example.kz')
    const thief = browser('10.7.0.1')
    await signIn(service, thief, 'looped@example.kz')
    const reset = { isOver: false }
    const loop = async () => {
      while (!reset.isOver) await isSignedIn(thief)
    }
    const loops = [loop(), loop(), loop()]
    await resetPassword('looped@example.kz')
    reset.isOver = true
    await Promise.all(loops)
    expect(await isSignedIn(thief)).toBe(false)
  })

  test('is not restored when the library writes what it had read before', async () => {
    const accountId = await makeAccount('written@example.kz')
    const thief = browser('10.7.0.2')
    await signIn(service, thief, 'written@example.kz')
    const rows = (await sessionRows()).filter((row) => row.accountId === accountId)
    await resetPassword('written@example.kz')
    await database.write(async (tx) => {
      for (const { id, payload } of rows) {
        await tx
          .updateTable('signInPayloads')
          .set({ payload: JSON.stringify(payload), consumedAt: null })
          .where('model', '=', 'Session')
          .where('id', '=', id)
          .execute()
      }
    })
    expect(rows).toHaveLength(1)
    expect(await isSignedIn(thief)).toBe(false)
  })

  test('by signing out everywhere does not end a new sign-in in the same second', async () => {
    await makeAccount('quick@example.kz')
    const [owner, thief] = [browser('10.7.0.3'), browser('10.7.0.4')]
    await signIn(service, thief, 'quick@example.kz')
    for (let i = 0; i < 3; i++) {
      await signIn(service, owner, 'quick@example.kz')
      expect(await isSignedIn(owner)).toBe(true)
      await owner.submit(await owner.open('/connect/account'), {}, '/account/sign-out')
      expect([await isSignedIn(owner), await isSignedIn(thief)]).toEqual([false, false])
    }
  })
})

describe('a sign-in that was under way', () => {
  test('does not complete after the password was changed', async () => {
    await makeAccount('parked@example.kz')
    const thief = browser('10.7.0.5')
    const attempt = await application.begin()
    const login = await thief.open(attempt.url)
    // The password was accepted, but the redirect to the application is not followed yet.
    const action = /action="([^"]*\/password)"/.exec(login.text)![1]!
    const parked = await fetch(new URL(action, service.publicUrl), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'parked@example.kz', password }),
      headers: {
        origin: service.publicUrl.origin,
        cookie: thief.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      },
    })
    expect(parked.status).toBe(303)
    await resetPassword('parked@example.kz')
    const resumed = await thief.open(parked.headers.get('location')!)
    expect(resumed.url.pathname).toBe('/api-user/autologin')
    expect(await isSignedIn(thief)).toBe(false)
  })

  test('gets no tokens for a code that was issued but not yet used', async () => {
    await makeAccount('coded@example.kz')
    const thief = browser('10.7.0.6')
    await signIn(service, thief, 'coded@example.kz')
    const attempt = await application.begin({ prompt: 'none' })
    const callback = await thief.open(attempt.url)
    await resetPassword('coded@example.kz')
    await expect(attempt.finish(callback.url)).rejects.toThrow()
  })
})

test('a change of the password that began before the reset does not undo it', async () => {
  const id = await makeAccount('raced@example.kz')
  const before = await findAccountById(database.db, id)
  await resetPassword('raced@example.kz')
  const after = await findAccountById(database.db, id)
  expect(await database.write((tx) => replacePassword(tx, before!, 'the thief’s'))).toBe(false)
  expect(await findAccountById(database.db, id)).toEqual(after)
})

describe('an application that does not answer', () => {
  test('is notified of a sign-out again until it answers', async () => {
    await makeAccount('unheard@example.kz')
    const { tokens } = await signIn(service, browser('10.7.0.7'), 'unheard@example.kz')
    service.logoutAnswers.push(500, 500)
    await resetPassword('unheard@example.kz')
    expect([service.logoutTokens.length, service.faults.length]).toEqual([0, 1])
    await service.service.deliverPendingLogouts()
    expect(service.logoutAnswers).toHaveLength(1) // not due yet

    service.time.ahead += 30_000
    await service.service.deliverPendingLogouts()
    expect(service.logoutTokens).toHaveLength(0)
    service.time.ahead += 30_000
    await Promise.all([1, 2, 3].map(() => service.service.deliverPendingLogouts()))
    expect(service.logoutTokens.map((token) => payloadOf(token)['sid'])).toEqual([tokens.claims()?.['sid']])

    service.time.ahead += 30_000
    await service.service.deliverPendingLogouts()
    expect(service.logoutTokens).toHaveLength(1)
  })

  test('is also notified again of a sign-out that the person confirmed', async () => {
    await makeAccount('confirmed@example.kz')
    const person = browser('10.7.0.8')
    await signIn(service, person, 'confirmed@example.kz')
    service.logoutAnswers.push(500)
    await person.submit(await person.open('/connect/signout'), {}, '/confirm')
    const pending = () => database.db.selectFrom('signInPendingLogouts').selectAll().execute()
    await expect.poll(pending).toHaveLength(1)
    await service.service.deliverPendingLogouts()
    expect([service.logoutTokens.length, await pending()]).toEqual([1, []])
  })

  test('is given up after a day, and this is logged', async () => {
    await makeAccount('gone@example.kz')
    await signIn(service, browser('10.7.0.10'), 'gone@example.kz')
    service.logoutAnswers.push(500)
    await resetPassword('gone@example.kz')
    service.time.ahead += 25 * 60 * 60 * 1000
    await service.service.deliverPendingLogouts()
    expect(service.logoutTokens).toEqual([])
    expect(service.faults.at(-1)).toEqual({ clientId: 'kelisim', attempts: 1 })
  })
})

test('nothing by which a browser proves its session is stored in the database', async () => {
  await makeAccount('secret@example.kz')
  const person = browser('10.7.0.11')
  await signIn(service, person, 'secret@example.kz')
  await person.open((await application.begin({ prompt: 'login' })).url)
  const stored = JSON.stringify(await database.db.selectFrom('signInPayloads').selectAll().execute())
  const shown = person.cookies.filter(({ name }) => !name.endsWith('.sig')).map(({ value }) => value)
  expect(shown.length).toBeGreaterThanOrEqual(2)
  for (const value of shown) expect(stored).not.toContain(value)
})

function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}
