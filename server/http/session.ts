/**
 * Sessions of the application. The cookie holds a 256-bit token, the database its SHA-256. One query finds the
 * caller, whether they belong to the organisation of the path, their roles and the options, so that a removed member
 * or a changed role takes effect with the next call. Concurrent callers are found by the same query.
 */
import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askTogether } from '@kelisim/db/ask-together.ts'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { isId } from '@kelisim/domain/ids.ts'
import type { GivenKey } from '@kelisim/domain/points/key-holder.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'
import { isAppointed, isMoved, optionsOf } from './programs/option-queries.ts'
import { renewedShellHint, shellCookie, shellCookieMaxAge } from '@kelisim/domain/shell.ts'
import {
  addSession,
  deleteSession,
  findOutsider,
  findSessions,
  findStillOpen,
  isUserAmong,
  touchSession,
  type Calling,
  type SessionRow,
} from './session-queries.ts'

export type Member = {
  organizationId: string
  roles: number
  /** Whether the owners appointed this person for incoming documents. */
  isAppointed: boolean
  /** Whether the organisation lives in another installation and is read-only here. */
  isMoved: boolean
  options: OrganizationOptions
}

/** A user with an account. */
export type Person = {
  userId: string
  /**
   * Identifies the session without giving access to it: a procedure begun in one session cannot be finished in
   * another.
   */
  sessionHash: Buffer
  /** Whether they have accepted the agreement that is in force. */
  hasAgreed: boolean
  /** Null unless the path names an organisation and the person belongs to it. */
  member: Member | null
}

/**
 * Somebody without an account who proved these numbers by a digital signature; may only act on what is addressed to
 * them.
 */
export type Outsider = {
  outsiderId: string
  iin: string
  bin: string | null
  fullName: string
  organization: string | null
  /** The role that their certificate proved. */
  givenKey: GivenKey
}

export function isOutsider(who: Person | Outsider): who is Outsider {
  return 'outsiderId' in who
}

export type Sessions = {
  isSecure: boolean
  find: (
    request: FastifyRequest,
    organizationId: string | undefined,
    now: Date,
  ) => Promise<Person | Outsider | null>
  /** Whether the configuration names this person as an operator. */
  isOperator: (userId: string) => Promise<boolean>
  begin: (tx: Tx, reply: FastifyReply, session: NewSession, now: Date) => Promise<void>
  /** The hash of the session token of a call, whether the session is open or not. */
  nameOf: (request: FastifyRequest) => Buffer | null
  /**
   * Which of these streams must end: their session ended or expired, or the person has left the organisation since.
   */
  findOver: (lines: readonly OpenStream[], now: Date) => Promise<Set<OpenStream>>
  /** Ends the session of this browser and returns what the sign-in service needs to end its own. */
  end: (tx: Tx, request: FastifyRequest, reply: FastifyReply) => Promise<{ idToken: string | null }>
}

/** A stream that stays open in a session, for an organisation or for the person alone. */
export type OpenStream = { session: Buffer; organizationId: string | null }

type NewSession = ({ userId: string } | { userId: null; outsiderId: string }) & {
  providerSession: string | null
  idToken: string | null
}

/** Long enough for a working day without signing in again; a forgotten browser is signed out by itself. */
export const idleLimit = 12 * hour
export const absoluteLimit = 7 * day
/** How often the time of the last call is saved. */
const touchInterval = 5 * minute

/**
 * A cookie with this prefix cannot be set by a sibling domain or over plain HTTP; browsers allow the name only with
 * Secure.
 */
const secureCookie = '__Host-session'
const plainCookie = 'session'
export const sessionCookies = [secureCookie, plainCookie]

/** E-mails (confirmed ones count) or IINs. */
export type Operators = readonly string[]

export function sessionsIn(database: Database, publicUrl: URL, operators: Operators = []): Sessions {
  const isSecure = publicUrl.protocol === 'https:'
  const cookie = isSecure ? secureCookie : plainCookie
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const findSession = askTogether((calls: readonly (Calling & { now: Date })[]) => {
    const now = new Date(Math.max(...calls.map((call) => call.now.getTime())))
    return findSessions(database, calls, {
      now,
      idleSince: before(now, idleLimit),
      touchedBefore: before(now, touchInterval),
    })
  })

  return {
    isSecure,
    async find(request, named, now) {
      const token = request.cookies[cookie]
      if (!token) return null
      const organizationId = named !== undefined && isId(named) ? named.toLowerCase() : null
      const sessionHash = hashOf(token)
      const row = await findSession({ tokenHash: sessionHash, organizationId, now })
      if (!row) return null
      if (row.seen_long_ago) await touchSession(database, sessionHash, now)
      if (row.user === null) return (await findOutsider(database.db, sessionHash)) ?? null
      return personOf(row, row.user, sessionHash, organizationId)
    },
    nameOf(request) {
      const token = request.cookies[cookie]
      return token ? hashOf(token) : null
    },
    async findOver(lines, now) {
      const open = await findStillOpen(database, lines, now, before(now, idleLimit))
      return new Set(lines.filter((_, i) => !open.has(i)))
    },
    async isOperator(userId) {
      if (operators.length === 0) return false
      return isUserAmong(database.db, userId, operators)
    },
    async begin(tx, reply, session, now) {
      const token = randomBytes(32).toString('base64url')
      await addSession(tx, {
        ...session,
        tokenHash: hashOf(token),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + absoluteLimit),
      })
      reply.setCookie(cookie, token, { ...cookieOptions, maxAge: absoluteLimit / 1000 })
      renewShellHint(reply, session.userId !== null, now)
    },
    async end(tx, request, reply) {
      const token = request.cookies[cookie]
      reply.clearCookie(cookie, cookieOptions)
      if (!token) return { idToken: null }
      const ended = await deleteSession(tx, hashOf(token))
      return { idToken: ended?.idToken ?? null }
    },
  }
}

/**
 * The first page after signing in is drawn with the menu that this browser remembers; people without an account have
 * no menu.
 */
function renewShellHint(reply: FastifyReply, hasAccount: boolean, now: Date): void {
  const hint = hasAccount ? renewedShellHint(reply.request.cookies[shellCookie], now) : null
  const options = { path: '/', sameSite: 'lax' } as const
  if (hint === null) reply.clearCookie(shellCookie, options)
  else reply.setCookie(shellCookie, hint, { ...options, maxAge: shellCookieMaxAge })
}

function personOf(
  row: SessionRow,
  userId: string,
  sessionHash: Buffer,
  organizationId: string | null,
): Person {
  return {
    userId,
    sessionHash,
    hasAgreed: row.agreed === true,
    member:
      row.roles === null || organizationId === null
        ? null
        : {
            organizationId,
            roles: row.roles,
            isAppointed: isAppointed(row),
            isMoved: isMoved(row),
            options: optionsOf(row),
          },
  }
}

function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}

function hashOf(token: string): Buffer {
  // A hex digest is half as expensive as a Buffer, which the hash allocates outside the pool.
  return Buffer.from(hash('sha256', token, 'hex'), 'hex')
}
