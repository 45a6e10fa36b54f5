/** Checks one stored signature against its document, and its signer against what the point demands. */
import type { Database, Db } from '@kelisim/db/db.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { powerFor, type FoundPower } from '@kelisim/domain/powers-of-attorney/power.ts'
import { demandOf, needsPower, signerFaults } from '@kelisim/domain/requests/signer.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import { defaultPolicy, type Policy } from '@kelisim/signature/examination/policy.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { knownDigests } from '../../documents/digest-queries.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { CheckedSigner, CheckJob, KnownDigest } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { findPowersOfHolder, type HeldPower } from '../core/queries/powers.ts'
import { findRequest, matterOf } from '../core/state.ts'
import { assembledPdf } from '../signed-pdf/signed-pdf.ts'
import type { UnjudgedSignature } from './queries.ts'

/** The strictest policy, because contracts depend on these signatures. */
export const documentPolicy: Policy = {
  ...defaultPolicy,
  signedAttributes: 'required',
  signingCertificate: 'required',
  keyUsage: 'nonRepudiation',
  revocation: 'any',
  issuerRevocation: 'required',
}

export type ExaminingDependencies = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  clock: () => Date
}

export type Examination = {
  faults: Fault[]
  signer: CheckedSigner | null
  /** Digests of the signature values in the CMS. */
  values: string[]
  /** The power of attorney under which the signature counts. */
  power: HeldPower | null
  /** Digests of the document that were computed for the check. */
  digests: readonly KnownDigest[]
}

/** Checks a stored signature against its document and the demands of its point. */
export async function examine(
  { database, storage, check, clock }: ExaminingDependencies,
  unjudged: UnjudgedSignature,
): Promise<Examination> {
  const { fileId: id, organizationId, sha256, size, receivedAt } = unjudged
  const digests = knownDigests(sha256, unjudged.digests)
  // The borrowed bytes are verified against this SHA-256, so the known digests are theirs.
  const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
  try {
    const at = clock()
    // The claimant is the side that acts: a side with many signatures delays only itself, neither the sender nor
    // anybody else.
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

/**
 * What the engine examines: the signature beside its document or in its XML, or the PDF with the signature inside.
 */
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

function isSameCertificate(one: CheckedSigner | null, other: CheckedSigner | null): boolean {
  const [first, again] = [one?.certificate, other?.certificate]
  return !!first && !!again && Buffer.compare(first, again) === 0
}
