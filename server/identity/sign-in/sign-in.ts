/**
 * The application as an ordinary client of the sign-in service (OpenID Connect, code flow with PKCE).
 *
 *   autologin ──▶ sign-in service ──▶ callback ──▶ back where the person wanted to be
 *       ▲                                │
 *       └──────── once more ◀── answer does not hold ──▶ the second time: the landing
 *
 *   signout (the browser asks where to go) ──▶ sign-in service ──▶ signed-out ──▶ the landing
 *   backchannel-logout ◀── sign-in service: "this session, or this person, is over"
 *
 * Only the configuration says which service it is.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import {
  createRemoteJWKSet,
  customFetch as joseFetch,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import * as oidc from 'openid-client'
import { z } from 'zod'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { agreementCookie, agreementVersion, signOut } from '@kelisim/domain/identity/contract.ts'
import { acrOf, isSignInWay } from '@kelisim/domain/identity/sign-in-ways.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { languageOf } from '../../http/language.ts'
import { ownPath } from '../../http/own-path.ts'
import type { Serve } from '../../http/serve.ts'
import { endProviderSessions } from '../../http/session-queries.ts'
import type { Sessions } from '../../http/session.ts'
import { saveOutsider, saveUser } from './queries.ts'
import { claimsIn, scopeFor, type Claims } from './claims.ts'

export type SignInClient = {
  issuer: URL
  clientId: string
  clientSecret: string
  /**
   * The address at which the server reaches the issuer, if it is not the public one (the embedded service: over
   * loopback).
   */
  reachedAt?: URL
  /**
   * The issuer name under which its people are stored: the own name, unless the address of the service changes
   * together with that of the product.
   */
  keptAs?: string
}

/**
 * Runs in the transaction of a sign-in at another provider's service; `told` holds all claims of the service about
 * the person.
 */
export type AfterSignIn = (
  tx: Tx,
  person: { userId: string; told: Readonly<Record<string, unknown>> },
  now: Date,
) => Promise<void>

type SignInDependencies = {
  client: SignInClient
  afterSignIn: AfterSignIn
  publicUrl: URL
  database: Database
  sessions: Sessions
  clock: () => Date
}

/** What must come back unchanged; kept for ten minutes in a cookie of this browser only. */
const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnApp: z.string(),
})
const attemptLife = 600
/** Appended to `state` on the second try; there is no third, or two services would redirect to each other for ever. */
const retryMark = '.again'
const LogoutForm = z.object({ logout_token: z.string().max(10_000) })

export function signInRoutes(app: FastifyInstance, serve: Serve, dependencies: SignInDependencies): void {
  const { client, afterSignIn, publicUrl, database, sessions, clock } = dependencies
  const provider = discoverOnce(client, app.log)
  const logoutKeys = keysOf(client)
  const attemptCookie = sessions.isSecure ? '__Host-sign-in' : 'sign-in'
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: sessions.isSecure } as const

  app.get('/api-user/autologin', { config: { access: 'anyone' } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>
    const isRetry = query['again'] !== undefined
    const attempt = {
      state: `${oidc.randomState()}${isRetry ? retryMark : ''}`,
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      returnApp: ownPath(query['returnApp'], publicUrl) ?? pages.incomingRequests,
    }
    const configuration = await provider()
    const location = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: new URL('/api-user/callback', publicUrl).href,
      scope: scopeFor(configuration),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ui_locales: languageOf(request),
      // The person wants another account, so the sign-in service must ask again although it knows this browser.
      ...(query['changeAccount'] !== undefined && { prompt: 'login' }),
      ...(isSignInWay(query['by']) && { acr_values: acrOf(query['by']) }),
    })
    reply.setCookie(attemptCookie, encode(attempt), { ...cookieOptions, maxAge: attemptLife })
    return reply.redirect(location.href)
  })

  app.get('/api-user/callback', { config: { access: 'anyone' } }, async (request, reply) => {
    const attempt = decode(request.cookies[attemptCookie])
    reply.clearCookie(attemptCookie, cookieOptions)
    const url = new URL(request.url, publicUrl)
    // The attempt is lost (no cookie, or the link used twice) or its response is invalid: start again.
    const claims = attempt && (await claimsOf(await provider(), url, attempt, app.log))
    if (!claims) return reply.redirect(nextTry(url, attempt?.returnApp))
    await database.write(async (tx) => {
      const now = clock()
      const issuer = client.keptAs ?? claims.issuer
      const isOwnService = client.keptAs !== undefined
      const whose = claims.isOutsider
        ? { userId: null, outsiderId: await saveOutsider(tx, { ...claims, issuer }, now) }
        : { userId: await saveUser(tx, { ...claims, issuer }, agreementOf(request), now, { isOwnService }) }
      // The embedded service knows nothing of groups.
      if (whose.userId !== null && client.keptAs === undefined)
        await afterSignIn(tx, { userId: whose.userId, told: claims.told }, now)
      await sessions.end(tx, request, reply)
      await sessions.begin(tx, reply, { ...whose, providerSession: claims.sid, idToken: claims.idToken }, now)
    })
    reply.clearCookie(agreementCookie, cookieOptions) // the acceptance was this person's, not the next one's
    return reply.redirect(ownPath(attempt.returnApp, publicUrl) ?? '/')
  })

  serve(signOut, async ({ input, write, browser }) => {
    const { idToken } = await write((tx) => browser.endSession(tx))
    const returnApp = ownPath(input.returnApp, publicUrl) ?? '/'
    browser.setCookie('signed-out-to', returnApp, { maxAge: attemptLife })
    // The session here is ended in any case: an unreachable sign-in service must not keep the person signed in.
    const configuration = await provider().catch(() => null)
    return { location: (configuration && endSessionLocation(configuration, publicUrl, idToken)) ?? returnApp }
  })

  app.get('/api-user/signed-out', { config: { access: 'anyone' } }, async (request, reply) => {
    // A sign-out begun here keeps the next address in a cookie; one begun at the sign-in service returns it as the
    // state.
    const { state } = request.query as Record<string, unknown>
    const returnApp = ownPath(request.cookies['signed-out-to'] ?? state, publicUrl) ?? '/'
    return reply.clearCookie('signed-out-to', cookieOptions).redirect(returnApp)
  })

  app.register(async (scope) => {
    // The only call that is not JSON: the sign-in service posts a form, without an Origin and without cookies.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    scope.post('/api-user/backchannel-logout', { config: { access: 'anyone' } }, async (request, reply) => {
      const { logout_token: token } = LogoutForm.safeParse(request.body).data ?? refuse('malformed-body')
      const configuration = await provider()
      const ended = await verifyLogoutToken(configuration, client, token, logoutKeys(configuration))
      await database.write((tx) => endProviderSessions(tx, ended))
      return reply.status(200).send()
    })
  })
}

