import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { hour } from '@kelisim/domain/durations.ts'
import { sectionNames, shellHint } from '@kelisim/domain/shell.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { startTestApp } from '../../testing.ts'

function byName<V>(names: readonly string[], make: (name: string) => V): Record<string, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

const root = temporaryFolder()
const folder = join(root, 'dist')
for (const name of ['assets', 'landing', 'files']) mkdirSync(join(folder, name), { recursive: true })
writeFileSync(join(root, 'secret.txt'), 'not part of the site')
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><html lang="ru"><script type="application/json" id="config">__CONFIG__</script><!--fonts--><style nonce="__NONCE__"></style><!--skeleton-->',
)
writeFileSync(
  join(folder, 'skeletons.json'),
  JSON.stringify({
    css: 'p{}',
    fonts: { ru: 'letters of ru', kk: 'letters of kk', en: 'letters of en' },
    html: byName(['ru', 'kk', 'en'], (language) =>
      byName(sectionNames, (section) => `${language} ${section} <i data-to="/points/my"></i>`),
    ),
  }),
)
writeFileSync(join(folder, 'verify.html'), '<!doctype html><html lang="ru">check __CONFIG__')
writeFileSync(join(folder, 'verify-worker.js'), 'const version = 1')
writeFileSync(join(folder, 'quick.html'), '<!doctype html><html lang="ru">quick __CONFIG__')
writeFileSync(join(folder, 'files', 'help.json'), '[]')
writeFileSync(join(folder, 'mark.svg'), '<svg/>')
writeFileSync(join(folder, 'share.png'), 'png')
writeFileSync(join(folder, 'assets', 'app-1a2b3c.js'), 'console.log(1)')
for (const language of ['ru', 'kk', 'en'])
  writeFileSync(join(folder, 'landing', `${language}.html`), `landing ${language}`)
const facts = '{"@type":"Organization","url":"__PUBLIC_URL__/","email":"__SUPPORT_EMAIL__"}'
const withFacts = `<style>p{}</style><script type="application/ld+json">${facts}</script>`
afterAll(() => rmSync(root, { recursive: true }))

const { app, time } = await startTestApp({ site: { folder, pageConfig: { version: '</script><b>' } } })

