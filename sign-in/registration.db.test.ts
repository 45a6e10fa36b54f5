import { describe, expect, test } from 'vitest'
import { findAccountByEmail } from './accounts/account-queries.ts'
import { linkOf, password, signIn, startSignIn, type Browser } from './testing.ts'

const service = await startSignIn()
const { application, browser, makeAccount, emails, database, time } = service
const fullName = 'Данияр Ахметов'

const emailsTo = (email: string) => emails.filter(({ to }) => to === email)

async function register(person: Browser, email: string) {
  const login = await person.open((await application.begin()).url)
  const link = /href="(\/connect\/register[^"]*)"/.exec(login.text)?.[1] ?? ''
  const page = await person.open(link)
  return person.submit(page, { fullName, email }, '/register')
}

describe('registration', () => {
  test('a person confirms the e-mail, chooses a password and returns to where they came from', async () => {
    const person = browser('10.3.0.1')
    const attempt = await application.begin()
    const login = await person.open(attempt.url)
    const form = await person.open(/href="(\/connect\/register[^"]*)"/.exec(login.text)![1]!)
    expect(form.text).not.toContain('type="password"')
    const sent = await person.submit(form, { fullName, email: 'Daniyar@Example.kz' }, '/register')
    expect([sent.status, sent.text.includes('daniyar@example.kz')]).toEqual([200, true])

    const [mail] = emailsTo('daniyar@example.kz')
    expect(mail).toMatchObject({ language: 'ru', subject: 'Подтвердите почту' })
    const question = await person.open(linkOf(mail))
    expect(await findAccountByEmail(database.db, 'daniyar@example.kz')).toBeUndefined()

    // signed in at once, because nobody should have to type the password again that they have just chosen
    const callback = await person.submit(question, { password }, '/confirm')
    const claims = (await attempt.finish(callback.url)).claims()
    expect(claims).toMatchObject({ name: fullName, email: 'daniyar@example.kz', email_verified: true })
    // opening the used link again leads its owner on; others are told that it was used
    expect((await person.open(linkOf(mail))).url.pathname).toBe('/api-user/autologin')
    expect((await browser('10.3.0.1').open(linkOf(mail))).status).toBe(410)
  })

  test('the e-mail may be opened on another device: there the person is signed in too', async () => {
    const first = browser('10.3.0.2')
    await register(first, 'phone@example.kz')
    const phone = browser('10.3.0.3')
    const question = await phone.open(linkOf(emailsTo('phone@example.kz')[0]))
    const done = await phone.submit(question, { password }, '/confirm')
    expect(done.url.pathname + done.url.search).toBe('/api-user/autologin')
    const attempt = await application.begin()
    const callback = await phone.open(attempt.url)
    expect((await attempt.finish(callback.url)).claims()).toMatchObject({ email: 'phone@example.kz' })
    // the browser that asked for the e-mail was shown nothing that would sign it in
    expect((await first.open((await application.begin()).url)).text).toContain('<h1>Вход</h1>')
  })

  test('somebody who was signed in on that device is signed out, and the applications are notified', async () => {
    await makeAccount('before@example.kz')
    const shared = browser('10.3.0.18')
    await signIn(service, shared, 'before@example.kz')
    await register(browser('10.3.0.18'), 'after@example.kz')
    service.logoutTokens.length = 0
    const question = await shared.open(linkOf(emailsTo('after@example.kz')[0]))
    await shared.submit(question, { password }, '/confirm')
    expect(service.logoutTokens).toHaveLength(1)
    const attempt = await application.begin()
    const callback = await shared.open(attempt.url)
    expect((await attempt.finish(callback.url)).claims()).toMatchObject({ email: 'after@example.kz' })
  })

  test('a link works once, also if it is confirmed several times at the same moment', async () => {
    await register(browser('10.3.0.4'), 'twice@example.kz')
    const person = browser()
    const question = await person.open(linkOf(emailsTo('twice@example.kz')[0]))
    const answers = await Promise.all([1, 2, 3].map(() => person.submit(question, { password }, '/confirm')))
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
    expect((await browser().open(linkOf(emailsTo('twice@example.kz')[0]))).status).toBe(410)
  })

  test('a link expires after a day', async () => {
    await register(browser('10.3.0.5'), 'late@example.kz')
    const link = linkOf(emailsTo('late@example.kz')[0])
    time.ahead += 24 * 60 * 60 * 1000 + 1000
    const answer = await browser().open(link)
    expect([answer.status, answer.text.includes('Ссылка больше не действует')]).toEqual([410, true])
  })

  test('for a known e-mail the page is the same; its owner is told by e-mail and keeps the password', async () => {
    await makeAccount('owner@example.kz')
    const known = await register(browser('10.3.0.6'), 'owner@example.kz')
    const fresh = await register(browser('10.3.0.6'), 'fresh@example.kz')
    const plain = (text: string, email: string) =>
      text.replaceAll(email, '…').replace(/interaction=[\w-]+/g, '…')
    expect(plain(known.text, 'owner@example.kz')).toBe(plain(fresh.text, 'fresh@example.kz'))
    expect(emailsTo('owner@example.kz')).toMatchObject([{ language: 'kk', subject: 'Сізде тіркелгі бар' }])
    await signIn(service, browser('10.3.0.7'), 'owner@example.kz')
  })

  test('somebody who registers a foreign address gets no password to it, even if its owner confirms', async () => {
    const attacker = browser('10.3.0.8')
    const page = await attacker.open('/connect/register')
    const theirs = 'the attacker’s password'
    await attacker.submit(page, { fullName, email: 'target@example.kz', password: theirs }, '/register')
    const owner = browser('10.3.0.9')
    const question = await owner.open(linkOf(emailsTo('target@example.kz')[0]))
    expect((await owner.submit(question, { password: '' }, '/confirm')).status).toBe(422)
    expect(await findAccountByEmail(database.db, 'target@example.kz')).toBeUndefined()
    await owner.submit(question, { password }, '/confirm')

    const login = await attacker.open((await application.begin()).url)
    const guess = { email: 'target@example.kz', password: theirs }
    expect((await attacker.submit(login, guess, '/password')).status).toBe(401)
    await signIn(service, browser('10.3.0.9'), 'target@example.kz')
  })

  test('a newer registration of the address replaces the older one, whose link says so', async () => {
    await register(browser('10.3.0.13'), 'again@example.kz')
    const person = browser('10.3.0.14')
    const older = await person.open(linkOf(emailsTo('again@example.kz')[0]))
    await register(person, 'again@example.kz')
    const [first, second] = emailsTo('again@example.kz').map(linkOf)
    for (const answer of [await person.open(first!), await person.submit(older, { password }, '/confirm')]) {
      expect([answer.status, answer.text.includes('из последнего письма')]).toEqual([410, true])
    }
    const question = await person.open(second!)
    expect((await person.submit(question, { password }, '/confirm')).status).toBe(303)
  })

  test('if the address got an account in the meantime, the page says that nothing was created', async () => {
    await register(browser('10.3.0.15'), 'meantime@example.kz')
    const person = browser('10.3.0.15')
    const link = linkOf(emailsTo('meantime@example.kz')[0])
    const question = await person.open(link)
    await makeAccount('meantime@example.kz')
    const answers = [
      await person.submit(question, { password: 'another password here' }, '/confirm'),
      await person.open(link),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.text.includes('новая не создана')]).toEqual([409, true])
    }
    await signIn(service, person, 'meantime@example.kz')
  })

  test('problems are shown at their fields, and the input stays except for the password', async () => {
    const person = browser('10.3.0.10')
    const page = await person.open('/connect/register')
    const answer = await person.submit(page, { fullName: 'Айгүл', email: 'айгүл' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('value="Айгүл"')
    expect(answer.text).toContain('value="айгүл"')
    expect(answer.text).toMatch(/id="email-error"[^>]*>Проверьте адрес/)
    expect(answer.text).not.toContain('fullName-error')

    await register(person, 'weak@example.kz')
    const question = await person.open(linkOf(emailsTo('weak@example.kz')[0]))
    const weak = await person.submit(question, { password: 'qwerty123' }, '/confirm')
    expect(weak.status).toBe(422)
    expect(weak.text).toMatch(/id="password-error"[^>]*>Нужно не меньше 10 знаков/)
    expect(weak.text).toContain('aria-describedby="password-error password-help"')
    expect(weak.text).not.toContain('value="qwerty123"')
    expect((await person.submit(weak, { password }, '/confirm')).status).toBe(303)
  })

  test('one network address causes at most three e-mails an hour to a mailbox, and sends at most sixty forms', async () => {
    const page = await browser().open('/connect/register')
    const ask = (email: string) => browser('10.3.0.11').submit(page, { fullName, email }, '/register')
    for (let i = 0; i < 5; i++) expect((await ask('flood@example.kz')).status).toBe(200)
    expect(emailsTo('flood@example.kz')).toHaveLength(3)
    await Promise.all(Array.from({ length: 55 }, (_, i) => ask(`flood${i}@example.kz`)))
    expect((await ask('last@example.kz')).status).toBe(429)
    expect(emailsTo('last@example.kz')).toHaveLength(0)
  })

  test('strangers who request e-mails to a mailbox do not use up the limit of its owner', async () => {
    await makeAccount('wanted@example.kz')
    const ask = async (form: 'forgot' | 'register', address: string) => {
      const person = browser(address)
      const page = await person.open(`/connect/${form}`)
      await person.submit(page, { fullName, email: 'wanted@example.kz' }, `/${form}`)
    }
    for (let i = 0; i < 4; i++) await ask('forgot', '10.3.0.16')
    for (let i = 0; i < 4; i++) await ask('register', '10.3.0.16')
    expect(emailsTo('wanted@example.kz')).toHaveLength(6)
    await ask('forgot', '10.3.0.17')
    expect(emailsTo('wanted@example.kz')).toHaveLength(7)
  })

  test('an e-mail contains no text of the person who caused it', async () => {
    const person = browser('10.3.0.12')
    const page = await person.open('/connect/register')
    await person.submit(page, { fullName: 'Win a prize at evil.example', email: 'spam@example.kz' })
    expect(JSON.stringify(emailsTo('spam@example.kz'))).not.toContain('evil')
  })
})

