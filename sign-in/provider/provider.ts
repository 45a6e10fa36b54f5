/** The OpenID provider: which features of the library we use, and where our own parts plug in. */
import { interactionPolicy, Provider, type ClientMetadata, type KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '@kelisim/db/db.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { findAccountById } from '../accounts/account-queries.ts'
import { postgresAdapter } from './adapter.ts'
import type { Keys } from './keys.ts'
import { findOutsider } from '../accounts/outsider-queries.ts'
import { day, hour, minute, second } from '@kelisim/domain/durations.ts'

/** In seconds, as the library takes them: a session ends after a day without use, and after a week in any case. */
export const idleLimit = day / second
const absoluteLimit = (7 * day) / second

export type ProviderPages = {
  confirmLogout: (context: KoaContextWithOIDC, xsrf: string, action: string) => void
  signedOut: (context: KoaContextWithOIDC) => void
  failed: (context: KoaContextWithOIDC, error: Error) => void
  /** Ends the session that the request belongs to. */
  endSession: (uid: string) => Promise<void>
}

export type ProviderOptions = {
  database: Database
  issuer: URL
  keys: Keys
  clients: ClientMetadata[]
  pages: ProviderPages
  /** Where an application is reached from here; by default its public address. */
  reach: (url: string) => string
}

function shortCookie(isSecure: boolean) {
  return { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure, overwrite: true } as const
}

/** The cookie of the provider's own session in a browser. */
export function sessionCookie(isSecure: boolean) {
  return { ...shortCookie(isSecure), path: '/' } as const
}

export function createProvider({ database, issuer, keys, clients, pages, reach }: ProviderOptions): Provider {
  const isSecure = issuer.protocol === 'https:'
  const cookie = shortCookie(isSecure)
  const policy = interactionPolicy.base()
  policy.remove('consent') // all clients are our own systems

  const provider = new Provider(issuer.href, {
    adapter: postgresAdapter(database),
    clients,
    jwks: keys.jwks,
    cookies: {
      keys: keys.cookieKeys,
      names: {
        session: isSecure ? '__Host-connect' : 'connect',
        interaction: isSecure ? '__Secure-connect-step' : 'connect-step',
        resume: isSecure ? '__Secure-connect-resume' : 'connect-resume',
      },
      long: sessionCookie(isSecure),
      short: cookie,
    },
    scopes: ['openid', 'profile', 'email', 'kz'],
    claims: {
      openid: ['sub', 'amr'],
      profile: ['name', 'locale'],
      email: ['email', 'email_verified'],
      // numbers proved by a digital signature
      kz: ['iin', 'bin', 'org_name', 'outsider', 'given_key'],
    },
    conformIdTokenClaims: false, // our systems read the person's claims from the ID token, without a second call
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    discovery: { ui_locales_supported: [...languages] },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context) => logout(context, pages),
        postLogoutSuccessSource: (context) => pages.signedOut(context),
      },
    },
    ttl: {
      AccessToken: (10 * minute) / second,
      AuthorizationCode: minute / second,
      IdToken: hour / second,
      Interaction: hour / second,
      Grant: absoluteLimit,
      Session: (_, session) =>
        Math.max(1, Math.min(idleLimit, (session.loginTs ?? now()) + absoluteLimit - now())),
    },
    interactions: {
      policy,
      url: ({ oidc }, { uid }) => {
        const wish = oidc.params?.['ui_locales']
        const query =
          typeof wish === 'string' ? `?${new URLSearchParams({ ui_locales: wish }).toString()}` : ''
        return `${issuer.pathname}/interaction/${uid}${query}`
      },
    },
    loadExistingGrant: grantForOwnSystem,
    clientBasedCORS: () => false,
    findAccount: async (_, id) => {
      const claims = await claimsOf(database, id)
      return claims && { accountId: id, claims: () => claims }
    },
    renderError: (context, _, error) => pages.failed(context, error),
    // The library refuses private addresses, because clients of other servers may register any address. Here the
    // addresses come from the configuration and may well be private.
    fetch: (url, options) => {
      const own: RequestInit & { dispatcher?: unknown } = { ...options }
      delete own.dispatcher
      return fetch(reach(url instanceof Request ? url.url : url.toString()), own)
    },
  })

  // The public address and the protocol come from the configuration (see service.ts), never from the client.
  provider.proxy = true
  provider.use(skipEmptyLogout)
  return provider
}

async function claimsOf({ db }: Database, id: string) {
  const account = await findAccountById(db, id)
  if (account) {
    const { fullName, language, email, emailConfirmedAt, iin } = account
    return {
      sub: id,
      name: fullName,
      locale: language,
      email,
      email_verified: emailConfirmedAt !== null,
      ...(iin !== null && { iin }),
    }
  }
  const outsider = await findOutsider(db, id)
  if (!outsider) return undefined
  const { fullName, language, iin, bin, organization, givenKey } = outsider
  return {
    sub: id,
    name: fullName,
    locale: language,
    iin,
    ...(bin !== null && { bin }),
    ...(organization !== null && { org_name: organization }),
    outsider: true,
    given_key: givenKey,
  }
}

/**
 * Sign-out requested by an application. With an ID token of the same person it is not a stranger's link, so no question
 * is asked; otherwise the person confirms with a button.
 */
async function logout(context: KoaContextWithOIDC, pages: ProviderPages): Promise<void> {
  const { session, entities } = context.oidc
  const state = session?.state ?? {}
  const hint = entities.IdTokenHint as { payload?: { sub?: unknown } } | undefined
  if (!session || hint?.payload?.sub !== session.accountId) {
    const { href } = new URL(context.oidc.urlFor('end_session_confirm'))
    pages.confirmLogout(context, String(state['secret']), href)
    return
  }
  const target = afterLogout(context)
  await pages.endSession(session.uid)
  await session.destroy()
  context.cookies.set(context.oidc.provider.cookieName('session'), null, { path: '/' })
  context.redirect(target)
  context.status = 303
}

/** The library would answer a sign-out without a session by a page that submits itself by script. */
async function skipEmptyLogout(context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const isLogoutPage = context.method === 'GET' && context.path === '/session/end' && context.status === 200
  if (!isLogoutPage || context.oidc.session?.accountId) return
  context.redirect(afterLogout(context))
  context.status = 303
}

/** The library has checked the address against the client's list before storing it in the session's state. */
function afterLogout({ oidc }: KoaContextWithOIDC): string {
  const { postLogoutRedirectUri, state } = oidc.session?.state ?? {}
  if (typeof postLogoutRedirectUri !== 'string') return oidc.urlFor('end_session_success')
  const target = new URL(postLogoutRedirectUri)
  if (typeof state === 'string') target.searchParams.set('state', state)
  return target.href
}

/** No consent is requested: the first sign-in of a session grants what our own systems may know. */
async function grantForOwnSystem({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc
  if (!client || !session?.accountId) return undefined
  const existing = oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId)
  const found = existing ? await provider.Grant.find(existing) : undefined
  if (found) return found
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile email kz')
  await grant.save()
  return grant
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
