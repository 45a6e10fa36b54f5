/**
 * Serves the built site: hashed assets cached for ever, one page for every address of the application, and the landing
 * page as ready HTML in the reader's language, without any code of the application.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { day, second } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { languageCookie, languageCookieMaxAge, languages, type Language } from '@kelisim/texts/languages.ts'
import { languageOf } from '../language.ts'
import type { Http } from '../open.ts'
import { ownPath } from '../own-path.ts'
import { sessionCookies } from '../session.ts'
import { withOperator, type Operator } from './operator.ts'
import { skeletonFor, themeAttribute, type Skeletons } from './skeleton.ts'
import { openOffline } from './offline.ts'
import { readyPage, robots, sendReady, sitemap, withAddresses, type ReadyPage } from './landing-page.ts'

export type SiteParts = {
  /** The folder that the web build wrote. */
  folder: string
  isDemo: boolean
  /** The support address shown on the landing page. */
  supportEmail: string
  operator: Operator
  /** Embedded in the page as data: what the browser must know before its first call. */
  pageConfig: object
  /** Undefined where signing is not configured. */
  signer?: Signer | undefined
  /** Whether signatures can get archive timestamps. */
  hasArchiveTimestamps: boolean
}

/** The signing program on the user's computer: the only address besides the own one that the pages may call. */
export type Signer = {
  url: URL
  acceptsAnyChain: boolean
  windowUrl: URL | null
  /** The page that replaces the phone in the demo. */
  phoneUrl?: URL | null
}

const page = { config: { access: 'anyone', hasOwnPolicy: true } } as const
/** Addresses of calls, not pages: an unknown one gets an API error. */
const callPrefixes = /^\/(api|api-user|connect|health|assets)([/?]|$)/i

export async function openSite(
  { app, publicUrl, sessions, clock }: Http,
  { folder, pageConfig, isDemo, signer, hasArchiveTimestamps, supportEmail, operator }: SiteParts,
): Promise<void> {
  const shell = readPage(join(folder, 'index.html'))
  const skeletons = JSON.parse(readPage(join(folder, 'skeletons.json'))) as Skeletons
  const config = JSON.stringify({
    ...pageConfig,
    ...(signer && { signer: signerConfig(signer, hasArchiveTimestamps) }),
  }).replaceAll('<', '\\u003c')
  const landing = (language: Language) => {
    const page = readPage(join(folder, 'landing', `${language}.html`))
    const html = withOperator(withAddresses(page, publicUrl, supportEmail), operator, language).replace(
      '__CONFIG__',
      () => config,
    )
    return isDemo ? html : withoutLines(html, 'demo')
  }
  const checkPage = readPage(join(folder, 'verify.html'))
  const quickPage = readPage(join(folder, 'quick.html'))
  const afterFailure = byLanguage((language) => readyPage(landing(language)))
  const landings = byLanguage((language) => readyPage(withoutLines(landing(language), 'sign-in-failed')))

  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    serve: false, // the route below states who may call it
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  })
  app.get<{ Params: { '*': string } }>('/assets/*', page, (request, reply) =>
    reply.sendFile(request.params['*']),
  )

  // The few files without a hash in their name: the icon, and the image that messengers show for a link.
  for (const [name, type] of [
    ['mark.svg', 'image/svg+xml'],
    ['share.png', 'image/png'],
  ] as const) {
    const bytes = readFileSync(join(folder, name))
    app.get(`/${name}`, page, (_, reply) =>
      reply
        .type(type)
        .header('cache-control', `max-age=${day / second}`)
        .send(bytes),
    )
  }

  /** The landing page may call the signing program, because documents can be signed there too. */
  const sendLanding = (request: FastifyRequest, reply: FastifyReply, ready: ReadyPage) =>
    sendReady(request, asPage(reply, { ...ready, signerUrl: signer?.url }), ready)

  app.get('/', page, (request, reply) => {
    if (isElsewhere(request, publicUrl)) return reply.redirect(publicUrl.href)
    const hasFailed = (request.query as Record<string, unknown>)['signIn'] === 'failed'
    reply.header('vary', 'accept-encoding, accept-language, cookie')
    return sendLanding(request, reply, (hasFailed ? afterFailure : landings)[languageOf(request)])
  })
  for (const language of languages) {
    app.get(`/${language}`, page, (request, reply) => {
      const isChosen = 'choose' in (request.query as Record<string, unknown>)
      // Whoever follows a link keeps the language that they have; a newcomer goes on in the language of the page.
      if (isChosen || isNewcomer(request))
        reply.setCookie(languageCookie, language, {
          path: '/',
          sameSite: 'lax',
          maxAge: languageCookieMaxAge,
        })
      if (isChosen) return reply.redirect(`/${language}`, 303)
      return sendLanding(request, reply.header('vary', 'accept-encoding'), landings[language])
    })
  }

  app.get('/robots.txt', page, (_, reply) => reply.type('text/plain').send(robots(publicUrl, isDemo)))
  app.get('/sitemap.xml', page, (_, reply) => reply.type('application/xml').send(sitemap(publicUrl)))

  app.get(pages.verify, page, (request, reply) => {
    if (isElsewhere(request, publicUrl)) return reply.redirect(new URL(pages.verify, publicUrl).href)
    const html = checkPage
      .replace('__CONFIG__', () => config)
      .replace('<html lang="ru"', `<html lang="${languageOf(request)}"`)
    return sendPage(reply.header('vary', 'accept-language, cookie'), html, { runsEngine: true })
  })

  openOffline(app, folder)

  for (const path of [pages.quick, `${pages.quick}/*`]) {
    app.get(path, page, (request, reply) => {
      if (isElsewhere(request, publicUrl))
        return reply.redirect(new URL(ownPath(request.url, publicUrl) ?? '/', publicUrl).href)
      const html = quickPage
        .replace('__CONFIG__', () => config)
        .replace('<html lang="ru"', `<html lang="${languageOf(request)}"`)
      return sendPage(reply.header('vary', 'accept-language, cookie'), html, { signerUrl: signer?.url })
    })
  }

  app.get('/*', page, (request, reply) => {
    if (callPrefixes.test(request.url)) refuse('page-not-found')
    if (isElsewhere(request, publicUrl))
      return reply.redirect(new URL(ownPath(request.url, publicUrl) ?? '/', publicUrl).href)
    const nonce = randomBytes(16).toString('base64')
    const html = shell
      .replace('<!--skeleton-->', () =>
        sessions.nameOf(request) ? skeletonFor(request, skeletons, clock()) : '',
      )
      .replaceAll('__NONCE__', nonce)
      .replace('<!--fonts-->', () => skeletons.fonts[languageOf(request)])
      .replace('__CONFIG__', () => config)
      .replace('<html lang="ru"', `<html lang="${languageOf(request)}"${themeAttribute(request)}`)
    return sendPage(reply, html, { nonce, signerUrl: signer?.url })
  })
}

