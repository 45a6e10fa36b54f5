/**
 * The rules of every stand-in's page: it serves this computer only, under its own name (so that no other site can point
 * a name of its own here), rejects other pages, and accepts forms only from pages written since this start.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLanguage, preferredLanguage, type Language } from '@kelisim/texts/languages.ts'

/** A key file has a few kilobytes. */
const maxBody = 1024 * 1024

export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // without a referrer a browser would also hide the origin of the page's own forms
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
}

export type PageResponse = {
  status: number
  type?: string
  body?: string | Uint8Array
  location?: string
  /** Replaces the default policy. */
  policy?: string
}

export const nothingHere: PageResponse = { status: 404 }
export const forbidden: PageResponse = { status: 403 }

export function send(response: ServerResponse, answer: PageResponse): void {
  const { status, type, body, location, policy } = answer
  const charset = type?.startsWith('text/') ? '; charset=utf-8' : ''
  response.writeHead(status, {
    ...pageHeaders,
    ...(type !== undefined && { 'content-type': type + charset }),
    ...(location !== undefined && { location }),
    ...(policy !== undefined && { 'content-security-policy': policy }),
  })
  response.end(body ?? '')
}

export function isLoopback({ socket: { remoteAddress = '' } }: IncomingMessage): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress)
}

/** Whether the Host header names this machine and, if a page calls, its origin is this server. */
export function isFromHere({ headers: { host = '', origin }, socket }: IncomingMessage): boolean {
  const port = String(socket.localPort)
  const isNamed = ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === `${name}:${port}`)
  return isNamed && (origin === undefined || /^https?:\/\//.exec(origin)?.[0] + host === origin)
}

/** A token known only to pages that were served since the start. */
export function pageToken(): { token: string; isToken: (given: unknown) => boolean } {
  const token = randomBytes(24).toString('base64url')
  return {
    token,
    isToken(given) {
      const [wanted, offered] = [Buffer.from(token), Buffer.from(typeof given === 'string' ? given : '')]
      return wanted.length === offered.length && timingSafeEqual(wanted, offered)
    },
  }
}

/** By the address, then by the page's subject, then by the browser; null if none of them says anything. */
export function chosenLanguage(request: IncomingMessage, url: URL, subject?: Language): Language | null {
  const chosen = url.searchParams.get('lang')
  if (isLanguage(chosen)) return chosen
  return subject ?? preferredLanguage((request.headers['accept-language'] ?? '').split(','))
}

export async function formOf(request: IncomingMessage): Promise<FormData | null> {
  const body = await bodyOf(request)
  const type = request.headers['content-type']
  if (!body || type === undefined) return null
  return new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
}

/** Null if the body is longer than anything a page sends. */
export async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBody) return null
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
