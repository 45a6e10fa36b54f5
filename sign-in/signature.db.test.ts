/** Signing in by digital signature, with real signatures of a small test PKI and the real engine. */
import { describe, expect, test } from 'vitest'
import { acrOf, type SignInWay } from '@kelisim/domain/identity/sign-in-ways.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { signAttached } from '@kelisim/signature/signer/sign-cms.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import { signatureScene } from './testing-signatures.ts'
import { setIin } from './accounts/account-queries.ts'
import { linkOf, password, signIn, startSignIn, type Browser, type Page } from './testing.ts'

const { service, nation, stranger, evidence, citizen, base64, signedBy, begun } = await signatureScene()
const { browser, makeAccount, database } = service
const now = Date.now()
const pem = (bytes: Uint8Array) => `-----BEGIN CMS-----\n${base64(bytes)}\n-----END CMS-----\n`

/** What the page's script gets to sign. */
async function challengeFor(person: Browser, at: string): Promise<{ id: string; content: Uint8Array }> {
  const headers = { origin: service.publicUrl.origin }
  const { text } = await person.open(`${at}/challenge`, { method: 'POST', headers })
  const { id, content } = JSON.parse(text) as { id: string; content: string }
  return { id, content: Buffer.from(content, 'base64') }
}

async function showSignature(
  sign: (content: Uint8Array) => Promise<Uint8Array>,
  visit?: Awaited<ReturnType<typeof begun>>,
): Promise<{ answer: Page; visit: Awaited<ReturnType<typeof begun>> }> {
  const current = visit ?? (await begun())
  const { person, page, at } = current
  const { id, content } = await challengeFor(person, at)
  const cms = pem(await sign(content))
  return { answer: await person.submit(page, { challenge: id, cms }, '/signature'), visit: current }
}

test('signing in by a signature is offered only where signatures can be checked', async () => {
  expect((await begun()).page.text).toContain('NCALayer')
  const without = await startSignIn()
  const page = await without.browser().open((await without.application.begin()).url)
  expect(page.text).not.toContain('NCALayer')
})

describe('a person with an account', () => {
  test('is signed in by the IIN in the certificate', async () => {
    const signer = await citizen()
    const id = await makeAccount('signer@example.kz')
    await database.write((tx) =>
      tx.updateTable('signInAccounts').set({ iin: signer.iin }).where('id', '=', id).execute(),
    )
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const claims = (await visit.finish(answer.url)).claims()
    expect(claims).toMatchObject({
      sub: id,
      iin: signer.iin,
      email: 'signer@example.kz',
      amr: ['swk', 'user'],
    })
    expect(claims).not.toHaveProperty('outsider')
  })
})

describe('somebody who came to a document', () => {
  const wished = (way: SignInWay) => begun(undefined, { acr_values: acrOf(way) })

  test('gets to it by the key alone, without being asked to register', async () => {
    const signer = await citizen({ bin: '260140020007' })
    const visit = await wished('desktop')
    expect(visit.page.text).toContain('data-at-once')
    expect(visit.page.text).toMatch(/<details class="other"[^>]*>[\s\S]*name="password"/)
    const { answer } = await showSignature((content) => signedBy(signer, content), visit)
    expect((await visit.finish(answer.url)).claims()).toMatchObject({
      iin: signer.iin,
      bin: '260140020007',
      outsider: true,
    })
  })

  test('is signed in to the account that has the IIN', async () => {
    const signer = await citizen()
    const id = await makeAccount('addressee@example.kz')
    await database.write((tx) =>
      tx.updateTable('signInAccounts').set({ iin: signer.iin }).where('id', '=', id).execute(),
    )
    const visit = await wished('desktop')
    const { answer } = await showSignature((content) => signedBy(signer, content), visit)
    expect((await visit.finish(answer.url)).claims()?.sub).toBe(id)
  })

  test('gets the code for the phone at once, and all other ways by one link', async () => {
    const { person, page } = await wished('phone')
    expect(page.text).toContain('class="qr"')
    const other = await person.open(/href="([^"]*\?another)"/.exec(page.text)![1]!)
    expect(other.text).toContain('name="password"')
  })

  test('a refused key does not start the program again by itself', async () => {
    const visit = await wished('desktop')
    const other = await citizen({}, stranger)
    const { answer } = await showSignature((content) => signedBy(other, content), visit)
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain('data-at-once')
  })
})

