/**
 * The landing page as it is sent: ready HTML with its public addresses filled in, compressed once for all readers, and
 * the files that search engines request beside it.
 */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { languages } from '@kelisim/texts/languages.ts'

export type ReadyPage = {
  plain: Buffer
  /** Compressed on first request: it takes long, and should not delay the start. */
  gzip: () => Buffer
  br: () => Buffer
  etag: string
  /**
   * Hashes of the inline scripts and styles (facts for search engines, the style sheet), for the
   * Content-Security-Policy.
   */
  scriptHashes: readonly string[]
  styleHashes: readonly string[]
}

export function readyPage(html: string): ReadyPage {
  const plain = Buffer.from(html)
  return {
    plain,
    gzip: once(() => gzipSync(plain, { level: 9 })),
    br: once(() => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    scriptHashes: hashesOf(html, /<script(?: type="application\/ld\+json")?>([^<]*)<\/script>/g),
    styleHashes: hashesOf(html, /<style>([^]*?)<\/style>/g),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function hashesOf(html: string, inline: RegExp): string[] {
  return [...html.matchAll(inline)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  )
}

/** Fills in the addresses that the build cannot know. */
export function withAddresses(html: string, publicUrl: URL, supportEmail: string): string {
  return html
    .replaceAll('__PUBLIC_URL__', publicUrl.origin)
    .replaceAll('__SUPPORT_EMAIL__', () => escapeHtml(supportEmail))
}

export function sendReady(request: FastifyRequest, reply: FastifyReply, page: ReadyPage): FastifyReply {
  reply.header('etag', page.etag)
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(encoding ? page[encoding]() : page.plain)
}

/** A demo should not be indexed. */
export function robots(publicUrl: URL, isDemo: boolean): string {
  const closed = ['/api/', '/api-user/', '/connect/', '/signingRequests/', '/portal/', '/operator']
  return isDemo
    ? 'User-agent: *\nDisallow: /\n'
    : [
        'User-agent: *',
        ...closed.map((path) => `Disallow: ${path}`),
        '',
        `Sitemap: ${publicUrl.origin}/sitemap.xml`,
        '',
      ].join('\n')
}

export function sitemap(publicUrl: URL): string {
  const at = (path: string) => `${publicUrl.origin}${path}`
  const others = languages
    .map((language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${at(`/${language}`)}"/>`)
    .join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...languages.map((language) => `<url><loc>${at(`/${language}`)}</loc>${others}</url>`),
    `<url><loc>${at(pages.verify)}</loc></url>`,
    '</urlset>',
    '',
  ].join('\n')
}
