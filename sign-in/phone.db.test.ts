/** Signing in by phone: what the app is shown, whose signature signs in, and whose does not. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { signatureScene } from './testing-signatures.ts'
import type { Browser, Page } from './testing.ts'

const { service, stranger, checking, citizen, base64, signedBy, begun } = await signatureScene()
const { browser, database, publicUrl } = service

const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

beforeEach(() => {
  service.time.ahead = 0
  checking.before = async () => {}
})

/** A browser that shows a QR code, and the addresses in the code and in the link for the same phone. */
async function waiting(person?: Browser) {
  const visit = await begun(person)
  const page = await visit.person.submit(visit.page, {}, '/phone-begin', { 'user-agent': chromeOnWindows })
  const link = decodeURIComponent(/link=([^"&]*)/.exec(page.text)![1]!)
  return { ...visit, page, link, entry: link.replace('/l/', '/e/') }
}

type Introduction = {
  description: string
  document: { uri: string; auth_type: string; auth_token: string }
  organisation: object
}
type Documents = {
  documentsToSign: {
    id: number
    nameRu: string
    meta: { name: string; value: string }[]
    document: { file: { mime: string; data: string } }
  }[]
}

/** What the app does with a QR code until the person decides. */
async function read(entry: string, language = 'ru') {
  const introduction = (await (
    await fetch(entry, { headers: { 'accept-language': language } })
  ).json()) as Introduction
  const { uri, auth_token: token } = introduction.document
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-language': language,
  }
  const documents = (await (await fetch(uri, { headers })).json()) as Documents
  const [document] = documents.documentsToSign
  const content = Buffer.from(document!.document.file.data, 'base64')
  const put = async (body: object) => {
    const response = await fetch(uri, { method: 'PUT', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as { message: string; backUrl?: string } }
  }
  return {
    introduction,
    documents,
    document: document!,
    content,
    uri,
    code: document!.meta[0]!.value,
    put,
    signed: async (signer: CmsSigner) => withData(documents, base64(await signedBy(signer, content))),
    canceled: { ...documents, status: 'CANCELED' },
  }
}

function withData(documents: Documents, data: string): Documents {
  const body = structuredClone(documents)
  body.documentsToSign[0]!.document.file.data = data
  return body
}

const stateOf = async (person: Browser, page: Page) =>
  (
    JSON.parse((await person.open(page.url.href.replace('/phone?', '/phone-state?'))).text) as {
      state: string
    }
  ).state

const again = (person: Browser, page: Page) => person.open(page.url)
const other = (code: string) => String((Number(code) + 1) % 1000).padStart(3, '0')

/** A browser whose QR code was signed, on the page that asks for the code. */
async function signedScene(signer?: CmsSigner & { iin: string }) {
  const key = signer ?? (await citizen())
  const visit = await waiting()
  const phone = await read(visit.entry)
  const body = await phone.signed(key)
  expect((await phone.put(body)).status).toBe(200)
  return { ...visit, phone, body, signer: key, asking: await again(visit.person, visit.page) }
}

/** What a person reads on a page: its tags, pictures and scripts are left out. */
const visibleText = (page: string) => page.replaceAll(/<(svg|script|style)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')

/** Checks that the code is not shown. Its digits may still be part of a longer number, an address or a picture. */
function expectNoCode(page: string, code: string): void {
  expect(visibleText(page)).not.toMatch(new RegExp(`(?<![\\d.:])${code}(?![\\d.:])`))
  expect(page).not.toContain(`"${code}"`)
}

/** Where the pages of a sign-in lead if it is over or belongs to another browser. */
const newSignIn = '/api-user/autologin'

describe('the phone is shown', () => {
  test('that it is a sign-in, where it began, a code and when to sign', async () => {
    const { entry, person, page } = await waiting(browser('91.185.20.7'))
    expect(entry).toContain('mgovSign')
    expect(await stateOf(person, page)).toBe('new')
    const { introduction, document, documents, content, code } = await read(entry)
    expect(code).toMatch(/^\d{3}$/)
    expect(introduction).toMatchObject({
      description: `Вход в Келісім (${publicUrl.host}). Код ${code}`,
      organisation: { nameRu: expect.any(String), nameKz: expect.any(String), nameEn: expect.any(String) },
      document: { auth_type: 'Token' },
    })
    expect(documents).toMatchObject({ signMethod: 'CMS_SIGN_ONLY', version: 1 })
    const place = document.meta[1]!.value
    expect(place).toMatch(/^Chrome, Windows, сеть 91\.185\.\*\.\*, \d\d\.\d\d\.\d{4} \d\d:\d\d$/)
    expect(document.nameRu).toBe(`Вход в Келісім. Код ${code}`)
    expect(document.meta[2]!.value).toContain('только если вход начали вы сами')
    // the code is part of the signed content
    expect(content.toString()).toContain(code)
    expect(content.toString()).toContain(place)
    expect(content.toString()).toContain(publicUrl.origin)
    expect(await stateOf(person, page)).toBe('fetched')
    // the page shows the same place, and not the code
    const shown = await again(person, page)
    expect(shown.text).toContain(place)
    expect(visibleText(shown.text)).toContain(place)
    expectNoCode(shown.text, code)
  })

  test('all of it in the language of the phone', async () => {
    const { entry } = await waiting()
    const { introduction, document } = await read(entry, 'kk')
    expect(introduction.description).toContain('Келісімге кіру')
    expect(document.meta[2]!.value).toContain('өзіңіз бастаған')
  })

  test('a code of its own, which another phone with the same QR code does not learn', async () => {
    const { entry } = await waiting()
    const [one, two] = [await read(entry), await read(entry)]
    expect(one.uri).not.toBe(two.uri)
    expect(one.introduction.document.auth_token).not.toBe(two.introduction.document.auth_token)
    expect(one.content.equals(two.content)).toBe(false)
    const headers = { authorization: `Bearer ${one.introduction.document.auth_token}` }
    expect((await fetch(two.uri, { headers })).status).toBe(401)
    // a text that one of the phones signed is refused as the answer of the other
    const { status } = await two.put(await one.signed(await citizen()))
    expect(status).toBe(403)
  })

  test('nothing after a QR code was read too often', async () => {
    const { entry } = await waiting()
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await fetch(entry)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  })
})

describe('somebody who has signed is let in', () => {
  test('after typing the code of the phone in the browser that showed the QR code', async () => {
    const { person, page, phone, signer, asking, finish } = await signedScene()
    expect(await stateOf(person, page)).toBe('signed')
    // enough for the person to recognise themselves, but no more
    expect(asking.text).toContain('Айгерім\u00a0С.')
    expect(asking.text).not.toContain('Серікова')
    expect(asking.text).not.toContain(signer.iin)
    expectNoCode(asking.text, phone.code)
    const unknown = await person.submit(asking, { code: phone.code }, '/phone')
    expect(unknown.text).toContain(signer.iin)
    const callback = await person.submit(unknown, {}, '/outsider')
    expect((await finish(callback.url)).claims()).toMatchObject({ iin: signer.iin, outsider: true })
  })

  test('to the account with this IIN', async () => {
    const signer = await citizen()
    const id = await service.makeAccount('phone@example.kz')
    await database.write((tx) =>
      tx.updateTable('signInAccounts').set({ iin: signer.iin }).where('id', '=', id).execute(),
    )
    const { person, phone, asking, finish } = await signedScene(signer)
    const callback = await person.submit(asking, { code: ` ${phone.code} ` }, '/phone')
    expect((await finish(callback.url)).claims()).toMatchObject({ sub: id, iin: signer.iin })
    // submitting again does not sign in again
    expect((await person.submit(asking, { code: phone.code }, '/phone')).url.pathname).toBe(newSignIn)
  })

  test('once, even if the code is sent twice', async () => {
    const { person, phone, asking, at } = await signedScene()
    const twice = await Promise.all([
      person.submit(asking, { code: phone.code }, '/phone'),
      person.submit(asking, { code: phone.code }, '/phone'),
    ])
    expect(twice.map(({ url }) => url.pathname)).toEqual([`${at}/unknown`, `${at}/unknown`])
  })

  test('after mistyping the code once', async () => {
    const { person, phone, asking, at } = await signedScene()
    const slip = await person.submit(asking, { code: other(phone.code) }, '/phone')
    expect([slip.status, slip.text]).toEqual([422, expect.stringContaining('Телефон показал другой код')])
    const right = await person.submit(slip, { code: phone.code }, '/phone')
    expect(right.url.pathname).toBe(`${at}/unknown`)
  })

  test('without typing, if the app on the same phone sends the browser back', async () => {
    const signer = await citizen()
    const { person, link, at } = await waiting()
    const phone = await read(link)
    const { body } = await phone.put(await phone.signed(signer))
    const back = await person.open(body.backUrl!)
    expect(back.text).toContain('Айгерім\u00a0С.')
    expect(back.text).not.toContain('name="code"')
    expect((await person.submit(back, {}, '/phone')).url.pathname).toBe(`${at}/unknown`)
  })
})

describe('nobody is let in', () => {
  test('before the code is typed, by any other page of the sign-in', async () => {
    const { person, at, asking } = await signedScene()
    expect((await person.open(at)).text).toContain('NCALayer')
    expect((await person.open(`${at}/unknown`)).url.pathname).toBe(newSignIn)
    const headers = { origin: publicUrl.origin }
    expect((await person.open(`${at}/outsider`, { method: 'POST', headers })).url.pathname).toBe(newSignIn)
    const unanswered = await person.submit(asking, { code: ' ' }, '/phone')
    expect(unanswered.url.pathname).toBe(`${at}/phone`)
    expect(unanswered.text).toContain('name="code"')
  })

  test('by guessing the code: the second wrong one ends the sign-in, and the phone is told', async () => {
    const { person, page, phone, body, asking, at } = await signedScene()
    await person.submit(asking, { code: other(phone.code) }, '/phone')
    const last = await person.submit(asking, { code: other(other(phone.code)) }, '/phone')
    expect([last.status, last.text]).toEqual([401, expect.stringContaining('вход отменён')])
    expect((await person.submit(asking, { code: phone.code }, '/phone')).status).toBe(401)
    expect(await stateOf(person, page)).toBe('mismatched')
    expect((await person.open(`${at}/unknown`)).url.pathname).toBe(newSignIn)
    expect(await phone.put(body)).toEqual({
      status: 403,
      body: { message: expect.stringContaining('вход отменён') },
    })
  })

  test('by guessing many codes at once', async () => {
    const { person, phone, asking } = await signedScene()
    const guesses = Array.from({ length: 10 }, (_, i) => String(i * 100).padStart(3, '0'))
    const wrong = guesses.filter((guess) => guess !== phone.code)
    const answers = await Promise.all(wrong.map((code) => person.submit(asking, { code }, '/phone')))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(wrong.length - 1)
  })

  test('from another browser, whatever it knows', async () => {
    const { page, phone, at } = await signedScene()
    const thief = browser()
    expect((await thief.open(page.url)).url.pathname).toBe(newSignIn)
    expect((await thief.open(page.url.href.replace('/phone?', '/phone-state?'))).text).toBe(
      '{"state":"expired"}',
    )
    const own = await begun()
    const id = page.url.searchParams.get('challenge')!
    const headers = { origin: publicUrl.origin }
    const body = new URLSearchParams({ challenge: id, code: phone.code })
    expect((await own.person.open(`${own.at}/phone`, { method: 'POST', body, headers })).url.pathname).toBe(
      newSignIn,
    )
    expect((await own.person.open(`${at}/phone`, { method: 'POST', body, headers })).url.pathname).toBe(
      newSignIn,
    )
  })

  test('from the browser of a victim that the app sends back to the sign-in of somebody else', async () => {
    const { link, person, page } = await waiting()
    const phone = await read(link)
    const { body } = await phone.put(await phone.signed(await citizen()))
    const victim = await begun()
    expect((await victim.person.open(body.backUrl!)).url.pathname).toBe(newSignIn)
    // and the person who began the sign-in does not know the secret
    const asking = await again(person, page)
    expect(asking.text).toContain('name="code"')
    expect((await person.submit(asking, { return: 'x'.repeat(43) }, '/phone')).status).toBe(422)
  })

  test('when the code comes too late', async () => {
    const { person, page, phone, asking } = await signedScene()
    service.time.ahead = 4 * 60_000
    expect(await stateOf(person, page)).toBe('expired')
    expect((await person.submit(asking, { code: phone.code }, '/phone')).status).toBe(401)
  })
})

describe('the app gets the right response', () => {
  test('about an accepted signature, also when it repeats it', async () => {
    const { entry } = await waiting()
    const phone = await read(entry)
    const body = await phone.signed(await citizen())
    const first = await phone.put(body)
    expect(first).toEqual({ status: 200, body: { status: 'success', message: 'success' } })
    expect(await phone.put(body)).toEqual(first)
    expect(await phone.put(withData(body, lines(body)))).toEqual(first)
  })

  test('about a refused one, on the phone and on the page, also when it repeats it', async () => {
    const { person, page, entry } = await waiting()
    const phone = await read(entry)
    const body = await phone.signed(await citizen({}, stranger))
    const first = await phone.put(body)
    expect(first).toEqual({ status: 403, body: { message: expect.stringContaining('НУЦ') } })
    expect(await phone.put(body)).toEqual(first)
    expect((await person.submit(page, {}, '/phone')).text).toContain('DS-406')
  })

  test('about a refused one that is repeated while the first is still being checked', async () => {
    const { entry } = await waiting()
    const phone = await read(entry)
    const body = await phone.signed(await citizen({}, stranger))
    let checks = 0
    const both = Promise.withResolvers<void>()
    checking.before = () => {
      if (++checks === 2) both.resolve()
      return both.promise
    }
    const answers = await Promise.all([phone.put(body), phone.put(body)])
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
  })

  test('about another answer after the first: it does not count', async () => {
    const { person, page, entry } = await waiting()
    const phone = await read(entry)
    expect((await phone.put(phone.canceled)).status).toBe(200)
    expect(await phone.put(await phone.signed(await citizen()))).toEqual({
      status: 409,
      body: { message: expect.any(String) },
    })
    expect(await stateOf(person, page)).toBe('canceled')
    const after = await signedScene()
    expect((await after.phone.put(after.phone.canceled)).status).toBe(409)
    expect(await stateOf(after.person, after.page)).toBe('signed')
  })

  test('about a second phone that answers later', async () => {
    const { entry } = await waiting()
    const [one, two] = [await read(entry), await read(entry)]
    expect((await one.put(await one.signed(await citizen()))).status).toBe(200)
    expect((await two.put(await two.signed(await citizen()))).status).toBe(409)
  })

  test('about a refusal by the person', async () => {
    const { person, page, entry } = await waiting()
    const phone = await read(entry)
    expect((await phone.put(phone.canceled)).status).toBe(200)
    expect(await stateOf(person, page)).toBe('canceled')
    expect((await person.submit(page, {}, '/phone')).text).toContain('Отказать')
  })

  test('without the token, about garbage, and after the time limit', async () => {
    const { entry } = await waiting()
    const { uri, introduction, put, signed } = await read(entry)
    expect((await fetch(uri)).status).toBe(401)
    const wrong = { authorization: 'Bearer x' }
    expect((await fetch(uri, { method: 'PUT', body: '{}', headers: wrong })).status).toBe(401)
    const headers = { authorization: `Bearer ${introduction.document.auth_token}` }
    expect((await put({})).status).toBe(400)
    const garbage = await fetch(uri, { method: 'PUT', body: 'garbage', headers })
    expect([garbage.status, await garbage.json()]).toEqual([400, { message: expect.any(String) }])
    const body = await signed(await citizen())
    service.time.ahead = 6 * 60_000
    expect((await fetch(entry)).status).toBe(410)
    expect((await fetch(uri, { headers })).status).toBe(410)
    expect((await put(body)).status).toBe(410)
    service.time.ahead = 0
    expect((await fetch(entry.replace(/\/e\/[\w-]+/, `/e/${'x'.repeat(32)}`))).status).toBe(404)
  })
})

/** Breaks the base64 into lines, as some apps do. */
const lines = (body: Documents) => body.documentsToSign[0]!.document.file.data.replaceAll(/.{76}/g, '$&\r\n')