/** A newcomer has neither chosen a language nor signed in with that of their browser. */
function isNewcomer(request: FastifyRequest): boolean {
  return (
    request.cookies[languageCookie] === undefined && !sessionCookies.some((name) => name in request.cookies)
  )
}

function signerConfig({ url, acceptsAnyChain, windowUrl }: Signer, hasArchiveTimestamps: boolean): object {
  return { url: url.href, acceptsAnyChain, windowUrl: windowUrl?.href ?? null, hasArchiveTimestamps }
}

function byLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  return { ru: make('ru'), kk: make('kk'), en: make('en') }
}

function readPage(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`)
  return readFileSync(file, 'utf8')
}

/** Removes the lines of the landing page that do not apply. */
function withoutLines(html: string, ...which: ('demo' | 'sign-in-failed')[]): string {
  return which.reduce(
    (left, name) => left.replace(new RegExp(`<p [^>]*data-only="${name}"[^>]*>[^<]*</p>`), ''),
    html,
  )
}

function sendPage(reply: FastifyReply, html: string, needs: PolicyNeeds): FastifyReply {
  return asPage(reply, needs).send(html)
}

function asPage(reply: FastifyReply, needs: PolicyNeeds): FastifyReply {
  return reply
    .header('content-security-policy', policy(needs))
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()')
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
}

type PolicyNeeds = {
  nonce?: string
  /** Where the page calls the signing program. */
  signerUrl?: URL | undefined
  runsEngine?: boolean
  /** Hashes of the inline scripts. */
  scriptHashes?: readonly string[]
  styleHashes?: readonly string[]
}

function policy({
  nonce,
  signerUrl,
  runsEngine = false,
  scriptHashes = [],
  styleHashes = [],
}: PolicyNeeds): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...(runsEngine ? ["'wasm-unsafe-eval'"] : []), ...scriptHashes].join(' '),
    ['style-src', "'self'", ...(nonce ? [`'nonce-${nonce}'`] : []), ...styleHashes].join(' '),
    "img-src 'self' data: blob:",
    // Inline style sheets may embed fonts.
    `font-src 'self'${styleHashes.length > 0 ? ' data:' : ''}`,
    "media-src 'self'",
    `connect-src 'self'${signerUrl ? ` ${signerUrl.origin}` : ''}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The page was opened under another name of this machine (127.0.0.1), but cookies and sign-in belong to the public
 * address.
 */
function isElsewhere(request: FastifyRequest, publicUrl: URL): boolean {
  const loopback = ['127.0.0.1', '[::1]', '0.0.0.0']
  const host = request.headers.host ?? ''
  return loopback.some((name) => host.startsWith(name)) && host !== publicUrl.host
}
