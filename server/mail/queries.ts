/** SQL of e-mails: those on their way, and those kept for the demo's mailbox. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

type MailRow = Selectable<Schema['mails']>

export async function addMail(tx: Tx, mail: Insertable<Schema['mails']>): Promise<void> {
  await tx.insertInto('mails').values(mail).execute()
}

export function findMail(db: Db, id: string): Promise<MailRow | undefined> {
  return db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
}

/** To one address or to all, the newest first. */
export async function findMails(
  db: Db,
  { recipient, skip, take }: { recipient?: string | undefined; skip: number; take: number },
): Promise<{ items: MailRow[]; totalCount: number }> {
  const mails = db
    .selectFrom('mails')
    .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient!))
  const items = await mails
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await mails.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export type Claim = { id: string; attempts: number }
type ClaimedMail = Claim & {
  state: 'queued' | 'uncertain'
  recipient: string
  subject: string
  text: string
  html: string
  unsubscribeUrl: string | null
  replyTo: string | null
}

/** Each attempt has a number, so that a later process can take over from one that is presumed dead. */
export async function claimMails(
  database: Database,
  mailIds: readonly string[],
): Promise<(ClaimedMail | undefined)[]> {
  const { rows } = await database.write((tx) =>
    sql<ClaimedMail>`
      update mails set attempts = attempts + 1,
        state = case state when 'handing-over' then 'uncertain' else 'queued' end
      where id = any(${mailIds}::uuid[]) and state in ('queued', 'failed', 'handing-over')
      returning id, attempts, state, recipient, subject, text, html, unsubscribe_url as "unsubscribeUrl",
        reply_to as "replyTo"`.execute(tx),
  )
  const claimed = new Map(rows.map((row) => [row.id, row]))
  return mailIds.map((id) => claimed.get(id))
}

/** Committed before the end of the message is sent. False: another process has taken it over. */
export async function markMails(database: Database, claims: readonly Claim[], now: Date): Promise<boolean[]> {
  const ids = claims.map(({ id }) => id)
  const attempts = claims.map((claim) => claim.attempts)
  const { rows } = await database.write((tx) =>
    sql<{ id: string }>`
      update mails m set state = 'handing-over', handed_over_at = ${now}
      from unnest(${ids}::uuid[], ${attempts}::int[]) c (id, attempts)
      where m.id = c.id and m.attempts = c.attempts and m.state = 'queued'
      returning m.id`.execute(tx),
  )
  const marked = new Set(rows.map(({ id }) => id))
  return ids.map((id) => marked.has(id))
}

export type SettledMail = Claim & {
  state: 'sent' | 'queued' | 'failed' | 'refused' | 'uncertain'
  code: number | null
  answer: string
}

/** E-mails contain links that give access, so their content is deleted once delivered. */
export async function settleMails(
  database: Database,
  results: readonly SettledMail[],
  now: Date,
): Promise<undefined[]> {
  await database.write((tx) =>
    sql`
      update mails m set state = r.state, reply_code = r.code,
        last_error = case r.state when 'sent' then null else r.answer end,
        sent_at = case r.state when 'sent' then ${now}::timestamptz end,
        text = case r.state when 'sent' then '' else m.text end,
        html = case r.state when 'sent' then '' else m.html end
      from unnest(
        ${results.map(({ id }) => id)}::uuid[],
        ${results.map(({ attempts }) => attempts)}::int[],
        ${results.map(({ state }) => state)}::text[],
        ${results.map(({ code }) => code)}::int[],
        ${results.map(({ answer }) => answer.replaceAll('\u0000', ''))}::text[]
      ) r (id, attempts, state, code, answer)
      where m.id = r.id and (r.state = 'sent' or m.attempts = r.attempts)`.execute(tx),
  )
  return results.map(() => undefined)
}
