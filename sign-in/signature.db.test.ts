/** Signing in by digital signature, with real signatures of a small test PKI and the real engine. */
import { describe, expect, test } from 'vitest'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { evidenceAtHand, defaultPolicy, type Evidence } from '@kelisim/signature/examination/policy.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { signAttached, signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import type { CheckSignature } from './http/signature-check.ts'
import { linkOf, password, startSignIn, type Browser, type Page } from './testing.ts'

const nation = await foundNation('gost-kz-512')
const stranger = await foundNation('gost-kz-512', 'Stranger')
const now = Date.now()
const valid = { notBefore: new Date(now - day), notAfter: new Date(now + day) }

/** The evidence used by all checks; tests change it. */
const evidence: Evidence & { crls: Awaited<ReturnType<typeof nation.crl>>[] } = { crls: [], ocsp: [] }

const checkSignature: CheckSignature = async (cms, content) => {
  const policy = { ...defaultPolicy, revocation: 'none', timestamp: 'ignore' } as const
  const setting = { trust: nation.trust, evidence: evidenceAtHand(evidence), policy, at: new Date() }
  const { findings, signers } = await examineSignature(cms, [content], setting)
  return {
    faults: findings,
    signers: signers.map((signer) => ({
      faults: signer.findings,
      owner: signer.owner,
      certificate: signer.certificate?.der ?? null,
    })),
  }
}

const service = await startSignIn({ checkSignature })
const { application, browser, makeAccount, database } = service

