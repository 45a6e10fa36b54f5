/** Signatures of a request as its page shows them. */
import { sql } from 'kysely'
import { byKey, type Db } from '@kelisim/db/db.ts'

export type SignatureRow = Awaited<ReturnType<typeof findSignatures>>[number]

/** When the centre last answered about signature `s`: at its acceptance, or when it was asked again (`c`). */
export const lastCheckedAt =
  sql<Date | null>`greatest(s.checked_at, case when c.outcome <> 'unknown' then c.checked_at end)`.as(
    'lastCheckedAt',
  )

/** Only the latest refused signatures of each point are shown, so that repeated attempts do not make the page long. */
const mostRefused = 10

/** Signatures over an earlier revision are kept as evidence, but no longer count. */
export function isOverNewest(signatures: 's' | 'request_signatures' = 'request_signatures') {
  const table = sql.ref(signatures)
  return sql<boolean>`${table}.revision = (
    select r.revision from signing_requests r where r.id = ${table}.request_id)`
}

/** A signature inside XML is stored as its element, which begins with `<`. */
export const beginsAsXml = sql<boolean>`substring(cms for 1) = decode('3c', 'hex')`
const isInXml = beginsAsXml.as('isInXml')

/** `onlyBy`: the person whose signatures alone are wanted. */
export function findSignatures(db: Db, requestId: string, attempt: number, onlyBy?: string) {
  const numbered = db
    .selectFrom('requestSignatures')
    .select(['id', 'state'])
    .select(
      sql<number>`row_number() over (partition by attempt, point_id, state order by received_at desc, id desc)`.as(
        'place',
      ),
    )
    .where('requestId', '=', requestId)
    .where('attempt', 'in', [0, attempt])
    .$if(onlyBy !== undefined, (query) => query.where('actorId', '=', onlyBy!))
    .where(isOverNewest())
  return (
    db
      .selectFrom(numbered.as('n'))
      .innerJoin('requestSignatures as s', 's.id', 'n.id')
      // A timestamp requested here for a signature that came without one.
      .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
      .select([
        's.id',
        's.attempt',
        's.pointId',
        's.actor',
        's.comment',
        's.receivedAt',
        's.state',
        's.gapFrom',
      ])
      .select(isInXml)
      .leftJoin('signatureRechecks as c', 'c.signatureId', 's.id')
      .select(['s.nextTryAt', 's.verdict', 's.owner', lastCheckedAt, 's.power', 't.time as stampedAt'])
      .where((eb) => eb.or([eb('n.state', '<>', 'refused'), eb('n.place', '<=', mostRefused)]))
      .orderBy('s.receivedAt')
      .orderBy('s.id')
      .modifyEnd(byKey)
      .execute()
  )
}

export type SignedAnswer = Awaited<ReturnType<typeof findSignedAnswers>>[number]

/** Who signed, without the details of the signatures, because a campaign has hundreds. */
export function findSignedAnswers(db: Db, requestId: string) {
  return db
    .selectFrom('requestSignatures')
    .select(['id', 'attempt', 'pointId', 'actor', 'comment', 'receivedAt', 'state'])
    .where('requestId', '=', requestId)
    .where('attempt', '=', 0)
    .where('state', '=', 'accepted')
    .where(isOverNewest())
    .orderBy('receivedAt')
    .orderBy('id')
    .execute()
}

/** Accepted signatures of the documents of these requests. */
export function findAcceptedSignatures(db: Db, requestIds: readonly string[]) {
  return db
    .selectFrom('requestSignatures')
    .select(['id', 'requestId', 'pointId', 'actor', 'owner', 'receivedAt', 'gapFrom'])
    .select(isInXml)
    .where('requestId', 'in', requestIds)
    .where('attempt', '=', 0)
    .where('state', '=', 'accepted')
    .where(isOverNewest())
    .orderBy('receivedAt')
    .orderBy('id')
    .execute()
}

/** The CMS, with its timestamp if there is one. */
export async function getSignatureBytes(db: Db, signatureId: string): Promise<Buffer> {
  const { cms, timestampedCms } = await db
    .selectFrom('requestSignatures')
    .select(['cms', 'timestampedCms'])
    .where('id', '=', signatureId)
    .executeTakeFirstOrThrow()
  return timestampedCms ?? cms
}

/**
 * A signature that this person may download: accepted, or their own. Others who had an unjudged signature could
 * submit it first.
 */
export function findDownloadableSignature(
  db: Db,
  {
    requestId,
    signatureId,
    actorId,
    process,
  }: {
    requestId: string
    signatureId: string
    actorId: string
    process: 'signing' | 'terminating' | 'any'
  },
) {
  return (
    db
      .selectFrom('requestSignatures')
      .select(['pointId', 'actorId', 'cms', 'timestampedCms', 'gapFrom'])
      .$if(process === 'signing', (query) => query.where('attempt', '=', 0))
      .$if(process === 'terminating', (query) => query.where('attempt', '>', 0))
      .where('requestId', '=', requestId)
      .where('id', '=', signatureId)
      .where((eb) => eb.or([eb('state', '=', 'accepted'), eb('actorId', '=', actorId)]))
      // A PDF with a signature over an earlier revision is a draft that not everybody may have.
      .where(isOverNewest())
      .executeTakeFirst()
  )
}
