/** Why a question to the outside got no usable answer. */
export type OutsideReason =
  /** Neither the configuration nor the certificate names a service to ask. */
  | 'no-address'
  /** The address is not one we may talk to. */
  | 'refused-address'
  /** No connection, a broken one, or a service that says it cannot serve now. */
  | 'unreachable'
  | 'timeout'
  | 'too-big'
  /** It answered, and the answer is not of the kind that was asked for. */
  | 'bad-answer'
  /** It failed too often a moment ago and was not asked. */
  | 'circuit-open'

/** `detail` is in our words or an error code of Node's: the other side's own text never gets into logs or answers. */
export class OutsideFailure extends Error {
  readonly reason: OutsideReason
  readonly service: string

  constructor(reason: OutsideReason, service: string, detail: string = reason) {
    super(`${service}: ${detail}`)
    this.name = 'OutsideFailure'
    this.reason = reason
    this.service = service
  }
}

/** For an error of Node's network layer: its code says what happened, its text may quote the other side. */
export function brokenConnection(error: unknown, service: string): OutsideFailure {
  if (error instanceof OutsideFailure) return error
  const code = codeOf(error)
  // Not HTTP at all, or headers beyond every measure: trying again would bring the same.
  const isGarbled = code.startsWith('HPE_')
  return new OutsideFailure(isGarbled ? 'bad-answer' : 'unreachable', service, code)
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'broken connection'
}
