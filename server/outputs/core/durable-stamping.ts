/**
 * A timestamp for a signature that came without one: requested from the certification centre after acceptance, verified
 * like any other, and stored with revocation values of that time.
 */
import type { Database } from '@kelisim/db/db.ts'
import { verdictOf, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { digestAlgorithmOf } from '@kelisim/signature/certificates/algorithm-identifier.ts'
import { addEvidence, withoutBrought } from '@kelisim/signature/cms/build.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { timestampRequest, tokenAnswering } from '@kelisim/signature/timestamps/timestamp.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { isByRsa, stampedBytes, withXmlEvidence } from '@kelisim/signature/xml/evidence-properties.ts'
import { knownDigests } from '../../documents/digest-queries.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import { documentPolicy } from '../../requests/judging/examining.ts'
import type { CheckedSigner, CheckJob } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { evidenceOf } from '../../signatures/kept-evidence.ts'
import { keepLists, packLists } from '../../signatures/kept-list-queries.ts'
import type { Centre } from '../../signatures/outbound/centre.ts'
import { addTimestamp, findUnstamped, type UnstampedSignature } from './signature-queries.ts'

export type StampingDependencies = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  askTimestamp: Centre['askTimestamp']
  clock: () => Date
}

/** Runs as a job, perhaps twice; throws if it should be retried. */
export async function stampSignature(dependencies: StampingDependencies, signatureId: string): Promise<void> {
  const { database, askTimestamp, clock } = dependencies
  const kept = await findUnstamped(database.db, signatureId)
  if (!kept) return
  const { over, isRsa, stampedWith } = toStamp(kept)
  const token = await tokenFor(over, isRsa, askTimestamp)
  const { faults, examined } = await examine(dependencies, stampedWith(token), kept)
  // The certificate has expired or was revoked meanwhile: a later timestamp would only cast doubt on the signature.
  if (faults.some(isFinal)) return
  if (faults.length > 0 || !examined?.timestampTime) {
    throw new Error(`the timestamp was not found good: ${faults.join(', ')}`)
  }
  const now = clock()
  const lists = await packLists(database.db, examined.evidence.crls)
  await database.write(async (tx) => {
    await keepLists(tx, lists, now)
    await addTimestamp(tx, {
      signatureId,
      token: Buffer.from(token),
      time: examined.timestampTime!,
      keptAt: now,
      evidence: JSON.stringify(evidenceOf(examined)),
    })
  })
}

type Stamped = Pick<CheckJob, 'signature' | 'isInXml' | 'proved'>

/** The bytes that the timestamp covers, and the signature with the timestamp added. */
function toStamp({ cms: came, timestampedCms }: UnstampedSignature): {
  over: Uint8Array
  isRsa: boolean
  stampedWith: (token: Uint8Array) => Stamped
} {
  if (isXmlSignature(came)) {
    const none = { certificates: [], ocspResponses: [], crls: [] }
    return {
      over: stampedBytes(came),
      isRsa: isByRsa(came),
      stampedWith: (token) => ({
        signature: came,
        isInXml: true,
        proved: withXmlEvidence(came, { ...none, timestamps: [token] }),
      }),
    }
  }
  const cms = timestampedCms ?? came
  const { signature, digestAlgorithm, unsignedAttributes } = readSignedData(cms).signers[0]!
  // The chain of the timestamp may be included only in these attributes.
  const { certificates } = embeddedEvidence(unsignedAttributes)
  return {
    over: signature,
    isRsa: digestAlgorithmOf(digestAlgorithm)?.startsWith('sha-') ?? false,
    stampedWith: (token) => ({
      signature: addEvidence(withoutBrought(cms), 0, { timestamps: [token], certificates }),
    }),
  }
}

/**
 * A retry can help if the signer's clock is fast: a timestamp that was too early comes late enough some minutes
 * later.
 */
function isFinal(fault: Fault): boolean {
  if (fault === 'signing-time-after-receipt') return false
  return !fault.startsWith('timestamp-') && verdictOf(fault).subIndication !== 'TRY_LATER'
}

/** Policies of the timestamp service: GOST 34.10-2015 for GOST keys, RSA for RSA keys. */
const policies = { gost: '1.2.398.3.3.2.6.4', rsa: '1.2.398.3.3.2.6.2' }

async function tokenFor(over: Uint8Array, isRsa: boolean, ask: Centre['askTimestamp']): Promise<Uint8Array> {
  const name = isRsa ? 'sha-256' : 'streebog-512'
  const question = {
    hash: name,
    imprint: hash(name, over),
    policy: isRsa ? policies.rsa : policies.gost,
    nonce: crypto.getRandomValues(new Uint8Array(8)),
  } as const
  const answer = tokenAnswering(question, await ask(timestampRequest(question)))
  if ('refusal' in answer) throw new Error(`no timestamp was given: ${answer.refusal}`)
  return answer.token
}

async function examine(
  { storage, check, clock }: StampingDependencies,
  stamped: Stamped,
  { fileId: id, organizationId, sha256, size, digests }: UnstampedSignature,
): Promise<{ faults: CheckedSigner['faults']; examined: CheckedSigner | undefined }> {
  const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
  try {
    const policy = { ...documentPolicy, timestamp: 'required' } as const
    const document = { path: borrowed.path, digests: knownDigests(sha256, digests) }
    const { faults, signers } = await check({ ...stamped, document, at: clock(), policy })
    return { faults: [...faults, ...signers.flatMap((one) => one.faults)], examined: signers[0] }
  } finally {
    await borrowed.release()
  }
}
