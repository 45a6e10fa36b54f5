/**
 * The sign-in service: an OpenID provider with its pages, mounted under /connect.
 *
 *   request ─▶ one of our pages (routes below) ─▶ PageResponse ─▶ HTML
 *          └─▶ the provider's own addresses (auth, token, me, jwks, session, .well-known) ─▶ oidc-provider
 *
 * The rest of the product uses it through its address only, like an external provider.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isUnavailable, type Database, type Tx } from '@kelisim/db/db.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { usualProgramUrl } from '@kelisim/domain/signatures/signing-program.ts'
import { securityHeaders, send } from './http/page-response.ts'
import { sendAsset } from './http/assets.ts'
import { applicationClientId, applicationsOf, clientsOf } from './provider/clients.ts'
import type { Context, DemoAccount, DesktopSigner } from './http/context.ts'
import type { CheckSignature } from './http/signature-check.ts'
import { loadKeys } from './provider/keys.ts'
import { emailLimits } from './http/limits.ts'
import { queueLogouts } from './provider/logout-queries.ts'
import { deliverPendingLogouts, type Log } from './provider/logouts.ts'
import { confirmLogoutPage, errorPage, signedOutPage } from './pages/provider-pages.ts'
import { createProvider, type ProviderPages } from './provider/provider.ts'
import { Refused, SignInEnded, type RefusalKind } from './http/refused.ts'
import { paths } from './http/paths.ts'
import { findRoute } from './routes.ts'
import { endSession } from './provider/session-queries.ts'
import { isOwnForm, languageOf, rememberLanguage, textsIn, type Visit } from './http/visit.ts'

export type SignInService = {
  issuer: URL
  /** Everything under /connect. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** The application's client credentials; stored in the database so that all processes agree. */
  client: { id: string; secret: string }
  /** Sends the pending logout notifications; runs by itself every half a minute. */
  deliverPendingLogouts: () => Promise<void>
  /** Stops its own timers; requests are still served. */
  stop: () => void
}

export type SignInOptions = {
  database: Database
  publicUrl: URL
  queueMail: (tx: Tx, email: Email) => Promise<void>
  /** Without it signing in by signature is not offered. */
  checkSignature?: CheckSignature
  desktopSigner?: DesktopSigner
  operatorBin?: string
  /** Offered on the login page with one click; demo mode only. */
  demoAccounts?: readonly DemoAccount[]
  clock: () => Date
  log: Log
  /**
   * Returns the network address of the browser; by default that of the connection, so behind proxies a function that
   * knows them is needed.
   */
  addressOf?: (request: IncomingMessage) => string
  /** Where the application is reached from here, if not at its public address. */
  applicationReachedAt?: URL
}

const usualSigner: DesktopSigner = {
  url: new URL(usualProgramUrl),
  acceptsAnyChain: false,
  windowUrl: null,
  phoneUrl: null,
}

const mountPath = '/connect'
const retryInterval = 30_000
const providerPaths = /^\/(auth|token|me|jwks|session|\.well-known)(\/|$)/

/**
 * The service's address may change with that of the product, so its people are stored under a constant issuer name.
 */
export const embeddedIssuer = 'embedded'

