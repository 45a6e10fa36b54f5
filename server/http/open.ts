/** The HTTP server before any slice is added: guards, sessions, limits, and the functions that serve an endpoint. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { minute, second } from '@kelisim/domain/durations.ts'
import { requestIdOf, traceCalls } from '../tracing/http.ts'
import { callerAddress } from './caller-address.ts'
import { respondToErrors, respondToMalformed } from './errors.ts'
import { filesOn, type Files } from './files.ts'
import { guard } from './guard.ts'
import { healthRoutes, type DatabaseRecovery, type Health } from './health.ts'
import { limitsIn, sharedLimit, type Limits } from './limits/calls.ts'
import { openTransactions } from './limits/transactions.ts'
import { openApi } from './openapi.ts'
import { callsPerMinuteOfToken } from './programs/allowances.ts'
import { programsIn } from './programs/programs.ts'
import { serveOn, type HttpContext, type Serve } from './serve.ts'
import { sessionsIn, type Operators } from './session.ts'
import { stopGently } from './stopping.ts'
import { streamsOn, type Streams } from './streams.ts'

export type HttpSettings = {
  /** How many proxies in front of the server are trusted to report the caller's address. */
  trustProxy: number
  /** How long the server goes on serving after it was asked to stop; undefined: it stops at once. */
  drainSeconds?: number
  callsPerMinute: number
  /** Calls of one organisation, over all processes; undefined: any number. */
  organizationCallsPerMinute?: number | undefined
  /** Calls of one token, over all processes; undefined: the default number. */
  tokenCallsPerMinute?: number
  logLevel: string
  /** Standard output unless given. */
  logTo?: { write: (line: string) => void }
  /** Services that share the server's address (the embedded sign-in service), by the first segment of the path. */
  mounts?: Record<string, Mount>
  /** The progress of restarting an embedded database that has died. */
  recovery?: DatabaseRecovery
}

export type Mount = (request: IncomingMessage, response: ServerResponse) => void

/** The version of the product, and the build of its site: browsers offer to reload when the build differs. */
export type Release = { version: string; build: string }

/** What slices need to add their endpoints. */
export type Http = HttpContext & {
  app: FastifyInstance
  publicUrl: URL
  release: Release
  health: Health
  serve: Serve
  files: Files
  streams: Streams
}

type HttpParts = {
  database: Database
  publicUrl: URL
  clock: () => Date
  release: Release
  http: HttpSettings
  /** Who may open the operator's pages. */
  operators: Operators
}

/**
 * Slow senders are cut off, but 20 MB may take long on a poor connection. Idle connections outlive the idle
 * connections of a proxy in front.
 */
const timeouts = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000 }

export async function openHttp(parts: HttpParts): Promise<Http> {
  const { database, publicUrl, clock, release } = parts
  const limits = limitsIn(database, parts.http, clock)
  const app = fastifyWith(parts.http, limits)
  traceCalls(app, parts.http.trustProxy > 0)
  const { isStopping } = stopGently(app, (parts.http.drainSeconds ?? 0) * second)
  await app.register(cookie)
  app.removeContentTypeParser('text/plain') // a form of another site can send it without a preflight
  respondToErrors(app)
  guard(app, { publicUrl, limits, build: release.build })
  const health = healthRoutes(app, database, { recovery: parts.http.recovery ?? (() => null), isStopping })
  const sessions = sessionsIn(database, publicUrl, parts.operators)
  const limit = parts.http.tokenCallsPerMinute ?? callsPerMinuteOfToken
  const reserve = sharedLimit(database, { name: 'token', points: limit, duration: minute })
  const programs = programsIn(database, { reserve, limit }, clock)
  const context: HttpContext = {
    database,
    sessions,
    programs,
    limits,
    transactions: openTransactions(database),
    clock,
    served: [],
    handlers: new Map(),
  }
  app.get('/api/openapi.json', { config: { access: 'anyone' } }, () =>
    openApi(context.served, release.version, publicUrl),
  )
  return {
    ...context,
    app,
    publicUrl,
    release,
    health,
    serve: serveOn(app, context),
    files: filesOn(app, context),
    streams: streamsOn(app, context),
  }
}

function fastifyWith(settings: HttpSettings, limits: Limits): FastifyInstance {
  const { trustProxy } = settings
  const isWithinLimit = (request: IncomingMessage) => {
    try {
      limits.overall(callerAddress(request, trustProxy))
      return true
    } catch {
      return false
    }
  }
  return Fastify<Server>({
    logger: {
      level: settings.logLevel,
      serializers: { req: requestLine, err: errorLine },
      ...(settings.logTo && { stream: settings.logTo }),
    },
    genReqId: ({ headers }) => requestIdOf(headers, trustProxy > 0),
    frameworkErrors: respondToMalformed,
    trustProxy: trustProxy > 0 ? (_, hop) => hop < trustProxy : false,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    // A stopping server still serves everybody who reaches it.
    return503OnClosing: false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
    serverFactory: (handler) =>
      createServer(timeouts, withMounts(handler, settings.mounts ?? {}, isWithinLimit)),
  })
}

function withMounts(
  handler: Mount,
  mounts: Record<string, Mount>,
  isWithinLimit: (request: IncomingMessage) => boolean,
): Mount {
  return (request, response) => {
    const first = /^\/[^/?]*/.exec(request.url ?? '')?.[0] ?? ''
    const mounted = mounts[first]
    if (!mounted) handler(request, response)
    else if (isWithinLimit(request)) mounted(request, response)
    else response.writeHead(429, { 'retry-after': '60', connection: 'close' }).end()
  }
}

/** The log identifies no person: no IP address, cookie or query, since a query may carry a code or a token. */
function requestLine(request: { method: string; url: string }): Record<string, unknown> {
  return {
    method: request.method,
    path: request.url
      .split('?')[0]
      ?.replace(
        /(invitations\/|\/api\/e\/|\/api\/q\/|quick\/stop\/|unsubscribe\/|unauth\/notifications\/)[^/]+/i,
        '$1…',
      ),
  }
}

function errorLine(error: Error): { type: string; message: string; stack: string } {
  return { type: error.name, message: error.message, stack: error.stack ?? '' }
}
