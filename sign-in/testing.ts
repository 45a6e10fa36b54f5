/** For tests: the service on a real port with a real database, an application beside it, and browsers. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'
import { afterAll } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { createAccount } from './accounts/account-queries.ts'
import { createSignIn, type SignInOptions } from './service.ts'

export const password = 'сегодня снег в степи'

export async function startSignIn(options: Partial<SignInOptions> = {}) {
  const { database } = await testDatabase()
  const emails: Email[] = []
  const faults: object[] = []
  /** The logout tokens sent to the application. */
  const logoutTokens: string[] = []
  /** The application's responses to the next logout tokens; 200 when the list is empty. */
  const logoutAnswers: number[] = []
  const time = { ahead: 0 }
  const clock = () => new Date(Date.now() + time.ahead)

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/connect')) return service.handle(request, response)
    void readText(request).then((body) => {
      const token = new URLSearchParams(body).get('logout_token')
      if (request.url === '/api-user/backchannel-logout' && token) {
        response.statusCode = logoutAnswers.shift() ?? 200
        if (response.statusCode === 200) logoutTokens.push(token)
      }
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicUrl = new URL(`http://localhost:${(server.address() as AddressInfo).port}`)
  const service = await createSignIn({
    database,
    publicUrl,
    queueMail: async (_, email) => void emails.push(email),
    clock,
    log: { info: () => {}, error: (details) => void faults.push(details) },
    // Tests choose their network address.
    addressOf: (request) => String(request.headers['x-test-address'] ?? '10.0.0.1'),
    ...options,
  })
  afterAll(() => {
    service.stop()
    server.closeAllConnections()
    server.close()
  })

  const configuration = await oidc.discovery(
    service.issuer,
    service.client.id,
    service.client.secret,
    undefined,
    {
      execute: [oidc.allowInsecureRequests],
    },
  )

  return {
    database,
    emails,
    faults,
    logoutTokens,
    logoutAnswers,
    time,
    clock,
    publicUrl,
    service,
    configuration,
    browser: (networkAddress?: string) => openBrowser(publicUrl, networkAddress),
    application: application(configuration, publicUrl),
    makeAccount: (email: string, confirmedAt: Date | null = clock()) =>
      database.write((tx) =>
        createAccount(
          tx,
          { email, fullName: 'Айгерім Сейітова', password, language: 'kk', confirmedAt },
          clock(),
        ),
      ),
  }
}

export type TestSignIn = Awaited<ReturnType<typeof startSignIn>>

/** What the application does in a sign-in. */
function application(configuration: oidc.Configuration, publicUrl: URL) {
  const redirectUri = new URL('/api-user/callback', publicUrl).href
  return {
    async begin(extra: Record<string, string> = {}) {
      const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...extra,
      })
      const finish = (callback: URL) =>
        oidc.authorizationCodeGrant(configuration, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
        })
      return { url, finish }
    },
  }
}

export type Page = { status: number; url: URL; text: string; headers: Headers }
type Cookie = { name: string; value: string; path: string }

/** A browser without scripts: cookies by path, redirects, forms. It stops at the application. */
function openBrowser(origin: URL, networkAddress = '10.0.0.1') {
  const cookies: Cookie[] = []

  async function open(address: string | URL, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, origin)
    const headers = new Headers(init.headers)
    headers.set('accept', 'text/html')
    headers.set('x-test-address', networkAddress)
    headers.set('cookie', cookiesFor(cookies, url))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    response.headers.getSetCookie().forEach((line) => keepCookie(cookies, line))
    const location = response.headers.get('location')
    const next = location && new URL(location, url)
    if (!next) return { status: response.status, url, text: await response.text(), headers: response.headers }
    await response.body?.cancel()
    if (!next.pathname.startsWith('/connect')) {
      return { status: response.status, url: next, text: '', headers: response.headers }
    }
    return open(next)
  }

  /** Submits the page's form whose action ends like this, with its hidden fields. */
  function submit(
    page: Page,
    fields: Record<string, string>,
    action = '',
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const forms = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)]
    const form = forms.find(([, target]) => target?.endsWith(action))
    if (!form) throw new Error(`No form ${action} on ${page.url.href}: ${page.text.slice(0, 2000)}`)
    const hidden = [...(form[2] ?? '').matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)]
    // what a script writes into a hidden field replaces its value
    const body = new URLSearchParams({ ...Object.fromEntries(hidden.map((m) => [m[1]!, m[2]!])), ...fields })
    return open(form[1]!, { method: 'POST', body, headers: { origin: origin.origin, ...headers } })
  }

  return { cookies, open, submit, cookie: (name: string) => cookies.find((c) => c.name === name)?.value }
}

export type Browser = ReturnType<typeof openBrowser>

function cookiesFor(cookies: readonly Cookie[], { pathname }: URL): string {
  return cookies
    .filter(({ path }) => path === '/' || pathname === path || pathname.startsWith(`${path}/`))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

function keepCookie(cookies: Cookie[], line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const [name = '', value = ''] = pair.split('=')
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
  const old = cookies.findIndex((cookie) => cookie.name === name && cookie.path === path)
  if (old >= 0) cookies.splice(old, 1)
  if (value !== '') cookies.push({ name, value, path })
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Signs in through the login page and returns what the application gets. */
export async function signIn(
  test: TestSignIn,
  browser: Browser,
  email: string,
  extra: Record<string, string> = {},
) {
  const { url, finish } = await test.application.begin(extra)
  const login = await browser.open(url)
  const callback = await browser.submit(login, { email, password }, '/password')
  return { tokens: await finish(callback.url), callback }
}

/** The path and the query of the link in an e-mail. */
export function linkOf(email: Email | undefined): string {
  const url = new URL(email?.button?.url ?? '')
  return `${url.pathname}${url.search}`
}
