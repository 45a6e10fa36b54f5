/** A session of a member, inserted into the table: signing in is not measured. */
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'

export async function someSession(
  connection: pg.ClientConfig,
): Promise<{ cookie: string; organizationId: string; userId: string }> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ user_id: string; organization_id: string }>(
    'select user_id, organization_id from memberships limit 1',
  )
  const { user_id: userId, organization_id: organizationId } = rows[0]!
  const cookie = await sessionOf(client, userId)
  await client.end()
  return { cookie, organizationId, userId }
}

/** The cookie of a new session of this person. */
export async function sessionOf(client: pg.Client, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at)
     values ($1, $2, now(), now(), now() + interval '1 hour')`,
    [createHash('sha256').update(token).digest(), userId],
  )
  return `session=${token}`
}
