import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { daysLater } from '@kelisim/signature/testing/nation.ts'
import type { DesktopSigner, DesktopSignerOptions } from '../desktop-signer.ts'
import {
  bareSocket,
  connected,
  keyOf,
  NCALayerClient,
  oids,
  password,
  running,
  signerNation,
  type Client,
  type Owner,
} from '../testing.ts'

const keysFolder = mkdtempSync(join(tmpdir(), 'signer-keys-'))
afterAll(() => rmSync(keysFolder, { recursive: true }))

let people: Awaited<ReturnType<typeof signerNation>>
let stranger: Owner
beforeAll(async () => {
  people = await signerNation('gost-kz-512', 'Window')
  stranger = (await signerNation('gost-kz-512', 'Elsewhere')).person
  const head = await keyOf(people.nation, 'ГЛАВА', {
    subject: makeName({
      commonName: 'АХМЕТОВ АЙДАР',
      serialNumber: 'IIN800202300456',
      country: 'KZ',
      organization: 'ТОО <Тест & Ко>',
      organizationalUnit: 'BIN123456789021',
    }),
    notAfter: daysLater(-1),
    extensions: [
      keyUsage('digitalSignature', 'nonRepudiation'),
      extendedKeyUsage([oids.emailProtection, oids.legalEntity, oids.head]),
    ],
  })
  writeFileSync(join(keysFolder, 'GOST512_person.p12'), people.person.p12)
  writeFileSync(join(keysFolder, 'GOST512_head.p12'), head.p12)
  writeFileSync(join(keysFolder, 'damaged.p12'), 'nothing')
  writeFileSync(join(keysFolder, 'notes.txt'), 'not a key')
})

const signAny = NCALayerClient['basicsSignerAny']

function withWindow<T>(
  use: (signer: DesktopSigner, client: Client, log: string[]) => Promise<T>,
  options: Partial<DesktopSignerOptions> = {},
): Promise<T> {
  const all = { keysFolder, sharedPassword: password, roots: people.roots, ...options }
  return running(all, async (signer, log) => use(signer, await connected(signer.url), log))
}

const sign = (client: Client, signer: unknown = signAny, locale = 'ru') =>
  client['basicsSignCMS']!(null, 'MTEK', NCALayerClient['basicsCMSParamsDetachedNoTSP'], signer, locale)

/** The window as a browser shows it: the page, and its form. */
async function opened(windowUrl: string, query = '') {
  const response = await fetch(windowUrl + query)
  return pageOf(response, await response.text(), windowUrl)
}

function pageOf(response: Response, text: string, windowUrl: string) {
  const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return {
    response,
    text,
    token,
    events: new URL(/data-events="([^"]+)"/.exec(text)?.[1] ?? '/none', windowUrl),
    async send(fields: Record<string, string | Blob>, headers: Record<string, string> = {}) {
      const body = new FormData()
      for (const [name, value] of Object.entries({ token, ...fields })) body.set(name, value)
      const answer = await fetch(new URL(action ?? '/', windowUrl), { method: 'POST', body, headers })
      return pageOf(answer, await answer.text(), windowUrl)
    },
  }
}

/** Waits for the prompt, which the page gets by an event. */
async function asked(windowUrl: string, query = '') {
  const { events } = await opened(windowUrl)
  const stop = new AbortController()
  const stream = await fetch(events, { signal: stop.signal })
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  while (!/data: \S/.test((await reader.read()).value ?? ''));
  stop.abort()
  return opened(windowUrl, query)
}

test('an idle window says so in three languages, and says that it is a demo', async () => {
  await withWindow(async ({ windowUrl }) => {
    expect((await opened(windowUrl)).text).toContain('Запросов на подпись нет')
    expect((await opened(windowUrl, '?lang=kk')).text).toContain('Қол қоюға сұрау жоқ')
    const english = await opened(windowUrl, '?lang=en')
    expect(english.text).toContain('<html lang="en">')
    expect(english.text).toContain('This stands in for NCALayer')
    const accepted = await fetch(windowUrl, { headers: { 'accept-language': 'kk-KZ,kk;q=0.9' } })
    expect(await accepted.text()).toContain('<html lang="kk">')
  })
})

test('a person picks a key by its owner, types the password, and the page has its signature', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    const signing = sign(client)
    const page = await asked(windowUrl)
    expect(page.text).toContain('1 документ, 3 Б')
    expect(page.text).toContain('отдельно от документа (CMS)')
    expect(page.text).toContain('ТЕСТОВ ТЕСТ ТЕСТОВИЧ')
    expect(page.text).toMatch(/ТОО &lt;Тест &amp; Ко&gt; · первый руководитель/)
    expect(page.text).toContain('срок истёк')
    expect(page.text).toContain('damaged.p12')
    expect(page.text).not.toContain('notes.txt')
    const done = await page.send({ key: 'GOST512_person.p12', password })
    expect(done.response.url).toContain('ending=answered')
    expect(done.text).toContain('Готово')
    expect(await signing).toMatch(/^-----BEGIN CMS-----/)
  })
})

