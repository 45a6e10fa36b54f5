/**
 * The bodies of the app's answers. Whoever has a code may send one, and it may be as large as a document that comes
 * back, so what a hostile one may cost is limited.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { mostInPackage } from '@kelisim/domain/requests/parts.ts'
import { PhoneRefusal } from './phone-refusal.ts'

/** A detached signature, in base64. */
export const longestSignature = 256 * 1024
/**
 * When its user cancels, the app sends the documents back, in base64 inside JSON; together they are no larger than
 * the largest single document.
 */
export const bodyLimit = Math.ceil((sizeLimits.pdf * 4) / 3) + longestSignature * mostInPackage

/** Larger bodies are read a few at a time, because each is held in memory whole. */
const large = 1024 * 1024
const mostLargeAtOnce = 3

/** How many objects, lists and commas an answer may have. Base64 has none of these characters. */
const mostParts = 10_000
const parts = ['{', '[', ',']

/** Declares the routes that take answers, in a scope that parses their bodies with these limits. */
export function takeAnswers(app: FastifyInstance, declare: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    const parse = scope.getDefaultJsonParser('error', 'error')
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      if (hasTooManyParts(body)) done(new PhoneRefusal(400, 'malformed'))
      else void parse(request, body.toString(), done)
    })
    declare(scope)
  })
}

/** Counted before parsing: millions of empty objects would fill the memory of the process. */
function hasTooManyParts(body: Buffer): boolean {
  let count = 0
  for (const part of parts) {
    for (let at = body.indexOf(part); at >= 0; at = body.indexOf(part, at + 1)) {
      if (++count > mostParts) return true
    }
  }
  return false
}

/** A hook that refuses a large body, before it is read, while enough others are being read. */
export function fewLargeAtOnce(): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  let reading = 0
  return async (request, reply) => {
    // A body without a length may become large.
    if (Number(request.headers['content-length'] ?? Infinity) <= large) return
    if (reading >= mostLargeAtOnce) refuse('service-unavailable')
    reading++
    reply.raw.once('close', () => void reading--)
  }
}