describe('the landing page', () => {
  test('tells search engines its address, in a script that the content security policy allows by its hash', async () => {
    const file = join(folder, 'landing', 'en.html')
    writeFileSync(file, withFacts)
    const { app: other } = await startTestApp({
      site: { folder, pageConfig: {} },
      about: { supportEmail: 'help@example.kz' },
    })
    writeFileSync(file, 'landing en')
    const { body, headers } = await other.inject('/en')
    const told = '{"@type":"Organization","url":"http://localhost:3000/","email":"help@example.kz"}'
    expect(body).toContain(told)
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${hashOf(told)};`)
    expect(headers['content-security-policy']).toContain(`style-src 'self' ${hashOf('p{}')};`)
  })

  test('is sent compressed to browsers that accept it, and not again to those that have it', async () => {
    const { headers, rawPayload } = await app.inject({
      url: '/ru',
      headers: { 'accept-encoding': 'gzip, deflate' },
    })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe('landing ru')
    const again = await app.inject({ url: '/ru', headers: { 'if-none-match': String(headers['etag']) } })
    expect(again.statusCode).toBe(304)
  })

  test('is found by search engines, unless it is a demo', async () => {
    const robots = await app.inject('/robots.txt')
    expect(robots.body).toContain('Sitemap: http://localhost:3000/sitemap.xml')
    const map = await app.inject('/sitemap.xml')
    expect(map.headers['content-type']).toContain('application/xml')
    for (const language of ['ru', 'kk', 'en'])
      expect(map.body).toContain(`<loc>http://localhost:3000/${language}</loc>`)
    const demo = await startTestApp({ site: { folder, pageConfig: {} }, about: { isDemo: true } })
    expect((await demo.app.inject('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
  })

  test('comes in the language of the reader', async () => {
    const body = async (headers: Record<string, string>) => (await app.inject({ url: '/', headers })).body
    expect(await body({})).toBe('landing ru')
    expect(await body({ 'accept-language': 'kk-KZ,ru;q=0.9' })).toBe('landing kk')
    expect(await body({ cookie: 'locale=en', 'accept-language': 'kk' })).toBe('landing en')
  })

  test('keeps the language that the visitor chose, and saves the choice of its switcher', async () => {
    const chosen = async (url: string, cookie = '') => {
      const response = await app.inject({ url, headers: { cookie } })
      return response.cookies.find(({ name }) => name === 'locale')?.value ?? null
    }
    expect(await chosen('/kk')).toBe('kk')
    expect(await chosen('/ru', 'locale=kk')).toBeNull()
    expect(await chosen('/ru', 'session=a-person-whose-browser-decides')).toBeNull()
    expect(await chosen('/ru?choose', 'session=a-person; locale=kk')).toBe('ru')
    const { statusCode, headers } = await app.inject('/ru?choose')
    expect([statusCode, headers['location']]).toEqual([303, '/ru'])
  })

  test('has an address for each language, and may run no inline script', async () => {
    for (const language of ['ru', 'kk', 'en']) {
      const response = await app.inject(`/${language}`)
      expect(response.body).toBe(`landing ${language}`)
      expect(response.headers['content-security-policy']).toContain("script-src 'self';")
      expect(response.headers['content-security-policy']).not.toContain('unsafe-inline')
    }
  })
})

test('the check page is a separate page in any letter case, may run the engine, and may contact only this site', async () => {
  for (const url of ['/verify', '/Verify?x=1', '/VERIFY/']) {
    const { body, headers } = await app.inject({ url, headers: { cookie: 'locale=kk' } })
    expect(body).toMatch(/^<!doctype html><html lang="kk">check \{/)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).toContain("connect-src 'self';")
  }
})

describe('the application', () => {
  test('is one page for every address, each time with a new nonce', async () => {
    const [first, second] = [
      await app.inject('/documents/my?organizationId=1'),
      await app.inject('/documents/my'),
    ]
    const nonce = (html: string) => /nonce="([^"]+)"/.exec(html)![1]!
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce(first.body)}'`)
    expect(nonce(first.body)).not.toBe(nonce(second.body))
    expect(first.headers['cache-control']).toBe('no-cache')
  })

  test('may connect to the signing program at its address, and to nothing else', async () => {
    const policyOf = async (one: typeof app, url: string) =>
      String((await one.inject(url)).headers['content-security-policy'])
    expect(await policyOf(app, '/login')).toContain("connect-src 'self';")
    const signer = { url: new URL('wss://127.0.0.1:13579'), acceptsAnyChain: false, windowUrl: null }
    const check = () => Promise.resolve({ faults: [], signers: [] })
    const signing = await startTestApp({ site: { folder, pageConfig: {} }, signatures: { signer, check } })
    expect(await policyOf(signing.app, '/login')).toContain("connect-src 'self' wss://127.0.0.1:13579;")
    expect(await policyOf(signing.app, '/')).toContain("connect-src 'self' wss://127.0.0.1:13579;")
    expect((await signing.app.inject('/login')).body).toContain(
      '{"signer":{"url":"wss://127.0.0.1:13579/","acceptsAnyChain":false,"windowUrl":null,"hasArchiveTimestamps":false}}',
    )
    // where signatures cannot be checked, signing is not offered
    const without = await startTestApp({ site: { folder, pageConfig: {} }, signatures: { signer } })
    expect(await policyOf(without.app, '/login')).toContain("connect-src 'self';")
  })

  test('gets its configuration, escaped so that it cannot end its script element', async () => {
    const { body } = await app.inject('/login')
    expect(body).toContain('{"version":"\\u003c/script>\\u003cb>"}')
  })

  test('says its language to screen readers', async () => {
    const { body } = await app.inject({ url: '/login', headers: { cookie: 'locale=kk' } })
    expect(body).toContain('<html lang="kk"')
  })
})

