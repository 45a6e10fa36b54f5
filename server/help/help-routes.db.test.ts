import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { helpLanguages, helpNames } from '@kelisim/domain/help/documents.ts'
import { startTestApp } from '../testing.ts'
import { manifestName, type HelpFile } from './manifest.ts'
import { tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'

const root = mkdtempSync(join(tmpdir(), 'kelisim-help-'))
const folder = join(root, 'dist')
for (const name of ['assets', 'landing']) mkdirSync(join(folder, name), { recursive: true })
writeFileSync(join(folder, 'skeletons.json'), '{"fonts":{}}')
for (const name of ['index.html', 'verify.html', 'verify-worker.js', 'quick.html', 'mark.svg', 'share.png'])
  writeFileSync(join(folder, name), 'page')
for (const language of ['ru', 'kk', 'en'])
  writeFileSync(join(folder, 'landing', `${language}.html`), 'landing')
// Fake documents, because the printed ones have their own tests.
const made = join(folder, 'files')
const files = helpNames.flatMap((name) =>
  helpLanguages.flatMap((language) =>
    (name === 'price-list' ? [null, ...tariffNames] : [null]).map((tariff, i): HelpFile => {
      const file = `${name}.${tariff ?? 'plain'}.${language}.pdf`
      return { name, language, tariff, file, version: `${name.length}-${language}-${i}` }
    }),
  ),
)
mkdirSync(made)
for (const { file } of files) writeFileSync(join(made, file), `%PDF-1.7 ${file}`)
writeFileSync(join(made, manifestName), JSON.stringify(files))
mkdirSync(join(folder, 'files', 'videos'), { recursive: true })
writeFileSync(join(folder, 'files', 'videos', 'sample.webm'), '0123456789')
writeFileSync(join(folder, 'files', 'videos', 'sample.kk.vtt'), 'WEBVTT\n')

const { app, make, tokenOf, database, time } = await startTestApp({ site: { folder, pageConfig: {} } })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })
const fileOf = (name: string, language: string, tariff: string | null = null) =>
  files.find((one) => one.name === name && one.language === language && one.tariff === tariff)!

test.each(helpNames)(
  '%s is served at both addresses, in the requested language or that of the reader',
  async (name) => {
    for (const url of [`/files/${name}.kk.pdf`, `/frame/${name}.pdf`, `/files/${name}.pdf`]) {
      const answer = await get(url, { 'accept-language': 'kk' })
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-language']]).toEqual(
        [200, 'application/pdf', 'kk'],
      )
      expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.headers['content-disposition']).toMatch(/^inline; filename=/)
    }
  },
)

test('the service rules are also served under the name used by the landing page', async () => {
  const answer = await get('/files/terms-of-use.en.pdf')
  expect(answer.headers['content-language']).toBe('en')
  expect(answer.rawPayload.equals((await get('/files/service-rules.en.pdf')).rawPayload)).toBe(true)
})

test('an address with the current version is cached for ever, for all readers; one with an old version is not', async () => {
  const { version } = fileOf('instruction', 'kk')
  const exact = await get(`/frame/instruction.pdf?v=${version}`, { 'accept-language': 'ru' })
  expect(exact.headers).toMatchObject({
    'content-language': 'kk',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const old = await get('/frame/instruction.pdf?v=000000000000', { 'accept-language': 'ru' })
  expect(old.headers).toMatchObject({ 'content-language': 'ru', 'cache-control': 'no-cache' })
  const again = await get('/files/instruction.ru.pdf', { 'if-none-match': String(old.headers['etag']) })
  expect(again.statusCode).toBe(304)
})

test('help documents can be framed by our own pages only, and downloaded on request', async () => {
  const { headers } = await get('/files/contract-offer.ru.pdf?download')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  expect(headers['content-disposition']).toMatch(/^attachment; .*filename\*=UTF-8''%D0/)
})

test('the price list marks the tariff of an organisation for its members and nobody else', async () => {
  const boss = await make.person()
  const organizationId = await make.organization(boss)
  const url = `/files/price-list.ru.pdf?organizationId=${organizationId}`
  const seenBy = async (who: string | null) => {
    const answer = await get(url, who === null ? {} : { cookie: `session=${await tokenOf(who)}` })
    return files.find((one) => readFileSync(join(made, one.file)).equals(answer.rawPayload))
  }
  expect((await seenBy(boss))?.tariff).toBe('start')
  const today = time.now.toISOString().slice(0, 10)
  const row = { id: newId(), organizationId, nameKey: 'classic' as const, maxSigningRequests: 150 }
  await database.write((tx) =>
    tx
      .insertInto('subscriptions')
      .values({ ...row, startDate: today, endDate: '2099-12-31', createdAt: time.now })
      .execute(),
  )
  expect((await seenBy(boss))?.tariff).toBe('classic')
  expect((await seenBy(await make.person()))?.tariff).toBeNull()
  expect((await seenBy(null))?.tariff).toBeNull()
  const answer = await get(`${url}&v=${fileOf('price-list', 'ru').version}`, {
    cookie: `session=${await tokenOf(boss)}`,
  })
  expect(answer.headers['cache-control']).toBe('private, no-store')
})

test('videos are served by ranges, with their captions', async () => {
  const part = await get('/files/videos/sample.webm', { range: 'bytes=2-4' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
  // An unsatisfiable range is the caller's error, not ours.
  for (const range of ['bytes=50-', 'bytes=5-2']) {
    const refused = await get('/files/videos/sample.webm', { range })
    expect(refused.statusCode).toBe(416)
    expect(refused.json()).toMatchObject({ ExceptionData: { Alias: 'range-not-satisfiable' } })
  }
  const captions = await get('/files/videos/sample.kk.vtt')
  expect(captions.headers['content-type']).toBe('text/vtt; charset=utf-8')
})

test.each([
  '/files/none.pdf',
  '/files/help.json',
  '/files/videos/none.webm',
  '/files/videos/..%2fhelp.json',
  '/frame/none.pdf',
])('%s is not found', async (url) => {
  expect((await get(url)).statusCode).toBe(404)
})
