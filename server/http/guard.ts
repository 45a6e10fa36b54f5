/** Applies to every request and response, whatever the route: headers, origin, rate limit, declared access. */
import type { FastifyInstance } from 'fastify'
import type { Access } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Limits } from './limits/calls.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call; a route that does not declare it cannot be registered. */
    access?: Access
    /** The route sets its own Content-Security-Policy (pages). */
    hasOwnPolicy?: boolean
  }
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

export function guard(
  app: FastifyInstance,
  options: { publicUrl: URL; limits: Limits; build: string },
): void {
  const { publicUrl, limits, build } = options

  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not state who may call it`)
    }
  })

  const always = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-app-build': build,
    'cache-control': 'no-store',
    ...(publicUrl.protocol === 'https:' && {
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    }),
  }

  app.addHook('onRequest', async (request, reply) => {
    // The caller left before the request was handled, for example while the process stood still: nobody would see the
    // response.
    if (request.socket.remoteAddress === undefined) {
      reply.hijack()
      request.raw.destroy()
      return
    }
    reply.headers(always)
    reply.header('x-request-id', request.id)
    if (!request.routeOptions.config.hasOwnPolicy) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
    }
    // Not limited: it is signed by the sign-in service and sent only by it, and a sign-out must not wait.
    if (request.routeOptions.url !== '/api-user/backchannel-logout') limits.overall(request.ip)
    if (!safeMethods.includes(request.method) && !isFromOurPages(request.headers, publicUrl)) {
      refuse('foreign-origin')
    }
  })
}

/**
 * Protects against cross-site request forgery: browsers state the origin of a call. A caller that states no origin
 * and sends no cookies is not the browser of a victim, so it may pass.
 */
function isFromOurPages(headers: Record<string, string | string[] | undefined>, publicUrl: URL): boolean {
  const { origin, cookie } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined) return origin === publicUrl.origin
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return cookie === undefined
}
