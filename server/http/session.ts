/**
 * Sessions of the application. The cookie holds a 256-bit token, the database its SHA-256. One query answers
 * who calls, whether they belong to the organisation of the path, with which roles, and under which options:
 * so a dismissed employee or a changed role takes effect with the next call.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Tx } from '@kelisim/db/db.ts'
import type { OrganizationOptions } from '@kelisim/domain/identity/options.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type Member = {
  organizationId: string
  roles: number
  options: OrganizationOptions
}

export type Person = {
  userId: string
  login: string
  fullName: string
  email: string
  isEmailConfirmed: boolean
  language: Language
  agreementVersion: string | null
  /** Null unless the path names an organisation and the person belongs to it. */
  member: Member | null
}

export type Sessions = {
  isSecure: boolean
  find: (request: FastifyRequest, organizationId: string | undefined, now: Date) => Promise<Person | null>
  begin: (tx: Tx, reply: FastifyReply, session: NewSession, now: Date) => Promise<void>
  /** Ends the session of this browser and tells what the sign-in service needs to end its own. */
  end: (tx: Tx, request: FastifyRequest, reply: FastifyReply) => Promise<{ idToken: string | null }>
}

type NewSession = { userId: string; providerSession: string | null; idToken: string | null }

const hour = 60 * 60 * 1000
/** Nobody is asked to sign in again during a working day; a forgotten browser closes by itself. */
export const idleLimit = 12 * hour
export const absoluteLimit = 7 * 24 * hour
/** How often the time of the last call is written down. */
const touchEvery = 5 * 60 * 1000

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function sessionsIn(database: Database, publicUrl: URL): Sessions {
  const isSecure = publicUrl.protocol === 'https:'
  // A __Host- cookie cannot be set by a sister domain or over plain http; browsers allow the name only with Secure.
  const cookie = isSecure ? '__Host-session' : 'session'
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const

  return {
    isSecure,
    async find(request, organizationId, now) {
      const token = request.cookies[cookie]
      if (!token) return null
      const row = await findRow(
        database,
        hashOf(token),
        organizationId && uuid.test(organizationId) ? organizationId : null,
      )
      if (!row || row.expires_at <= now || now.getTime() - row.last_seen_at.getTime() > idleLimit) return null
      if (now.getTime() - row.last_seen_at.getTime() > touchEvery) await touch(database, hashOf(token), now)
      return personOf(row)
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
  user_id: string
  login: string
  full_name: string
  email: string
  is_email_confirmed: boolean
  language: Language
  agreement_version: string | null
  last_seen_at: Date
  expires_at: Date
  organization_id: string | null
  roles: number
  is_quick_request_allowed: boolean
  use_signature_points_routes_role_permission: boolean
  use_points_role_permission: boolean
  is_date_of_sign_displayed_in_qr_document: boolean
  documents_upload_pdf_only: boolean
  allowed_point_types_for_incoming_signing_requests: number
  is_signing_report_generation_allowed: boolean
}

/** Asked at every call, so it goes to the driver as one prepared statement. */
async function findRow(
  database: Database,
  tokenHash: Buffer,
  organizationId: string | null,
): Promise<Row | undefined> {
  const { rows } = await database.pool.query<Row>({
    name: 'who-calls',
    text: `
      select s.user_id, s.last_seen_at, s.expires_at,
        u.login, u.full_name, u.email, u.is_email_confirmed, u.language, u.agreement_version,
        m.organization_id, m.roles,
        o.is_quick_request_allowed, o.use_signature_points_routes_role_permission, o.use_points_role_permission,
        o.is_date_of_sign_displayed_in_qr_document, o.documents_upload_pdf_only,
        o.allowed_point_types_for_incoming_signing_requests, o.is_signing_report_generation_allowed
      from sessions s
      join users u on u.id = s.user_id
      left join memberships m on m.user_id = s.user_id and m.organization_id = $2
      left join organizations o on o.id = m.organization_id
      where s.token_hash = $1`,
    values: [tokenHash, organizationId],
  })
  return rows[0]
}

function personOf(row: Row): Person {
  return {
    userId: row.user_id,
    login: row.login,
    fullName: row.full_name,
    email: row.email,
    isEmailConfirmed: row.is_email_confirmed,
    language: row.language,
    agreementVersion: row.agreement_version,
    member:
      row.organization_id === null
        ? null
        : {
            organizationId: row.organization_id,
            roles: row.roles,
            options: {
              isQuickRequestAllowed: row.is_quick_request_allowed,
              useSignaturePointsRoutesRolePermission: row.use_signature_points_routes_role_permission,
              usePointsRolePermission: row.use_points_role_permission,
              isDateOfSignDisplayedInQrDocument: row.is_date_of_sign_displayed_in_qr_document,
              documentsUploadPdfOnly: row.documents_upload_pdf_only,
              allowedPointTypesForIncomingSigningRequests:
                row.allowed_point_types_for_incoming_signing_requests,
              isSigningReportGenerationAllowed: row.is_signing_report_generation_allowed,
            },
          },
  }
}

async function touch(database: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('sessions').set({ lastSeenAt: now }).where('tokenHash', '=', tokenHash).execute(),
  )
}

/** Ended by the sign-in service (back-channel logout): one session of it, or all of the person. */
export async function endProviderSessions(
  tx: Tx,
  ended: { issuer: string; subject: string | null; providerSession: string | null },
): Promise<void> {
  let query = tx.deleteFrom('sessions').where(
    sql<boolean>`user_id in (select id from users where issuer = ${ended.issuer}
      and (${ended.subject}::text is null or subject = ${ended.subject}))`,
  )
  if (ended.providerSession !== null) query = query.where('providerSession', '=', ended.providerSession)
  await query.execute()
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
