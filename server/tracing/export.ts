/**
 * Sends finished spans to a collector by OTLP over HTTP, as JSON (opentelemetry.io/docs/specs/otlp). Loaded only if
 * an address is configured. Spans must not slow down the calls they describe: those that cannot be sent are dropped
 * and counted.
 */
import { second } from '@kelisim/domain/durations.ts'
import type { Attributes, Collector, FinishedSpan, SpanKind } from './tracing.ts'

export type TracingConfig = {
  /** Where traces are sent: …/v1/traces. */
  url: URL
  headers: Readonly<Record<string, string>>
  serviceName: string
  share: number
}

export type SpanExport = Collector & {
  /** Sends the waiting spans and stops. */
  stop: () => Promise<void>
}

const batch = 512
/** The most spans that wait; more of them mean that the collector is unavailable. */
const mostWaiting = 8 * batch
const sendEvery = 5 * second
const timeoutMs = 10 * second

export function startExport(
  { url, headers, serviceName, share }: TracingConfig,
  version: string,
  onFailure: (problem: { reason: string; dropped: number }) => void,
): SpanExport {
  const resource = { attributes: attributesOf({ 'service.name': serviceName, 'service.version': version }) }
  let waiting: FinishedSpan[] = []
  let sending = Promise.resolve()

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    const scopeSpans = [{ scope: { name: 'kelisim', version }, spans: spans.map(spanOf) }]
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) onFailure({ reason: `status ${response.status}`, dropped: spans.length })
    } catch (error) {
      onFailure({ reason: error instanceof Error ? error.message : String(error), dropped: spans.length })
    }
  }

  function flush(): Promise<void> {
    const spans = waiting
    waiting = []
    for (let from = 0; from < spans.length; from += batch) {
      sending = sending.then(() => send(spans.slice(from, from + batch)))
    }
    return sending
  }

  const timer = setInterval(() => void flush(), sendEvery)
  timer.unref()
  return {
    share,
    collect(span) {
      if (waiting.length < mostWaiting) waiting.push(span)
      else onFailure({ reason: 'too many wait', dropped: waiting.splice(0, batch).length })
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const failed = 2

function spanOf(span: FinishedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributesOf(span.attributes),
    status: span.isFailed ? { code: failed } : {},
  }
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}

/** A string, because the number is too large for JavaScript to be exact; precise to the microsecond. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`
}
