/** The queries of an export on the database that the organisation leaves, all on the connection of the export. */
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { statusNumbers, unfinishedStatuses } from '@kelisim/domain/requests/status.ts'
import { findTables, quoted, type Table } from '../backup/tables.ts'
import { movedTables, type MovedTable } from './tables.ts'

export type Leaving = { id: string; bin: string; livesAt: string | null }

export async function findLeaving(client: pg.Client, bin: string): Promise<Leaving | undefined> {
  const { rows } = await client.query<Leaving>(
    `select id, bin, lives_at as "livesAt" from organizations where bin = $1 and confirmed_at is not null`,
    [bin],
  )
  return rows[0]
}

/**
 * Marks the organisation as living elsewhere, and the requests that came to its number as moved, so that nobody
 * changes either; requests sent to the number later stay here. Returns when every transaction that began before has
 * ended.
 */
export async function settleElsewhere(
  client: pg.Client,
  { id, bin, livesAt }: Leaving,
  address: string,
): Promise<void> {
  const { rows } = await client.query<{ xid: string }>(
    `with left_with_it as (
       insert into moved_requests (organization_id, request_id)
       select distinct $1::uuid, request_id from request_points where bin = $2 and $3)
     update organizations set lives_at = $4 where id = $1 returning pg_current_xact_id()::text as xid`,
    [id, bin, livesAt === null, address],
  )
  for (;;) {
    const { rows: found } = await client.query<{ over: boolean }>(
      `select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over, pg_sleep(0.05)`,
      [rows[0]!.xid],
    )
    if (found[0]!.over) return
  }
}

export async function settleHere(client: pg.Client, { id }: Leaving): Promise<void> {
  await client.query(
    `with stays as (delete from moved_requests where organization_id = $1)
     update organizations set lives_at = null where id = $1`,
    [id],
  )
}

export type UnderWay = { what: 'request' | 'bulk'; id: string; name: string }

/** What must end before leaving: an open request that lived in two installations could be signed in both. */
export async function findUnderWay(client: pg.Client, { id }: Leaving): Promise<UnderWay[]> {
  const { rows } = await client.query<UnderWay>(
    `select 'request' as what, r.id, r.name from signing_requests r
     where (r.status = any ($2)
         or exists (select from request_signatures s where s.request_id = r.id and s.state = 'checking'))
       and (r.organization_id = $1
         or exists (select from request_points p where p.request_id = r.id and p.organization_id = $1)
         or exists (select from moved_requests m where m.request_id = r.id and m.organization_id = $1))
     union all
     select 'bulk', b.id, b.file_name from bulk_sendings b where b.organization_id = $1 and b.state in ('running', 'paused')
     order by 1, 2`,
    [id, statusNumbers(unfinishedStatuses)],
  )
  return rows
}

/** Makes temporary tables with the ids of everything that moves, in the snapshot of the export. */
export async function chooseWhatGoes(client: pg.Client, { id }: Leaving): Promise<void> {
  const choose = async (name: string, query: string) => {
    await client.query(`create temporary table ${name} (id uuid primary key) on commit drop`)
    await client.query(
      `insert into ${name} select distinct found.id from (${query}) found (id) where found.id is not null`,
    )
  }
  const literal = client.escapeLiteral(id)
  await choose(
    'moving_requests',
    `select id from signing_requests where organization_id = ${literal}
     union select request_id from request_points where organization_id = ${literal}
     union select request_id from moved_requests where organization_id = ${literal}`,
  )
  const ofRequests = (table: string, column: string) =>
    `select ${column} from ${table} where request_id in (select id from moving_requests)`
  await choose('moving_signatures', ofRequests('request_signatures', 'id'))
  await choose(
    'moving_files',
    `select f.id from files f where f.organization_id = ${literal}
       and not exists (select from request_outputs o where o.file_id = f.id)
     union select file_id from signing_requests where id in (select id from moving_requests)
     union ${ofRequests('request_revisions', 'file_id')}
     union select p.file_id from request_proposals p join signing_requests r on r.id = p.request_id
       where r.organization_id = ${literal} and r.id in (select id from moving_requests)
     union ${ofRequests('request_terminations', 'file_id')}
     union ${ofRequests('request_signatures', 'file_id')}`,
  )
  await choose('moving_organizations', await referringTo(client, 'organizations', id))
  await choose('moving_users', await referringTo(client, 'users', id))
}

