/** Why an outbound call got no usable response. */
export type OutboundFailureReason =
  /** Neither the configuration nor the certificate names a service. */
  | 'no-address'
  /** The address may not be called. */
  | 'refused-address'
  /** No connection, a broken one, or a service that reports it is unavailable. */
  | 'unreachable'
  | 'timeout'
  | 'too-big'
  /** The service responded, but not with what was requested. */
  | 'bad-answer'
  /** The service failed too often just before, so it was not called. */
  | 'circuit-open'

/**
 * `detail` is a text of this product or a Node error code: text of the other side never gets into logs or responses.
 */
export class OutboundFailure extends Error {
  readonly reason: OutboundFailureReason
  readonly service: string

  constructor(reason: OutboundFailureReason, service: string, detail: string = reason) {
    super(`${service}: ${detail}`)
    this.name = 'OutboundFailure'
    this.reason = reason
    this.service = service
  }
}

/** For an error of Node's network layer: its code says what happened, its text may quote the other side. */
export function brokenConnection(error: unknown, service: string): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  const code = codeOf(error)
  // Not HTTP at all, or oversized headers: a retry would bring the same.
  const isGarbled = code.startsWith('HPE_')
  return new OutboundFailure(isGarbled ? 'bad-answer' : 'unreachable', service, code)
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'broken connection'
}
