import type { ServerResponse } from 'node:http'
import type { Html } from './html.ts'

/** What a page's handler returns; null when the provider has already responded. */
export type PageResponse =
  | { status: number; page: Html }
  | { status: number; json: object }
  | { location: string }
  | null

export function send(response: ServerResponse, answer: PageResponse): void {
  if (answer === null) return
  if ('location' in answer) {
    response.writeHead(303, { Location: answer.location }).end()
    return
  }
  const isPage = 'page' in answer
  const body = Buffer.from(isPage ? answer.page.markup : JSON.stringify(answer.json))
  response.writeHead(answer.status, {
    'Content-Type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
    'Content-Length': body.length,
  })
  response.end(body)
}

/**
 * The headers of every response. Nothing is loaded from other sites, no site may frame the pages, and scripts run
 * only where `callable` is not null: this service's own files, which may call these addresses and nothing else.
 * `formTargets`: browsers also apply form-action to redirects after a form, so the applications where a sign-in ends
 * are listed.
 */
export function securityHeaders(
  publicUrl: URL,
  formTargets: readonly string[],
  callable: readonly string[] | null,
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(callable ? ["script-src 'self'"] : []),
    ...(callable?.length ? [`connect-src ${callable.join(' ')}`] : []),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets.filter((origin) => origin !== publicUrl.origin)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': referrerPolicy(publicUrl),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    ...(publicUrl.protocol === 'https:' && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/**
 * With no-referrer browsers also hide the Origin of a form. That is harmless where they send Sec-Fetch-Site, which is
 * everywhere but on plain http outside this machine, where the form's own Origin is the only evidence.
 */
function referrerPolicy({ protocol, hostname }: URL): string {
  const isTrustworthy =
    protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\]|.+\.localhost)$/.test(hostname)
  return isTrustworthy ? 'no-referrer' : 'same-origin'
}
