/**
 * The help documents under /files and /frame, and the videos. An address with a version is cached for ever; any other
 * is revalidated each time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { helpNameOf, type HelpName } from '@kelisim/domain/help/documents.ts'
import { inForce } from '@kelisim/domain/subscriptions/in-force.ts'
import { isLanguage, type Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { asAttachment } from '../http/files.ts'
import { languageOf } from '../http/language.ts'
import type { Http } from '../http/open.ts'
import { isOutsider, type Sessions } from '../http/session.ts'
import { findSubscriptions } from '../subscriptions/queries.ts'
import { manifestName, type HelpFile } from './manifest.ts'

type CallerContext = { database: Database; sessions: Sessions; clock: () => Date }

const open = { config: { access: 'anyone', hasOwnPolicy: true } } as const

export function openHelp({ app, database, sessions, clock }: Http, folder: string): void {
  const files = readManifest(folder)
  const send = (request: FastifyRequest, reply: FastifyReply, name: HelpName, language: Language | null) =>
    sendDocument(request, reply, { name, language, files, folder, database, sessions, clock })

  app.get<{ Params: { file: string } }>('/frame/:file(^[^/]+\\.pdf$)', open, (request, reply) => {
    const name = helpNameOf(request.params.file.replace(/\.pdf$/, ''))
    return name === null ? refuse('page-not-found') : send(request, reply, name, null)
  })

  app.get<{ Params: { '*': string } }>('/files/*', open, (request, reply) => {
    const asked = request.params['*']
    if (/^videos\/[\w-]+(\.(ru|kk|en))?\.(webm|vtt|jpg)$/.test(asked)) return sendVideo(reply, asked, folder)
    const [, said, language] = /^([\w-]+?)(?:\.(ru|kk|en))?\.pdf$/.exec(asked) ?? []
    const name = said === undefined ? null : helpNameOf(said)
    if (name === null) return refuse('page-not-found')
    return send(request, reply, name, isLanguage(language) ? language : null)
  })
}

type WantedDocument = CallerContext & {
  name: HelpName
  language: Language | null
  files: HelpFile[]
  folder: string
}

async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: WantedDocument,
): Promise<FastifyReply> {
  const { name, files, folder } = wanted
  const { organizationId, v: version, download } = request.query as Record<string, unknown>
  const language = wanted.language ?? languageOf(request)
  const tariff = name === 'price-list' ? await tariffOf(request, organizationId, wanted) : null
  const ofName = files.filter((file) => file.name === name)
  const exact = ofName.find((file) => file.tariff === null && file.version === version)
  const found =
    (tariff === null ? exact : undefined) ??
    ofName.find((file) => file.language === language && file.tariff === tariff)!
  const title = `${textsOf(found.language, 'help')(`documents.${name}`)}.pdf`
  const disposition = asAttachment(title)
  reply
    .type('application/pdf')
    .header('content-language', found.language)
    .header(
      'content-disposition',
      download === undefined ? disposition.replace('attachment', 'inline') : disposition,
    )
  shownInOwnPages(reply)
  if (found === exact) return reply.sendFile(found.file, folder, { immutable: true, maxAge: '365d' })
  // What is specific to one organisation must not be cached for others.
  if (tariff !== null) reply.header('cache-control', 'private, no-store')
  else {
    reply.header('cache-control', 'no-cache')
    if (wanted.language === null) reply.header('vary', 'accept-language, cookie')
  }
  return reply.sendFile(found.file, folder, { cacheControl: false })
}

/** The organisation's current tariff, for its members only. */
async function tariffOf(
  request: FastifyRequest,
  organizationId: unknown,
  { database, sessions, clock }: CallerContext,
): Promise<HelpFile['tariff']> {
  if (typeof organizationId !== 'string') return null
  const now = clock()
  const who = await sessions.find(request, organizationId, now)
  if (!who || isOutsider(who) || !who.member) return null
  const subscriptions = await findSubscriptions(database.db, who.member.organizationId)
  return inForce(subscriptions, dateInAlmaty(now))?.nameKey ?? 'start'
}

function sendVideo(reply: FastifyReply, asked: string, folder: string): FastifyReply {
  if (!existsSync(join(folder, asked))) refuse('page-not-found')
  if (asked.endsWith('.vtt')) reply.type('text/vtt; charset=utf-8')
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  return reply.header('cache-control', 'max-age=3600').sendFile(asked, folder, { cacheControl: false })
}

/** Our own pages may embed them, as the landing page does; the browser's built-in PDF viewer needs inline styles. */
function shownInOwnPages(reply: FastifyReply): void {
  reply
    .header('x-frame-options', 'SAMEORIGIN')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
    )
}

function readManifest(folder: string): HelpFile[] {
  const file = join(folder, manifestName)
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`)
  return JSON.parse(readFileSync(file, 'utf8')) as HelpFile[]
}
