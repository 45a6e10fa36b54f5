/**
 * Serves what makes the check page installable and usable without a network: its service worker and its web manifest.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pages } from '@kelisim/domain/pages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { languageOf } from '../language.ts'

const file = { config: { access: 'anyone', hasOwnPolicy: true } } as const

export function openOffline(app: FastifyInstance, folder: string): void {
  const worker = readFileSync(join(folder, 'verify-worker.js'))
  app.get('/verify-worker.js', file, (_, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      // Browsers compare the worker with their copy at each visit, and so notice a new version.
      .header('cache-control', 'no-cache')
      .header('content-security-policy', "default-src 'none'; connect-src 'self'")
      .send(worker),
  )
  app.get('/verify.webmanifest', file, (request, reply) => {
    const language = languageOf(request)
    const t = textsOf(language, 'verify')
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language, cookie')
      .send(
        JSON.stringify({
          id: pages.verify,
          start_url: pages.verify,
          scope: pages.verify,
          name: t('app.name'),
          short_name: t('app.shortName'),
          lang: language,
          display: 'standalone',
          background_color: '#ffffff',
          theme_color: '#00707f',
          icons: [{ src: '/mark.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
        }),
      )
  })
}
