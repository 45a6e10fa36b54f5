/** Every way in which a call can fail, as one class: the caller decides by the alias, never by the text. */
import type { Alias, ErrorBody } from '@kelisim/domain/errors.ts'

/** Of the server's refusals, and of what happens on the way to it. */
export type FailureAlias = Alias | 'connection-lost' | 'timed-out' | 'not-kelisim'

export class KelisimError extends Error {
  /** 0 where there was no response. */
  readonly status: number
  readonly alias: FailureAlias
  readonly parameters: Readonly<Record<string, unknown>>
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    alias: FailureAlias,
    message: string,
    {
      parameters = {},
      retryAfter = null,
      cause,
    }: { parameters?: Record<string, unknown>; retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'KelisimError'
    this.status = status
    this.alias = alias
    this.parameters = parameters
    this.retryAfter = retryAfter
  }

  /** The same call may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502
  }
}

/** A proxy in between responds without our error body. */
export async function failureOf(response: Response): Promise<KelisimError> {
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  const retryAfter = secondsOf(response.headers.get('retry-after'))
  if (!body?.ExceptionData) {
    return new KelisimError(response.status, 'not-kelisim', `HTTP ${response.status}`, { retryAfter })
  }
  const { Alias: alias, Parameters: parameters } = body.ExceptionData
  return new KelisimError(response.status, alias, body.Message ?? alias, { parameters, retryAfter })
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header)
  return header === null || !Number.isFinite(seconds) || seconds < 0 ? null : seconds * 1000
}
