/** E-mails to people who did not ask for them: how many went out on a day, and which addresses want none. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { landingIssuer } from '@kelisim/domain/identity/own-issuers.ts'
import type { StrangerLimitKind } from '@kelisim/domain/mail/stranger-limits.ts'

export type StrangerCount = { kind: StrangerLimitKind; key: string; sent: number }

/** Locks the counts of the day until the transaction ends, always in the same order, so that there is no deadlock. */
export async function lockCounts(
  tx: Tx,
  day: string,
  counts: readonly Omit<StrangerCount, 'sent'>[],
): Promise<StrangerCount[]> {
  const { rows } = await sql<StrangerCount>`
    insert into stranger_mail_counts as c (day, kind, key, sent)
    select ${day}::date, kind, key, 0
    from unnest(${counts.map(({ kind }) => kind)}::text[], ${counts.map(({ key }) => key)}::text[]) w (kind, key)
    group by kind, key
    order by kind, key
    on conflict (day, kind, key) do update set sent = c.sent
    returning kind, key, sent`.execute(tx)
  return rows
}

/**
 * The people behind these users: on the landing one person sends as several users, one for each number whose key they
 * hold. A person is identified by a hash, because the counts must not store an IIN.
 */
export async function findPeopleBehind(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; iin: string }>`
    select id, encode(sha256(convert_to(coalesce(iin, substring(subject from '^\\d{12}')), 'UTF8')), 'base64') as iin
    from users
    where id = any(${[...userIds]}::uuid[]) and (iin is not null or issuer = ${landingIssuer})`.execute(db)
  return new Map(rows.filter(({ iin }) => iin !== null).map(({ id, iin }) => [id, iin]))
}

export async function saveCounts(tx: Tx, day: string, counts: readonly StrangerCount[]): Promise<void> {
  await sql`
    update stranger_mail_counts c set sent = w.sent
    from unnest(
      ${counts.map(({ kind }) => kind)}::text[],
      ${counts.map(({ key }) => key)}::text[],
      ${counts.map(({ sent }) => sent)}::int[]
    ) w (kind, key, sent)
    where c.day = ${day}::date and c.kind = w.kind and c.key = w.key`.execute(tx)
}

/** Deletes the counts of past days. */
export async function sweepCounts(tx: Tx, today: string): Promise<void> {
  await tx.deleteFrom('strangerMailCounts').where('day', '<', today).execute()
}

export type StoppedRow = { addressHash: Buffer; organizationId: string | null }

/** Which of these addresses want no e-mails of this sender, or none at all. */
export function findStoppedRows(
  db: Db,
  hashes: readonly Buffer[],
  organizationId: string | null,
): Promise<StoppedRow[]> {
  if (hashes.length === 0) return Promise.resolve([])
  return db
    .selectFrom('stoppedLetters')
    .select(['addressHash', 'organizationId'])
    .where('addressHash', 'in', hashes)
    .where((eb) =>
      eb.or([
        eb('organizationId', 'is', null),
        ...(organizationId === null ? [] : [eb('organizationId', '=', organizationId)]),
      ]),
    )
    .execute()
}

export async function saveStopped(
  tx: Tx,
  { addressHash, organizationId }: StoppedRow,
  isOff: boolean,
  now: Date,
): Promise<void> {
  if (isOff) {
    await tx
      .insertInto('stoppedLetters')
      .values({ addressHash, organizationId, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return
  }
  await tx
    .deleteFrom('stoppedLetters')
    .where('addressHash', '=', addressHash)
    .where('organizationId', 'is not distinct from', organizationId)
    .execute()
}

/** The name in the certificate; null if the organisation has proved none. */
export async function findProvedName(db: Db, organizationId: string): Promise<string | null> {
  const organization = await db
    .selectFrom('organizations')
    .select('shortName')
    .where('id', '=', organizationId)
    .where((eb) => eb.or([eb('confirmedAt', 'is not', null), eb('isUnclaimed', '=', true)]))
    .executeTakeFirst()
  return organization?.shortName ?? null
}
