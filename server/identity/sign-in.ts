/**
 * The application as an ordinary client of the sign-in service (OpenID Connect, code flow with PKCE).
 *
 *   autologin ──▶ sign-in service ──▶ callback ──▶ back where the person wanted to be
 *   signout (the browser asks where to go) ──▶ sign-in service ──▶ signed-out ──▶ the landing
 *   backchannel-logout ◀── sign-in service: "this session, or this person, is over"
 *
 * Which service it is, only configuration knows.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, jwtVerify, customFetch as joseFetch, type JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { agreementCookie, agreementVersion, signOut } from '@kelisim/domain/identity/contract.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isLanguage, type Language } from '@kelisim/texts/languages.ts'
import { languageOf } from '../http/language.ts'
import { ownPath } from '../http/own-path.ts'
import type { Serve } from '../http/serve.ts'
import { endProviderSessions, type Sessions } from '../http/session.ts'

export type SignInClient = {
  issuer: URL
  clientId: string
  clientSecret: string
  /** Where the issuer is reached from here, if not at its public address (the embedded one: over loopback). */
  reachedAt?: URL
}

type Options = {
  client: SignInClient
  publicUrl: URL
  database: Database
  sessions: Sessions
  clock: () => Date
}

/** What must come back unchanged; lives ten minutes in a cookie of this browser only. */
const Attempt = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnApp: z.string() })
const attemptLife = 600

export function signInRoutes(app: FastifyInstance, serve: Serve, options: Options): void {
  const { client, publicUrl, database, sessions, clock } = options
  const provider = discoverOnce(client)
  const attemptCookie = sessions.isSecure ? '__Host-sign-in' : 'sign-in'
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: sessions.isSecure } as const

  app.get('/api-user/autologin', { config: { access: 'anyone' } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      returnApp: ownPath(query['returnApp'], publicUrl) ?? '/signingRequests/incomings',
    }
    const location = oidc.buildAuthorizationUrl(await provider(), {
      redirect_uri: new URL('/api-user/callback', publicUrl).href,
      scope: 'openid profile email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ui_locales: languageOf(request),
      // Another account is wanted: the sign-in service must ask again although it knows this browser.
      ...(query['changeAccount'] !== undefined && { prompt: 'login' }),
    })
    reply.setCookie(attemptCookie, encode(attempt), { ...cookieOptions, maxAge: attemptLife })
    return reply.redirect(location.href)
  })

  app.get('/api-user/callback', { config: { access: 'anyone' } }, async (request, reply) => {
    const attempt = decode(request.cookies[attemptCookie])
    reply.clearCookie(attemptCookie, cookieOptions)
    // The attempt was forgotten (cookie gone, second use of the link): begin anew, nothing is lost.
    if (!attempt) return reply.redirect('/api-user/autologin')
    const claims = await claimsOf(await provider(), new URL(request.url, publicUrl), attempt)
    if (!claims) return reply.redirect(retryLocation(attempt.returnApp))
    await database.write(async (tx) => {
      const now = clock()
      const userId = await rememberUser(tx, claims, agreementOf(request), now)
      await sessions.end(tx, request, reply)
      await sessions.begin(tx, reply, { userId, providerSession: claims.sid, idToken: claims.idToken }, now)
    })
    return reply.redirect(ownPath(attempt.returnApp, publicUrl) ?? '/')
  })

  serve(signOut, async ({ input, write, browser }) => {
    const { idToken } = await write((tx) => browser.endSession(tx))
    const returnApp = ownPath(input.returnApp, publicUrl) ?? '/'
    browser.setCookie('signed-out-to', returnApp, { maxAge: attemptLife })
    const end = endSessionLocation(await provider(), publicUrl, idToken)
    return { location: end ?? returnApp }
  })

  app.get('/api-user/signed-out', { config: { access: 'anyone' } }, async (request, reply) => {
    const returnApp = ownPath(request.cookies['signed-out-to'], publicUrl) ?? '/'
    return reply.clearCookie('signed-out-to', cookieOptions).redirect(returnApp)
  })

  app.register(async (scope) => {
    // The one call that is not JSON: the sign-in service posts a form, without an Origin and without cookies.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    scope.post('/api-user/backchannel-logout', { config: { access: 'anyone' } }, async (request, reply) => {
      const token = (request.body as Record<string, string>)['logout_token']
      const ended = await verifyLogoutToken(await provider(), client, token)
      await database.write((tx) => endProviderSessions(tx, ended))
      return reply.status(200).send()
    })
  })
}

