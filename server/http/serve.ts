/**
 * Every endpoint of a contract becomes a route here:
 *
 *   headers, origin, rate limit → session → access check → input parsed → handler → result parsed
 *
 * A handler gets neither the database pool nor the HTTP request, only the functions passed to it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { type Access, type Endpoint, pathParameters } from '@kelisim/domain/endpoint.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { Claimant } from '../workers/turns.ts'
import { languageOf } from './language.ts'
import type { Limits } from './limits/calls.ts'
import type { Transactions } from './limits/transactions.ts'
import { onceFor } from './programs/once.ts'
import type { ProgramCaller, Programs } from './programs/programs.ts'
import { isOutsider, type Member, type Outsider, type Person, type Sessions } from './session.ts'

export type Caller<A extends Access> = A extends 'anyone'
  ? Person | null
  : A extends 'recipient' | 'party'
    ? Person | Outsider
    : A extends 'user' | 'operator'
      ? Person
      : A extends 'program'
        ? ProgramCaller
        : Person & { member: Member }

export type Call<A extends Access, I> = {
  input: I
  who: Caller<A>
  now: Date
  db: Db
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The language of the response. */
  language: Language
  browser: Browser
  /** The caller's IP address, for records that keep it. */
  address: string
}

/** What a handler may know and change about the calling browser. */
export type Browser = {
  cookie: (name: string) => string | undefined
  setCookie: (name: string, value: string, options: { maxAge: number }) => void
  /** Ends the session here; the hint lets the sign-in service end its own. */
  endSession: (tx: Tx) => Promise<{ idToken: string | null }>
}

export type Handler<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType> = (
  call: Call<A, z.output<I>>,
) => Promise<z.input<R>>

export type Serve = <A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
  handle: Handler<A, I, R>,
) => void

export type Handlers = Map<Endpoint, unknown>

export type HttpContext = {
  database: Database
  sessions: Sessions
  programs: Programs
  limits: Limits
  transactions: Transactions
  clock: () => Date
  /** Every endpoint that was served, for the OpenAPI document. */
  served: Endpoint[]
  /** The handlers of the endpoints, for calls of programs that do the same. */
  handlers: Handlers
}

export function serveOn(app: FastifyInstance, inside: HttpContext): Serve {
  const { database, limits, transactions, sessions, clock } = inside
  return (e, handle) => {
    inside.served.push(e)
    inside.handlers.set(e, handle)
    const parameters = pathParameters(e.path)
    app.route({
      method: e.method,
      url: e.path,
      config: { access: e.access },
      async handler(request, reply) {
        const now = clock()
        const who = await admit(e, request, inside, now)
        // Counted by person, so that others at the same address cannot use up the limit.
        await limits.perEndpoint(e, idOf(who) ?? networkOf(request.ip), request.body)
        const input = parse(e.input, parameters, request)
        const run = async (caller: typeof who) => {
          const result = await handle({
            input,
            who: caller,
            now,
            db: database.db,
            write: transactions.writeFor(claimantOf(caller, request.ip)),
            get language() {
              return languageOf(request)
            },
            browser: browserOf(request, reply, sessions),
            address: request.ip,
          })
          return e.result.parse(result) // drops every field the contract does not name
        }
        if (e.method !== 'GET' && isProgram(who))
          return onceFor(database, e, request, reply, now)(who, input, run)
        const result = await (e.method === 'GET' ? transactions.reading(() => run(who)) : run(who))
        if (e.cacheSeconds !== undefined) {
          reply.header('cache-control', `public, max-age=${e.cacheSeconds}`)
        }
        return result
      },
    })
  }
}

/** Returns the caller if they may call this endpoint at all, and counts the call for their organisation. */
export async function admit<A extends Access>(
  e: Endpoint<A>,
  request: FastifyRequest,
  context: Pick<HttpContext, 'sessions' | 'programs' | 'limits'>,
  now: Date,
): Promise<Caller<A>> {
  const caller = await callerOf(e, request, context, now)
  const who: Person | Outsider | ProgramCaller | null = caller
  if (who !== null && 'member' in who && who.member) {
    await context.limits.perOrganization(who.member.organizationId)
    if (who.member.isMoved && e.method !== 'GET' && !e.takesAway) refuse('organization-moved')
  }
  return caller
}

