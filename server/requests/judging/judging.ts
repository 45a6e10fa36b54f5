/**
 * Signatures of requests: kept as they came, then judged. The first try follows at once; while a service of the centre
 * cannot be reached it is tried again with growing pauses, for a day. Nothing is accepted unchecked, nothing is lost.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { KeptActor } from '@kelisim/db/schema/requests.ts'
import { day, hour, second } from '@kelisim/domain/durations.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { demandOf, signerFaults } from '@kelisim/domain/requests/signer.ts'
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { CheckedSigner, UsedList } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { certificateFacts, evidenceOf } from '../../signatures/kept-evidence.ts'
import { keepLists, packLists } from '../../signatures/kept-lists.ts'
import { performBySystem } from '../core/perform.ts'
import { shownName } from '../core/state.ts'

/** A contract rests on it: everything that is known about a signature must be known, and be good. */
export const documentPolicy: Policy = {
  ...defaultPolicy,
  signedAttributes: 'required',
  signingCertificate: 'required',
  keyUsage: 'nonRepudiation',
  revocation: 'any',
  issuerRevocation: 'required',
}

/** A process that dies while it judges leaves the signature to others after this long. */
const lease = 90 * second
const firstPause = 30 * second
const longestPause = hour
const patience = day
/** Over an hour and more: a clock that jumped ahead is not a day of waiting. */
const fewestTries = 8

export type NewSignature = {
  requestId: string
  attempt: number
  pointId: string
  actor: KeptActor
  comment: string
  address: string
  fileId: string
  cms: Buffer
  timestampedCms: Buffer | null
}

/** In the transaction that takes the act in: from here on it is there, whatever happens to us. */
export async function keepSignature(
  tx: Tx,
  id: string,
  { actor, ...signature }: NewSignature,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('requestSignatures')
    .values({
      ...signature,
      id,
      actor: JSON.stringify(actor),
      actorId: actor.id,
      receivedAt: now,
      state: 'checking',
      nextTryAt: after(now, lease),
      verdict: null,
      owner: null,
      evidence: null,
      checkedAt: null,
    })
    .execute()
}

export type Judging = {
  /** Judges it now, if it still waits for that. */
  judgeSignature: (signatureId: string) => Promise<void>
  /** Those whose time has come, of this process and of any that died. */
  judgeDue: (until?: AbortSignal) => Promise<void>
}

type Outside = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  clock: () => Date
  /** Work for after the commit: a timestamp for a signature that came without one. Undefined: nobody gives any. */
  queueStamping?: QueueStamping | undefined
  onError?: (error: unknown) => void
}

export type QueueStamping = (tx: Tx, signatureId: string) => Promise<void>

export function openJudging(outside: Outside): Judging {
  const { database, storage, check, clock, queueStamping, onError = () => {} } = outside

  async function judgeSignature(signatureId: string): Promise<void> {
    const waiting = await findWaiting(database, signatureId)
    if (!waiting) return
    const { faults, signer, values } = await examined(waiting).catch(notExamined)
    const now = clock()
    const verdict = judge(faults)
    const mayKnowLater = verdict.subIndication === 'TRY_LATER'
    const isTiredOf =
      now.getTime() - waiting.receivedAt.getTime() >= patience && waiting.tries + 1 >= fewestTries
    if (mayKnowLater && !isTiredOf) {
      await database.write((tx) => putOff(tx, waiting, { ...verdict, faults }, now))
    } else {
      const lists = verdict.verdict === 'TOTAL-PASSED' ? await packLists(database.db, listsOf(signer)) : []
      await database.write(async (tx) => {
        const isAccepted = await settle(tx, waiting, { faults, signer, values }, now)
        if (!isAccepted) return
        await keepLists(tx, lists, now)
        if (signer?.timestampTime === null) await queueStamping?.(tx, signatureId)
      })
    }
  }

  /** The document cannot be reached, or nobody is free to look: no fault of the signature, so it is looked at again. */
  function notExamined(error: unknown): Examined {
    onError(error)
    return { faults: ['check-overdue'], signer: null, values: [] }
  }

  async function examined(waiting: Waiting): Promise<Examined> {
    const { fileId: id, organizationId, sha256, size } = waiting
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
    try {
      const document = { path: borrowed.path }
      const at = clock()
      const plain = await ofOneSigner(
        check({ signature: waiting.cms, document, at, policy: documentPolicy }),
        waiting,
      )
      if (!waiting.timestampedCms) return plain
      const stamped = await ofOneSigner(
        check({
          signature: waiting.timestampedCms,
          document,
          at,
          policy: { ...documentPolicy, timestamp: 'required' },
        }),
        waiting,
      )
      const isSame = isSameCertificate(plain.signer, stamped.signer)
      return {
        faults: [...plain.faults, ...stamped.faults, ...(isSame ? [] : (['certificate-other'] as const))],
        signer: stamped.signer,
        values: [...plain.values, ...stamped.values],
      }
    } finally {
      await borrowed.giveBack()
    }
  }

  return {
    judgeSignature,
    async judgeDue(until) {
      for (;;) {
        if (until?.aborted) return
        const signatureId = await database.write((tx) => takeDue(tx, clock()))
        if (signatureId === null) return
        await judgeSignature(signatureId)
      }
    },
  }
}

