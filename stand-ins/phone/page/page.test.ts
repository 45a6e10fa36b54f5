import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extendedKeyUsage, keyUsage } from '@kelisim/signature/signer/extensions.ts'
import { signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import { keyOf, oids, password, signerNation, timestamping } from '../../desktop-signer/testing.ts'
import { startPhone } from '../phone.ts'
import {
  base64,
  cmsRequest,
  fileOf,
  findingsOn,
  introductionAt,
  names,
  serving,
  text,
  type Service,
} from '../testing.ts'

const keysFolder = mkdtempSync(join(tmpdir(), 'phone-keys-'))
afterAll(() => rmSync(keysFolder, { recursive: true }))

let nation: Nation
beforeAll(async () => {
  const people = await signerNation('gost-kz-512', 'Phone page')
  nation = people.nation
  const login = await keyOf(nation, 'ВХОДОВ ВХОД', {
    extensions: [
      keyUsage('digitalSignature', 'keyEncipherment'),
      extendedKeyUsage([oids.clientAuth, oids.individual]),
    ],
  })
  writeFileSync(join(keysFolder, 'GOST512_person.p12'), people.person.p12)
  writeFileSync(join(keysFolder, 'AUTH_person.p12'), login.p12)
})

const sign = { key: 'GOST512_person.p12', password }

/** The phone and a service whose codes it opens. */
function atPhone<T>(use: (phone: ReturnType<typeof browser>, service: Service) => Promise<T>): Promise<T> {
  return timestamping(nation, ({ url: tspUrl }) =>
    serving(async (service) => {
      const { origin } = service
      const options = { port: 0, origin, tspUrl, keysFolder, sharedPassword: password }
      const phone = await startPhone({ ...options, now: () => signedOn, log: () => {} })
      try {
        return await use(browser(phone.url), service)
      } finally {
        await phone.close()
      }
    }),
  )
}

/** What a person does with the page: opens, reads, follows a link, submits its form. */
function browser(url: string) {
  async function opened(path: string, init?: RequestInit) {
    const response = await fetch(new URL(path, url), init)
    const page = await response.text()
    const attribute = (pattern: RegExp) => pattern.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return {
      response,
      page,
      follow: (label: string) => opened(attribute(new RegExp(`href="([^"]+)"[^>]*>${label}<`))),
      send(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
        const body = new URLSearchParams({ token: attribute(/name="token" value="([^"]+)"/), ...fields })
        return opened(attribute(/method="post" action="([^"]+)"/), { method: 'POST', body, headers })
      },
    }
  }
  return {
    url,
    opened,
    scan: (code: string, lang = 'ru') => opened(`/?code=${encodeURIComponent(code)}&lang=${lang}`),
  }
}

test('without a code the page has a field for it, in three languages, and says that it is a demo', async () => {
  await atPhone(async ({ opened }) => {
    const russian = await opened('/')
    expect(russian.page).toContain('Текст QR-кода или ссылка')
    expect(russian.page).toContain('учебная замена приложения eGov Mobile')
    expect((await opened('/?lang=kk')).page).toContain('<html lang="kk">')
    const accepted = await opened('/', { headers: { 'accept-language': 'en-GB,en' } })
    expect(accepted.page).toContain('This stands in for the eGov Mobile app')
  })
})

test('a person reads who asks for what, picks a key, signs, and goes back', async () => {
  await atPhone(async ({ scan }, service) => {
    service.verdict.body = {
      status: 'success',
      message: 'success',
      backUrl: 'https://sign.example.kz/?a=1&b=2',
    }
    service.documents = {
      ...cmsRequest,
      documentsToSign: [{ id: 1, ...names, meta: [{ name: 'Номер', value: '<7>' }], ...fileOf() }],
    }
    const asked = await scan(service.code)
    expect(asked.response.url).toMatch(/\/requests\/[0-9a-f-]+\?lang=ru$/)
    for (const shown of [
      'Подписание документов',
      'АО «НИТ»',
      '000740000728',
      '01.06.2026, 15:30',
      'Договор',
      'Номер',
      '&lt;7&gt;',
      text,
    ]) {
      expect(asked.page).toContain(shown)
    }
    const choosing = await asked.follow('Подписать')
    expect(choosing.page).toContain('ТЕСТОВ ТЕСТ ТЕСТОВИЧ')
    expect(choosing.page).toContain(`value="${password}"`)
    const done = await choosing.send(sign)
    expect(done.page).toContain('Подписание выполнено успешно')
    expect(done.page).toContain('href="https://sign.example.kz/?a=1&amp;b=2"')
    const { data } = service.sent().documentsToSign[0]!.document!.file
    expect(await findingsOn(data, nation, text)).toEqual([])
  })
})

test('the page uses Kazakh with the person and with the site', async () => {
  await atPhone(async ({ scan }, service) => {
    const asked = await scan(service.code, 'kk')
    expect(asked.page).toContain('«ҰАТ» АҚ')
    expect(asked.page).toContain('Шарт')
    const done = await (await asked.follow('Қол қою')).send(sign)
    expect(done.page).toContain('Қол сәтті қойылды')
    expect(service.received.map(({ language }) => language)).toEqual(['kk', 'kk', 'kk'])
  })
})

test('a person refuses', async () => {
  await atPhone(async ({ scan }, service) => {
    const done = await (await scan(service.code)).send()
    expect(done.page).toContain('Вы отказались подписывать')
    expect(service.sent().status).toBe('CANCELED')
  })
})

test('a PDF can be opened, a text is shown, and the page says that other files are not shown', async () => {
  await atPhone(async ({ scan, opened, url }, service) => {
    service.documents = {
      signMethod: 'CMS_SIGN_ONLY',
      documentsToSign: [
        { id: 1, ...names, ...fileOf('application/pdf', base64('%PDF-1.7 ә')) },
        { id: 2, ...names, ...fileOf('image/png', base64('<script>')) },
      ],
    }
    const asked = await scan(service.code)
    expect(asked.page).toContain('Такой файл приложение не показывает')
    const pdf = await asked.follow('Открыть PDF')
    expect(pdf.response.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.page).toBe('%PDF-1.7 ә')
    const { pathname } = new URL(pdf.response.url)
    expect((await opened(pathname.replace(/0$/, '1'))).response.status).toBe(404)
    expect((await opened(new URL('/documents/0', url).pathname)).response.status).toBe(404)
  })
})

test('if the site wants to know who opens the documents, the key is asked for first', async () => {
  await atPhone(async ({ scan }, service) => {
    const { document, ...rest } = introductionAt(service.origin)
    service.introduction = { ...rest, document: { uri: document.uri, auth_type: 'Eds' } }
    const login = await scan(service.code)
    expect(login.page).toContain('Кто открывает документы?')
    expect(login.page).not.toContain(text)
    const asked = await login.send({ key: 'AUTH_person.p12', password })
    expect(asked.page).toContain(text)
    const unfit = await (await asked.follow('Подписать')).send({ key: 'AUTH_person.p12', password })
    expect(unfit.page).toContain('Этот ключ только для входа')
    expect((await unfit.send(sign)).page).toContain('Подписание выполнено успешно')
  })
})

describe('a problem is explained, and the person can try again', () => {
  test.each([
    ['mobileSign:https://evil.example/mgovSign', 'Сайт evil.example не подключён'],
    ['hello', 'Это не код для подписания'],
  ])('the code %s', async (code, said) => {
    await atPhone(async ({ scan }) => {
      const page = await scan(code)
      expect(page.response.status).toBe(422)
      expect(page.page).toContain(said)
      expect(page.page).toContain(code)
    })
  })

  test('no key, a wrong password, and then the right one', async () => {
    await atPhone(async ({ scan }, service) => {
      const choosing = await (await scan(service.code)).follow('Подписать')
      expect((await choosing.send({ password })).page).toContain('Выберите ключ.')
      const wrong = await choosing.send({ ...sign, password: 'нет' })
      expect(wrong.page).toContain('Пароль не подошёл')
      expect(wrong.page).toMatch(/value="GOST512_person.p12"\s+checked/)
      expect((await wrong.send(sign)).page).toContain('Подписание выполнено успешно')
    })
  })

  test('a refusal in the words of the site', async () => {
    await atPhone(async ({ scan }, service) => {
      service.verdict = { status: 403, body: { message: 'Подпись <чужая>' } }
      const refused = await (await (await scan(service.code)).follow('Подписать')).send(sign)
      expect(refused.page).toContain('role="alert">Подпись &lt;чужая&gt;<')
      const declined = await (await scan(service.code)).send()
      expect(declined.page).toContain('Подпись &lt;чужая&gt;')
      service.everything = { status: 410, body: '{"message":"Поздно"}' }
      expect((await scan(service.code)).page).toContain('Поздно')
      service.everything = { status: 500, body: '' }
      expect((await scan(service.code)).page).toContain('Сайт отказал и не сказал почему')
    })
  })

  test('faults can be chosen on the page', async () => {
    await atPhone(async ({ scan }, service) => {
      const choosing = await (await scan(service.code)).follow('Подписать')
      await choosing.send({ ...sign, fault: 'tampered' })
      const { data } = service.sent().documentsToSign[0]!.document!.file
      expect(await findingsOn(data, nation, text)).toContain('other-document')
    })
  })

  test('a request is answered only once, and one that is gone is reported as gone', async () => {
    await atPhone(async ({ scan, opened }, service) => {
      const asked = await scan(service.code)
      const choosing = await asked.follow('Подписать')
      const [first, second] = await Promise.all([choosing.send(sign), choosing.send(sign)])
      await choosing.send(sign)
      expect([first.response.status, second.response.status]).toEqual([200, 200])
      expect((await asked.send()).page).toContain('Подписание выполнено успешно')
      expect(service.received.filter(({ method }) => method === 'PUT')).toHaveLength(1)
      expect((await opened('/requests/0000')).page).toContain('Запроса больше нет')
    })
  })
})

describe('no other site gets in', () => {
  test('without the token of this start, or from another page', async () => {
    await atPhone(async ({ scan }, service) => {
      const choosing = await (await scan(service.code)).follow('Подписать')
      expect((await choosing.send({ ...sign, token: 'x' })).response.status).toBe(403)
      const elsewhere = await choosing.send(sign, { origin: 'https://evil.example' })
      expect(elsewhere.response.status).toBe(403)
      expect(service.received.filter(({ method }) => method === 'PUT')).toEqual([])
    })
  })

  test('under another host name', async () => {
    await atPhone(async ({ url }) => {
      const status = await new Promise((resolve, reject) => {
        httpRequest(url, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode))
          .once('error', reject)
          .end()
      })
      expect(status).toBe(403)
    })
  })

  test('no script runs in the page, and it cannot be framed', async () => {
    await atPhone(async ({ opened }) => {
      const { response, page } = await opened('/')
      const policy = response.headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(page).not.toMatch(/<script|style=|\son\w+=/)
    })
  })

  test('no key is read from outside the folder', async () => {
    await atPhone(async ({ scan }, service) => {
      const choosing = await (await scan(service.code)).follow('Подписать')
      const outside = await choosing.send({ key: '../GOST512_person.p12', password })
      expect(outside.page).toContain('Выберите ключ.')
    })
  })
})
