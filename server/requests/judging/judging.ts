/**
 * Signatures of requests are stored as received and then judged. The first check runs at once; while a service of the
 * certification centre cannot be reached, it is repeated with growing pauses for a day. No signature is accepted unchecked.
 */
import { setTimeout } from 'node:timers/promises'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { StoredActor, StoredPower } from '@kelisim/db/schema/requests.ts'
import { day, hour, second } from '@kelisim/domain/durations.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { givenKeyOf } from '@kelisim/domain/points/key-holder.ts'
import { powerFor, type FoundPower } from '@kelisim/domain/powers-of-attorney/power.ts'
import { demandOf, needsPower, signerFaults } from '@kelisim/domain/requests/signer.ts'
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import { reuseFault } from '@kelisim/domain/signatures/reuse.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import { knownDigests, saveDigests } from '../../documents/digest-queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { claimSigningIin } from '../../identity/sign-in/queries.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import type { CheckedSigner, CheckJob, KnownDigest, UsedList } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { certificateFacts, evidenceOf } from '../../signatures/kept-evidence.ts'
import { keepLists, packLists } from '../../signatures/kept-list-queries.ts'
import { performBySystem } from '../core/perform.ts'
import { announce } from '../core/queries/changes.ts'
import { assembledPdf } from '../signed-pdf/signed-pdf.ts'
import { findPowersOfHolder, type HeldPower } from '../core/queries/powers.ts'
import { findRequest, lockedRequest, matterOf, shownName } from '../core/state.ts'
import {
  addSignature,
  findAcceptedUses,
  findUnjudgedSignature,
  isUser,
  lockSignatureValues,
  takeDueSignature,
  updateUnjudgedSignature,
  type UnjudgedSignature,
} from './queries.ts'

/** The strictest policy, because contracts depend on these signatures. */
export const documentPolicy: Policy = {
  ...defaultPolicy,
  signedAttributes: 'required',
  signingCertificate: 'required',
  keyUsage: 'nonRepudiation',
  revocation: 'any',
  issuerRevocation: 'required',
}

/** After this time another process may judge a signature that this one has taken. */
const lease = 90 * second
const firstPause = 30 * second
const longestPause = hour
const giveUpAfter = day
/** If OCSP is away, the next CRL decides. Lists are published daily, so the next one may come after more than a day. */
const giveUpAfterLists = 2 * day
/** Takes more than an hour, so a clock that jumps ahead by a day does not end the retries. */
const fewestTries = 8
/** After an outage hundreds may be due, and a check mostly waits for the centre. */
const judgedAtOnce = 4
/** A person, or the national app, which waits for half a minute, is not kept waiting longer than this. */
const longestWait = 20 * second

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

/** Stores it in the transaction of the act, so that it is judged even if this process dies. */
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
  /** Judges it now unless it is already judged. */
  judgeSignature: (signatureId: string) => Promise<void>
  /** The same, but returns when somebody has waited long enough: the check goes on, and pages show its result. */
  judgeSoon: (signatureId: string) => Promise<void>
  /** Judges everything that is due, including what a process that died left behind. */
  judgeDue: (until?: AbortSignal) => Promise<void>
}

type JudgingDependencies = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  clock: () => Date
  /** Queues a timestamp for a signature that came without one; undefined: there is no timestamp service. */
  queueStamping?: QueueStamping | undefined
  onError?: (error: unknown) => void
  /** Ends when nobody should be kept waiting any longer. */
  patience?: (() => Promise<void>) | undefined
}

export type QueueStamping = (tx: Tx, signatureId: string) => Promise<void>