describe('a forgotten password', () => {
  async function ask(person: Browser, email: string) {
    const page = await person.open('/connect/forgot')
    return person.submit(page, { email }, '/forgot')
  }

  test('a link leads to a new password, and every session ends', async () => {
    const id = await makeAccount('forgetful@example.kz')
    const before = browser('10.4.0.1')
    await signIn(service, before, 'forgetful@example.kz')
    await ask(browser('10.4.0.2'), 'forgetful@example.kz')
    service.logoutTokens.length = 0

    const person = browser('10.4.0.2')
    const page = await person.open(linkOf(emailsTo('forgetful@example.kz').at(-1)))
    const weak = await person.submit(page, { password: 'forgetful1' }, '/reset')
    expect([weak.status, weak.text.includes('не должен содержать вашу почту')]).toEqual([422, true])
    const done = await person.submit(weak, { password: 'тоғыз тоты құс ұшты' }, '/reset')
    expect(done.text).toContain('Пароль изменён')
    expect(emailsTo('forgetful@example.kz').at(-1)?.subject).toBe('Құпиясөз өзгертілді')

    expect(service.logoutTokens).toHaveLength(1)
    expect((await before.open((await application.begin()).url)).text).toContain('<h1>Вход</h1>')
    const login = await person.open((await application.begin()).url)
    expect(
      (await person.submit(login, { email: 'forgetful@example.kz', password }, '/password')).status,
    ).toBe(401)
    const attempt = await application.begin()
    const callback = await person.submit(
      await person.open(attempt.url),
      { email: 'forgetful@example.kz', password: 'тоғыз тоты құс ұшты' },
      '/password',
    )
    expect((await attempt.finish(callback.url)).claims()?.sub).toBe(id)
  })

  test('using one link makes it and the others invalid', async () => {
    await makeAccount('links@example.kz')
    await ask(browser('10.4.0.3'), 'links@example.kz')
    await ask(browser('10.4.0.3'), 'links@example.kz')
    const [first, second] = emailsTo('links@example.kz').map(linkOf)
    const person = browser('10.4.0.3')
    const page = await person.open(second!)
    expect((await person.submit(page, { password: 'тоғыз тоты құс ұшты' }, '/reset')).status).toBe(200)
    expect((await person.submit(page, { password: 'another password here' }, '/reset')).status).toBe(410)
    expect((await person.open(first!)).status).toBe(410)
  })

  test('a link expires after half an hour', async () => {
    await makeAccount('slow@example.kz')
    await ask(browser('10.4.0.4'), 'slow@example.kz')
    time.ahead += 31 * 60 * 1000
    expect((await browser().open(linkOf(emailsTo('slow@example.kz')[0]))).status).toBe(410)
  })

  test('for an unknown e-mail the page is the same, and no e-mail is sent', async () => {
    await makeAccount('real@example.kz')
    const known = await ask(browser('10.4.0.5'), 'real@example.kz')
    const unknown = await ask(browser('10.4.0.5'), 'unreal@example.kz')
    expect(unknown.text.replaceAll('unreal@', 'real@')).toBe(known.text)
    expect(emailsTo('unreal@example.kz')).toEqual([])
  })

  test('a link to confirm an address does not reset a password', async () => {
    await register(browser('10.4.0.6'), 'mixed@example.kz')
    const token = linkOf(emailsTo('mixed@example.kz')[0]).split('?')[1]!
    expect((await browser().open(`/connect/reset?${token}`)).status).toBe(410)
    expect((await browser().open('/connect/reset?token=')).status).toBe(410)
  })
})

test('no errors occurred behind the pages', () => {
  expect(service.faults).toEqual([])
})