/** Judges what is due, again and again, until it is told to stop; then it finishes the one it is at. */
export function keepJudging(
  { judgeDue }: Pick<Judging, 'judgeDue'>,
  { everyMs = 3 * second, onError }: { everyMs?: number; onError: (error: unknown) => void },
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const judged = (async () => {
    while (!signal.aborted) {
      await judgeDue(signal).catch(onError)
      await setTimeout(everyMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await judged
    },
  }
}

/** `values` name the acts of keys that it holds. */
type Examined = { faults: Fault[]; signer: CheckedSigner | null; values: string[] }

/** Exactly one, with a certificate that the point asks for. */
async function ofOneSigner(
  checking: ReturnType<SignatureChecks['check']>,
  { type, bin, actor }: Waiting,
): Promise<Examined> {
  const { faults, signers } = await checking
  const [signer = null, ...others] = signers
  const owner = signer?.owner
  return {
    signer,
    values: signers.map(({ actDigest }) => actDigest),
    faults: [
      ...faults,
      ...signers.flatMap((one) => one.faults),
      ...(others.length > 0 ? (['too-much'] as const) : []),
      ...(owner
        ? signerFaults(owner, demandOf({ type: typeOf(type)!, bin }, actor))
        : faults.length === 0
          ? (['certificate-missing'] as const)
          : []),
    ],
  }
}

type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>

function findWaiting({ db }: Database, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('requestPoints as p', (join) =>
      join
        .onRef('p.requestId', '=', 's.requestId')
        .onRef('p.attempt', '=', 's.attempt')
        .onRef('p.pointId', '=', 's.pointId'),
    )
    .innerJoin('files as f', 'f.id', 's.fileId')
    .select(['s.id', 's.requestId', 's.actor', 's.comment', 's.cms', 's.timestampedCms', 's.receivedAt'])
    .select(['s.tries', 's.fileId', 'f.organizationId', 'f.sha256', 'f.size', 'p.type', 'p.bin'])
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'checking')
    .executeTakeFirst()
}

/**
 * One that nobody is judging, held for as long as judging may take. A time further ahead than any that is set was set by a
 * clock that was wrong.
 */
async function takeDue(tx: Tx, now: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update request_signatures set next_try_at = ${after(now, lease)}
    where id = (
      select id from request_signatures where state = 'checking'
        and (next_try_at <= ${now} or next_try_at > ${after(now, longestPause + lease)})
      order by next_try_at limit 1 for update skip locked)
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

type Found = ReturnType<typeof judge> & { faults: Fault[] }

async function putOff(tx: Tx, { id, tries }: Waiting, verdict: Found, now: Date): Promise<void> {
  const pause = Math.min(firstPause * 2 ** tries, longestPause)
  await tx
    .updateTable('requestSignatures')
    .set({
      tries: tries + 1,
      nextTryAt: after(now, pause),
      verdict: JSON.stringify(verdict),
      checkedAt: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .execute()
}

/** Once: of two processes that judged the same signature the second finds nothing to settle. Whether it was accepted here. */
async function settle(
  tx: Tx,
  { id, requestId, tries, actor, comment }: Waiting,
  { faults, signer, values }: Examined,
  now: Date,
): Promise<boolean> {
  // The request first, as every act does: two locks taken in one order never wait for each other.
  await tx.selectFrom('signingRequests').select('id').where('id', '=', requestId).forUpdate().execute()
  const isBorrowed = await wasGivenByAnother(tx, actor.id, values)
  const found: Fault[] = isBorrowed ? [...faults, 'given-by-another'] : faults
  const verdict: Found = { ...judge(found), faults: found }
  const isAccepted = verdict.verdict === 'TOTAL-PASSED'
  const settled = await tx
    .updateTable('requestSignatures')
    .set({
      state: isAccepted ? 'accepted' : 'refused',
      tries: tries + 1,
      nextTryAt: null,
      checkedAt: now,
      verdict: JSON.stringify(verdict),
      owner: signer && JSON.stringify(certificateFacts(signer)),
      evidence: signer && JSON.stringify(evidenceOf(signer)),
      valueDigests: sql`${values}::text[]`,
    })
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .returning('id')
    .executeTakeFirst()
  if (!settled) return false
  await performBySystem(
    tx,
    requestId,
    { type: isAccepted ? 'accept-signature' : 'refuse-signature', signatureId: id },
    {
      comment: '',
      said: { ...shownName(actor), comment },
      data: { code: verdict.code, owner: signer?.owner ? fullNameOf(signer.owner) : null },
    },
    now,
  )
  await finishTermination(tx, requestId, now)
  return isAccepted
}

function listsOf(signer: CheckedSigner | null): UsedList[] {
  return signer?.evidence.crls ?? []
}

/**
 * Signatures of documents can be downloaded: whoever has no key must not sign with what a colleague gave for the same
 * document elsewhere. Two who settle at once wait for each other. What was refused to somebody keeps nobody from signing:
 * its attributes may have been guessed before anybody signed them.
 */
async function wasGivenByAnother(tx: Tx, actorId: string, values: readonly string[]): Promise<boolean> {
  for (const value of values.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`signature ${value}`}, 0))`.execute(tx)
  }
  const other = await tx
    .selectFrom('requestSignatures')
    .select('id')
    .where(sql<boolean>`value_digests && ${values}::text[]`)
    .where('actorId', '<>', actorId)
    .where('state', '=', 'accepted')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** When the last side has signed there is nothing left to wait for. */
export async function finishTermination(tx: Tx, requestId: string, now: Date): Promise<void> {
  const { status } = await tx
    .selectFrom('signingRequests')
    .select('status')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow()
  if (status !== requestStatuses.of('TerminatingSigned')) return
  await performBySystem(tx, requestId, { type: 'finish-termination' }, { comment: '' }, now)
}

export function newSignatureId(now: Date): string {
  return newId(now.getTime())
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}

function isSameCertificate(one: CheckedSigner | null, other: CheckedSigner | null): boolean {
  const [first, again] = [one?.certificate, other?.certificate]
  return !!first && !!again && Buffer.compare(first, again) === 0
}
