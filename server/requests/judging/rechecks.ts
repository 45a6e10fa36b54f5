/**
 * A signature is accepted on what the centre says in that moment; who lost their key an hour before may not have said so
 * yet. So the centre is asked once more a day later. What was decided stays as it is: the answer stands beside it, and if
 * the certificate was no good when it signed, the author is told and the operator sees it.
 */
import { sql } from 'kysely'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'
import { inOrganization, outgoingRequestPage } from '@kelisim/domain/pages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { documentPolicy } from './judging.ts'

/** Older ones were accepted before there were re-checks, or while nobody looked for a month. */
const oldest = 30 * day
const mostTries = 8

type Outside = {
  database: Database
  check: SignatureChecks['check']
  queueMail: QueueMail
  publicUrl: URL
  clock: () => Date
  /** So long at most; the rest waits for the next time. */
  forMs?: number
}

type Due = { id: string; cms: Buffer; receivedAt: Date; tries: number }
type Outcome = 'good' | 'revoked-later' | 'revoked-before' | 'unknown'

export async function recheckSignatures(outside: Outside): Promise<void> {
  const { database, clock, forMs = 5 * minute } = outside
  const stopAt = performance.now() + forMs
  for (;;) {
    const due = await findDue(database, clock())
    if (due.length === 0) return
    for (const one of due) {
      if (performance.now() > stopAt) return
      await recheck(outside, one)
    }
  }
}

function findDue({ db }: Database, now: Date): Promise<Due[]> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureRechecks as r', 'r.signatureId', 's.id')
    .select(['s.id', 's.receivedAt', sql<number>`coalesce(r.tries, 0)`.as('tries')])
    .select(sql<Buffer>`coalesce(s.timestamped_cms, s.cms)`.as('cms'))
    .where('s.state', '=', 'accepted')
    .where('s.checkedAt', '<=', ago(day))
    .where('s.checkedAt', '>', ago(oldest))
    .where((eb) => eb.or([eb('r.signatureId', 'is', null), eb('r.nextTryAt', '<=', now)]))
    .orderBy('s.checkedAt')
    .limit(50)
    .execute()
}

async function recheck({ database, check, queueMail, publicUrl, clock }: Outside, due: Due): Promise<void> {
  const now = clock()
  const { outcome, revokedAt } = await askAgain(check, due, now)
  const tries = due.tries + 1
  const isGivenUp = outcome === null && tries >= mostTries
  const settled: Outcome | null = isGivenUp ? 'unknown' : outcome
  const row = {
    tries,
    checkedAt: now,
    outcome: settled,
    revokedAt,
    nextTryAt: settled === null ? new Date(now.getTime() + Math.min(hour * 2 ** due.tries, day)) : null,
  }
  await database.write(async (tx) => {
    const written = await tx
      .insertInto('signatureRechecks')
      .values({ signatureId: due.id, ...row })
      .onConflict((conflict) =>
        conflict.column('signatureId').doUpdateSet(row).where('signatureRechecks.outcome', 'is', null),
      )
      .returning('signatureId')
      .executeTakeFirst()
    if (written && settled === 'revoked-before') await tellAuthor(tx, { queueMail, publicUrl }, due.id)
  })
}

/** Whether the document is the one was settled long ago: here it is only about the certificate. */
async function askAgain(
  check: SignatureChecks['check'],
  { cms, receivedAt }: Due,
  at: Date,
): Promise<{ outcome: Outcome | null; revokedAt: Date | null }> {
  const policy = { ...documentPolicy, broughtEvidence: 'ignore', timestamp: 'optional' } as const
  const { signers } = await check({ signature: cms, document: new Uint8Array(), at, policy })
  const [signer] = signers
  if (!signer) return { outcome: null, revokedAt: null }
  const { revokedAt, timestampTime, faults, evidence } = signer
  if (revokedAt && !faults.includes('on-hold')) {
    const existedAt = timestampTime ?? receivedAt
    return { outcome: revokedAt <= existedAt ? 'revoked-before' : 'revoked-later', revokedAt }
  }
  const isKnown = evidence.ocspResponses.length > 0 || evidence.crls.length > 0
  return { outcome: isKnown && !revokedAt ? 'good' : null, revokedAt: null }
}

async function tellAuthor(
  tx: Tx,
  { queueMail, publicUrl }: Pick<Outside, 'queueMail' | 'publicUrl'>,
  signatureId: string,
): Promise<void> {
  const { id, name, organizationId, email, language, owner, actor } = await tx
    .selectFrom('requestSignatures as s')
    .innerJoin('signingRequests as r', 'r.id', 's.requestId')
    .innerJoin('users as u', 'u.id', 'r.authorId')
    .select(['r.id', 'r.name', 'r.organizationId', 'u.email', 'u.language', 's.owner', 's.actor'])
    .where('s.id', '=', signatureId)
    .executeTakeFirstOrThrow()
  if (email === '') return
  const texts = textsOf(language, 'mail')
  const page = inOrganization(outgoingRequestPage(id), organizationId)
  await queueMail(tx, {
    to: email,
    language,
    subject: texts('revokedBefore.subject', { name }),
    paragraphs: [
      texts('revokedBefore.text', { name, signer: owner?.fullName ?? actor.fullName }),
      texts('revokedBefore.advice'),
    ],
    button: { label: texts('revokedBefore.button'), url: new URL(page, publicUrl).href },
  })
}
