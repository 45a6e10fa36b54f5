import type { FastifyRequest } from 'fastify'
import {
  defaultLanguage,
  isLanguage,
  languageCookie,
  preferredLanguage,
  type Language,
} from '@kelisim/texts/languages.ts'

/** The language chosen by the person (kept in a cookie), else the browser's, else Russian. */
export function languageOf(request: FastifyRequest): Language {
  // A malformed address is answered before cookies are parsed.
  const cookies: FastifyRequest['cookies'] | null = request.cookies
  const chosen = cookies?.[languageCookie]
  if (isLanguage(chosen)) return chosen
  return preferredLanguage((request.headers['accept-language'] ?? '').split(',')) ?? defaultLanguage
}
