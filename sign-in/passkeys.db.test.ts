/** A passkey is a complete sign-in with a device, for its owner only and once for each challenge. */
import { describe, expect, test } from 'vitest'
import { minute, second } from '@kelisim/domain/durations.ts'
import { findAccountById } from './accounts/account-queries.ts'
import { codeAt, stepAt } from './accounts/one-time-code.ts'
import { findSecondFactor } from './accounts/second-factor-queries.ts'
import { findPasskeysOf, savePasskey } from './passkeys/passkey-queries.ts'
import { endAllSessions } from './provider/session-queries.ts'
import { testAuthenticator, type TestAuthenticator, type Wrong } from './passkeys/testing-authenticator.ts'
import { signatureScene } from './testing-signatures.ts'
import { linkOf, password, signIn, type Browser, type Page } from './testing.ts'

const { service, citizen, begun, base64, signedBy } = await signatureScene()
const { browser, makeAccount, database, emails, publicUrl, time, clock } = service
const listPath = '/connect/account/passkeys'
const headers = { origin: publicUrl.origin }
const device = () => testAuthenticator(publicUrl.origin)

type PasskeyQuestion = { id: string; options: { challenge: string; user: { id: string } } }

/** What the page's script would find on the page. */
function askedOn({ text }: Page): PasskeyQuestion {
  const attribute = /data-options="([^"]*)"/.exec(text)?.[1] ?? 'null'
  return JSON.parse(attribute.replaceAll('&quot;', '"').replaceAll('&#34;', '"')) as PasskeyQuestion
}

async function creationFor(person: Browser, proof: Record<string, string> = { password }): Promise<Page> {
  return person.submit(await person.open(listPath), proof, '/begin')
}

async function added(person: Browser, authenticator: TestAuthenticator, wrong: Wrong = {}): Promise<Page> {
  const page = await creationFor(person)
  const { id, options } = askedOn(page)
  const credential = authenticator.create(options, wrong)
  return person.submit(page, { challenge: id, credential, name: 'Рабочий ноутбук' }, '/passkeys')
}

let people = 0
async function withPasskey() {
  const email = `passkey-${++people}@example.kz`
  const id = await makeAccount(email)
  const person = browser()
  await signIn(service, person, email)
  const authenticator = device()
  await added(person, authenticator)
  return { id, email, person, authenticator }
}

async function challengeFor(person: Browser, at: string): Promise<PasskeyQuestion> {
  return JSON.parse(
    (await person.open(`${at}/passkey-challenge`, { method: 'POST', headers })).text,
  ) as PasskeyQuestion
}

/** A new browser comes to the login page and its device answers. */
async function entered(authenticator: TestAuthenticator, wrong: Wrong = {}, address = '10.5.0.1') {
  const visit = await begun(browser(address))
  const { id, options } = await challengeFor(visit.person, visit.at)
  const credential = authenticator.get(options, wrong)
  const answer = await visit.person.submit(visit.page, { challenge: id, credential }, '/passkey')
  return { ...visit, answer, sent: { challenge: id, credential } }
}

