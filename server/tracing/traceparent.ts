/** The ids that callers pass on: the headers `traceparent` (W3C Trace Context) and `X-Request-Id`. */

export type SpanContext = {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  isSampled: boolean
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/

/** Undefined: the header is missing or malformed, so a new trace begins. */
export function readTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // Version 00 has exactly four parts.
  if (header!.startsWith('00') && header!.length !== 55) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function traceparentOf({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Whether the text is short and plain enough for a log, a header and a column. */
export function isRequestId(text: string): boolean {
  return /^[\w.:-]{8,64}$/.test(text)
}
