/**
 * While the database cannot be reached at start, or a migration waits for a table, the port already responds: 503 to
 * every call, a page that reloads itself to people, and "live but not ready" to health checks. The real server takes
 * over once the database is available.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from '@kelisim/db/db.ts'
import { errorBody, Refusal } from '@kelisim/domain/errors.ts'
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import { defaultLanguage, preferredLanguage } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'

const retryAfterSeconds = 2

/**
 * Runs the work. While the database is unreachable or temporarily refuses, responds in place of the server and
 * retries.
 */
export async function onceReachable<T>(
  work: () => Promise<T>,
  options: { port: number; host: string; onWait: (reason: string) => void; pauseMs?: number },
): Promise<T> {
  let room: ReturnType<typeof createServer> | undefined
  for (;;) {
    try {
      const done = await work()
      if (room) await closed(room)
      return done
    } catch (error) {
      if (!isUnavailable(error)) throw error
      options.onWait((error as Error).message)
    }
    if (!room) {
      room = createServer(respond)
      await once(room.listen(options.port, options.host), 'listening')
    }
    await pause(options.pauseMs ?? retryAfterSeconds * 1000)
  }
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const isWatcher = request.url === '/health/live'
  response.statusCode = isWatcher ? 200 : 503
  response.setHeader('cache-control', 'no-store')
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  response.setHeader('retry-after', retryAfterSeconds)
  response.setHeader('connection', 'close') // the real server opens its own connections
  const language = preferredLanguage((request.headers['accept-language'] ?? '').split(',')) ?? defaultLanguage
  const refusal = new Refusal('service-unavailable')
  const message = textsOf(language, 'errors')(`${refusal.alias}.text`)
  if (request.headers.accept?.includes('text/html')) {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="${language}"><meta charset="utf-8">` +
        `<meta http-equiv="refresh" content="${retryAfterSeconds}"><title>Келісім</title><p>${escapeHtml(message)}</p>`,
    )
  } else {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify(isWatcher ? { status: 'live' } : errorBody(refusal, message)))
  }
}

async function closed(room: ReturnType<typeof createServer>): Promise<void> {
  room.closeAllConnections()
  room.close()
  await once(room, 'close')
}