/**
 * The provider's metadata, fetched when first needed and again after a failure: it may start later than this process.
 */
function discoverOnce(client: SignInClient, log: FastifyBaseLogger): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | undefined
  const { reachedAt } = client
  const options: oidc.DiscoveryRequestOptions = {
    timeout: 10,
    ...(reachedAt && {
      [oidc.customFetch]: (url, init) => fetch(moved(url, reachedAt), init as RequestInit),
    }),
    execute: [
      // Signatures of identity tokens are verified although the tokens come straight from the service.
      oidc.enableNonRepudiationChecks,
      ...((reachedAt ?? client.issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  }
  return () => {
    found ??= oidc
      .discovery(client.issuer, client.clientId, client.clientSecret, undefined, options)
      .catch((error: unknown) => {
        found = undefined
        log.warn({ err: error }, 'the sign-in service cannot be reached')
        throw new Refusal('service-unavailable')
      })
    return found
  }
}

function moved(url: string, reachedAt: URL): URL {
  const there = new URL(url)
  return new URL(there.pathname + there.search, reachedAt)
}

/** Null when the provider's response is invalid (refused, wrong state, code used twice …). */
async function claimsOf(
  configuration: oidc.Configuration,
  url: URL,
  attempt: z.infer<typeof Attempt>,
  log: FastifyBaseLogger,
): Promise<Claims | null> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const id = tokens.claims()
    if (!id) return null
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    const info = hasUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, id.sub) : id
    return claimsIn(configuration, id, info, tokens.id_token ?? null)
  } catch (error) {
    // `fetch` throws a TypeError when the service cannot be reached.
    if (error instanceof TypeError) refuse('service-unavailable')
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'a sign-in did not hold')
    return null
  }
}

/** The agreement was accepted before signing in and kept in a cookie. */
function agreementOf(request: FastifyRequest): string | null {
  return request.cookies[agreementCookie] === agreementVersion ? agreementVersion : null
}

function nextTry(callback: URL, returnApp: string | undefined): string {
  if (callback.searchParams.get('state')?.endsWith(retryMark)) return '/?signIn=failed'
  const query = new URLSearchParams({ again: '1', ...(returnApp !== undefined && { returnApp }) })
  return `/api-user/autologin?${query}`
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

/** The provider's public keys, cached: a flood of forged tokens must not become a flood of fetches. */
function keysOf(client: SignInClient): (configuration: oidc.Configuration) => JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined
  const { reachedAt } = client
  return (configuration) => {
    const address = configuration.serverMetadata().jwks_uri ?? refuse('malformed-body')
    keys ??= createRemoteJWKSet(
      new URL(address),
      reachedAt && { [joseFetch]: (url, init) => fetch(moved(url, reachedAt), init) },
    )
    return keys
  }
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
async function verifyLogoutToken(
  configuration: oidc.Configuration,
  client: SignInClient,
  token: string,
  keySet: JWTVerifyGetKey,
): Promise<{ issuer: string; subject: string | null; providerSession: string | null }> {
  const { issuer } = configuration.serverMetadata()
  const payload = await jwtVerify(token, keySet, {
    issuer,
    audience: client.clientId,
    maxTokenAge: '5 minutes',
  }).then(
    (verified): JWTPayload => verified.payload,
    () => refuse('malformed-body'),
  )
  const events = payload['events'] as Record<string, unknown> | undefined
  const isLogout = events?.['http://schemas.openid.net/event/backchannel-logout'] !== undefined
  const { sub = null, sid } = payload
  if (!isLogout || payload['nonce'] !== undefined || (sub === null && sid === undefined))
    refuse('malformed-body')
  const providerSession = typeof sid === 'string' ? sid : null
  return { issuer: client.keptAs ?? issuer, subject: sub, providerSession }
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
