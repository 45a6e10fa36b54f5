/**
 * A signature is accepted on the answer that the certification centre gives at that moment; the owner of a stolen key
 * may revoke it later. So the centre is asked again a day later. The decision stays as it was; if the certificate
 * turns out to have been revoked before the signing, the author gets an e-mail and the operator sees it.
 */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'
import { inOrganization, outgoingRequestPage } from '@kelisim/domain/pages.ts'
import { verdictOf } from '@kelisim/domain/signatures/verdict.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { documentPolicy } from './examining.ts'
import { findDueRechecks, getAuthorToWarn, saveRecheck, type DueRecheck } from './recheck-queries.ts'

/** Older signatures are not checked again. */
const oldest = 30 * day
const mostTries = 8

type RecheckDependencies = {
  database: Database
  check: SignatureChecks['check']
  queueMail: QueueMail
  publicUrl: URL
  clock: () => Date
  /** The longest time of one run; the next run continues. */
  forMs?: number
}

type RecheckOutcome = 'good' | 'revoked-later' | 'revoked-before' | 'unknown'

export async function recheckSignatures(dependencies: RecheckDependencies): Promise<void> {
  const { database, clock, forMs = 5 * minute } = dependencies
  const stopAt = performance.now() + forMs
  for (;;) {
    const now = clock()
    const acceptedBefore = new Date(now.getTime() - day)
    const acceptedAfter = new Date(now.getTime() - oldest)
    const due = await findDueRechecks(database.db, { acceptedAfter, acceptedBefore, now })
    if (due.length === 0) return
    for (const one of due) {
      if (performance.now() > stopAt) return
      await recheck(dependencies, one)
    }
  }
}

async function recheck(
  { database, check, queueMail, publicUrl, clock }: RecheckDependencies,
  due: DueRecheck,
): Promise<void> {
  const now = clock()
  const { outcome, revokedAt } = await askAgain(check, due, now)
  const tries = due.tries + 1
  const isGivenUp = outcome === null && tries >= mostTries
  const settled: RecheckOutcome | null = isGivenUp ? 'unknown' : outcome
  const row = {
    tries,
    checkedAt: now,
    outcome: settled,
    revokedAt,
    nextTryAt: settled === null ? new Date(now.getTime() + Math.min(hour * 2 ** due.tries, day)) : null,
  }
  await database.write(async (tx) => {
    const isSaved = await saveRecheck(tx, due.id, row)
    if (isSaved && settled === 'revoked-before') await warnAuthor(tx, { queueMail, publicUrl }, due.id)
  })
}

/** Only the certificate is checked, so no document is needed. */
async function askAgain(
  check: SignatureChecks['check'],
  { cms, receivedAt }: DueRecheck,
  at: Date,
): Promise<{ outcome: RecheckOutcome | null; revokedAt: Date | null }> {
  const policy = { ...documentPolicy, broughtEvidence: 'ignore', timestamp: 'optional' } as const
  const { signers } = await check({
    signature: cms,
    document: new Uint8Array(),
    isInXml: isXmlSignature(cms),
    at,
    receivedAt,
    policy,
  })
  const [signer] = signers
  if (!signer) return { outcome: null, revokedAt: null }
  const { revokedAt, timestampTime, faults, evidence } = signer
  if (revokedAt && !faults.includes('on-hold')) {
    const existedAt = timestampTime ?? receivedAt
    return { outcome: revokedAt <= existedAt ? 'revoked-before' : 'revoked-later', revokedAt }
  }
  const mayKnowLater = faults.some((fault) => verdictOf(fault).subIndication === 'TRY_LATER')
  const isKnown = !mayKnowLater && (evidence.ocspResponses.length > 0 || evidence.crls.length > 0)
  return { outcome: isKnown && !revokedAt ? 'good' : null, revokedAt: null }
}

async function warnAuthor(
  tx: Tx,
  { queueMail, publicUrl }: Pick<RecheckDependencies, 'queueMail' | 'publicUrl'>,
  signatureId: string,
): Promise<void> {
  const { id, name, organizationId, email, language, owner, actor } = await getAuthorToWarn(tx, signatureId)
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
