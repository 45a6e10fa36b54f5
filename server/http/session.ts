/**
 * Sessions of the application. The cookie holds a 256-bit token, the database its SHA-256. One query finds the caller,
 * whether they belong to the organisation of the path, their roles and the options, so that a removed member or a
 * changed role takes effect with the next call.
 */
import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Tx } from '@kelisim/db/db.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'

export type Member = {
  organizationId: string
  roles: number
  options: OrganizationOptions
}

/** A user with an account. */
export type Person = {
  userId: string
  /** Identifies the session without giving access to it: what is begun in one cannot be finished in another. */
  sessionHash: Buffer
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
  /** Which of these are over: ended, expired, or of a person who has left the organisation since. */
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

const hour = 60 * 60 * 1000
/** Long enough for a working day without signing in again; a forgotten browser is signed out by itself. */
export const idleLimit = 12 * hour
export const absoluteLimit = 7 * 24 * hour
/** How often the time of the last call is saved. */
const touchInterval = 5 * 60 * 1000

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** E-mails (confirmed ones count) or IINs. */
export type Operators = readonly string[]

export function sessionsIn(database: Database, publicUrl: URL, operators: Operators = []): Sessions {
  const isSecure = publicUrl.protocol === 'https:'
  // A __Host- cookie cannot be set by a sibling domain or over plain HTTP; browsers allow the name only with Secure.
  const cookie = isSecure ? '__Host-session' : 'session'
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const

  return {
    isSecure,
    async find(request, named, now) {
      const token = request.cookies[cookie]
      if (!token) return null
      const organizationId = named !== undefined && uuid.test(named) ? named.toLowerCase() : null
      const sessionHash = hashOf(token)
      const row = await findRow(database, sessionHash, organizationId, now)
      if (!row) return null
      if (row.seen_long_ago) await touch(database, sessionHash, now)
      if (row.user === null) return (await findOutsider(database, sessionHash)) ?? null
      return personOf(row, row.user, sessionHash, organizationId)
    },
    nameOf(request) {
      const token = request.cookies[cookie]
      return token ? hashOf(token) : null
    },
    async findOver(lines, now) {
      const { rows } = await database.pool.query<{ place: string }>(stillOpen, [
        lines.map(({ session }) => session),
        lines.map(({ organizationId }) => organizationId),
        now,
        new Date(now.getTime() - idleLimit),
      ])
      const open = new Set(rows.map(({ place }) => Number(place) - 1))
      return new Set(lines.filter((_, i) => !open.has(i)))
    },
    async isOperator(userId) {
      if (operators.length === 0) return false
      const found = await database.db
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .where((eb) =>
          eb.or([
            eb('iin', 'in', operators),
            eb.and([eb('isEmailConfirmed', '=', true), eb(eb.fn('lower', ['email']), 'in', operators)]),
          ]),
        )
        .executeTakeFirst()
      return found !== undefined
    },
    async begin(tx, reply, session, now) {
      const token = randomBytes(32).toString('base64url')
      await tx
        .insertInto('sessions')
        .values({
          ...session,
          tokenHash: hashOf(token),
          createdAt: now,
          lastSeenAt: now,
          expiresAt: new Date(now.getTime() + absoluteLimit),
        })
        .execute()
      reply.setCookie(cookie, token, { ...cookieOptions, maxAge: absoluteLimit / 1000 })
    },
    async end(tx, request, reply) {
      const token = request.cookies[cookie]
      reply.clearCookie(cookie, cookieOptions)
      if (!token) return { idToken: null }
      const ended = await tx
        .deleteFrom('sessions')
        .where('tokenHash', '=', hashOf(token))
        .returning('idToken')
        .executeTakeFirst()
      return { idToken: ended?.idToken ?? null }
    },
  }
}

type Row = {
  /** Null for the session of an outsider. */
  user: string | null
  seen_long_ago: boolean
  roles: number | null
  switches: number
  incoming: number
}

/**
 * Runs at every call, so it is one prepared statement with few columns: encoding and parsing a column costs more than a
 * join. Outsiders are few and are found by a second query.
 */
const whoCalls = `
  select s.user_id as user, s.last_seen_at < $5 as seen_long_ago, m.roles,
    o.is_quick_request_allowed::int
      | (o.use_signature_points_routes_role_permission::int << 1)
      | (o.use_points_role_permission::int << 2)
      | (o.is_date_of_sign_displayed_in_qr_document::int << 3)
      | (o.documents_upload_pdf_only::int << 4)
      | (o.is_signing_report_generation_allowed::int << 5) as switches,
    o.allowed_point_types_for_incoming_signing_requests as incoming
  from sessions s
  left join memberships m on m.user_id = s.user_id and m.organization_id = $2
  left join organizations o on o.id = m.organization_id
  where s.token_hash = $1 and s.expires_at > $3 and s.last_seen_at > $4`

const stillOpen = `
  select l.place
  from unnest($1::bytea[], $2::uuid[]) with ordinality as l (session, organization_id, place)
  join sessions s on s.token_hash = l.session and s.expires_at > $3 and s.last_seen_at > $4
  where l.organization_id is null
    or exists (select from memberships m where m.user_id = s.user_id and m.organization_id = l.organization_id)`

async function findRow(
  database: Database,
  tokenHash: Buffer,
  organizationId: string | null,
  now: Date,
): Promise<Row | undefined> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const { rows } = await database.pool.query<Row>({
    name: 'who-calls',
    text: whoCalls,
    values: [tokenHash, organizationId, now, ago(idleLimit), ago(touchInterval)],
  })
  return rows[0]
}

function findOutsider(database: Database, tokenHash: Buffer): Promise<Outsider | undefined> {
  return database.db
    .selectFrom('sessions as s')
    .innerJoin('outsiders as o', 'o.id', 's.outsiderId')
    .select(['o.id as outsiderId', 'o.iin', 'o.bin', 'o.fullName', 'o.organization'])
    .where('s.tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

function personOf(row: Row, userId: string, sessionHash: Buffer, organizationId: string | null): Person {
  const isOn = (bit: number) => (row.switches & (1 << bit)) !== 0
  return {
    userId,
    sessionHash,
    member:
      row.roles === null || organizationId === null
        ? null
        : {
            organizationId,
            roles: row.roles,
            options: {
              isQuickRequestAllowed: isOn(0),
              useSignaturePointsRoutesRolePermission: isOn(1),
              usePointsRolePermission: isOn(2),
              isDateOfSignDisplayedInQrDocument: isOn(3),
              documentsUploadPdfOnly: isOn(4),
              isSigningReportGenerationAllowed: isOn(5),
              allowedPointTypesForIncomingSigningRequests: row.incoming,
            },
          },
  }
}

async function touch(database: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('sessions').set({ lastSeenAt: now }).where('tokenHash', '=', tokenHash).execute(),
  )
}

/** Ended by the sign-in service (back-channel logout): one of its sessions, or all of the person. */
export async function endProviderSessions(
  tx: Tx,
  ended: { issuer: string; subject: string | null; providerSession: string | null },
): Promise<void> {
  const isTheirs = sql`issuer = ${ended.issuer}
    and (${ended.subject}::text is null or subject = ${ended.subject})`
  let query = tx.deleteFrom('sessions').where(
    sql<boolean>`(user_id in (select id from users where ${isTheirs})
      or outsider_id in (select id from outsiders where ${isTheirs}))`,
  )
  if (ended.providerSession !== null) query = query.where('providerSession', '=', ended.providerSession)
  await query.execute()
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
