/** The one place where an error becomes an HTTP response. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIntegrityViolation, isTemporarilyRefused, isUnreachable } from '@kelisim/db/db.ts'
import { errorBody, Refusal, statusOf, type Alias } from '@kelisim/domain/errors.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { languageOf } from './language.ts'

export function respondToErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    respond(refusalOf(error, request), request, reply),
  )
  app.setNotFoundHandler((request, reply) => respond(new Refusal('page-not-found'), request, reply))
}

/** Responds to a malformed address, which reaches neither a route nor the hooks that guard every response. */
export function respondToMalformed(_: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff')
  void respond(new Refusal('page-not-found'), request, reply)
}

function respond(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsOf(languageOf(request), 'errors')
  const status = statusOf(refusal.alias)
  const seconds = refusal.parameters['seconds']
  if (typeof seconds === 'number') reply.header('retry-after', seconds)
  else if (status === 503) reply.header('retry-after', 5)
  const message = texts(`${refusal.alias}.text`, { ...refusal.parameters })
  return reply.status(status).send(errorBody(refusal, message))
}

/**
 * The refusals for errors of the framework. Any unforeseen error is logged, and its response reveals nothing about
 * it.
 */
const frameworkCodes: Record<string, Alias> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-body',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type-not-supported',
}

export function refusalOf(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const known = frameworkCodes[error.code]
  if (known) return new Refusal(known)
  if (error.statusCode === 400) return new Refusal('malformed-body')
  // A file outside the folder of assets looks like a missing one.
  if (error.statusCode === 403 || error.statusCode === 404) return new Refusal('page-not-found')
  if (error.statusCode === 416) return new Refusal('range-not-satisfiable')
  if (isUnreachable(error)) {
    request.log.warn({ err: { message: error.message } }, 'the database cannot be reached')
    return new Refusal('service-unavailable')
  }
  if (isTemporarilyRefused(error)) {
    // The operator has to know: the cause may be a full disk, or a process that stands still.
    request.log.error({ err: error }, 'the database could not do it now')
    return new Refusal('service-unavailable')
  }
  if (isIntegrityViolation(error)) {
    // No rule refused, but the database did: nothing was written, and somebody should find out why.
    request.log.error({ err: error }, 'the database refused a change')
    return new Refusal('database-update-error')
  }
  request.log.error({ err: error }, 'unforeseen error')
  return new Refusal('unexpected-error', { requestId: request.id })
}
