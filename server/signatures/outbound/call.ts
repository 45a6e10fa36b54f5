/**
 * The only way from the product to the services of the certification centre (OCSP, CRLs, timestamps): which address may
 * be called, for how long, how much it may return, and when to stop calling.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { attempt, type Body, type OutboundQuestion } from './attempt.ts'
import { circuitAfter, closedCircuit, passage, type Circuit } from './circuit.ts'
import { OutboundFailure } from './failure.ts'
import { resolveName, type ResolveName } from './resolve-name.ts'
import { targetOf, type KnownServices, type Target } from './target.ts'

/** Every call is read-only for the service, so it may be repeated. */
export type OutboundRequest = OutboundQuestion & { address: string }

export type OutboundCaller = {
  call: (question: OutboundRequest) => Promise<Uint8Array>
  /** For responses too big for memory. The file of a failed call is removed. */
  save: (question: OutboundRequest, path: string) => Promise<void>
}

export type OutboundLimits = {
  connectMs: number
  /** From the DNS lookup to the last byte, with all attempts and pauses: a person may be waiting. */
  wholeMs: number
  attempts: number
  /** The longest first pause; it doubles with each attempt. */
  pauseMs: number
  circuit: { failures: number; openMs: number }
}

export const outboundLimits: OutboundLimits = {
  connectMs: 3000,
  wholeMs: 10_000,
  attempts: 3,
  pauseMs: 250,
  circuit: { failures: 5, openMs: 30_000 },
}

export type OutboundSettings = {
  known: KnownServices
  limits?: OutboundLimits
  clock?: () => Date
  /** From 0 up to 1. */
  random?: () => number
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
  resolve?: ResolveName
}

/** More places than this are not tracked, because their names come from certificates. */
const rememberedPlaces = 1000

export function createOutboundCaller({
  known,
  limits = outboundLimits,
  clock = () => new Date(),
  random = Math.random,
  pause = (ms, signal) => pauseFor(ms, undefined, { signal }),
  resolve = resolveName,
}: OutboundSettings): OutboundCaller {
  const circuits = new Map<string, Circuit>()

  async function guarded<T>(question: OutboundRequest, take: (body: Body) => Promise<T>): Promise<T> {
    const target = targetOf(question.address, known)
    if (!target) throw new OutboundFailure('refused-address', 'outside', 'not an address to talk to')
    const place = placeOf(target)
    const isTrial = enter(place)
    try {
      const answer = await repeated(target, question, take, isTrial ? 1 : limits.attempts)
      leave(place, 'answered')
      return answer
    } catch (error) {
      leave(place, isNoResponse(error) ? 'failed' : 'answered')
      throw error
    }
  }

  function enter(place: string): boolean {
    const now = clock().getTime()
    const circuit = circuits.get(place) ?? closedCircuit
    const way = passage(circuit, now, limits.circuit)
    if (way === 'shut') throw new OutboundFailure('circuit-open', place)
    if (way === 'trial') circuits.set(place, circuitAfter(circuit, 'trial-began', now, limits.circuit))
    return way === 'trial'
  }

  function leave(place: string, event: 'answered' | 'failed'): void {
    const before = circuits.get(place) ?? closedCircuit
    const circuit = circuitAfter(before, event, clock().getTime(), limits.circuit)
    circuits.delete(place)
    if (event === 'answered') return
    circuits.set(place, circuit)
    if (circuits.size > rememberedPlaces) circuits.delete(circuits.keys().next().value!)
  }

  async function repeated<T>(
    target: Target,
    question: OutboundQuestion,
    take: (body: Body) => Promise<T>,
    attempts: number,
  ): Promise<T> {
    const whole = new AbortController()
    const isLate = setTimeout(
      () => whole.abort(new OutboundFailure('timeout', target.service, 'no answer in time')),
      limits.wholeMs,
    )
    const { signal } = whole
    try {
      for (let made = 1; ; made++) {
        try {
          return await attempt(target, question, take, { connectMs: limits.connectMs, signal, resolve })
        } catch (error) {
          if (!isNoResponse(error) || made >= attempts || signal.aborted) throw error
          // Random over the whole span, so that callers that failed together do not retry together.
          await pause(random() * limits.pauseMs * 2 ** (made - 1), signal).catch(() => {})
          if (signal.aborted) throw error
        }
      }
    } finally {
      clearTimeout(isLate)
    }
  }

  return {
    call: (question) => guarded(question, collect),
    save: (question, path) => guarded(question, (body) => saveAs(path, body)),
  }
}

/** One host may serve OCSP and timestamps: each fails on its own. */
function placeOf({ service, url }: Target): string {
  return service + url.pathname
}

/** The service did not respond: worth a retry, and counted by the circuit breaker. */
function isNoResponse(error: unknown): boolean {
  return error instanceof OutboundFailure && (error.reason === 'unreachable' || error.reason === 'timeout')
}

export async function collect(body: Body): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

async function saveAs(path: string, body: Body): Promise<void> {
  try {
    await pipeline(body, createWriteStream(path))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
