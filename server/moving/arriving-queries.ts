/** The queries of an import, all in one transaction; tables `incoming_…` have the rows of the package. */
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { fail } from '../backup/manifest.ts'
import { quoted, type Table } from '../backup/tables.ts'
import { findReferences, issuerElsewhere } from './leaving-queries.ts'
import type { MovingManifest } from './package.ts'
import { movedTables, type MovedTable } from './tables.ts'

const incoming = (table: string) => `incoming_${table}`
const listed = (columns: readonly string[]) => columns.map(quoted).join(', ')

export async function isImported(client: pg.Client, manifestSha256: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from operator_acts where type = 'organization-imported' and details->>'manifest' = $1`,
    [manifestSha256],
  )
  return rows.length > 0
}

/**
 * Begins the transaction of an import: one runs at a time, and triggers that forbid changes to organisations living
 * elsewhere let it pass.
 */
export async function beginImport(client: pg.Client): Promise<void> {
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(hashtext('import-organization'))`)
  await client.query(`select set_config('kelisim.importing', 'yes', true)`)
}

export async function prepareIncoming(
  client: pg.Client,
  table: string,
  columns: readonly string[],
): Promise<Writable> {
  await client.query(
    `create temporary table ${incoming(table)} (like ${table} including defaults) on commit drop`,
  )
  return client.query(copyFrom(`copy ${incoming(table)} (${listed(columns)}) from stdin`))
}