/** The provider's metadata, fetched when first needed and again after a failure: it may start later than we do. */
function discoverOnce(client: SignInClient): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | undefined
  const { reachedAt } = client
  const options: oidc.DiscoveryRequestOptions = {
    timeout: 10,
    ...(reachedAt && { [oidc.customFetch]: (url, init) => fetch(moved(url, reachedAt), init as RequestInit) }),
    ...((reachedAt ?? client.issuer).protocol === 'http:' && { execute: [oidc.allowInsecureRequests] }),
  }
  return () => {
    found ??= oidc
      .discovery(client.issuer, client.clientId, client.clientSecret, undefined, options)
      .catch((error: unknown) => {
        found = undefined
        throw error instanceof TypeError || error instanceof DOMException ? unavailable() : error
      })
    return found
  }
}

function moved(url: string, reachedAt: URL): URL {
  const there = new URL(url)
  return new URL(there.pathname + there.search, reachedAt)
}

function unavailable(): Error {
  try {
    return refuse('service-unavailable')
  } catch (refusal) {
    return refusal as Error
  }
}

type Claims = {
  issuer: string
  subject: string
  sid: string | null
  idToken: string | null
  login: string
  fullName: string
  email: string
  isEmailConfirmed: boolean
  language: Language | null
}

/** Null when the provider's answer does not hold (refused, foreign state, code used twice …). */
async function claimsOf(
  configuration: oidc.Configuration,
  url: URL,
  attempt: z.infer<typeof Attempt>,
): Promise<Claims | null> {
  let tokens
  try {
    tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
  } catch (error) {
    if (error instanceof TypeError) throw unavailable()
    return null
  }
  const id = tokens.claims()
  if (!id) return null
  const info = await oidc.fetchUserInfo(configuration, tokens.access_token, id.sub)
  const email = info.email ?? ''
  return {
    issuer: id.iss,
    subject: id.sub,
    sid: typeof id['sid'] === 'string' ? id['sid'] : null,
    idToken: tokens.id_token ?? null,
    login: info.preferred_username ?? (email === '' ? id.sub : email),
    fullName: info.name ?? info.preferred_username ?? email,
    email: email.toLowerCase(),
    isEmailConfirmed: info.email_verified === true,
    language: isLanguage(info.locale) ? info.locale : null,
  }
}

async function rememberUser(tx: Tx, claims: Claims, agreement: string | null, now: Date): Promise<string> {
  const { issuer, subject, login, fullName, email, isEmailConfirmed } = claims
  const accepted = agreement && { agreementVersion: agreement, agreementAcceptedAt: now }
  const user = await tx
    .insertInto('users')
    .values({
      ...{ id: newId(now.getTime()), issuer, subject, login, fullName, email, isEmailConfirmed, createdAt: now },
      ...(claims.language && { language: claims.language }),
      agreementVersion: agreement,
      agreementAcceptedAt: agreement && now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet({ login, fullName, email, isEmailConfirmed, ...accepted }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return user.id
}

/** Accepted before signing in: the acceptance waited in a cookie. */
function agreementOf(request: FastifyRequest): string | null {
  return request.cookies[agreementCookie] === agreementVersion ? agreementVersion : null
}

function retryLocation(returnApp: string): string {
  return `/api-user/autologin?returnApp=${encodeURIComponent(returnApp)}`
}

function endSessionLocation(
  configuration: oidc.Configuration,
  publicUrl: URL,
  idToken: string | null,
): string | null {
  if (!configuration.serverMetadata().end_session_endpoint) return null
  return oidc.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: new URL('/api-user/signed-out', publicUrl).href,
    ...(idToken && { id_token_hint: idToken }),
  }).href
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
async function verifyLogoutToken(
  configuration: oidc.Configuration,
  client: SignInClient,
  token: string | undefined,
): Promise<{ issuer: string; subject: string | null; providerSession: string | null }> {
  const { issuer, jwks_uri: keys } = configuration.serverMetadata()
  if (!token || !keys) refuse('malformed-body')
  const { reachedAt } = client
  const keySet = createRemoteJWKSet(
    new URL(keys),
    reachedAt && { [joseFetch]: (url, init) => fetch(moved(url, reachedAt), init as RequestInit) },
  )
  const payload = await jwtVerify(token, keySet, { issuer, audience: client.clientId, maxTokenAge: '5 minutes' }).then(
    (verified): JWTPayload => verified.payload,
    () => refuse('malformed-body'),
  )
  const events = payload['events'] as Record<string, unknown> | undefined
  const isLogout = events?.['http://schemas.openid.net/event/backchannel-logout'] !== undefined
  const { sub = null, sid } = payload
  if (!isLogout || payload['nonce'] !== undefined || (sub === null && sid === undefined)) refuse('malformed-body')
  return { issuer, subject: sub, providerSession: typeof sid === 'string' ? sid : null }
}

function encode(attempt: z.infer<typeof Attempt>): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url')
}

function decode(cookie: string | undefined): z.infer<typeof Attempt> | null {
  try {
    return Attempt.parse(JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString()))
  } catch {
    return null
  }
}