/** The one place where outsiders are refused. */
async function callerOf<A extends Access>(
  e: Endpoint<A>,
  request: FastifyRequest,
  { sessions, programs }: Pick<HttpContext, 'sessions' | 'programs'>,
  now: Date,
): Promise<Caller<A>> {
  const organizationId = (request.params as Record<string, string>)['organizationId']
  const caller = e.access === 'program' ? null : await sessions.find(request, organizationId, now)
  switch (e.access) {
    case 'program':
      return (await programs.admit(e, request, now)) as Caller<A>
    case 'anyone':
      return (caller && isOutsider(caller) ? null : caller) as Caller<A>
    case 'recipient':
      return (caller ?? refuse('not-signed-in')) as Caller<A>
    case 'user':
      return withAccount(caller) as Caller<A>
    case 'operator': {
      if (caller === null) refuse('not-signed-in')
      const isOne = !isOutsider(caller) && (await sessions.isOperator(caller.userId))
      return (isOne ? caller : refuse('page-not-found')) as Caller<A>
    }
    case 'party':
      if (organizationId === emptyId) return (caller ?? refuse('not-signed-in')) as Caller<A>
      return memberOf(caller, organizationId) as Caller<A>
    case 'member':
    case 'owner': {
      const person = memberOf(caller, organizationId)
      if (e.access === 'owner' && !isOwner(person.member.roles)) refuse('not-enough-permissions')
      return person as Caller<A>
    }
  }
}

function isProgram<W>(who: W): who is W & ProgramCaller {
  return typeof who === 'object' && who !== null && 'program' in who
}

function memberOf(
  caller: Person | Outsider | null,
  organizationId: string | undefined,
): Person & { member: Member } {
  const { member, ...person } = withAccount(caller)
  if (!member) refuse('organization-not-yours', { organizationId })
  if (!person.hasAgreed) refuse('agreement-needed')
  return { ...person, member }
}

function withAccount(caller: Person | Outsider | null): Person {
  if (caller === null) refuse('not-signed-in')
  return isOutsider(caller) ? refuse('account-needed') : caller
}

/** The claimant of a call. */
export function claimantOf(who: Person | Outsider | ProgramCaller | null, address: string): Claimant {
  const person = idOf(who)
  if (who === null || person === undefined) return { network: networkOf(address) }
  const organization = 'member' in who && who.member ? who.member.organizationId : person
  return { organization, person }
}

export function idOf(who: Person | Outsider | ProgramCaller | null): string | undefined {
  if (who !== null && 'program' in who) return who.program.tokenId
  return who === null ? undefined : isOutsider(who) ? who.outsiderId : who.userId
}

export function parse<I extends z.ZodMiniType>(
  schema: I,
  parameters: readonly string[],
  request: Pick<FastifyRequest, 'query' | 'body' | 'params'>,
): z.output<I> {
  const { query, body, params } = request as Record<'query' | 'body' | 'params', Record<string, unknown>>
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    refuse('malformed-body')
  }
  // The path wins: a body cannot name another organisation than the one the caller was admitted to.
  const given: Record<string, unknown> = { ...query, ...body }
  for (const name of parameters) given[name] = nameInAddress(schema, name, params[name])
  return inputOf(schema, given)
}

/** Addresses ignore letter case, so the name of an act or of a list in an address is accepted in any case. */
function nameInAddress(schema: z.ZodMiniType, parameter: string, given: unknown): unknown {
  const field = schema instanceof z.ZodMiniObject ? schema.shape[parameter] : undefined
  const names = [...(field?._zod.values ?? [])].filter((name) => typeof name === 'string')
  return names.find((name) => name.toLowerCase() === String(given).toLowerCase()) ?? given
}

/** Refuses input that does not fit, and names its fields. */
export function inputOf<I extends z.ZodMiniType>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Refusal('validation-failure', { fields: parsed.error.issues.map(fieldProblem) })
}

function fieldProblem(issue: z.core.$ZodIssue): { path: string; code: string } {
  // The product's own rules use a code as their message; zod's rules use a kind.
  const isOurs = /^[a-z]+(-[a-z]+)*$/.test(issue.message)
  return { path: issue.path.join('.'), code: isOurs ? issue.message : issue.code.replaceAll('_', '-') }
}

function browserOf(request: FastifyRequest, reply: FastifyReply, sessions: Sessions): Browser {
  return {
    cookie: (name) => request.cookies[name],
    setCookie: (name, value, { maxAge }) =>
      void reply.setCookie(name, value, {
        path: '/',
        sameSite: 'lax',
        secure: sessions.isSecure,
        httpOnly: true,
        maxAge,
      }),
    endSession: (tx) => sessions.end(tx, request, reply),
  }
}