test('assets are cached by the browser for ever', async () => {
  const response = await app.inject('/assets/app-1a2b3c.js')
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(response.headers['content-type']).toContain('javascript')
  expect(response.headers['x-content-type-options']).toBe('nosniff')
})

test.each([
  '/assets/unknown.js',
  '/assets/',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/api/unknown',
  '/api?x=1',
  '/API/unknown',
  '/health/unknown',
])('%s is not found', async (url) => {
  const response = await app.inject(url)
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ ExceptionData: { Alias: 'page-not-found' } })
})

test('a browser that uses another name of the host is redirected to the public address', async () => {
  const elsewhere = (url: string) => app.inject({ url, headers: { host: '127.0.0.1:3000' } })
  expect((await elsewhere('/documents/my?a=1')).headers.location).toBe(
    'http://localhost:3000/documents/my?a=1',
  )
  expect((await elsewhere('/')).headers.location).toBe('http://localhost:3000/')
  expect((await elsewhere('//evil.example/x')).headers.location).toBe('http://localhost:3000/')
})

describe('the skeleton of the application, before any script runs', () => {
  const pageFor = async (url: string, cookies: Record<string, string>) => {
    const cookie = Object.entries(cookies)
      .map((pair) => pair.join('='))
      .join('; ')
    return (await app.inject({ url, headers: { cookie } })).body
  }
  const working = () => ({ session: 'some-token', shell: shellHint(9, time.now), locale: 'kk' })

  test('comes with the page, for the menu last shown', async () => {
    const page = await pageFor('/points/my?organizationId=1', working())
    expect(page).toContain('<div id="shell-skeleton" aria-hidden="true" inert data-rights="9">')
    expect(page).toContain('kk points <i data-current></i>')
    expect(page).toContain('letters of kk')
    expect(page).toMatch(/<style nonce="[\w+/]{22}==">p\{\}<\/style>/)
  })

  test.each([
    ['somebody who is not signed in', '/points/my', { session: '' }],
    ['a browser that has never shown the menu', '/points/my', { shell: '' }],
    ['a hint that nobody of ours wrote', '/points/my', { shell: '"><script>' }],
    [
      'half a day without work',
      '/points/my',
      { shell: shellHint(9, new Date(time.now.getTime() - 13 * hour)) },
    ],
    ['signing in', '/login', {}],
    ['the agreement', '/agreementPage', {}],
    ['the page of a recipient', '/signingRequests/redirect/1', {}],
    ['the portal, which has a menu of its own', '/portal', {}],
  ])('is left out for %s', async (_, url, cookies) => {
    const page = await pageFor(url, { ...working(), ...cookies })
    expect(page).not.toContain('shell-skeleton')
    expect(page).not.toContain('<!--skeleton-->')
  })

  test('has the theme that the person chose', async () => {
    expect(await pageFor('/points/my', { theme: 'dark' })).toContain(
      '<html lang="ru" data-mantine-color-scheme="dark">',
    )
    expect(await pageFor('/points/my', { theme: 'dark"x' })).toContain('<html lang="ru">')
  })
})

describe('the check page without a network', () => {
  test('has a service worker of its own version, and a description in the language of the reader', async () => {
    const worker = await app.inject('/verify-worker.js')
    expect(worker.body).toBe('const version = 1')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    })
    const described = await app.inject({ url: '/verify.webmanifest', headers: { 'accept-language': 'kk' } })
    expect(described.headers['content-type']).toContain('application/manifest+json')
    expect(described.json()).toMatchObject({
      start_url: '/verify',
      scope: '/verify',
      lang: 'kk',
      short_name: 'Қолтаңбаны тексеру',
      display: 'standalone',
    })
  })
})