export async function refuseTwice(
  client: pg.Client,
  { id, bin }: MovingManifest['organization'],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from organizations where (id = $1 and lives_at is null) or (id <> $1 and bin = $2 and confirmed_at is not null)`,
    [id, bin],
  )
  if (rows.some((row) => row.id === id)) fail('The organisation is here already, and not by this package')
  if (rows.length > 0) fail(`Another organisation with the number ${bin} is confirmed here already`)
}

/**
 * A person who already has an account here, recognised at the same sign-in service by subject, IIN or confirmed
 * e-mail, keeps it, and the incoming rows refer to this account. Two IINs are two people, whatever else they share.
 * Histories keep the names and ids that are in the log.
 */
export async function mergePeople(client: pg.Client): Promise<number> {
  await client.query(
    `create temporary table same_people on commit drop as
     select distinct on (came.id) came.id as came, here.id as here
     from ${incoming('users')} came join users here on here.id <> came.id and here.issuer = came.issuer and (
       here.subject = came.subject or here.iin = came.iin
       or (here.is_email_confirmed and came.is_email_confirmed and lower(here.email) = lower(came.email)))
     where came.issuer <> '${issuerElsewhere}' and (here.iin is null or came.iin is null or here.iin = came.iin)
     order by came.id, (here.subject = came.subject) desc, (here.iin is not distinct from came.iin) desc`,
  )
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from same_people')
  if (rows[0]!.count === 0) return 0
  const references = [...(await findReferences(client, 'users')), ...viaMembership]
  for (const { table, people = [] } of movedTables) {
    for (const { column } of references.filter((one) => one.table === table)) {
      await client.query(
        `update ${incoming(table)} t set ${quoted(column)} = s.here from same_people s where t.${quoted(column)} = s.came`,
      )
    }
    for (const column of people) {
      await client.query(
        `update ${incoming(table)} t set ${quoted(column)} = array(
           select coalesce(s.here, one) from unnest(t.${quoted(column)}) with ordinality as o (one, place)
           left join same_people s on s.came = one order by place)
         where t.${quoted(column)} && array(select came from same_people)`,
      )
    }
  }
  // The name of an inbox of documents escalated to a member contains the id of this member.
  await client.query(
    `update ${incoming('request_inboxes')} t set inbox = split_part(t.inbox, '/', 1) || '/' || s.here
     from same_people s where split_part(t.inbox, '/', 2) = s.came::text`,
  )
  await client.query(
    `delete from ${incoming('sign_in_accounts')} where id::text in (
       select u.subject from ${incoming('users')} u join same_people s on s.came = u.id)`,
  )
  await client.query(`delete from ${incoming('users')} where id in (select came from same_people)`)
  return rows[0]!.count
}

/**
 * Accounts of the embedded sign-in service that exist here already stay as they are, with their second step: recovery
 * codes that were used up here since, or a second step that was switched off, do not come back.
 */
export async function leaveKnownAccounts(client: pg.Client, packed: readonly string[]): Promise<void> {
  const accounts = incoming('sign_in_accounts')
  await client.query(
    `delete from ${accounts} came using sign_in_accounts here
     where here.id = came.id or here.email = came.email or here.iin = came.iin`,
  )
  for (const table of ['sign_in_recovery_codes', 'sign_in_second_factors'].filter((one) =>
    packed.includes(one),
  ))
    await client.query(`delete from ${incoming(table)} where account_id not in (select id from ${accounts})`)
}

/** Columns that refer to a person through a membership or a group instead of a reference to `users`. */
const viaMembership = [
  ...['group_participants', 'user_options', 'notification_settings', 'point_responsible_persons'].map(
    (table) => ({
      table,
      column: 'user_id',
    }),
  ),
  ...['route_points', 'request_points'].map((table) => ({ table, column: 'escalation_user_id' })),
]

/**
 * Inserts the incoming rows. Rows that exist here already must be equal, unless both installations may have changed
 * them since.
 */
export async function takeRows(
  client: pg.Client,
  { table, numbered, own = [], mayDiffer }: MovedTable,
  { order }: Table,
  columns: readonly string[],
): Promise<void> {
  const from = incoming(table)
  if (numbered !== undefined) {
    const rest = listed(columns.filter((column) => column !== numbered))
    await client.query(
      `insert into ${table} (${rest}) select ${rest} from ${from} order by ${quoted(numbered)}`,
    )
    return
  }
  const keys = order.map((key) => key.replace(/ collate "C"$/, ''))
  const isSameRow = keys.map((key) => `here.${key} = came.${key}`).join(' and ')
  if (!mayDiffer && table !== 'organizations') {
    const compared = columns.filter((column) => !own.includes(column))
    const { rows } = await client.query(
      `select from ${from} came join ${table} here on ${isSameRow}
       where (${prefixed('here', compared)}) is distinct from (${prefixed('came', compared)}) limit 1`,
    )
    if (rows.length > 0) fail(`Some of ${table} are here already, with other content`)
  }
  const replaced = replacing[table]
  const conflict = replaced
    ? `on conflict (${keys.map(quoted).join(', ')}) do update set ${columns.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')}
       where ${replaced}`
    : 'on conflict do nothing'
  await client.query(
    `insert into ${table} (${listed(columns)}) select ${listed(columns)} from ${from} ${conflict}`,
  )
  for (const column of own.map(quoted)) {
    await client.query(
      `update ${table} here set ${column} = came.${column} from ${from} came
       where ${isSameRow} and here.${column} is null and came.${column} is not null`,
    )
  }
}

/**
 * When an incoming row replaces an existing one: an organisation or person known here by name only is filled in, and
 * a count only grows.
 */
const replacing: Record<string, string | undefined> = {
  organizations: 'organizations.lives_at is not null and excluded.lives_at is null',
  // After moving away and back, the free requests that were used up elsewhere stay used up.
  free_request_counts: 'free_request_counts.created < excluded.created',
  users: `users.issuer = '${issuerElsewhere}' and excluded.issuer <> '${issuerElsewhere}'`,
}

const prefixed = (table: string, columns: readonly string[]) =>
  columns.map((column) => `${table}.${quoted(column)}`).join(', ')

/** The signatures for which the other installation still owed a timestamp: its jobs do not move. */
export async function findUnstamped(client: pg.Client, organizationId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select s.id from request_signatures s
     left join signature_timestamps t on t.signature_id = s.id
     where s.state = 'accepted' and t.signature_id is null and s.evidence->>'timestampTime' is null
       and not exists (select from archived_signatures a where a.signature_id = s.id)
       and s.request_id in (select id from signing_requests where organization_id = $1
         union select request_id from request_points where organization_id = $1
         union select p.request_id from request_points p join organizations o on o.bin = p.bin where o.id = $1)
     order by s.id`,
    [organizationId],
  )
  return rows.map(({ id }) => id)
}

export async function takeLog(client: pg.Client, { id, log }: MovingManifest): Promise<Writable> {
  await client.query(
    `insert into earlier_logs (id, origin, public_key, size, at, root, key_id, signature)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      log.origin,
      Buffer.from(log.publicKey, 'base64'),
      log.size,
      log.at,
      Buffer.from(log.root, 'hex'),
      Buffer.from(log.keyId, 'hex'),
      Buffer.from(log.signature, 'base64'),
    ],
  )
  return client.query(
    copyFrom('copy earlier_log_entries (request_id, number, log_id, index, siblings) from stdin'),
  )
}
