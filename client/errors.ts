/** One class for every way a call can fail: callers decide by the alias, never by the text. */
import type { Alias, ErrorBody } from '@kelisim/domain/errors.ts'

/** The aliases of the server's refusals, and those of failures on the network. */
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

/** Reads the error body; a proxy in between may respond without one. */
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