describe('adding a passkey', () => {
  test('needs the password, shows the passkey in the list and sends an e-mail', async () => {
    const id = await makeAccount('add@example.kz')
    const person = browser()
    await signIn(service, person, 'add@example.kz')
    expect((await creationFor(person, { password: 'not this one' })).status).toBe(422)
    const list = await added(person, device())
    expect(list.text).toContain('Рабочий ноутбук')
    expect(list.text).toContain('Ещё не использован')
    expect(await findPasskeysOf(database.db, id)).toHaveLength(1)
    expect(emails.at(-1)).toMatchObject({ to: 'add@example.kz', subject: 'Кіру кілті қосылды' })
  })

  test('needs a one-time code too if sign-ins ask for one', async () => {
    const id = await makeAccount('add-code@example.kz')
    const person = browser()
    await signIn(service, person, 'add-code@example.kz')
    const codeOf = async () => {
      time.ahead += 30 * second
      return codeAt((await findSecondFactor(database.db, id))!.secret, stepAt(clock()))
    }
    const settings = await person.open('/connect/account/second-factor')
    const enrolment = await person.submit(settings, { password }, '/second-factor')
    await person.submit(enrolment, { code: await codeOf() }, '/confirm')
    expect((await creationFor(person, { password })).status).toBe(422)
    expect((await creationFor(person, { password, code: '000000' })).status).toBe(422)
    const page = await creationFor(person, { password, code: await codeOf() })
    expect(askedOn(page).options.challenge).toMatch(/^[\w-]{43}$/)
  })

  test('accepts a digital signature that was just presented instead, but not an older one', async () => {
    const signer = await citizen()
    const id = await makeAccount('by-signature@example.kz')
    await database.write((tx) =>
      tx
        .updateTable('signInAccounts')
        .set({ iin: signer.iin, passwordHash: null })
        .where('id', '=', id)
        .execute(),
    )
    const { person, page, at } = await begun()
    const { text } = await person.open(`${at}/challenge`, { method: 'POST', headers })
    const challenge = JSON.parse(text) as { id: string; content: string }
    const cms = base64(await signedBy(signer, Buffer.from(challenge.content, 'base64')))
    await person.submit(page, { challenge: challenge.id, cms }, '/signature')

    const creation = await person.submit(await person.open(listPath), {}, '/begin')
    const asked = askedOn(creation)
    const authenticator = device()
    const credential = authenticator.create(asked.options)
    await person.submit(creation, { challenge: asked.id, credential, name: '' }, '/passkeys')
    expect(await findPasskeysOf(database.db, id)).toMatchObject([{ name: 'Ключ доступа' }])

    time.ahead += 16 * minute
    expect((await person.open(listPath)).text).not.toContain('action="/connect/account/passkeys/begin"')
    const begin = { method: 'POST', body: new URLSearchParams(), headers }
    expect((await person.open(`${listPath}/begin`, begin)).status).toBe(403)
    // The passkey signs the person in, but does not stand for the digital signature.
    const { answer, finish } = await entered(authenticator)
    expect((await finish(answer.url)).claims()).toMatchObject({ sub: id, amr: ['pop', 'user', 'mfa'] })
  })

  test.each<[string, Wrong]>([
    ['another origin', { origin: 'https://kelisim.example' }],
    ['another site', { siteId: 'kelisim.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['no verification of the person', { isVerified: false }],
    ['an answer to another question', { type: 'webauthn.get' }],
  ])('is refused for %s', async (_, wrong) => {
    const { id, person } = await withPasskey()
    const answer = await added(person, device(), wrong)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Ключ не добавлен')
    expect(await findPasskeysOf(database.db, id)).toHaveLength(1)
  })

  test('a challenge is valid once, for five minutes, in the session that asked for it', async () => {
    const { id, person } = await withPasskey()
    const page = await creationFor(person)
    const asked = askedOn(page)
    const fields = { challenge: asked.id, credential: device().create(asked.options), name: 'Первый' }
    const stranger = browser()
    await makeAccount('other-session@example.kz')
    await signIn(service, stranger, 'other-session@example.kz')
    expect((await stranger.submit(page, fields, '/passkeys')).status).toBe(422)
    await person.submit(page, fields, '/passkeys')
    expect((await person.submit(page, fields, '/passkeys')).text).toContain('Время вышло')
    expect(await findPasskeysOf(database.db, id)).toHaveLength(2)

    const slow = await creationFor(person)
    const late = askedOn(slow)
    time.ahead += 6 * minute
    const answer = { challenge: late.id, credential: device().create(late.options), name: 'Поздний' }
    expect((await person.submit(slow, answer, '/passkeys')).status).toBe(422)
  })

  test('the passkey of somebody else cannot be added, nor more than ten', async () => {
    const { authenticator } = await withPasskey()
    const { id, person } = await withPasskey()
    const [stolen] = authenticator.credentials
    const page = await creationFor(person)
    const asked = askedOn(page)
    // The credential id of another passkey in an otherwise valid response.
    const clone = device()
    const made = JSON.parse(clone.create(asked.options)) as { id: string; attestationObject: string }
    const own = Buffer.from(made.id, 'base64url')
    const object = Buffer.from(made.attestationObject, 'base64url')
    stolen!.id.copy(object, object.indexOf(own))
    const credential = JSON.stringify({
      ...made,
      id: stolen!.id.toString('base64url'),
      attestationObject: object.toString('base64url'),
    })
    const taken = await person.submit(page, { challenge: asked.id, credential, name: '' }, '/passkeys')
    expect(taken.text).toContain('Этот ключ уже добавлен')

    for (let count = 1; count < 10; count++) await added(person, device())
    expect(await findPasskeysOf(database.db, id)).toHaveLength(10)
    const full = await person.open(listPath)
    expect(full.text).toContain('Ключей уже десять')
    await person.open(`${listPath}/begin`, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      headers,
    })
    expect(await findPasskeysOf(database.db, id)).toHaveLength(10)
  })
})

describe('signing in with a passkey', () => {
  test('needs nothing but the passkey, and the list says when it was used', async () => {
    const { id, person, authenticator } = await withPasskey()
    const { answer, finish } = await entered(authenticator)
    expect((await finish(answer.url)).claims()).toMatchObject({ sub: id, amr: ['pop', 'user', 'mfa'] })
    expect((await person.open(listPath)).text).toContain('Последний вход')
  })

  test.each<[string, Wrong]>([
    ['another origin', { origin: 'https://kelisim.example' }],
    ['another site', { siteId: 'kelisim.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['no verification of the person', { isVerified: false }],
    ['the name of another person', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ['an answer to another question', { type: 'webauthn.create' }],
  ])('is refused for %s', async (_, wrong) => {
    const { authenticator } = await withPasskey()
    const { answer } = await entered(authenticator, wrong, `10.5.${people}.1`)
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('Этот ключ доступа не подошёл')
  })

  test('the signature of another device is refused', async () => {
    const { authenticator } = await withPasskey()
    const forger = device()
    forger.create({ challenge: 'A'.repeat(43), user: { id: authenticator.credentials[0]!.userHandle } })
    forger.credentials[0]!.id = authenticator.credentials[0]!.id
    expect((await entered(forger, { counter: 50 }, '10.6.0.1')).answer.status).toBe(401)
  })

  test('a response is valid once, in the browser that asked for it, for five minutes', async () => {
    const { authenticator } = await withPasskey()
    const first = await entered(authenticator, {}, '10.6.0.2')
    const second_ = await begun(browser('10.6.0.2'))
    const replayed = await second_.person.submit(second_.page, first.sent, '/passkey')
    expect(replayed.text).toContain('Время вышло, или ответ уже использован')

    const asked = await challengeFor(second_.person, second_.at)
    const credential = authenticator.get(asked.options)
    const elsewhere = await begun(browser('10.6.0.3'))
    const fields = { challenge: asked.id, credential }
    expect((await elsewhere.person.submit(elsewhere.page, fields, '/passkey')).status).toBe(401)
    time.ahead += 6 * minute
    expect((await second_.person.submit(second_.page, fields, '/passkey')).status).toBe(401)
  })

  test('a counter that does not increase is refused, and the owner gets an e-mail', async () => {
    const { email, authenticator } = await withPasskey()
    await entered(authenticator, { counter: 40 }, '10.6.0.4')
    const copy = await entered(authenticator, { counter: 40 }, '10.6.0.4')
    expect(copy.answer.status).toBe(401)
    expect(copy.answer.text).toContain('есть копия')
    expect(emails.at(-1)).toMatchObject({ to: email, subject: 'Кіру кілтімен кіру қабылданбады' })
    expect((await entered(authenticator, { counter: 41 }, '10.6.0.4')).answer.status).toBe(303)
  })

  test('wrong tries cause waits like wrong passwords, and do not block the password of the owner', async () => {
    const { email, authenticator } = await withPasskey()
    const statuses: number[] = []
    for (let i = 0; i < 7; i++)
      statuses.push((await entered(authenticator, { isVerified: false }, '10.6.0.5')).answer.status)
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(statuses.at(-1)).toBe(429)
    expect((await signIn(service, browser('10.6.0.6'), email)).tokens.claims()?.email).toBe(email)
  })

  test.each(['', '{}', '[]', 'null', '{"id":"a"}', `{"id":"${'a'.repeat(2000)}"}`])(
    'a malformed response is refused: %s',
    async (credential) => {
      const { person, page } = await begun(browser('10.6.0.7'))
      expect((await person.submit(page, { challenge: 'x', credential }, '/passkey')).status).toBe(422)
    },
  )

  test('no challenge is given to a browser without a sign-in', async () => {
    const { at } = await begun()
    const answer = await browser().open(`${at}/passkey-challenge`, { method: 'POST', headers })
    expect(answer.status).toBe(400)
  })
})

describe('removing a passkey', () => {
  const removalOf = async (person: Browser, id: string) =>
    person.open(`${listPath}/remove?${new URLSearchParams({ id }).toString()}`)

  test('needs the password and sends an e-mail; the passkey is refused afterwards', async () => {
    const { id, email, person, authenticator } = await withPasskey()
    const credentialId = authenticator.credentials[0]!.id.toString('base64url')
    const page = await removalOf(person, credentialId)
    expect(page.text).toContain('Рабочий ноутбук')
    expect((await person.submit(page, { password: 'not this one' }, '/remove')).status).toBe(422)
    expect(await findPasskeysOf(database.db, id)).toHaveLength(1)
    await person.submit(page, { password }, '/remove')
    expect(await findPasskeysOf(database.db, id)).toEqual([])
    expect(emails.at(-1)).toMatchObject({ to: email, subject: 'Кіру кілті жойылды' })
    expect((await entered(authenticator, {}, '10.7.0.1')).answer.status).toBe(401)
  })

  test('the passkey of somebody else is not found', async () => {
    const owner = await withPasskey()
    const { person } = await withPasskey()
    const id = owner.authenticator.credentials[0]!.id.toString('base64url')
    expect((await removalOf(person, id)).url.pathname).toBe(listPath)
    const body = new URLSearchParams({ id, password })
    await person.open(`${listPath}/remove`, { method: 'POST', body, headers })
    expect(await findPasskeysOf(database.db, owner.id)).toHaveLength(1)
  })

  test('closing an account removes its passkeys', async () => {
    const { id, authenticator } = await withPasskey()
    await database.write((tx) => tx.deleteFrom('signInAccounts').where('id', '=', id).execute())
    expect((await entered(authenticator, {}, '10.7.0.2')).answer.status).toBe(401)
  })
})

test('strangers are redirected to the sign-in, and the page of passkeys runs only our own script', async () => {
  const stranger = await browser().open(listPath)
  expect(stranger.url.pathname).not.toBe(listPath)
  const { person } = await withPasskey()
  const page = await person.open(listPath)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(page.headers.get('content-security-policy')).not.toContain('connect-src')
  expect(page.text).not.toMatch(/style="|onclick|<script>/)
})

test('a new password by e-mail removes the passkeys: a thief may have added one of them', async () => {
  const { id, email, authenticator } = await withPasskey()
  const person = browser('10.5.0.9')
  await person.submit(await person.open('/connect/forgot'), { email }, '/forgot')
  const page = await person.open(linkOf(emails.findLast(({ to }) => to === email)))
  const done = await person.submit(page, { password: 'жаңа-дала-2026-сөз' }, '/reset')
  expect(done.status).toBe(200)
  expect(await findPasskeysOf(database.db, id)).toEqual([])
  expect((await entered(authenticator)).answer.status).toBe(401)
})

test('a passkey that arrives just after a new password is not saved', async () => {
  const id = await makeAccount('just-after@example.kz')
  const passkey = { id: 'late', accountId: id, publicKey: Buffer.from('key'), counter: 0, name: 'Ноутбук' }
  const save = (sessionsValidFrom: Date | null) =>
    database.write((tx) => savePasskey(tx, { ...passkey, createdAt: clock() }, { sessionsValidFrom }))
  const before = await findAccountById(database.db, id)
  await database.write((tx) => endAllSessions(tx, id, clock))
  expect(await save(before!.sessionsValidFrom)).toBe('ended')
  expect(await findPasskeysOf(database.db, id)).toEqual([])
  expect(await save((await findAccountById(database.db, id))!.sessionsValidFrom)).toBe('saved')
})