export function openJudging({
  database,
  storage,
  check,
  clock,
  queueStamping,
  onError = () => {},
  patience = () => setTimeout(longestWait, undefined, { ref: false }),
}: JudgingDependencies): Judging {
  async function judgeSignature(signatureId: string): Promise<void> {
    const unjudged = await findUnjudgedSignature(database.db, signatureId)
    if (!unjudged) return
    const examination = await examine(unjudged).catch(failedExamination)
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

  async function examine(unjudged: UnjudgedSignature): Promise<Examination> {
    const { fileId: id, organizationId, sha256, size, receivedAt } = unjudged
    const digests = knownDigests(sha256, unjudged.digests)
    // The bytes have that SHA-256, so the digests are theirs.
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
    try {
      const at = clock()
      // By the side that acts: one that signs much holds up its own, neither the sender nor anybody else.
      const claimant = { organization: unjudged.bin || organizationId, person: unjudged.actor.id }
      const examineOne = async (cms: Buffer, known: readonly KnownDigest[], policy: Policy) => {
        const signed = await signedMatter(unjudged, borrowed.path, cms, known)
        try {
          const job = { ...signed.job, at, receivedAt, policy }
          return await examineSigner(database.db, check(job, claimant), unjudged)
        } finally {
          await signed.release()
        }
      }
      const plain = await examineOne(unjudged.cms, digests, documentPolicy)
      if (!unjudged.timestampedCms) return plain
      const stamped = await examineOne(unjudged.timestampedCms, [...digests, ...plain.digests], {
        ...documentPolicy,
        timestamp: 'required',
      })
      const isSame = isSameCertificate(plain.signer, stamped.signer)
      return {
        faults: [...plain.faults, ...stamped.faults, ...(isSame ? [] : (['certificate-other'] as const))],
        signer: stamped.signer,
        values: [...plain.values, ...stamped.values],
        power: stamped.power,
        digests: [...plain.digests, ...stamped.digests],
      }
    } finally {
      await borrowed.release()
    }
  }

  return {
    judgeSignature,
    judgeSoon: (signatureId) => Promise.race([judgeSignature(signatureId), patience()]),
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
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = (async () => {
    while (!signal.aborted) {
      await judgeDue(signal).catch(onError)
      await setTimeout(everyMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}

/** What the engine examines: the signature beside its document or in its XML, or the PDF with the signature inside. */
async function signedMatter(
  { gapFrom, gapTo }: UnjudgedSignature,
  path: string,
  cms: Buffer,
  digests: readonly KnownDigest[],
): Promise<{
  job: Pick<CheckJob, 'signature' | 'document' | 'isInPdf' | 'isInXml'>
  release: () => Promise<void>
}> {
  if (gapFrom === null || gapTo === null) {
    const document = { path, digests }
    return { job: { signature: cms, document, isInXml: isXmlSignature(cms) }, release: async () => {} }
  }
  const { path: pdf, release } = await assembledPdf(path, { from: gapFrom, to: gapTo }, cms)
  return { job: { signature: { path: pdf }, document: null, isInPdf: true }, release }
}

type Examination = {
  faults: Fault[]
  signer: CheckedSigner | null
  /** Digests of the signature values in the CMS. */
  values: string[]
  /** The power of attorney under which it counts. */
  power: HeldPower | null
  /** Digests of the document that were made for the check. */
  digests: readonly KnownDigest[]
}

/** There must be exactly one signer, with a certificate that the point accepts. */
async function examineSigner(
  db: Db,
  checking: ReturnType<SignatureChecks['check']>,
  unjudged: UnjudgedSignature,
): Promise<Examination> {
  const { faults, signers, digests = [] } = await checking
  const [signer = null, ...others] = signers
  const owner = signer?.owner
  const found: Fault[] = [
    ...faults,
    ...signers.flatMap((one) => one.faults),
    ...(others.length > 0 ? (['too-much'] as const) : []),
  ]
  const values = signers.map(({ actDigest }) => actDigest)
  if (!owner) {
    return {
      signer,
      values,
      digests,
      power: null,
      faults: faults.length > 0 ? found : [...found, 'certificate-missing'],
    }
  }
  const demand = demandOf({ ...unjudged, type: typeOf(unjudged.type)! }, unjudged.actor)
  const held = needsPower(owner, demand)
    ? await heldPower(db, unjudged, owner.iin)
    : { verdict: 'none' as const }
  return {
    signer,
    values,
    digests,
    power: held.verdict === 'valid' ? held.power : null,
    faults: [...found, ...signerFaults(owner, demand, held)],
  }
}

/** The power of attorney that the owner of the key held for this document when the signature came. */
async function heldPower(
  db: Db,
  { requestId, bin, receivedAt }: UnjudgedSignature,
  iin: string | null,
): Promise<FoundPower<HeldPower>> {
  const powers = iin === null ? [] : await findPowersOfHolder(db, iin)
  if (powers.length === 0) return { verdict: 'none' }
  const { row, signing } = (await findRequest(db, requestId))!
  return powerFor(powers, iin, matterOf(bin, row.senderBin, signing), receivedAt)
}

type VerdictWithFaults = ReturnType<typeof judge> & { faults: Fault[] }

async function postpone(
  tx: Tx,
  { id, requestId, version, tries }: UnjudgedSignature,
  verdict: VerdictWithFaults,
  now: Date,
): Promise<void> {
  const pause = Math.min(firstPause * 2 ** tries, longestPause)
  await updateUnjudgedSignature(tx, id, {
    tries: tries + 1,
    nextTryAt: after(now, pause),
    verdict: JSON.stringify(verdict),
    checkedAt: now,
  })
  // Open pages say that the centre does not answer, and when it is asked again.
  await announce(tx, requestId, version)
}

/** Whether it was accepted by this call. If two processes judged the same signature, the second one changes nothing. */
async function settle(
  tx: Tx,
  unjudged: UnjudgedSignature,
  { faults, signer, values, power }: Examination,
  now: Date,
): Promise<boolean> {
  const { id, requestId, tries, actor, comment, keyHolder } = unjudged
  // The request is locked first, as in every act: the same order of locks avoids deadlocks.
  const loaded = await lockedRequest(tx, requestId)
  if (!loaded) return false
  const used = await useOfValues(tx, unjudged, values)
  const found: Fault[] = used ? [...faults, used] : [...faults]
  // One IIN is one person: whoever signed with a key goes on with it, and nobody else uses it.
  const iin = signer?.owner?.iin
  if (found.length === 0 && iin && !(await claimSigningIin(tx, actor.id, iin))) found.push('other-person')
  const verdict: VerdictWithFaults = { ...judge(found), faults: found }
  const isAccepted = verdict.verdict === 'TOTAL-PASSED'
  const isSettled = await updateUnjudgedSignature(tx, id, {
    state: isAccepted ? 'accepted' : 'refused',
    tries: tries + 1,
    nextTryAt: null,
    checkedAt: now,
    verdict: JSON.stringify(verdict),
    owner: signer && JSON.stringify(certificateFacts(signer)),
    evidence: signer && JSON.stringify(evidenceOf(signer)),
    power: isAccepted && power ? JSON.stringify(keptPower(power)) : null,
    valueDigests: values,
  })
  if (!isSettled) return false
  await performBySystem(
    tx,
    loaded,
    { type: isAccepted ? 'accept-signature' : 'refuse-signature', signatureId: id },
    {
      comment: '',
      shownAtPoint: { ...shownName(actor), comment },
      data: {
        code: verdict.code,
        owner: signer?.owner ? fullNameOf(signer.owner) : null,
        ...(isAboutKey(found) && signer?.owner && { needed: keyHolder, given: givenKeyOf(signer.owner) }),
        ...(isAccepted && power && { power: shownPower(power) }),
      },
    },
    now,
  )
  return isAccepted
}

/** The faults of which the refusal says whose key was needed and whose was given. */
const keyFaults: readonly Fault[] = [
  'not-entitled-for-organization',
  'not-head-of-organization',
  'power-not-in-force',
  'power-out-of-scope',
]

function isAboutKey(found: readonly Fault[]): boolean {
  return keyFaults.some((fault) => found.includes(fault))
}

function keptPower(power: HeldPower): StoredPower {
  const { id, number, holderName, validFrom, validUntil, requestId } = power
  return { id, number, holderName, validFrom, validUntil, requestId }
}

/** What the history shows to every side. */
function shownPower({ number, validFrom, validUntil }: HeldPower) {
  return { number, validFrom, validUntil }
}

function listsOf(signer: CheckedSigner | null): UsedList[] {
  return signer?.evidence.crls ?? []
}

/** Refused signatures are not compared: an attacker could submit a guess to block the real signer. */
async function useOfValues(
  tx: Tx,
  { requestId, actor, receivedAt }: UnjudgedSignature,
  values: readonly string[],
): Promise<Fault | null> {
  await lockSignatureValues(tx, values)
  const accepted = await findAcceptedUses(tx, values)
  if (accepted.length === 0) return null
  const hasAccount = await isUser(tx, actor.id)
  return reuseFault({ requestId, actorId: actor.id, receivedAt, hasAccount }, accepted)
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
