/**
 * A timestamp for a signature that came without one: asked of the centre's service after the signature was accepted, examined
 * with the signature as if a stranger had brought it, and kept beside it with the answers about revocation of that moment.
 */
import type { Database } from '@kelisim/db/db.ts'
import { verdictOf, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { digestAlgorithmOf } from '@kelisim/signature/certificates/algorithm-identifier.ts'
import { addEvidence, withoutBrought } from '@kelisim/signature/cms/build.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData, type SignerInfo } from '@kelisim/signature/cms/signed-data.ts'
import { readTimestampResponse, timestampRequest } from '@kelisim/signature/timestamps/timestamp.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import { documentPolicy } from '../../requests/judging/judging.ts'
import type { CheckedSigner } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { evidenceOf } from '../../signatures/kept-evidence.ts'
import { keepLists, packLists } from '../../signatures/kept-lists.ts'
import type { Centre } from '../../signatures/outbound/centre.ts'

export type StampingOutside = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  askTimestamp: Centre['askTimestamp']
  clock: () => Date
}

/** A job: may run twice, and throws where another try may bring what this one did not. */
export async function stampSignature(outside: StampingOutside, signatureId: string): Promise<void> {
  const { database, askTimestamp, clock } = outside
  const kept = await findUnstamped(database, signatureId)
  if (!kept) return
  const cms = kept.timestampedCms ?? kept.cms
  const signer = readSignedData(cms).signers[0]!
  const token = await tokenFor(signer, askTimestamp)
  // Its way to a root may stand nowhere else.
  const { certificates } = embeddedEvidence(signer.unsignedAttributes)
  const stamped = addEvidence(withoutBrought(cms), 0, { timestamps: [token], certificates })
  const { faults, examined } = await examine(outside, stamped, kept)
  // Meanwhile the certificate has ended or was taken back: a timestamp of today would only speak against the signature.
  if (faults.some(isForGood)) return
  if (faults.length > 0 || !examined?.timestampTime) {
    throw new Error(`the timestamp was not found good: ${faults.join(', ')}`)
  }
  const now = clock()
  const lists = await packLists(database.db, examined.evidence.crls)
  await database.write(async (tx) => {
    await keepLists(tx, lists, now)
    await tx
      .insertInto('signatureTimestamps')
      .values({
        signatureId,
        token: Buffer.from(token),
        time: examined.timestampTime!,
        keptAt: now,
        evidence: JSON.stringify(evidenceOf(examined)),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

function isForGood(fault: Fault): boolean {
  return !fault.startsWith('timestamp-') && verdictOf(fault).subIndication !== 'TRY_LATER'
}

function findUnstamped({ db }: Database, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.cms', 's.timestampedCms', 's.fileId', 'f.organizationId', 'f.sha256', 'f.size'])
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'accepted')
    .where('t.signatureId', 'is', null)
    .executeTakeFirst()
}

/** Of the service's policies: that of GOST 34.10-2015 for every key of ours, that of RSA for those of RSA. */
const policies = { gost: '1.2.398.3.3.2.6.4', rsa: '1.2.398.3.3.2.6.2' }

async function tokenFor(
  { signature, digestAlgorithm }: SignerInfo,
  ask: Centre['askTimestamp'],
): Promise<Uint8Array> {
  const isRsa = digestAlgorithmOf(digestAlgorithm)?.startsWith('sha-') ?? false
  const name = isRsa ? 'sha-256' : 'streebog-512'
  const answer = await ask(
    timestampRequest({
      hash: name,
      imprint: hash(name, signature),
      policy: isRsa ? policies.rsa : policies.gost,
      nonce: crypto.getRandomValues(new Uint8Array(8)),
    }),
  )
  const { token, status, failures } = readTimestampResponse(answer)
  if (!token) throw new Error(`no timestamp was given: ${[status, ...failures].join(', ')}`)
  return token
}

async function examine(
  { storage, check, clock }: StampingOutside,
  signature: Uint8Array,
  { fileId: id, organizationId, sha256, size }: NonNullable<Awaited<ReturnType<typeof findUnstamped>>>,
): Promise<{ faults: CheckedSigner['faults']; examined: CheckedSigner | undefined }> {
  const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
  try {
    const policy = { ...documentPolicy, timestamp: 'required' } as const
    const document = { path: borrowed.path }
    const { faults, signers } = await check({ signature, document, at: clock(), policy })
    return { faults: [...faults, ...signers.flatMap((one) => one.faults)], examined: signers[0] }
  } finally {
    await borrowed.giveBack()
  }
}