test('a person may choose a key file from anywhere on the computer', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    const signing = sign(client)
    const page = await asked(windowUrl)
    await page.send({ file: new Blob([new Uint8Array(people.person.p12)]), password })
    expect(await signing).toMatch(/^-----BEGIN CMS-----/)
  })
})

test('the page learns that the person cancelled', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    const signing = expect(sign(client)).rejects.toMatchObject({ canceledByUser: true })
    const done = await (await asked(windowUrl)).send({ cancel: 'yes' })
    expect(done.text).toContain('Вы отменили запрос')
    await signing
  })
})

test('a wrong password may be tried three times, then the key is blocked', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    const signing = expect(sign(client)).rejects.toThrow('BLOCKED_KEYSTORE_PASSWORD')
    const wrong = { key: 'GOST512_person.p12', password: 'Wrong1' }
    const first = await (await asked(windowUrl)).send(wrong)
    expect(first.response.status).toBe(422)
    expect(first.text).toContain('Осталось 2 попытки')
    expect(first.text).toMatch(/value="GOST512_person.p12"[^>]*checked/)
    expect(first.text).not.toContain('Wrong1')
    const second = await first.send(wrong)
    expect(second.text).toContain('Осталась 1 попытка')
    expect((await second.send(wrong)).text).toContain('Ключ заблокирован')
    await signing
  })
})

test('an unsuitable key is explained, and another key may be tried', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    const signing = sign(client)
    let page = await asked(windowUrl)
    const tried: [Record<string, string | Blob>, string][] = [
      [{ password }, 'Выберите ключ.'],
      [{ key: 'damaged.p12', password }, 'Это не файл ключа'],
      [{ key: '../../etc/passwd', password }, 'Выберите ключ.'],
      [{ key: 'GOST512_head.p12', password }, 'Срок действия сертификата истёк'],
      [{ file: new Blob([new Uint8Array(stranger.p12)]), password }, 'центр, которого программа не знает'],
    ]
    for (const [fields, words] of tried) {
      page = await page.send(fields)
      expect(page.text).toContain(words)
    }
    await page.send({ key: 'GOST512_person.p12', password })
    expect(await signing).toMatch(/^-----BEGIN CMS-----/)
  })
})

test('requests of two pages wait one behind the other', async () => {
  await withWindow(async ({ windowUrl, url }, client) => {
    const first = sign(client)
    await asked(windowUrl)
    const second = (await connected(url))['getKeyInfo']!('PKCS12')
    // the second is still arriving; the window counts it once it is there
    let page = await opened(windowUrl)
    while (!page.text.includes('ждёт ещё 1')) page = await opened(windowUrl)
    await page.send({ key: 'GOST512_person.p12', password })
    await first
    const next = await opened(windowUrl)
    expect(next.text).toContain('Показать сайту ваш сертификат?')
    await next.send({ key: 'GOST512_person.p12', password })
    expect(await second).toHaveProperty('subjectCn', 'ТЕСТОВ ТЕСТ')
  })
})

test('the window has the language of the page, unless the person chose another', async () => {
  await withWindow(async ({ windowUrl }, client) => {
    void sign(client, signAny, 'kz').catch(() => null)
    expect((await asked(windowUrl)).text).toContain('Қол қоясыз ба?')
    expect((await opened(windowUrl, '?lang=en')).text).toContain('Sign this?')
  })
})

test('the process logs the address of the window if it is not open, and does not if it is', async () => {
  const line = /Сайт ждёт подписи/
  await withWindow(async ({ windowUrl }, client, log) => {
    void sign(client).catch(() => null)
    await asked(windowUrl)
    expect(log.filter((said) => line.test(said))).toEqual([`Сайт ждёт подписи. Откройте окно: ${windowUrl}`])
  })
  await withWindow(async ({ windowUrl }, client, log) => {
    const stop = new AbortController()
    await fetch((await opened(windowUrl)).events, { signal: stop.signal })
    void sign(client).catch(() => null)
    await asked(windowUrl)
    expect(log.filter((said) => line.test(said))).toEqual([])
    stop.abort()
  })
})

test('a file is chosen from the folder of documents', async () => {
  const filesFolder = mkdtempSync(join(tmpdir(), 'signer-files-'))
  try {
    writeFileSync(join(filesFolder, 'Шарт.pdf'), '%PDF')
    writeFileSync(join(filesFolder, 'Хат.docx'), 'PK')
    await withWindow(
      async ({ windowUrl, url }) => {
        const socket = await bareSocket(url)
        await socket.next()
        const choosing = socket.ask({
          module: 'kz.gov.pki.knca.commonUtils',
          method: 'showFileChooser',
          args: ['PDF', ''],
        })
        const page = await asked(windowUrl)
        expect(page.text).toContain('Шарт.pdf')
        expect(page.text).not.toContain('Хат.docx')
        const none = await page.send({ path: '/etc/passwd' })
        expect(none.text).toContain('Выберите файл.')
        await none.send({ path: join(filesFolder, 'Шарт.pdf') })
        expect(await choosing).toEqual({ responseObject: join(filesFolder, 'Шарт.pdf'), code: '200' })
      },
      { filesFolder },
    )
  } finally {
    rmSync(filesFolder, { recursive: true })
  }
})

