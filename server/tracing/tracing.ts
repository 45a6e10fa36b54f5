/**
 * The context that a call, a job or a chore passes on to everything it causes: the request id, which is in every log
 * line and is sent to jobs and outside services, and a span while traces are collected (decision 062).
 *
 *   HTTP call ── statement
 *       ├─────── outside call (X-Request-Id, traceparent)
 *       └─────── job (in its data) ── statement, outside call …
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'
import { readTraceparent, traceparentOf, type SpanContext } from './traceparent.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
/** Routes, names and numbers: never ids, texts or values. */
export type Attributes = Readonly<Record<string, string | number>>

export type FinishedSpan = SpanContext & {
  parentId: string | undefined
  name: string
  kind: SpanKind
  /** In milliseconds since 1970, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Attributes
  isFailed: boolean
}

export type Collector = {
  /** The share of traces begun here that are collected, from 0 to 1. */
  share: number
  collect: (span: FinishedSpan) => void
}

/** What is stored with a job, so that it continues the request id and the trace of the call that caused it. */
export type Cause = { requestId: string; traceparent?: string }

export type Context = { requestId: string; span: SpanContext | undefined }

const contexts = new AsyncLocalStorage<Context>()
let collector: Collector | undefined

/** Undefined: nothing is collected, and spans cost nothing. */
export function collectSpansIn(next: Collector | undefined): void {
  collector = next
}

export function currentRequestId(): string | undefined {
  return contexts.getStore()?.requestId
}

export function withContext<T>(context: Context, work: () => T): T {
  return contexts.run(context, work)
}

/** The cause of the current work; undefined: no call or job caused it. */
export function currentCause(): Cause | undefined {
  const context = contexts.getStore()
  if (!context) return undefined
  const { requestId, span } = context
  return span ? { requestId, traceparent: traceparentOf(span) } : { requestId }
}

/** The headers that pass the cause on to outside services. */
export function causeHeaders(): Record<string, string> {
  const cause = currentCause()
  if (!cause) return {}
  return {
    'x-request-id': cause.requestId,
    ...(cause.traceparent !== undefined && { traceparent: cause.traceparent }),
  }
}

export type OpenSpan = { context: SpanContext; end: (attributes: Attributes, isFailed: boolean) => void }

/** Opens a span for work whose end is a separate event; undefined: nothing is collected. */
export function openSpan(
  kind: SpanKind,
  name: string,
  parent: SpanContext | undefined,
  startedAt = preciseNow(),
): OpenSpan | undefined {
  if (!collector) return undefined
  const { collect, share } = collector
  const context = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    isSampled: parent?.isSampled ?? Math.random() < share,
  }
  return {
    context,
    end(attributes, isFailed) {
      if (!context.isSampled) return
      const endedAt = preciseNow()
      collect({ ...context, parentId: parent?.spanId, name, kind, startedAt, endedAt, attributes, isFailed })
    },
  }
}

/** Runs work in a span of the current call or job; without one there is no span. */
export async function inSpan<T>(
  kind: SpanKind,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const context = contexts.getStore()
  const span = context?.span && openSpan(kind, name, context.span)
  if (!context || !span) return work()
  return spanning(span, attributes, () => withContext({ ...context, span: span.context }, work))
}

/** Runs a job with the id and the trace of its cause; work without one, such as a chore, begins its own. */
export async function inCauseOf<T>(
  cause: Cause | undefined,
  kind: SpanKind,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const requestId = cause?.requestId ?? randomUUID()
  const span = openSpan(kind, name, readTraceparent(cause?.traceparent))
  const inContext = () => withContext({ requestId, span: span?.context }, work)
  return span ? spanning(span, {}, inContext) : inContext()
}

async function spanning<T>(span: OpenSpan, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  let isFailed = true
  try {
    const result = await work()
    isFailed = false
    return result
  } finally {
    span.end(attributes, isFailed)
  }
}

/** Records a statement that has just ended by its verb and table, never with values. */
export function noteStatement({ sql, durationMs, isFailed }: StatementReport): void {
  const context = contexts.getStore()
  if (!context?.span) return
  const name = statementName(sql)
  openSpan('client', name, context.span, preciseNow() - durationMs)?.end(
    { 'db.system.name': 'postgresql', 'db.query.summary': name },
    isFailed,
  )
}

type StatementReport = { sql: string; durationMs: number; isFailed: boolean }

export function statementName(sql: string): string {
  const verb = /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+("?[a-z_]+"?(?:\."?[a-z_]+"?)?)/i.exec(sql)?.[1]
  return table === undefined ? verb : `${verb} ${table.replaceAll('"', '').toLowerCase()}`
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
