/** SQL of personal data: what is stored about a person, and its erasure. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { erasedIssuer } from '@kelisim/domain/identity/own-issuers.ts'
import { personalTables, type PersonalTable } from './tables.ts'

export type Person = {
  id: string
  email: string
  /** Null until they have proved that it is theirs. */
  provedEmail: string | null
  /** Null unless they have proved it. */
  iin: string | null
  /** Their account at the embedded sign-in service; null: they sign in elsewhere. */
  accountId: string | null
}

export async function findPerson(db: Db, userId: string): Promise<Person> {
  const { rows } = await sql<Person>`
    select u.id, u.email, case when u.is_email_confirmed then u.email end as "provedEmail", u.iin, a.id as "accountId"
    from users u left join sign_in_accounts a on a.id::text = u.subject and lower(a.email) = lower(u.email)
    where u.id = ${userId}`.execute(db)
  return rows[0]!
}

const mostRows = 10_000

/** The rows about the person, as PostgreSQL writes them in JSON, without secrets. */
export async function findRowsOf(
  db: Db,
  person: Person,
  { table, isTheirs, without = [] }: PersonalTable,
): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(t) - ${[...without]}::text[] as row from ${sql.table(table)} t
    where ${conditionOf(isTheirs, person)} limit ${mostRows}`.execute(db)
  return rows.map(({ row }) => row)
}

/** The condition with the values of the person bound; its text is our own and needs no escaping. */
function conditionOf(isTheirs: string, { id, provedEmail, iin, accountId }: Person) {
  const values = [sql`${id}::uuid`, sql`${provedEmail}::text`, sql`${iin}::text`, sql`${accountId}::uuid`]
  const [first, ...others] = isTheirs.split(/\$(?=[1-4])/)
  return others.reduce(
    (whole, part) => sql`${whole}${values[Number(part[0]) - 1]!}${sql.raw(part.slice(1))}`,
    sql`${sql.raw(first!)}`,
  )
}

/** The organisations of the person that also have other members. */
export async function findOrganizationsWithOthers(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select o.short_name as name from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and exists (
      select from memberships other where other.organization_id = m.organization_id and other.user_id <> m.user_id)
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

export async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(tx)
}

/** Whether a signature of the person is being checked, whose result would bring back erased data. */
export async function hasSignatureInCheck(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from request_signatures where actor ->> 'id' = ${userId} and state = 'checking' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Locks the organisations of the person: nobody joins or leaves them before the transaction ends. */
export async function lockOrganizationsOf(tx: Tx, userId: string): Promise<void> {
  await sql`select from organizations where id in (select organization_id from memberships where user_id = ${userId})
    order by id for no key update`.execute(tx)
}

/** Erases the person. Their name stays in histories of documents, which must tell who sent or approved them. */
export async function erase(tx: Tx, person: Person, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from memberships where user_id = ${person.id}`.execute(tx)
  const own = rows.map(({ id }) => id)
  await sql`update program_tokens set revoked_at = ${now}, revoked_by = ${person.id}
    where acts_as = ${person.id} and revoked_at is null`.execute(tx)
  await sql`update substitutions set ended_at = ${now}, ended_by = ${person.id}
    where (absent_id = ${person.id} or substitute_id = ${person.id}) and ended_at is null`.execute(tx)
  await sql`update invitations set withdrawn_at = ${now}
    where lower(email) = lower(${person.provedEmail}) and accepted_at is null and withdrawn_at is null`.execute(
    tx,
  )
  for (const { table, isTheirs, erased } of personalTables.toReversed()) {
    if (erased === 'gone')
      await sql`delete from ${sql.table(table)} t where ${conditionOf(isTheirs, person)}`.execute(tx)
  }
  // An organisation left without people becomes unclaimed: whoever proves its number becomes its owner.
  await sql`update organizations o set confirmed_at = null, is_unclaimed = true
    where o.id = any(${own}::uuid[]) and o.confirmed_at is not null
      and not exists (select from memberships m where m.organization_id = o.id)`.execute(tx)
  await sql`update users set issuer = ${erasedIssuer}, subject = id::text, login = '', email = '', is_email_confirmed = false,
      iin = null, signing_iin = null,
      full_name = case when exists (select from signing_requests r where r.author_id = users.id)
        or exists (select from request_events e where e.actor ->> 'id' = users.id::text) then full_name else '—' end
    where id = ${person.id}`.execute(tx)
  await sql`insert into erasures (user_id, at) values (${person.id}, ${now})`.execute(tx)
}