describe('somebody new', () => {
  test('is signed in as an outsider, and is the same one the next time', async () => {
    const bin = '260140020007'
    const signer = await citizen({ bin })
    const subjects = []
    for (let time = 0; time < 2; time++) {
      const { answer, visit } = await showSignature((content) => signedBy(signer, content))
      expect(answer.text).toContain('Серікова Айгерім Нұрланқызы')
      expect(answer.text).toContain(signer.iin)
      const callback = await visit.person.submit(answer, {}, '/outsider')
      const claims = (await visit.finish(callback.url)).claims()
      expect(claims).toMatchObject({
        iin: signer.iin,
        bin,
        outsider: true,
        name: 'Серікова Айгерім Нұрланқызы',
      })
      expect(claims).not.toHaveProperty('email')
      subjects.push(claims?.sub)
    }
    expect(subjects[0]).toBe(subjects[1])
  })

  test('registers with the name and the number of the certificate, in the browser that showed it', async () => {
    const signer = await citizen()
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const link = /href="([^"]*\/register)"/.exec(answer.text)![1]!
    const form = await visit.person.open(link)
    expect(form.text).toContain('value="Серікова Айгерім Нұрланқызы"')
    await visit.person.submit(form, { email: 'new@example.kz', fullName: 'Айгерім Серікова' }, '/register')
    const confirm = await visit.person.open(linkOf(service.emails.at(-1)))
    const callback = await visit.person.submit(confirm, { password }, '/confirm')
    expect((await visit.finish(callback.url)).claims()).toMatchObject({
      email: 'new@example.kz',
      iin: signer.iin,
    })
  })

  test('the owner of the e-mail alone does not get the number', async () => {
    const signer = await citizen()
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const form = await visit.person.open(/href="([^"]*\/register)"/.exec(answer.text)![1]!)
    await visit.person.submit(form, { email: 'victim@example.kz', fullName: 'Жертва' }, '/register')
    const victim = browser()
    await victim.submit(await victim.open(linkOf(service.emails.at(-1))), { password }, '/confirm')
    const next = await showSignature((content) => signedBy(signer, content))
    expect(next.answer.url.pathname).toContain('/unknown')
  })

  test('a stranger does not register with a number that another browser has shown', async () => {
    const signer = await citizen()
    const { visit } = await showSignature((content) => signedBy(signer, content))
    const uid = visit.at.split('/').at(-1)
    const thief = browser()
    const form = await thief.open(`/connect/register?interaction=${uid}`)
    expect(form.text).not.toContain('Серікова')
    await thief.submit(form, { fullName: 'Thief', email: 'thief@example.kz' }, '/register')
    await thief.submit(await thief.open(linkOf(service.emails.at(-1))), { password }, '/confirm')
    const account = await database.db
      .selectFrom('signInAccounts')
      .select('iin')
      .where('email', '=', 'thief@example.kz')
      .executeTakeFirstOrThrow()
    expect(account.iin).toBeNull()
    expect((await thief.open(`${visit.at}/unknown`)).url.pathname).toBe('/api-user/autologin')
  })

  test('links an existing account by its password, and the signature opens it from then on', async () => {
    const signer = await citizen()
    const id = await makeAccount('linked@example.kz')
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const wrong = await visit.person.submit(
      answer,
      { email: 'linked@example.kz', password: 'not it at all' },
      '/link',
    )
    expect(wrong.status).toBe(401)
    const callback = await visit.person.submit(answer, { email: 'linked@example.kz', password }, '/link')
    expect((await visit.finish(callback.url)).claims()).toMatchObject({ sub: id, iin: signer.iin })
    const next = await showSignature((content) => signedBy(signer, content))
    expect((await next.visit.finish(next.answer.url)).claims()?.sub).toBe(id)
    // another person's key cannot take it over
    const other = await citizen()
    const attempt = await showSignature((content) => signedBy(other, content))
    const taken = await attempt.visit.person.submit(
      attempt.answer,
      { email: 'linked@example.kz', password },
      '/link',
    )
    expect(taken.status).toBe(409)
  })
})

describe('a key that was linked by the password', () => {
  const linked = async (email: string) => {
    const signer = await citizen()
    const id = await makeAccount(email)
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const callback = await visit.person.submit(answer, { email, password }, '/link')
    expect((await visit.finish(callback.url)).claims()).toMatchObject({ sub: id, iin: signer.iin })
    return { id, signer }
  }
  const resetPassword = async (email: string) => {
    const person = browser()
    await person.submit(await person.open('/connect/forgot'), { email })
    const link = linkOf(service.emails.findLast(({ to }) => to === email))
    const done = await person.submit(await person.open(link), { password: 'a very new password 7' })
    expect(done.status).toBe(200)
  }
  const opens = async (signer: Awaited<ReturnType<typeof citizen>>) => {
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    return answer.url.pathname.endsWith('/unknown') ? null : (await visit.finish(answer.url)).claims()?.sub
  }

  test('is reported to the owner, and opens nothing after they have set a new password', async () => {
    const email = 'owner-of-a-key@example.kz'
    const { id, signer } = await linked(email)
    expect(service.emails.findLast(({ to }) => to === email)).toMatchObject({
      subject: 'Тіркелгіңізге ЭЦҚ кілті байланыстырылды',
    })
    expect(await opens(signer)).toBe(id)
    await resetPassword(email)
    expect(await opens(signer)).toBeNull()
  })

  test('opens nothing after the owner has changed the password in the account', async () => {
    const email = 'owner-who-changes@example.kz'
    const { signer } = await linked(email)
    const owner = browser()
    await signIn(service, owner, email)
    const page = await owner.open('/connect/account')
    const change = { currentPassword: password, newPassword: 'a very new password 7' }
    expect((await owner.submit(page, change, '/password')).url.search).toBe('?changed')
    expect(await opens(signer)).toBeNull()
  })

  test('differs from the key with which the account began, which still opens it after a new password', async () => {
    const email = 'beginner@example.kz'
    const signer = await citizen()
    const id = await makeAccount(email)
    await database.write((tx) => setIin(tx, id, signer.iin))
    await resetPassword(email)
    expect(await opens(signer)).toBe(id)
  })
})

