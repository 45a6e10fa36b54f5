/**
 * Calls the endpoints of the contract. Every failure becomes an ApiError like those from the server's error body,
 * even a lost connection or a timeout, so that callers handle one kind of failure.
 */
import { queryOptions } from '@tanstack/react-query'
import { fillPath, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody, Parameters } from '@kelisim/domain/errors.ts'
import type * as z from 'zod/mini'
import { noteConnection } from './connection.ts'
import { ownBuild } from './page-config.ts'

export type FailureClass = ErrorBody['ClassName'] | 'OldVersionException'

export class ApiError extends Error {
  readonly status: number
  readonly className: FailureClass
  readonly alias: string
  readonly parameters: Parameters
  constructor(
    status: number,
    className: FailureClass,
    alias: string,
    parameters: Parameters,
    message: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.className = className
    this.alias = alias
    this.parameters = parameters
  }
}

/** In milliseconds; see docs/product/errors-and-limits.md. */
export const timeout = 100_000

export async function call<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
  input: z.input<I>,
  signal?: AbortSignal,
  /**
   * For pages that anyone may open: without a session the call fails instead of redirecting to the sign-in service.
   */
  { isOpenToAll = false } = {},
): Promise<z.output<R>> {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  const isGet = e.method === 'GET'
  const limit = AbortSignal.timeout(timeout)
  let failure: ApiError
  try {
    const response = await fetch(isGet ? path + queryString(rest) : path, {
      method: e.method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json, text/plain',
        ...(!isGet && { 'content-type': 'application/json' }),
      },
      ...(!isGet && { body: JSON.stringify(rest) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    noteConnection(true)
    noticeBuild(response.headers.get('x-app-build'))
    if (response.ok) return (await response.json()) as z.output<R>
    failure = failureOf(response.status, await response.text())
  } catch (error) {
    if (signal?.aborted) throw error
    if (!limit.aborted) noteConnection(false)
    throw limit.aborted ? timedOut() : connectionLost()
  }
  if (!isOpenToAll && leavesForSignIn(failure)) return new Promise(() => {})
  throw failure
}

/** The query key begins with the endpoint's path, so that invalidating by the path reaches every page of a list. */
export function query<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
  input: z.input<I>,
) {
  return queryOptions<z.output<R>, ApiError>({
    queryKey: [e.path, input],
    queryFn: ({ signal }) => call(e, input, signal),
  })
}

export function queryString(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)])).toString()}`
}

/** A gateway in front of the server responds without our error body. */
const gatewayAliases: Record<number, string> = {
  502: 'bad-gateway',
  503: 'service-unavailable',
  504: 'gateway-timeout',
}

export function failureOf(status: number, text: string): ApiError {
  const body = bodyIn(text)
  if (body?.ExceptionData && body.ClassName) {
    const { Alias, Parameters: parameters } = body.ExceptionData
    return new ApiError(status, body.ClassName, Alias, parameters, body.Message ?? '')
  }
  const gateway = gatewayAliases[status]
  if (gateway) return transportError(gateway, 'TemporaryUnavailableException', status)
  return new ApiError(status, 'OldVersionException', 'old-version', {}, '')
}

function bodyIn(text: string): Partial<ErrorBody> | null {
  try {
    return JSON.parse(text) as Partial<ErrorBody> | null
  } catch {
    return null
  }
}

/** Also used if something else answered instead of the server, such as the captive portal of a network. */
export function connectionLost(): ApiError {
  return transportError('connection-lost', 'TemporaryUnavailableException')
}

export function timedOut(): ApiError {
  return transportError('request-timeout', 'HttpException')
}

export function transportError(alias: string, className: FailureClass, status = 0): ApiError {
  return new ApiError(status, className, alias, {}, '')
}

/** True if the browser is being redirected to the sign-in service, so that the caller need not handle the error. */
export function leavesForSignIn(error: ApiError): boolean {
  return error.status === 401 && onSessionEnd() === 'leaving'
}

let onSessionEnd: () => 'leaving' | 'staying' = () => 'staying'
let onNewBuild: () => void = () => {}

/** Sets what happens when the session has ended and when the server serves a newer version. */
export function whenCalled(handlers: {
  sessionEnds: () => 'leaving' | 'staying'
  newBuildServed: () => void
}): void {
  onSessionEnd = handlers.sessionEnds
  onNewBuild = handlers.newBuildServed
}

export function noticeBuild(served: string | null): void {
  if (served !== null && served !== ownBuild) onNewBuild()
}