/** SQL for all values by which moving rows refer to this table. */
async function referringTo(client: pg.Client, target: string, id: string): Promise<string> {
  const references = await findReferences(client, target)
  const chosen = movedTables.filter(({ table }) => !['organizations', 'users', 'erasures'].includes(table))
  return chosen
    .flatMap((moved) =>
      references
        .filter(({ table }) => table === moved.table)
        .map(
          ({ column }) =>
            `select t.${quoted(column)} from ${moved.table} t where ${goesOf(client, moved, id)}`,
        ),
    )
    .join(' union ')
}

/** The columns of single-column references to a table. */
export async function findReferences(
  client: pg.Client,
  target: string,
): Promise<{ table: string; column: string }[]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = $1::regclass and array_length(c.conkey, 1) = 1
     order by 1, 2`,
    [target],
  )
  return rows
}

/** The condition of the moving rows, with the id inserted as a literal because COPY takes no parameters. */
function goesOf(client: pg.Client, { goes }: MovedTable, id: string): string {
  return goes.replaceAll('$1', client.escapeLiteral(id))
}

/** The moving rows of a table, in the form in which they are imported. */
export function copyMoved(
  client: pg.Client,
  moved: MovedTable,
  { columns, order }: Table,
  { id, from }: { id: string; from: string },
): Readable {
  const shown = columns.map(
    (column) => `${shownAs(client, moved, column, { id, from })} as ${quoted(column)}`,
  )
  const by = moved.numbered
    ? quoted(moved.numbered)
    : order.length > 0
      ? order.join(', ')
      : 't::text collate "C"'
  return client.query(
    copyTo(
      `copy (select ${shown.join(', ')} from ${moved.table} t where ${goesOf(client, moved, id)}
       order by ${by}) to stdout`,
    ),
  )
}

/** The exported value of a column: of organisations and people that stay, only the name is exported. */
function shownAs(
  client: pg.Client,
  { table, own = [] }: MovedTable,
  column: string,
  { id, from }: { id: string; from: string },
): string {
  const name = `t.${quoted(column)}`
  const us = client.escapeLiteral(id)
  if (own.includes(column)) return `case when t.organization_id = ${us} then ${name} end`
  if (table === 'organizations') {
    const ofOthers = {
      lives_at: `coalesce(t.lives_at, ${client.escapeLiteral(from)})`,
      ...namelessOrganization,
    }[column]
    if (column === 'lives_at') return `case when t.id <> ${us} then ${ofOthers} end`
    if (ofOthers !== undefined) return `case when t.id = ${us} then ${name} else ${ofOthers} end`
  }
  const nameless = table === 'users' ? namelessUser[column] : undefined
  if (nameless !== undefined) {
    const isMember = `exists (select from memberships m where m.organization_id = ${us} and m.user_id = t.id)`
    return `case when ${isMember} then ${name} else ${nameless} end`
  }
  return name
}

const namelessOrganization: Record<string, string> = {
  confirmed_at: 'null',
  is_unclaimed: 'false',
  address: `''`,
  phone: `''`,
  email: `''`,
}

/** The issuer of people who are known by name only: nobody signs in with it. */
export const issuerElsewhere = 'elsewhere'

const namelessUser: Record<string, string> = {
  issuer: `'${issuerElsewhere}'`,
  subject: 't.id::text',
  login: `''`,
  email: `''`,
  is_email_confirmed: 'false',
  iin: 'null',
  signing_iin: 'null',
}

export function copyFileList(client: pg.Client): Readable {
  return client.query(
    copyTo(`copy (select encode(sha256, 'hex'), size, organization_id, id from files
      where id in (select id from moving_files) and removed_at is null order by id) to stdout`),
  )
}

export type PlaceInLog = { requestId: string; number: number; index: number }

export async function findPlaces(client: pg.Client, after: number, count: number): Promise<PlaceInLog[]> {
  const { rows } = await client.query<PlaceInLog>(
    `select request_id as "requestId", number, index from log_entries
     where index > $1 and request_id in (select id from moving_requests) order by index limit $2`,
    [after, count],
  )
  return rows
}

export async function findInstallation(client: pg.Client) {
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  )
  const { rows: modes } = await client.query<{ mode: 'demo' | 'production' }>('select mode from installation')
  return { migrations, mode: modes[0]?.mode ?? null, tables: await findTables(client) }
}

export async function noteAct(client: pg.Client, at: Date, type: string, details: object): Promise<void> {
  await client.query('insert into operator_acts (at, by, type, details) values ($1, null, $2, $3)', [
    at,
    type,
    details,
  ])
}
