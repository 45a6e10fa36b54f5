/**
 * Signatures of requests are stored as received and then judged. The first check runs at once; while a service of the
 * certification centre cannot be reached, it is repeated with growing pauses for a day. No signature is accepted unchecked.
 */
import { setTimeout } from 'node:timers/promises'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { StoredActor } from '@kelisim/db/schema/requests.ts'
import { after, day, second } from '@kelisim/domain/durations.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import { saveDigests } from '../../documents/digest-queries.ts'
import type { CheckedSigner, UsedList } from '../../signatures/check-job.ts'
import { keepLists, packLists } from '../../signatures/kept-list-queries.ts'
import { examine, type ExaminingDependencies, type Examination } from './examining.ts'
import { addSignature, findUnjudgedSignature, takeDueSignature } from './queries.ts'
import { longestPause, postpone, settle } from './verdict.ts'
import { startLoop, type Loop } from '../../jobs/loop.ts'

/** After this time another process may judge a signature that this one has taken. */
const lease = 90 * second
const giveUpAfter = day
/**
 * If OCSP is unavailable, the next CRL decides. CRLs are published daily, so the next one may come after more than a
 * day.
 */
const giveUpAfterLists = 2 * day
/** This many tries take more than an hour, so a clock that jumps ahead by a day does not end the retries. */
const fewestTries = 8
/** After an outage hundreds of signatures may be due, and a check mostly waits for the centre. */
const judgedAtOnce = 4
/** The longest that a person is kept waiting, or the national app, which waits for half a minute. */
export const longestVerdictWait = 20 * second

export type NewSignature = {
  requestId: string
  attempt: number
  pointId: string
  actor: StoredActor
  comment: string
  address: string
  fileId: string
  /** The place of the signature in the PDF whose other bytes are the file; null: it stands beside the file. */
  gap: Gap | null
  cms: Buffer
  timestampedCms: Buffer | null
}

/** Stores the signature in the transaction of the act, so that it is judged even if this process dies. */
export async function keepSignature(
  tx: Tx,
  id: string,
  { actor, gap, ...signature }: NewSignature,
  now: Date,
): Promise<void> {
  await addSignature(tx, {
    ...signature,
    id,
    actor: JSON.stringify(actor),
    actorId: actor.id,
    gapFrom: gap?.from ?? null,
    gapTo: gap?.to ?? null,
    receivedAt: now,
    state: 'checking',
    nextTryAt: after(now, lease),
    verdict: null,
    owner: null,
    evidence: null,
    power: null,
    checkedAt: null,
  })
}

export type Judging = {
  /** Judges the signature now unless it is already judged. */
  judgeSignature: (signatureId: string) => Promise<void>
  /** Like `judgeSignature`, but returns after the longest wait: the check goes on, and pages show its result. */
  judgeSoon: (signatureId: string) => Promise<void>
  /** Judges everything that is due, including what a process that died left behind. */
  judgeDue: (until?: AbortSignal) => Promise<void>
}

type JudgingDependencies = ExaminingDependencies & {
  /** Queues a timestamp for a signature that came without one; undefined: there is no timestamp service. */
  queueStamping?: QueueStamping | undefined
  onError?: (error: unknown) => void
  /** Called for a signature that will be checked again later, with the reason. */
  onPostponed?: (postponed: { requestId: string; faults: readonly Fault[] }) => void
  /** Resolves when the caller should not be kept waiting any longer. */
  verdictTimeout?: (() => Promise<void>) | undefined
}

export type QueueStamping = (tx: Tx, signatureId: string) => Promise<void>

export function openJudging({
  queueStamping,
  onError = () => {},
  onPostponed = () => {},
  verdictTimeout = () => setTimeout(longestVerdictWait, undefined, { ref: false }),
  ...examining
}: JudgingDependencies): Judging {
  const { database, clock } = examining

  async function judgeSignature(signatureId: string): Promise<void> {
    const unjudged = await findUnjudgedSignature(database.db, signatureId)
    if (!unjudged) return
    const examination = await examine(examining, unjudged).catch(failedExamination)
    const { faults, signer } = examination
    const now = clock()
    const verdict = judge(faults)
    const mayKnowLater = verdict.subIndication === 'TRY_LATER'
    const isListAwaited = faults.includes('revocation-before-signature')
    const longest = isListAwaited ? giveUpAfterLists : giveUpAfter
    const isTimedOut =
      now.getTime() - unjudged.receivedAt.getTime() >= longest && unjudged.tries + 1 >= fewestTries
    if (mayKnowLater && !isTimedOut) {
      await database.write((tx) => postpone(tx, unjudged, { ...verdict, faults }, now))
      onPostponed({ requestId: unjudged.requestId, faults })
    } else {
      const lists = verdict.verdict === 'TOTAL-PASSED' ? await packLists(database.db, listsOf(signer)) : []
      await database.write(async (tx) => {
        const isAccepted = await settle(tx, unjudged, examination, now)
        await saveDigests(tx, unjudged.sha256, examination.digests)
        if (!isAccepted) return
        await keepLists(tx, lists, now)
        if (signer?.timestampTime === null) await queueStamping?.(tx, signatureId)
      })
    }
  }

  /** The document could not be read, or no worker was free: not a fault of the signature, so the check is repeated. */
  function failedExamination(error: unknown): Examination {
    onError(error)
    return { faults: ['check-overdue'], signer: null, values: [], power: null, digests: [] }
  }

  return {
    judgeSignature,
    judgeSoon: (signatureId) => Promise.race([judgeSignature(signatureId), verdictTimeout()]),
    async judgeDue(until) {
      const lanes = await Promise.allSettled(Array.from({ length: judgedAtOnce }, () => judgeOneByOne(until)))
      const failed = lanes.find((lane) => lane.status === 'rejected')
      if (failed) throw failed.reason
    },
  }

  async function judgeOneByOne(until: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (until?.aborted) return
      const now = clock()
      const [leaseEnd, latest] = [after(now, lease), after(now, longestPause + lease)]
      const signatureId = await database.write((tx) => takeDueSignature(tx, { now, leaseEnd, latest }))
      if (signatureId === null) return
      await judgeSignature(signatureId)
    }
  }
}

/** Judges due signatures in a loop until `stop` is called, which waits for the current one. */
export function startJudging(
  { judgeDue }: Pick<Judging, 'judgeDue'>,
  { everyMs = 3 * second, onError }: { everyMs?: number; onError: (error: unknown) => void },
): Loop {
  return startLoop(judgeDue, { everyMs, onError })
}

function listsOf(signer: CheckedSigner | null): UsedList[] {
  return signer?.evidence.crls ?? []
}

export function newSignatureId(now: Date): string {
  return newId(now.getTime())
}
