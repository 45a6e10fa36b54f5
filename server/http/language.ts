import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, languageCookie, preferredLanguage, type Language } from '@kelisim/texts/languages.ts'

/** The person's choice (kept in a cookie), else the browser's, else Russian. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = request.cookies[languageCookie]
  if (isLanguage(chosen)) return chosen
  return preferredLanguage((request.headers['accept-language'] ?? '').split(',')) ?? defaultLanguage
}
