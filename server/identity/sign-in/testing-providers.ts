/**
 * For tests: two foreign sign-in services. A real one (oidc-provider) that signs in the person it is told to, and a
 * malicious one that responds exactly as wrongly as the test asks.
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'
import { afterAll } from 'vitest'
import { publicUrl } from '../../testing.ts'

export const client = { clientId: 'kelisim', clientSecret: 'a-secret-of-more-than-thirty-two-letters' }

export type Someone = {
  name?: string
  email?: string
  email_verified?: boolean
  locale?: string
  iin?: string
  bin?: string
  org_name?: string
  outsider?: boolean
}

async function listen(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** A real provider; `people` are its accounts by `sub`, `here` is the person at the browser. */
export async function startProvider(
  people: Record<string, Someone>,
  /** Whether it knows the scope of proved numbers, as the product's own service does. */
  { knowsNumbers = false, tellsGroups = false } = {},
) {
  const state: { here: string; provider?: Provider; logoutAddress?: string } = {
    here: Object.keys(people)[0]!,
  }
  const issuer = await listen((request, response) => {
    const { provider } = state
    if (!provider) return response.writeHead(503).end()
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
    return void provider.interactionFinished(request, response, { login: { accountId: state.here } })
  })
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [new URL('/api-user/callback', publicUrl).href],
        post_logout_redirect_uris: [new URL('/api-user/signed-out', publicUrl).href],
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookie key'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'locale', ...(tellsGroups ? ['groups'] : [])],
      ...(knowsNumbers && { kz: ['iin', 'bin', 'org_name', 'outsider'] }),
    },
    ...(knowsNumbers && { scopes: ['openid', 'profile', 'email', 'kz'] }),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { logoutSource: (ctx, form) => void (ctx.body = form) },
    },
    // The provider would refuse to call this machine, but in tests everything runs on it.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client!.clientId,
        accountId: ctx.oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid profile email kz')
      await grant.save()
      return grant
    },
  }

  return {
    issuer,
    /** Sets the person at the browser. */
    seat: (sub: string) => void (state.here = sub),
    /** Starts the provider; it reports sign-outs to the application at this address. */
    open(backchannelLogoutAddress: string) {
      const [own] = configuration.clients!
      const clients = [{ ...own!, backchannel_logout_uri: backchannelLogoutAddress }]
      state.provider = new Provider(issuer.origin, { ...configuration, clients })
    },
    /** Resolves when the application has been notified of a sign-out. */
    told: () =>
      new Promise<void>((resolve, reject) => {
        state.provider!.once('backchannel.success', () => resolve())
        state.provider!.once('backchannel.error', (_, error) => reject(error))
      }),
  }
}

/** A malicious issuer: the test decides what it puts into tokens. */
export async function startMaliciousIssuer() {
  const keys = await generateKeyPair('RS256')
  const foreignKeys = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(keys.publicKey)), use: 'sig', alg: 'RS256', kid: 'right' }
  const next: { idToken: string; userInfo: object; isUp: boolean } = { idToken: '', userInfo: {}, isUp: true }
  const issuer: URL = await listen((request, response) => {
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!next.isUp) return response.writeHead(503).end()
    switch (request.url ?? '') {
      case '/.well-known/openid-configuration':
        return json({
          issuer: issuer.origin,
          authorization_endpoint: new URL('/authorize', issuer).href,
          token_endpoint: new URL('/token', issuer).href,
          userinfo_endpoint: new URL('/me', issuer).href,
          jwks_uri: new URL('/jwks', issuer).href,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case '/jwks':
        return json({ keys: [jwk] })
      case '/token':
        return json({ access_token: 'access', token_type: 'Bearer', id_token: next.idToken })
      case '/me':
        return json(next.userInfo)
      default:
        return response.writeHead(404).end()
    }
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  return {
    issuer,
    next,
    /** A valid token, except for what the test changes. */
    sign(
      claims: JWTPayload,
      how: 'right key' | 'foreign key' | 'no signature' | 'client secret' = 'right key',
    ) {
      const payload = {
        iss: issuer.origin,
        aud: client.clientId,
        iat: seconds(),
        exp: seconds() + 300,
        ...claims,
      }
      switch (how) {
        case 'right key':
          return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'right' }).sign(keys.privateKey)
        case 'foreign key':
          return new SignJWT(payload)
            .setProtectedHeader({ alg: 'RS256', kid: 'right' })
            .sign(foreignKeys.privateKey)
        case 'client secret':
          return new SignJWT(payload)
            .setProtectedHeader({ alg: 'HS256', kid: 'right' })
            .sign(new TextEncoder().encode(client.clientSecret))
        case 'no signature': {
          const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
          return `${part({ alg: 'none' })}.${part(payload)}.`
        }
      }
    },
  }
}

/** A browser with its cookies, for the application and any service it redirects to. */
export function openBrowser(app: FastifyInstance) {
  const jars = new Map<string, Map<string, string>>()

  function jarOf(url: URL): Map<string, string> {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    return jar
  }

  async function load(url: URL, form?: Record<string, string>) {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, location, cookies, body } =
      url.origin === publicUrl.origin ? await loadOurs(url, cookie) : await loadTheirs(url, cookie, form)
    for (const line of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return { url, status, location: location === null ? null : new URL(location, url), cookies, body }
  }

  async function loadOurs(url: URL, cookie: string) {
    const response = await app.inject({ url: url.pathname + url.search, headers: { cookie } })
    const { location, 'set-cookie': set = [] } = response.headers
    const cookies = typeof set === 'string' ? [set] : set
    return { status: response.statusCode, location: location ?? null, cookies, body: response.body }
  }

  async function loadTheirs(url: URL, cookie: string, form: Record<string, string> | undefined) {
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body })
    const location = response.headers.get('location')
    return {
      status: response.status,
      location,
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
    }
  }

  return {
    jar: jarOf(publicUrl),
    load: (url: string | URL) => load(new URL(url, publicUrl)),
    submit: (url: string | URL, form: Record<string, string>) => load(new URL(url), form),
    /** Follows redirects until there is a page: of the application, or any response that is no redirect. */
    async follow(url: string | URL) {
      let page = await load(new URL(url, publicUrl))
      for (let hops = 0; page.location && hops < 15; hops++) {
        const isPage =
          page.location.origin === publicUrl.origin && !page.location.pathname.startsWith('/api-user/')
        if (isPage) return { ...page, shown: page.location }
        page = await load(page.location)
      }
      return { ...page, shown: page.url }
    },
  }
}
