/** Rules for every call, whatever its endpoint. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { newId } from '@kelisim/db/id.ts'
import { endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse, type ErrorBody } from '@kelisim/domain/errors.ts'
import { line, Nothing, Page } from '@kelisim/domain/fields.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { limitsIn } from './limits/calls.ts'
import { openTransactions } from './limits/transactions.ts'
import { programsIn } from './programs/programs.ts'
import { serveOn } from './serve.ts'
import { sessionsIn } from './session.ts'

const lines: string[] = []
const log = { logLevel: 'info', logTo: { write: (text: string) => void lines.push(text) } }
const { app, make, tokenOf, database, time } = await startTestApp({ http: log })
const serve = serveOn(app, {
  database,
  sessions: sessionsIn(database, publicUrl),
  programs: programsIn(database, { reserve: async () => {}, limit: 1200 }, () => time.now),
  limits: limitsIn(database, { callsPerMinute: 100_000 }, () => time.now),
  transactions: openTransactions(database),
  clock: () => time.now,
  served: [],
  handlers: new Map(),
})

const plain = { method: 'POST', access: 'anyone', summary: '', refusals: [] } as const
const Echo = z.object({ text: z.optional(line(100)), number: z.optional(z.int()) })
serve(endpoint({ ...plain, path: '/api/test/echo', input: Echo, result: Echo }), async ({ input }) => ({
  ...input,
  passwordHash: 'must not leave',
}))
serve(
  endpoint({
    ...plain,
    method: 'GET',
    path: '/api/test/list/:skip/:take',
    input: z.extend(Page, Echo.shape),
    result: Nothing,
  }),
  async () => ({}),
)
const Named = z.object({ name: z.enum(['CompanyInternalSign', 'sign']), word: z.literal('new') })
serve(
  endpoint({ ...plain, path: '/api/test/named/:name/:word', input: Named, result: Named }),
  async ({ input }) => input,
)
serve(endpoint({ ...plain, path: '/api/test/fault', input: Nothing, result: Nothing }), async () => {
  throw new Error('inner secret of the server')
})
serve(endpoint({ ...plain, path: '/api/test/contradiction', input: Nothing, result: Nothing }), ({ write }) =>
  write(async (tx) => {
    await tx
      .insertInto('requestActKeys')
      .values({ actorId: newId(), key: newId(), requestId: newId(), at: new Date() })
      .execute()
    return {}
  }),
)
serve(
  endpoint({ ...plain, path: '/api/test/limited', input: Nothing, result: Nothing, perMinute: 3 }),
  async () => ({}),
)
serve(endpoint({ ...plain, path: '/api/test/refused', input: Nothing, result: Nothing }), async () =>
  refuse('organization-already-yours', { bin: '000740000728' }),
)

const ours = { origin: publicUrl.origin }
const post = (path: string, options: { payload?: string | object; headers?: Record<string, string> } = {}) =>
  app.inject({
    method: 'POST',
    url: path,
    payload: options.payload ?? {},
    headers: { ...ours, ...options.headers },
  })
const aliasOf = (response: { json: () => unknown }) => (response.json() as ErrorBody).ExceptionData.Alias

test('a route that does not state who may call it cannot be registered', () => {
  expect(() => app.get('/api/test/forgotten', () => 'open to all')).toThrow('does not state who may call it')
})

test('a field that the contract does not name is not in the response', async () => {
  const response = await post('/api/test/echo', { payload: { text: ' a ', other: 1 } })
  expect(response.json()).toEqual({ text: 'a' })
})

describe('the origin of a call', () => {
  test.each([
    ['our own page', { origin: publicUrl.origin, cookie: 'session=x' }, 200],
    ['another site', { origin: 'https://evil.example', cookie: 'session=x' }, 403],
    ['another site without cookies', { origin: 'https://evil.example' }, 403],
    ['our name on another port', { origin: 'http://localhost:3001' }, 403],
    ['our name with more behind it', { origin: `${publicUrl.origin}.evil.example` }, 403],
    ['a sandboxed page or a file', { origin: 'null', cookie: 'session=x' }, 403],
    ['no origin but cookies', { cookie: 'session=x' }, 403],
    ['no origin, sent by our page', { 'sec-fetch-site': 'same-origin', cookie: 'session=x' }, 200],
    ['no origin, sent by a sister site', { 'sec-fetch-site': 'same-site', cookie: 'session=x' }, 403],
    ['no origin, sent by another site', { 'sec-fetch-site': 'cross-site', cookie: 'session=x' }, 403],
    ['a program without a browser', {}, 200],
  ])('%s', async (_, headers, status) => {
    const response = await app.inject({ method: 'POST', url: '/api/test/echo', payload: {}, headers })
    expect(response.statusCode).toBe(status)
    if (status === 403) expect(aliasOf(response)).toBe('foreign-origin')
  })

  test('no other site gets CORS permission to read responses', async () => {
    const response = await app.inject({ url: '/health/live', headers: { origin: 'https://evil.example' } })
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('an invalid call is refused', () => {
  const deep = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  test.each([
    ['broken JSON', '{"text":', 'application/json', 400, 'malformed-body'],
    ['no JSON at all', '', 'application/json', 400, 'malformed-body'],
    ['a list', '[]', 'application/json', 400, 'malformed-body'],
    ['a bare text', '"text"', 'application/json', 400, 'malformed-body'],
    ['a bare number', '5', 'application/json', 400, 'malformed-body'],
    ['a prototype', '{"__proto__":{"isOwner":true}}', 'application/json', 400, 'malformed-body'],
    ['a constructor', '{"constructor":{"prototype":{"a":1}}}', 'application/json', 400, 'malformed-body'],
    ['a very deep list', deep, 'application/json', 400, 'validation-failure'],
    ['a NUL', '{"text":"a\\u0000b"}', 'application/json', 400, 'validation-failure'],
    ['half a surrogate pair', '{"text":"a\\ud800b"}', 'application/json', 400, 'validation-failure'],
    ['a huge number', '{"number":1e308}', 'application/json', 400, 'validation-failure'],
    ['a number beyond all', '{"number":1e999}', 'application/json', 400, 'validation-failure'],
    ['a text for a number', '{"number":"5"}', 'application/json', 400, 'validation-failure'],
    ['plain text', '{"text":"a"}', 'text/plain', 415, 'media-type-not-supported'],
    ['a form', 'text=a', 'application/x-www-form-urlencoded', 415, 'media-type-not-supported'],
    ['XML', '<text>a</text>', 'application/xml', 415, 'media-type-not-supported'],
    [
      'two megabytes',
      JSON.stringify({ text: 'a'.repeat(2_000_000) }),
      'application/json',
      413,
      'body-too-large',
    ],
  ])('%s', async (_, payload, type, status, alias) => {
    const response = await post('/api/test/echo', { payload, headers: { 'content-type': type } })
    expect([response.statusCode, aliasOf(response)]).toEqual([status, alias])
    expect(({} as { isOwner?: boolean }).isOwner).toBeUndefined()
  })

  test.each([
    '/api/test/list/x/10',
    '/api/test/list/-1/10',
    '/api/test/list/0/1000',
    '/api/test/list/99999999999999999999999/10',
    '/api/test/list/0/NaN',
    '/api/test/list/%00/10',
    '/api/test/list/0/10?text=a&text=b',
    '/api/test/list/0/10?text=%00',
    '/api/test/list/0/10?number=1',
    '/api/test/list/0/10?number[$ne]=1&text[]=a&number=x',
  ])('%s has invalid parameters', async (url) => {
    const response = await app.inject(url)
    expect([response.statusCode, aliasOf(response)]).toEqual([400, 'validation-failure'])
  })

  test.each([
    '/api/unknown',
    '/api-user/unknown',
    '/api/test/%zz',
    '/api/%',
    '/api/test/list/0',
    `/api/test/list/0/${'9'.repeat(300)}`,
  ])('%s is not found', async (url) => {
    const response = await app.inject(url)
    expect([response.statusCode, aliasOf(response)]).toEqual([404, 'page-not-found'])
  })

  test.each(['PATCH', 'PUT', 'DELETE', 'GET', 'OPTIONS', 'TRACE'] as const)(
    '%s at the address of a POST is not found',
    async (method) => {
      const headers = { ...ours, 'x-http-method-override': 'POST' }
      const response = await app.inject({ method: method as 'GET', url: '/api/test/echo', headers })
      expect(response.statusCode).toBe(404)
    },
  )
})

describe('a refusal', () => {
  test('has the four fields of the specification and nothing else', async () => {
    const response = await post('/api/test/refused')
    expect(response.statusCode).toBe(409)
    expect(response.json()).toEqual({
      ClassName: 'CustomValidationException',
      Type: 'Conflict',
      ExceptionData: { Alias: 'organization-already-yours', Parameters: { bin: '000740000728' } },
      Message: 'Вы уже добавили организацию с БИН/ИИН 000740000728',
    })
  })

  test('is in the language of the person: the chosen one, then that of the browser, then Russian', async () => {
    const said = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/api/unknown', headers })).json<ErrorBody>().Message
    const [russian, kazakh, english] = [
      await said({}),
      await said({ cookie: 'locale=kk', 'accept-language': 'en' }),
      await said({ 'accept-language': 'de, en-GB;q=0.8' }),
    ]
    expect(russian).toMatch(/страницы/)
    expect(new Set([russian, kazakh, english]).size).toBe(3)
    expect(kazakh).toMatch(/бет/i)
    expect(english).toMatch(/page/i)
  })

  test('of an unexpected error shows no internals, only the id by which to find it in the log', async () => {
    const response = await post('/api/test/fault')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('secret')
    const { ExceptionData } = response.json<ErrorBody>()
    expect(ExceptionData).toEqual({
      Alias: 'unexpected-error',
      Parameters: { requestId: response.headers['x-request-id'] },
    })
    const logged = lines.filter((text) => text.includes('inner secret of the server'))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain(String(response.headers['x-request-id']))
  })

  test('of a change that violates a constraint says that it was not made', async () => {
    const response = await post('/api/test/contradiction')
    expect([response.statusCode, aliasOf(response)]).toEqual([409, 'database-update-error'])
    expect(response.body).not.toContain('request_act_keys')
  })

  test('after too many calls says when to try again; other endpoints still accept calls', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await post('/api/test/limited')).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
    const refused = await post('/api/test/limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(aliasOf(refused)).toBe('too-many-requests')
    expect((await post('/api/test/echo')).statusCode).toBe(200)
  })
})

test('letter case and a slash at the end of the address are ignored', async () => {
  for (const path of ['/API/Test/ECHO', '/api/test/echo/']) expect((await post(path)).statusCode).toBe(200)
})

test('letter case of names in the address is ignored, too', async () => {
  for (const path of ['/api/test/Named/companyInternalSign/NEW', '/api/test/named/COMPANYINTERNALSIGN/new']) {
    const response = await post(path)
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { name: 'CompanyInternalSign', word: 'new' },
    ])
  }
  expect((await post('/api/test/named/CompanySign/new')).statusCode).toBe(400)
})

test('every response has headers against sniffing, framing, caching and scripts', async () => {
  for (const response of [
    await app.inject('/health/live'),
    await app.inject('/api/unknown'),
    await post('/api/test/fault'),
  ]) {
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'same-origin',
      'x-app-build': 'test',
    })
    expect(response.headers['strict-transport-security']).toBeUndefined()
    expect(response.headers['server'] ?? response.headers['x-powered-by']).toBeUndefined()
  }
})

test('the caller’s address is taken from as many proxies as are configured, and no more', async () => {
  const limited = async (trustProxy: number, forwarded: string[]) => {
    const { app: own } = await startTestApp({ http: { trustProxy, callsPerMinute: 1 } })
    const statuses: number[] = []
    for (const address of forwarded) {
      statuses.push(
        (await own.inject({ url: '/health/live', headers: { 'x-forwarded-for': address } })).statusCode,
      )
    }
    return statuses
  }
  expect(await limited(0, ['1.1.1.1', '2.2.2.2'])).toEqual([200, 429]) // without a proxy the caller chose the header
  expect(await limited(1, ['1.1.1.1', '2.2.2.2'])).toEqual([200, 200])
  expect(await limited(1, ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1'])).toEqual([200, 429])
})

test('the log contains no name of a person and no secret', async () => {
  const token = await tokenOf(await make.person('Құпия Есім'))
  const invitation = 'InvitationToken0123456789'
  const headers = { cookie: `session=${token}`, authorization: 'Bearer Sesame', ...ours }
  await app.inject({ url: '/api-user/profile?code=QueryCode&email=query@example.kz', headers })
  await app.inject({ url: `/api/unauth/invitations/${invitation}`, headers })
  await app.inject({ url: `/API/unauth/INVITATIONS/${invitation}`, headers })
  await app.inject({ method: 'POST', url: `/api-user/invitations/${invitation}/accept`, headers })
  await app.inject({ url: '/api/e/MobileSigningCode0123456789/mgovSign', headers })
  await post('/api/test/echo', { payload: { text: 'BodyText' }, headers })
  await app.inject({ url: '/api-user/callback?code=CallbackCode&state=CallbackState', headers })
  const written = lines.join('')
  expect(written).toContain('/api-user/profile')
  for (const secret of [
    token,
    invitation,
    'Sesame',
    'MobileSigningCode',
    'QueryCode',
    'query@example.kz',
    '@example.kz',
    'BodyText',
    'Құпия',
    'CallbackCode',
    'CallbackState',
  ]) {
    expect(written).not.toContain(secret)
  }
})

describe('health', () => {
  test('the process reports that it is live and ready for traffic', async () => {
    expect((await app.inject('/health/live')).json()).toEqual({ status: 'live' })
    expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready' })
  })
})
