/**
 * Signatures that can be judged in ten years: each with a timestamp, its chain and what was said of revocation then, all
 * among what is not signed. What is signed stays as it came (CHECKLIST.md G-07).
 */
import type { Db } from '@kelisim/db/db.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { addEvidence, mergeDetached, withoutBrought } from '@kelisim/signature/cms/build.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { safeName, uniqueNames } from '../../requests/reading/archive-names.ts'
import type { CertificateFacts, KeptEvidence } from '../../signatures/kept-evidence.ts'
import { findList, sizesOfLists } from '../../signatures/kept-lists.ts'
import { signingPointIds, type Loaded } from '../../requests/core/loaded.ts'

export type DurableSignature = {
  id: string
  /** Readable, safe on any disk, and no two alike. */
  fileName: string
  signer: string
  /** In whose name: of the point. */
  side: { name: string; bin: string }
  receivedAt: Date
  /** When a timestamp proves that it existed. */
  timestampTime: Date | null
  verdict: KeptVerdict | null
  certificate: CertificateFacts | null
  /** Detached, with the evidence among what is not signed. */
  cms: Uint8Array
}

export type KeptVerdict = {
  verdict: string
  subIndication: string | null
  code: string | null
  faults: string[]
}

/** Those under the document, or under the last terminating document, by the time at which they are known to exist. */
export async function durableSignatures(
  db: Db,
  loaded: Pick<Loaded, 'row' | 'signing'>,
  process: (typeof signedSets)[number],
): Promise<DurableSignature[]> {
  const { row, signing } = loaded
  const isTerminating = process === 'terminating'
  if (isTerminating && row.attempt === 0) return []
  // How an organisation came to agree within itself, though with a key, is not for others.
  const points = signingPointIds(signing)
  const attempt = isTerminating ? row.attempt : 0
  const kept = (await findKeptSignatures(db, row.id)).filter(
    (one) => one.attempt === attempt && points.includes(one.pointId),
  )
  const documentName = isTerminating ? `${row.name} (${row.attempt}).pdf` : row.fileName
  const unique = uniqueNames()
  const made: DurableSignature[] = []
  for (const one of kept) {
    const signer = signerOf(one)
    const fileName = `${safeName(documentName, 'document')} - ${safeName(signer, 'signature')}.cms`
    const { id, receivedAt, timestampTime } = one
    made.push({
      id,
      fileName: unique(fileName),
      signer,
      side: sideOf(one, signing),
      receivedAt,
      timestampTime,
      verdict: one.verdict as KeptVerdict | null,
      certificate: one.owner && { ...one.owner, timestampTime: timestampTime?.toISOString() ?? null },
      cms: (await durableCms(db, one)).cms,
    })
  }
  return made
}

export function signerOf({ owner, actor }: Pick<KeptSignature, 'owner' | 'actor'>): string {
  return owner?.fullName ?? actor.fullName
}

/** Points of an attempt to terminate are those that signed. Whom the sender did not name, the certificate does. */
export function sideOf(
  { pointId, owner }: Pick<KeptSignature, 'pointId' | 'owner'>,
  signing: Loaded['signing'],
): { name: string; bin: string } {
  const point = signing.find((one) => one.pointId === pointId)
  return { name: point?.organizationName || owner?.organization || '', bin: point?.bin ?? '' }
}

export type KeptSignature = Awaited<ReturnType<typeof findKeptSignatures>>[number]

/** All that were accepted, of every attempt, with what stands beside them; by the time at which they are known to exist. */
export async function findKeptSignatures(db: Db, requestId: string) {
  const rows = await db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select([
      's.id',
      's.attempt',
      's.pointId',
      's.actor',
      's.receivedAt',
      's.verdict',
      's.owner',
      's.evidence',
    ])
    .select(['s.cms', 's.timestampedCms', 't.token', 't.time', 't.evidence as stampedEvidence'])
    .where('s.requestId', '=', requestId)
    .where('s.state', '=', 'accepted')
    .execute()
  return rows
    .map(({ owner, evidence, stampedEvidence, time, ...row }) => {
      const came: KeptEvidence | null = evidence
      const stamped: KeptEvidence | null = stampedEvidence
      const brought = came?.timestampTime ? new Date(came.timestampTime) : null
      return {
        ...row,
        owner: owner as CertificateFacts | null,
        timestampTime: time ?? brought,
        /** Of the moment in which it is proved to exist: what is older says nothing about then. */
        evidence: stamped ?? came ?? {},
      }
    })
    .toSorted(
      (one, other) =>
        Number(one.timestampTime ?? one.receivedAt) - Number(other.timestampTime ?? other.receivedAt) ||
        Number(one.receivedAt) - Number(other.receivedAt) ||
        (one.id < other.id ? -1 : 1),
    )
}

/** Longer ones would make every signature, and every page printed with it, as long as they are. */
const longestInside = 32 * 1024

export type Durable = {
  cms: Uint8Array
  timestamps: Uint8Array[]
  /** From the signer up, then that of the timestamp. */
  chain: Uint8Array[]
  ocsp: Uint8Array[]
  /** By hash, all that it rests on: the long ones too, which are not inside. */
  lists: { sha256: string; size: number }[]
}

export async function durableCms(
  db: Db,
  {
    cms,
    timestampedCms,
    token,
    evidence,
  }: Pick<KeptSignature, 'cms' | 'timestampedCms' | 'token' | 'evidence'>,
): Promise<Durable> {
  const bare = mergeDetached([withoutBrought(timestampedCms ?? cms)])
  const { signers, certificates } = readSignedData(bare)
  const timestamps = [
    ...embeddedEvidence(signers[0]!.unsignedAttributes).timestamps,
    ...(token ? [new Uint8Array(token)] : []),
  ]
  const chain = (evidence.certificates ?? []).map(fromBase64)
  const ocsp = (evidence.ocspResponses ?? []).map(fromBase64)
  const used = [...new Set((evidence.crls ?? []).flatMap((list) => list.sha256 ?? []))]
  const sizes = await sizesOfLists(db, used)
  const lists = used.flatMap((sha256) => {
    const size = sizes.get(sha256)
    return size === undefined ? [] : [{ sha256, size }]
  })
  const short = lists.filter(({ size }) => size <= longestInside)
  const crls = await Promise.all(short.map(async ({ sha256 }) => (await findList(db, sha256))!))
  const there = new Set(
    [...certificates, ...timestamps.flatMap((one) => readSignedData(one).certificates)].map(toHex),
  )
  return {
    cms: addEvidence(bare, 0, {
      timestamps,
      certificates: chain.filter((der) => !there.has(toHex(der))),
      basicOcspResponses: ocsp,
      crls,
    }),
    timestamps,
    chain,
    ocsp,
    lists,
  }
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
