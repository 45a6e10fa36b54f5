/** SQL of sessions. */
import { sql, type Insertable } from 'kysely'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { agreementVersion } from '@kelisim/domain/identity/contract.ts'
import { optionColumns, type OptionRow } from './programs/option-queries.ts'

export type SessionRow = {
  /** Null for the session of an outsider. */
  user: string | null
  seen_long_ago: boolean
  /** Whether the person has accepted the agreement of this version of the product. */
  agreed: boolean | null
  roles: number | null
} & OptionRow

/**
 * Runs at every call, so it is one prepared statement with few columns: encoding and parsing a column costs more than a
 * join. Outsiders are few and are found by a second query.
 */
const whoCalls = `
  select c.place::int, s.user_id as user, s.last_seen_at < $5 as seen_long_ago, m.roles, u.agreement_version = $6 as agreed,
    ${optionColumns}
  from unnest($1::bytea[], $2::uuid[]) with ordinality as c (token_hash, organization_id, place)
  join sessions s on s.token_hash = c.token_hash
  left join users u on u.id = s.user_id
  left join memberships m on m.user_id = s.user_id and m.organization_id = c.organization_id
  left join organizations o on o.id = m.organization_id
  where s.expires_at > $3 and s.last_seen_at > $4`

const stillOpen = `
  select l.place
  from unnest($1::bytea[], $2::uuid[]) with ordinality as l (session, organization_id, place)
  join sessions s on s.token_hash = l.session and s.expires_at > $3 and s.last_seen_at > $4
  where l.organization_id is null
    or exists (select from memberships m where m.user_id = s.user_id and m.organization_id = l.organization_id)`

export type Calling = { tokenHash: Buffer; organizationId: string | null }

/** The session of each call, in the order of the calls. */
export async function findSessions(
  database: Database,
  calls: readonly Calling[],
  { now, idleSince, touchedBefore }: { now: Date; idleSince: Date; touchedBefore: Date },
): Promise<(SessionRow | undefined)[]> {
  const { rows } = await database.pool.query<SessionRow & { place: number }>({
    name: 'who-calls',
    text: whoCalls,
    values: [
      calls.map(({ tokenHash }) => tokenHash),
      calls.map(({ organizationId }) => organizationId),
      now,
      idleSince,
      touchedBefore,
      agreementVersion,
    ],
  })
  const found: (SessionRow | undefined)[] = calls.map(() => undefined)
  for (const { place, ...row } of rows) found[place - 1] = row
  return found
}

export function findOutsider(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('outsiders as o', 'o.id', 's.outsiderId')
    .select(['o.id as outsiderId', 'o.iin', 'o.bin', 'o.fullName', 'o.organization', 'o.givenKey'])
    .where('s.tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

/** The positions of the streams whose session and membership still exist. */
export async function findStillOpen(
  database: Database,
  streams: readonly { session: Buffer; organizationId: string | null }[],
  now: Date,
  idleSince: Date,
): Promise<Set<number>> {
  const { rows } = await database.pool.query<{ place: string }>(stillOpen, [
    streams.map(({ session }) => session),
    streams.map(({ organizationId }) => organizationId),
    now,
    idleSince,
  ])
  return new Set(rows.map(({ place }) => Number(place) - 1))
}

/** Whether one of these IINs or confirmed e-mails is the user's. */
export async function isUserAmong(db: Db, userId: string, names: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('iin', 'in', names),
        eb.and([eb('isEmailConfirmed', '=', true), eb(eb.fn('lower', ['email']), 'in', names)]),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

export async function addSession(tx: Tx, session: Insertable<Schema['sessions']>): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

export function deleteSession(tx: Tx, tokenHash: Buffer): Promise<{ idToken: string | null } | undefined> {
  return tx.deleteFrom('sessions').where('tokenHash', '=', tokenHash).returning('idToken').executeTakeFirst()
}

export async function touchSession(database: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await database.write((tx) =>
    tx.updateTable('sessions').set({ lastSeenAt: now }).where('tokenHash', '=', tokenHash).execute(),
  )
}

/** Ends sessions as the sign-in service demands (back-channel logout): one of its sessions, or all of the person. */
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
