import type { FastifyRequest } from 'fastify'
import {
  defaultLanguage,
  isLanguage,
  languageCookie,
  preferredLanguage,
  type Language,
} from '@kelisim/texts/languages.ts'

/** The person's choice (kept in a cookie), else the browser's, else Russian. */
export function languageOf(request: FastifyRequest): Language {
  // An address that cannot even be read is answered before the cookies are.
  const cookies: FastifyRequest['cookies'] | null = request.cookies
  const chosen = cookies?.[languageCookie]
  if (isLanguage(chosen)) return chosen
  return preferredLanguage((request.headers['accept-language'] ?? '').split(',')) ?? defaultLanguage
}
