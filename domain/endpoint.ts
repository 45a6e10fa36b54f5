/**
 * An endpoint is the whole contract of one call, as data: where it is, who may call it, what goes in,
 * what comes out, and which refusals a caller must expect. The server serves it, the browser calls it,
 * the OpenAPI document describes it; none of them repeats it.
 */
import type * as z from 'zod/mini'
import type { Alias } from './errors.ts'

/**
 * Who may call, checked before the handler runs:
 * - anyone     no session is looked at
 * - recipient  signed in, with an account or as an outsider: whoever a document may be addressed to
 * - user       signed in with an account
 * - party      a member of the organisation in the path; or, with the empty identifier in its place, whoever a recipient is
 * - member     a user who belongs to the organisation named by `:organizationId` in the path
 * - owner      a member whose role there is Owner
 * - operator   a user who runs this installation, by its configuration; for all others there is no such call
 *
 * Outsiders are let in by `recipient` and `party` alone; what they see there is for the handler to narrow to their numbers.
 */
export type Access = 'anyone' | 'recipient' | 'user' | 'party' | 'member' | 'owner' | 'operator'

export type Endpoint<
  A extends Access = Access,
  I extends z.ZodMiniType = z.ZodMiniType,
  R extends z.ZodMiniType = z.ZodMiniType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As SPEC.md writes it, parameters as `:name`; letter case of the fixed parts is ignored. */
  path: `/${string}`
  access: A
  /** One line for the OpenAPI document. */
  summary: string
  /** Path, query and body together: names may not collide. */
  input: I
  result: R
  /** What this call may say no with, besides what every call may (see `commonRefusals`). */
  refusals: readonly Alias[]
  /** The body is a file, taken as it comes; all the rest of the input stands in the query, or in `inputHeader`. */
  takesFile?: true
  /** The answer is a file; `result` has nothing to say about it. */
  givesFile?: true
  /** The answer is a line of messages that stays open, each of them a `result`. */
  streams?: true
  /** Calls per minute and address; set where guessing or flooding would pay. */
  perMinute?: number
  /** The answer is the same for everybody, and for so long. */
  cacheSeconds?: number
}

export function endpoint<const A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
): Endpoint<A, I, R> {
  return e
}

/** With a file: what is not to stand in an address, as base64 of JSON. */
export const inputHeader = 'x-input'

/** The name of each `:parameter` in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
}

/** Puts the values into the path; what is left over goes into the query or the body. */
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