describe('what is refused at the sign-in', () => {
  async function refusedWith(
    sign: (content: Uint8Array) => Promise<Uint8Array>,
    visit?: Awaited<ReturnType<typeof begun>>,
  ): Promise<string | undefined> {
    const { answer } = await showSignature(sign, visit)
    expect(answer.status).toBe(401)
    return /DS-\d{3}/.exec(answer.text)?.[0]
  }

  test('a signature of something else: a document, another challenge, another site', async () => {
    const signer = await citizen()
    const document = new TextEncoder().encode('Договор займа')
    expect(await refusedWith(() => signedBy(signer, document))).toBe('DS-202')
    expect(await refusedWith(() => signAttached(document, signer, { signingTime: new Date() }))).toBe(
      'DS-201',
    )
    expect(
      await refusedWith((content) => {
        const elsewhere = content.toString().replace(service.publicUrl.origin, 'https://evil.example')
        return signedBy(signer, new TextEncoder().encode(elsewhere))
      }),
    ).toBe('DS-202')
  })

  test('the same signature a second time', async () => {
    const signer = await citizen()
    const visit = await begun()
    const { id, content } = await challengeFor(visit.person, visit.at)
    const cms = pem(await signedBy(signer, content))
    const send = () => visit.person.submit(visit.page, { challenge: id, cms }, '/signature')
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(401)
    expect(await refusedWith(() => Promise.resolve(Buffer.from(cms.split('\n')[1]!, 'base64')), visit)).toBe(
      'DS-202',
    )
  })

  test('the challenge of another browser', async () => {
    const signer = await citizen()
    const victim = await begun()
    const thief = await begun()
    const { id, content } = await challengeFor(victim.person, victim.at)
    const cms = pem(await signedBy(signer, content))
    const answer = await thief.person.submit(thief.page, { challenge: id, cms }, '/signature')
    expect(answer.status).toBe(401)
    expect(
      (
        await thief.person.open(`${victim.at}/challenge`, {
          method: 'POST',
          headers: { origin: service.publicUrl.origin },
        })
      ).status,
    ).toBe(400)
  })

  test('a challenge that was made for a phone', async () => {
    const signer = await citizen()
    const visit = await begun()
    const waiting = await visit.person.submit(visit.page, {}, '/phone-begin')
    const id = waiting.url.searchParams.get('challenge')!
    const cms = pem(await signedBy(signer, new TextEncoder().encode('')))
    const answer = await visit.person.submit(visit.page, { challenge: id, cms }, '/signature')
    expect(answer.status).toBe(401)
  })

  test('a signature that comes too late', async () => {
    const signer = await citizen()
    const visit = await begun()
    const { id, content } = await challengeFor(visit.person, visit.at)
    const cms = pem(await signedBy(signer, content))
    service.time.ahead = 6 * 60_000
    const answer = await visit.person.submit(visit.page, { challenge: id, cms }, '/signature')
    service.time.ahead = 0
    expect(answer.status).toBe(401)
  })

  test('an expired, a foreign and a revoked key, and one for other uses', async () => {
    const expired = await citizen({ notBefore: new Date(now - 2 * day), notAfter: new Date(now - day) })
    expect(await refusedWith((content) => signedBy(expired, content))).toBe('DS-413')
    const foreign = await citizen({}, stranger)
    expect(await refusedWith((content) => signedBy(foreign, content))).toBe('DS-406')
    const revoked = await citizen()
    evidence.crls.push(
      await nation.crl(
        [{ certificate: revoked.certificate, revokedAt: new Date(now - 1000) }],
        new Date(now - 500),
      ),
    )
    expect(await refusedWith((content) => signedBy(revoked, content))).toBe('DS-502')
    evidence.crls.length = 0
    const cipher = await citizen({
      extensions: [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.4'])],
    })
    expect(await refusedWith((content) => signedBy(cipher, content))).toBe('DS-707')
  })

  test('a certificate without an IIN', async () => {
    const nobody = await citizen({ subject: makeName({ commonName: 'SYSTEM', country: 'KZ' }) })
    expect(await refusedWith((content) => signedBy(nobody, content))).toBe('DS-703')
  })

  test('a signature that cannot be read', async () => {
    const visit = await begun()
    const { id } = await challengeFor(visit.person, visit.at)
    const answer = await visit.person.submit(visit.page, { challenge: id, cms: 'нет' }, '/signature')
    expect(answer.text).toContain('DS-101')
  })

  test('endless requests for challenges', async () => {
    const visit = await begun()
    const headers = { origin: service.publicUrl.origin }
    let status = 200
    for (let i = 0; i < 40 && status === 200; i++) {
      status = (await visit.person.open(`${visit.at}/challenge`, { method: 'POST', headers })).status
    }
    expect(status).toBe(429)
  })
})
