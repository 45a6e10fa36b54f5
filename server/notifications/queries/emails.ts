/** E-mails that were sent about a request. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { countLimit } from '@kelisim/domain/fields.ts'

/** Notices of comments are left out: the sender must not learn that others talk among themselves. */
const ofComments = 'c%'

/** Notices with their e-mails, the newest first; the language is null for people who are no longer members. */
function emailsOf(db: Db, requestId: string) {
  return db
    .selectFrom('notices as n')
    .leftJoin('mails as m', 'm.id', 'n.mailId')
    .leftJoin('organizations as o', 'o.id', 'n.organizationId')
    .leftJoin('memberships as s', (join) =>
      join.onRef('s.organizationId', '=', 'n.organizationId').onRef('s.userId', '=', 'n.userId'),
    )
    .leftJoin('users as u', 'u.id', 's.userId')
    .select(['n.id', 'n.kind', 'n.about', 'n.createdAt', 'n.recipient', 'n.mode', 'n.userId', 'n.email'])
    .select(['n.organizationId', 'n.number', 'o.shortName', 'u.fullName', 'u.language'])
    .select(['s.roles', 'u.email as emailNow', 'u.isEmailConfirmed'])
    .select(['m.state', 'm.lastError', 'm.replyCode', 'm.createdAt as writtenAt'])
    .where('n.requestId', '=', requestId)
    .where('n.occasion', 'not like', ofComments)
    .orderBy('n.createdAt', 'desc')
    .orderBy('n.id', 'desc')
}

export type PointOfEmails = { pointId: string; attempt: number }

/**
 * A condition: the notice asks somebody at this point. Its occasion carries the number of the event of the history by
 * which the point's turn came.
 */
function isAbout({ pointId, attempt }: PointOfEmails) {
  return sql<boolean>`n.about ->> 'asks' is not null and exists (
    select from request_events e where e.request_id = n.request_id and n.occasion = 'e' || e.number
      and e.point_id = ${pointId} and e.attempt = ${attempt})`
}

export type EmailRow = NonNullable<Awaited<ReturnType<typeof findEmail>>>

export function findEmails(
  db: Db,
  requestId: string,
  at: PointOfEmails | undefined,
  { skip, take }: { skip: number; take: number },
): Promise<EmailRow[]> {
  return emailsOf(db, requestId)
    .$if(at !== undefined, (query) => query.where(isAbout(at!)))
    .offset(skip)
    .limit(take)
    .execute()
}

export function findEmail(db: Db, requestId: string, noticeId: string) {
  return emailsOf(db, requestId).where('n.id', '=', noticeId).executeTakeFirst()
}

export async function countEmails(db: Db, requestId: string, at: PointOfEmails | undefined): Promise<number> {
  const some = db
    .selectFrom('notices as n')
    .select('n.id')
    .where('n.requestId', '=', requestId)
    .where('n.occasion', 'not like', ofComments)
    .$if(at !== undefined, (query) => query.where(isAbout(at!)))
    .limit(countLimit + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** When an e-mail was last sent again, by recipient. */
export async function findResentTimes(db: Db, requestId: string): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('notices')
    .select(({ fn }) => ['recipient', fn.max('resentAt').as('resentAt')])
    .where('requestId', '=', requestId)
    .where('resentAt', 'is not', null)
    .groupBy('recipient')
    .execute()
  return new Map(rows.flatMap(({ recipient, resentAt }) => (resentAt ? [[recipient, resentAt]] : [])))
}

export async function saveResent(
  tx: Tx,
  noticeId: string,
  resent: { email: string; mailId: string; resentAt: Date },
): Promise<void> {
  await tx.updateTable('notices').set(resent).where('id', '=', noticeId).execute()
}
