/** The context of every HTTP call: its request id, and its span by route. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isRequestId, readTraceparent } from './traceparent.ts'
import { openSpan, withContext, type Context, type OpenSpan } from './tracing.ts'

type Traced = { context: Context; span: OpenSpan | undefined }

/** The request id that a trusted proxy sent, otherwise a new one: ids from anybody else are ignored. */
export function requestIdOf(headers: IncomingHttpHeaders, isProxyTrusted: boolean): string {
  const given = headers['x-request-id']
  return isProxyTrusted && typeof given === 'string' && isRequestId(given) ? given : randomUUID()
}

/** Must be registered before every other hook. */
export function traceCalls(app: FastifyInstance, isProxyTrusted: boolean): void {
  const traced = new WeakMap<object, Traced>()

  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['traceparent']
    const parent = isProxyTrusted && typeof given === 'string' ? readTraceparent(given) : undefined
    const span = openSpan('server', nameOf(request.method, request.routeOptions.url), parent)
    const context = { requestId: request.id, span: span?.context }
    traced.set(request, { context, span })
    withContext(context, done)
  })

  // A body arrives in events of the socket, which have lost the context of the call.
  app.addHook('preValidation', (request, _reply, done) => {
    const known = traced.get(request)
    if (known) withContext(known.context, done)
    else done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    traced.get(request)?.span?.end(
      {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? '',
        'http.response.status_code': statusCode,
      },
      statusCode >= 500,
    )
    done()
  })
}

/** The name of the span. An address that no route serves may contain anything, so it is left out. */
function nameOf(method: string, route: string | undefined): string {
  return route === undefined ? method : `${method} ${route}`
}