let people = 0
/** A person with a key and a number of their own. */
async function citizen(
  { bin, ...parts }: { bin?: string } & Parameters<typeof nation.issue>[1] = {},
  place = nation,
): Promise<CmsSigner & { iin: string }> {
  const iin = `9001013${String(++people).padStart(5, '0')}`
  const subject = makeName({
    commonName: 'СЕРІКОВА АЙГЕРІМ',
    surname: 'СЕРІКОВА',
    serialNumber: `IIN${iin}`,
    country: 'KZ',
    ...(bin !== undefined && { organization: 'ТОО «Алтын Дала»', organizationalUnit: `BIN${bin}` }),
    givenName: 'НҰРЛАНҚЫЗЫ',
  })
  return { ...(await place.issue(`Citizen ${iin}`, { subject, ...valid, ...parts })), iin }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const pem = (bytes: Uint8Array) => `-----BEGIN CMS-----\n${base64(bytes)}\n-----END CMS-----\n`
const signedBy = (signer: CmsSigner, content: Uint8Array) =>
  signDetached(content, signer, { signingTime: new Date() })

async function begun(person: Browser = browser()) {
  const { url, finish } = await application.begin({ scope: 'openid profile email kz' })
  const page = await person.open(url)
  return { person, page, finish, at: page.url.pathname }
}

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

test('offered only where signatures can be checked', async () => {
  expect((await begun()).page.text).toContain('NCALayer')
  const without = await startSignIn()
  const page = await without.browser().open((await without.application.begin()).url)
  expect(page.text).not.toContain('NCALayer')
})

describe('a person with an account', () => {
  test('comes in by the number in the certificate', async () => {
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

describe('somebody new', () => {
  test('comes in as an outsider, and is the same one the next time', async () => {
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

  test('registers with the name from the certificate, and the number once the password is known', async () => {
    const signer = await citizen()
    const { answer, visit } = await showSignature((content) => signedBy(signer, content))
    const link = /href="([^"]*\/register)"/.exec(answer.text)![1]!
    const form = await visit.person.open(link)
    expect(form.text).toContain('value="Серікова Айгерім Нұрланқызы"')
    await visit.person.submit(form, { email: 'new@example.kz', fullName: 'Айгерім Серікова' }, '/register')
    const confirm = await visit.person.open(linkOf(service.emails.at(-1)))
    const done = await visit.person.submit(confirm, { password }, '/confirm')
    const onward = await visit.person.open(/class="button[^"]*" href="([^"]*)"/.exec(done.text)![1]!)
    expect(onward.url.pathname).toBe(`${visit.at}/unknown`)
    const callback = await visit.person.submit(onward, { email: 'new@example.kz', password }, '/link')
    expect((await visit.finish(callback.url)).claims()).toMatchObject({
      email: 'new@example.kz',
      iin: signer.iin,
    })
  })

  test('whoever has the e-mail alone does not get the number', async () => {
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
    expect((await thief.open(`${visit.at}/unknown`)).status).toBe(400)
  })

  test('names the account they have, by its password, and the signature opens it from then on', async () => {
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

describe('what does not let anybody in', () => {
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

  test('the same signature once more', async () => {
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

  test('too late', async () => {
    const signer = await citizen()
    const visit = await begun()
    const { id, content } = await challengeFor(visit.person, visit.at)
    const cms = pem(await signedBy(signer, content))
    service.time.ahead = 6 * 60_000
    const answer = await visit.person.submit(visit.page, { challenge: id, cms }, '/signature')
    service.time.ahead = 0
    expect(answer.status).toBe(401)
  })

  test('an expired key, a foreign one, a revoked one, one for other things', async () => {
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

  test('a certificate without a number', async () => {
    const nobody = await citizen({ subject: makeName({ commonName: 'SYSTEM', country: 'KZ' }) })
    expect(await refusedWith((content) => signedBy(nobody, content))).toBe('DS-703')
  })

  test('nonsense', async () => {
    const visit = await begun()
    const { id } = await challengeFor(visit.person, visit.at)
    const answer = await visit.person.submit(visit.page, { challenge: id, cms: 'нет' }, '/signature')
    expect(answer.text).toContain('DS-101')
  })

  test('endless asking', async () => {
    const visit = await begun()
    const headers = { origin: service.publicUrl.origin }
    let status = 200
    for (let i = 0; i < 40 && status === 200; i++) {
      status = (await visit.person.open(`${visit.at}/challenge`, { method: 'POST', headers })).status
    }
    expect(status).toBe(429)
  })
})

describe('the phone', () => {
  async function scanned() {
    const visit = await begun()
    const page = await visit.person.submit(visit.page, {}, '/phone-begin')
    const entry = decodeURIComponent(/link=([^"&]*)/.exec(page.text)![1]!)
    return { ...visit, page, entry }
  }

  type Introduction = {
    document: { uri: string; auth_type: string; auth_token: string }
    organisation: object
  }
  type Documents = { documentsToSign: { id: number; document: { file: { mime: string; data: string } } }[] }

  /** What the app does. */
  async function answered(
    entry: string,
    change: (documents: Documents, content: Uint8Array) => Promise<object>,
  ) {
    const introduction = (await (await fetch(entry)).json()) as Introduction
    const { uri, auth_token: token } = introduction.document
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const documents = (await (await fetch(uri, { headers })).json()) as Documents
    const content = Buffer.from(documents.documentsToSign[0]!.document.file.data, 'base64')
    const body = JSON.stringify(await change(documents, content))
    const put = () => fetch(uri, { method: 'PUT', headers, body })
    const response = await put()
    return {
      introduction,
      documents,
      status: response.status,
      body: (await response.json()) as { message: string },
      put,
      uri,
    }
  }

  const signedDocuments = (signer: CmsSigner) => async (documents: Documents, content: Uint8Array) => {
    documents.documentsToSign[0]!.document.file.data = base64(await signedBy(signer, content))
    return documents
  }

  const stateOf = async (person: Browser, page: Page) =>
    JSON.parse((await person.open(page.url.href.replace('/phone?', '/phone-state?'))).text) as {
      state: string
    }

  test('signs the challenge, and the browser that showed the code comes in', async () => {
    const signer = await citizen()
    const { person, page, entry, finish } = await scanned()
    expect(entry).toContain('mgovSign')
    expect(await stateOf(person, page)).toEqual({ state: 'new' })
    const { introduction, documents, status, body } = await answered(entry, signedDocuments(signer))
    expect(introduction).toMatchObject({
      description: expect.stringContaining(service.publicUrl.host),
      organisation: { nameRu: expect.any(String), nameKz: expect.any(String), nameEn: expect.any(String) },
      document: { auth_type: 'Token' },
    })
    expect(documents).toMatchObject({ signMethod: 'CMS_SIGN_ONLY', version: 1 })
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await stateOf(person, page)).toEqual({ state: 'proved' })
    const unknown = await person.submit(page, {}, '/phone')
    const callback = await person.submit(unknown, {}, '/outsider')
    expect((await finish(callback.url)).claims()).toMatchObject({ iin: signer.iin, outsider: true })
  })

  test('the answer sent again is told the same', async () => {
    const signer = await citizen()
    const { entry } = await scanned()
    const { put } = await answered(entry, signedDocuments(signer))
    expect((await put()).status).toBe(200)
  })

  test('refused signatures are told to the person on the phone and on the page', async () => {
    const foreign = await citizen({}, stranger)
    const { person, page, entry } = await scanned()
    const { status, body, put } = await answered(entry, signedDocuments(foreign))
    expect(status).toBe(403)
    expect(body.message).toContain('НУЦ')
    expect((await put()).status).toBe(403)
    expect((await person.submit(page, {}, '/phone')).text).toContain('DS-406')
  })

  test('declined on the phone', async () => {
    const { person, page, entry } = await scanned()
    const { status } = await answered(entry, async (documents) => ({ ...documents, status: 'CANCELED' }))
    expect(status).toBe(200)
    expect(await stateOf(person, page)).toEqual({ state: 'canceled' })
    expect((await person.submit(page, {}, '/phone')).text).toContain('Отказать')
  })

  test('nothing for those without the token, for garbage, and after the time', async () => {
    const { entry } = await scanned()
    const uri = entry.replace('mgovSign', 'documents')
    expect((await fetch(uri)).status).toBe(401)
    expect(
      (await fetch(uri, { method: 'PUT', body: '{}', headers: { authorization: 'Bearer x' } })).status,
    ).toBe(401)
    const { document } = (await (await fetch(entry)).json()) as Introduction
    const headers = { authorization: `Bearer ${document.auth_token}` }
    expect((await fetch(uri, { method: 'PUT', body: '{}', headers })).status).toBe(400)
    expect((await fetch(uri, { method: 'PUT', body: 'garbage', headers })).status).toBe(400)
    service.time.ahead = 6 * 60_000
    expect((await fetch(entry)).status).toBe(410)
    expect((await fetch(uri, { headers })).status).toBe(410)
    service.time.ahead = 0
    expect((await fetch(entry.replace(/\/e\/[\w-]+/, `/e/${'x'.repeat(32)}`))).status).toBe(404)
  })

  test('another browser does not come in by it', async () => {
    const signer = await citizen()
    const { page, entry } = await scanned()
    await answered(entry, signedDocuments(signer))
    const thief = browser()
    expect((await thief.open(page.url)).status).toBe(400)
    const own = await begun()
    const id = page.url.searchParams.get('challenge')!
    const headers = { origin: service.publicUrl.origin }
    const body = new URLSearchParams({ challenge: id })
    expect((await own.person.open(`${own.at}/phone`, { method: 'POST', body, headers })).status).toBe(400)
  })
})