export async function createSignIn(options: SignInOptions): Promise<SignInService> {
  const { database, publicUrl, queueMail, demoAccounts = [], clock, log, applicationReachedAt } = options
  const { checkSignature = null, desktopSigner = usualSigner, operatorBin = '' } = options
  const addressOf = options.addressOf ?? ((request) => request.socket.remoteAddress ?? '')
  const keys = await loadKeys(database, clock())
  const clients = clientsOf(publicUrl, keys.clientSecret)
  const applications = applicationsOf(clients)
  const issuer = new URL(mountPath, publicUrl)

  const visitOf = (request: IncomingMessage, response: ServerResponse, path: string): Visit => {
    const url = new URL(publicUrl.origin + path)
    const language = languageOf(request, url)
    return {
      request,
      response,
      url,
      address: addressOf(request),
      language,
      t: textsIn(language),
      now: clock(),
      isDemo: demoAccounts.length > 0,
    }
  }
  const tellApplications = () => deliverPendingLogouts(provider, database, log, clock())
  const pages = providerPages(visitOf, async (uid) => {
    await database.write((tx) => endSession(tx, uid, clock()))
    await tellApplications()
  })
  const provider = createProvider({
    database,
    issuer,
    keys,
    clients,
    pages,
    reach: (url) => (applicationReachedAt ? url.replace(publicUrl.origin, applicationReachedAt.origin) : url),
  })
  provider.on('server_error', (_, error) => log.error({ err: error }, 'The OpenID provider failed'))
  provider.onerror = (error) => log.error({ err: error }, 'The OpenID provider failed')
  // Sign-outs that the library itself has performed are queued here when a notification fails.
  provider.on('backchannel.error', (_, error, { clientId }, accountId, sid) => {
    log.error({ err: error, clientId }, 'An application could not be told yet that a session has ended')
    database
      .write((tx) => queueLogouts(tx, [{ clientId, accountId, sid }], clock()))
      .catch((fault: unknown) => log.error({ err: fault }, 'A sign-out could not be kept for later'))
  })
  const askProvider = provider.callback()
  const context: Context = {
    database,
    publicUrl,
    provider,
    clock,
    tellApplications,
    limits: emailLimits(database),
    queueMail,
    checkSignature,
    desktopSigner,
    operatorBin,
    demoAccounts,
    applications,
  }
  const origins = [...new Set(applications.map(({ origin }) => origin))]
  const closed = securityHeaders(publicUrl, origins, null)
  const { protocol, host } = desktopSigner.url
  const atSignIn = securityHeaders(publicUrl, origins, ["'self'", `${protocol}//${host}`])
  const atPasskeys = securityHeaders(publicUrl, origins, [])
  const headersOf = (path: string) =>
    path.startsWith(`${mountPath}/interaction/`)
      ? atSignIn
      : path.startsWith(paths.passkeys)
        ? atPasskeys
        : closed

  async function answer(visit: Visit): Promise<void> {
    const { request, response, url } = visit
    const path = url.pathname.slice(mountPath.length)
    const isForm = request.method === 'POST'
    if (providerPaths.test(path)) {
      if (isForm && path.startsWith('/session/') && !isOwnForm(request, publicUrl))
        throw new Refused('foreign', 403)
      await askProvider(atPublicUrl(request, publicUrl), response)
      return
    }
    const asset = /^\/assets\/([\w.-]+)$/.exec(path)?.[1]
    if (asset) return sendAsset(response, asset)
    const route = findRoute(request.method ?? '', path)
    if (!route) throw new Refused('not-found', 404)
    if (isForm && !isOwnForm(request, publicUrl)) throw new Refused('foreign', 403)
    rememberLanguage(visit)
    atPublicUrl(request, publicUrl) // the provider reads its cookies from these requests too
    send(response, await route.handler(visit, context, route.parameter))
  }

  const retry = () => {
    tellApplications().catch((error: unknown) =>
      log.error({ err: error }, 'Sign-outs could not be delivered'),
    )
  }
  retry()
  const retries = setInterval(retry, retryInterval).unref()

  return {
    issuer,
    client: { id: applicationClientId, secret: keys.clientSecret },
    handle(request, response) {
      const path = pathOf(request)
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value)
      const visit = visitOf(request, response, path)
      answer(visit).catch((error: unknown) => respondToError(visit, error, log))
    },
    deliverPendingLogouts: tellApplications,
    stop: () => clearInterval(retries),
  }
}

/** A request line may also hold a full URL, or `*`: no page of ours has such a path. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.startsWith('/') ? url : mountPath
}

/**
 * The provider derives its own addresses and the safety of cookies from the request. It gets the values of the
 * configuration; what the client or a proxy wrote into these headers is discarded.
 */
function atPublicUrl(request: IncomingMessage, publicUrl: URL): IncomingMessage {
  request.headers['x-forwarded-proto'] = publicUrl.protocol.replace(':', '')
  request.headers['x-forwarded-host'] = publicUrl.host
  delete request.headers['x-forwarded-for']
  const originalUrl = pathOf(request)
  return Object.assign(request, { originalUrl, url: originalUrl.slice(mountPath.length) })
}

function providerPages(
  visitOf: (request: IncomingMessage, response: ServerResponse, path: string) => Visit,
  endOne: ProviderPages['endSession'],
): ProviderPages {
  const visit = ({ req, res, originalUrl }: KoaContextWithOIDC) => visitOf(req, res, originalUrl)
  return {
    confirmLogout(context, xsrf, action) {
      context.body = confirmLogoutPage(visit(context), xsrf, action).markup
    },
    signedOut(context) {
      context.body = signedOutPage(visit(context)).markup
    },
    failed(context, error) {
      if (error instanceof errors.SessionNotFound) {
        context.redirect(paths.start)
        context.status = 303
        return
      }
      if (isUnavailable(error)) context.status = 503
      context.type = 'html'
      context.body = errorPage(visit(context), kindOf(error)).markup
    },
    endSession: endOne,
  }
}

function kindOf(error: unknown): RefusalKind {
  if (error instanceof Refused) return error.kind
  if (error instanceof errors.OIDCProviderError) return 'bad-request'
  return isUnavailable(error) ? 'unavailable' : 'unexpected'
}

function respondToError(visit: Visit, error: unknown, log: Log): void {
  if (error instanceof SignInEnded) {
    send(visit.response, { location: paths.start })
    return
  }
  const kind = kindOf(error)
  if (kind === 'unexpected' || kind === 'unavailable')
    log.error({ err: error }, 'A page of the sign-in service failed')
  if (visit.response.headersSent) {
    visit.response.destroy()
    return
  }
  const status = error instanceof Refused ? error.status : kind === 'unavailable' ? 503 : 500
  if (status === 503) visit.response.setHeader('Retry-After', '5')
  // The connection is closed instead of reading the rest of a refused form.
  if (!visit.request.complete) visit.response.setHeader('Connection', 'close')
  send(visit.response, { status, page: errorPage(visit, kind) })
}
