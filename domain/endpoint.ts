/**
 * An endpoint is the whole contract of one call, as data: its address, who may call it, its input, its result, and
 * the refusals a caller must expect. The server serves it, the browser calls it, the OpenAPI document describes it;
 * none of them repeats it.
 */
import type * as z from 'zod/mini'
import { commonRefusals, programRefusals, type Alias } from './errors.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call, checked before the handler runs:
 * - anyone     no session is needed
 * - recipient  signed in, with an account or as an outsider: anybody to whom a document may be addressed
 * - user       signed in with an account
 * - party      a member of the organisation in the path; or, with the empty identifier in its place, any recipient
 * - member     a user who belongs to the organisation named by `:organizationId` in the path
 * - owner      a member whose role there is Owner
 * - operator   a user whom the configuration names as an operator; for all others the call does not exist
 * - program    the holder of a token of an organisation, in the name of one of its members; no session is looked at
 *
 * Outsiders are admitted by `recipient` and `party` only; the handler limits what they see to their numbers.
 */
export type Access = 'anyone' | 'recipient' | 'user' | 'party' | 'member' | 'owner' | 'operator' | 'program'

export type Endpoint<
  A extends Access = Access,
  I extends z.ZodMiniType = z.ZodMiniType,
  R extends z.ZodMiniType = z.ZodMiniType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written as `:name`; case does not matter in the fixed parts and in parameters that are names. */
  path: `/${string}`
  access: A
  /** The scope that a token needs; undefined: every accepted token may call. */
  scope?: Scope
  /** Called according to RFC 7644: its own error body, statuses 201 and 204, no Idempotency-Key. */
  protocol?: 'scim'
  /** One line for the OpenAPI document. */
  summary: string
  /** Path, query and body together: names may not collide. */
  input: I
  result: R
  /** The refusals of this call, besides those of every call (see `commonRefusals`). */
  refusals: readonly Alias[]
  /** The request body is a file, taken as it is; all other input is in the query, or in `inputHeader`. */
  takesFile?: true
  /** The response body is a file; `result` does not apply. */
  givesFile?: true
  /** The response is a stream of messages that stays open, each of them a `result`. */
  streams?: true
  /** Only takes access away, so an organisation that has moved may still call it in its old installation. */
  takesAway?: true
  /** Calls per minute and caller; set where guessing or flooding would pay. */
  perMinute?: number
  /**
   * A separate limit for some input, with its own counter, which other calls cannot use up; null: the usual limit.
   */
  limitApart?: (given: Readonly<Record<string, unknown>>) => SeparateLimit | null
  /** The response may be cached for so many seconds, because it is the same for everybody. */
  cacheSeconds?: number
}

export type SeparateLimit = { counter: string; perMinute: number }

export function endpoint<const A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
): Endpoint<A, I, R> {
  return e
}

/** The header for input that must not be in an address, in calls whose body is a file; base64 of JSON. */
export const inputHeader = 'x-input'

/** The name of each `:parameter` in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
}

/** Fills the values into the path; the others go into the query or the body. */
export function fillPath(
  path: string,
  input: Record<string, unknown>,
): { path: string; rest: Record<string, unknown> } {
  const names = pathParameters(path)
  const filled = names.reduce(
    (p, name) => p.replace(`:${name}`, encodeURIComponent(String(input[name]))),
    path,
  )
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
  return { path: filled, rest }
}

/**
 * Every refusal that a caller may get. An address with a part that is too long or cannot be decoded is not found, and
 * so are the calls of operators for everybody else.
 */
export function refusalsOf({ path, access, refusals }: Endpoint): Alias[] {
  const isMissable = pathParameters(path).length > 0 || access === 'operator'
  return [
    ...new Set([
      ...refusals,
      ...commonRefusals,
      ...(access === 'program' ? programRefusals : []),
      ...(isMissable ? (['page-not-found'] as const) : []),
    ]),
  ]
}
