/**
 * Endpoints whose response is a stream that stays open (server-sent events). They are admitted like all others
 * (`serve.ts`); a message only tells the browser to fetch again, so nothing is lost when a connection breaks.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { pathParameters, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { admit, idOf, parse, type Call, type HttpContext } from './serve.ts'
import type { OpenStream } from './session.ts'

/** Sends a message to the browser; called until the stream is closed. */
export type Send<R> = (message: R) => void
/** Unsubscribes. */
export type Unsubscribe = () => void

export type Streams = {
  give: <A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
    e: Endpoint<A, I, R>,
    listen: (
      call: Pick<Call<A, z.output<I>>, 'input' | 'who' | 'now' | 'db'>,
      say: Send<z.input<R>>,
    ) => Promise<Unsubscribe>,
  ) => void
  /** How many streams are open now. */
  countOpen: () => number
}

/** Proxies close silent connections, so each gets a few bytes at this interval. */
const heartbeatSeconds = 20
/** How long a stream may outlive its session, in milliseconds; the messages sent meanwhile carry only a number. */
const sessionCheckInterval = 2_000
/** A caller with more open pages than this gets no live updates in the others. */
const streamsPerCaller = 30

export function streamsOn(app: FastifyInstance, inside: HttpContext): Streams {
  const { database, sessions, clock, served } = inside
  /** How many streams each caller has, from the moment they are requested. */
  const counts = new Map<string, number>()
  const open = new Map<ServerResponse, OpenStream | null>()
  const heartbeat = startHeartbeat<ServerResponse>((response) => response.write(': \n\n'))
  const looking = setInterval(() => void closeOver(), sessionCheckInterval)
  looking.unref()
  app.addHook('preClose', async () => {
    heartbeat.stop()
    clearInterval(looking)
    for (const response of open.keys()) response.end()
  })

  function count(caller: string, change: 1 | -1): void {
    const changed = (counts.get(caller) ?? 0) + change
    if (changed === 0) counts.delete(caller)
    else counts.set(caller, changed)
  }

  /** Sessions end in any process and for many reasons, so the database is asked. */
  async function closeOver(): Promise<void> {
    const ofSessions = [...open].flatMap(([response, session]) => (session ? [{ response, session }] : []))
    if (ofSessions.length === 0) return
    try {
      const over = await sessions.findOver(
        ofSessions.map(({ session }) => session),
        clock(),
      )
      for (const { response, session } of ofSessions) if (over.has(session)) response.end()
    } catch (error) {
      app.log.warn({ err: error }, 'the sessions of open streams could not be checked')
    }
  }

  function sessionOf(request: FastifyRequest): OpenStream | null {
    const session = sessions.nameOf(request)
    const { organizationId = emptyId } = request.params as Record<string, string>
    return session && { session, organizationId: organizationId === emptyId ? null : organizationId }
  }

  return {
    countOpen: () => open.size,
    give(e, listen) {
      served.push(e)
      const parameters = pathParameters(e.path)
      app.get(e.path, { config: { access: e.access } }, async (request, reply) => {
        const now = clock()
        const who = await admit(e, request, inside, now)
        const caller = idOf(who) ?? networkOf(request.ip)
        if ((counts.get(caller) ?? 0) >= streamsPerCaller) refuse('too-many-requests', { seconds: 60 })
        const input = parse(e.input, parameters, request)
        const response = reply.raw
        // A client that has already left fires no further close event, so it would be counted for ever.
        if (response.destroyed) return reply.hijack()
        const waiting: string[] = []
        let write = (text: string) => void waiting.push(text)
        count(caller, 1)
        response.once('close', () => count(caller, -1))
        const leave = await listen({ input, who, now, db: database.db }, (message) =>
          write(`data: ${JSON.stringify(e.result.parse(message))}\n\n`),
        )
        reply.hijack()
        // The client left while this handler was subscribing: its close event has already fired.
        if (response.destroyed) return leave()
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) response.setHeader(name, value)
        }
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        write = (text) => void response.write(text)
        response.write(`retry: 3000\n\n${waiting.join('')}`)
        open.set(response, sessionOf(request))
        heartbeat.add(response)
        response.once('close', () => {
          open.delete(response)
          heartbeat.delete(response)
          leave()
        })
      })
    },
  }
}

type Heartbeat<T> = { add: (one: T) => void; delete: (one: T) => void; stop: () => void }

/**
 * Each stream is written to in the second in which it came: writing to ten thousand at once would delay everybody
 * else.
 */
export function startHeartbeat<T>(beat: (one: T) => void): Heartbeat<T> {
  const bySecond = Array.from({ length: heartbeatSeconds }, () => new Set<T>())
  let now = 0
  const timer = setInterval(() => {
    now = (now + 1) % heartbeatSeconds
    bySecond[now]!.forEach(beat)
  }, 1000)
  timer.unref()
  return {
    add: (one) => void bySecond[now]!.add(one),
    delete: (one) => bySecond.forEach((some) => some.delete(one)),
    stop: () => clearInterval(timer),
  }
}