describe('no other site gets in', () => {
  test('without the token of this start nothing can be answered or read', async () => {
    await withWindow(async ({ windowUrl }, client) => {
      void sign(client).catch(() => null)
      const page = await asked(windowUrl)
      for (const token of ['', 'x', `${page.token}x`, page.token.toLowerCase()]) {
        const answer = await page.send({ token, key: 'GOST512_person.p12', password })
        expect(answer.response.status).toBe(403)
        expect((await fetch(`${windowUrl}events?token=${token}`)).status).toBe(403)
      }
      expect((await opened(windowUrl)).text).toContain('Подписать?')
    })
  })

  test('a page of another origin is refused, token or not', async () => {
    await withWindow(async ({ windowUrl }, client) => {
      void sign(client).catch(() => null)
      const page = await asked(windowUrl)
      const answer = await page.send({ cancel: 'yes' }, { origin: 'https://evil.example' })
      expect(answer.response.status).toBe(403)
      expect(
        (await page.send({ cancel: 'yes' }, { origin: new URL(windowUrl).origin })).response.status,
      ).toBe(200)
    })
  })

  test('a request under a foreign host name is refused', async () => {
    await withWindow(async ({ windowUrl }) => {
      const { hostname, port } = new URL(windowUrl)
      const status = await new Promise((resolve) => {
        const headers = { host: `evil.example:${port}` }
        httpRequest({ hostname, port, headers }, (response) => resolve(response.resume().statusCode)).end()
      })
      expect(status).toBe(403)
    })
  })

  test('nothing foreign runs in the window, and it cannot be framed or cached', async () => {
    await withWindow(async ({ windowUrl }) => {
      const { headers } = (await opened(windowUrl)).response
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBe(null)
    })
  })

  test('a body that is larger than the form allows is refused', async () => {
    await withWindow(async ({ windowUrl }, client) => {
      void sign(client).catch(() => null)
      const page = await asked(windowUrl)
      const outcome = page.send({ file: new Blob([new Uint8Array(2 * 1024 * 1024)]), password })
      expect((await outcome).response.status).toBe(403)
    })
  })
})

test('neither key nor password is ever logged', async () => {
  await withWindow(async ({ windowUrl }, client, log) => {
    const signing = expect(sign(client)).rejects.toThrow('BLOCKED')
    let page = await asked(windowUrl)
    for (let i = 0; i < 3; i++) page = await page.send({ key: 'GOST512_person.p12', password: 'Sesame99' })
    await signing
    expect(log.join('\n')).not.toMatch(/Sesame99|GOST512/)
  })
})

describe('hands-free', () => {
  const tell = (windowUrl: string, body: unknown, init: RequestInit = {}) =>
    fetch(`${windowUrl}hands-free`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...init,
    })

  test('answers that were set beforehand are given to the next requests, one each', async () => {
    await withWindow(
      async ({ windowUrl }, client) => {
        expect((await tell(windowUrl, { file: 'GOST512_person.p12', password })).status).toBe(204)
        await tell(windowUrl, { cancel: true })
        expect(await sign(client)).toMatch(/^-----BEGIN CMS-----/)
        await expect(sign(client)).rejects.toMatchObject({ canceledByUser: true })
      },
      { handsFree: true },
    )
  })

  test('an answer that is set afterwards is given to the waiting request', async () => {
    await withWindow(
      async ({ windowUrl }, client) => {
        const signing = sign(client)
        await asked(windowUrl)
        await tell(windowUrl, { file: 'GOST512_person.p12', password })
        expect(await signing).toMatch(/^-----BEGIN CMS-----/)
      },
      { handsFree: true },
    )
  })

  test('answers that were set can be withdrawn', async () => {
    await withWindow(
      async ({ windowUrl }, client) => {
        await tell(windowUrl, { cancel: true })
        expect((await fetch(`${windowUrl}hands-free`, { method: 'DELETE' })).status).toBe(204)
        const signing = sign(client)
        await asked(windowUrl)
        await tell(windowUrl, { file: 'GOST512_person.p12', password })
        expect(await signing).toMatch(/^-----BEGIN CMS-----/)
      },
      { handsFree: true },
    )
  })

  test('is refused for a missing key, for a page of another site, for a form, and if it was not turned on at the start', async () => {
    await withWindow(
      async ({ windowUrl }) => {
        expect((await tell(windowUrl, { file: 'nobody.p12', password })).status).toBe(400)
        expect((await tell(windowUrl, { file: 'GOST512_person.p12' })).status).toBe(400)
        const foreign = { 'content-type': 'application/json', origin: 'https://evil.example' }
        expect((await tell(windowUrl, { cancel: true }, { headers: foreign })).status).toBe(403)
        expect(
          (await tell(windowUrl, { cancel: true }, { headers: { 'content-type': 'text/plain' } })).status,
        ).toBe(400)
      },
      { handsFree: true },
    )
    await withWindow(async ({ windowUrl }) => {
      expect((await tell(windowUrl, { cancel: true })).status).toBe(404)
    })
  })
})
