/**
 * Signatures that can be verified in ten years: each with a timestamp, its certificate chain and revocation values as
 * unsigned attributes. The signed part stays as received (docs/product/signatures.md#g-07).
 */
import type { Db } from '@kelisim/db/db.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { addEvidence, mergeDetached, withoutBrought } from '@kelisim/signature/cms/build.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { fullOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { withXmlEvidence } from '@kelisim/signature/xml/evidence-properties.ts'
import { safeName, uniqueNames } from '../../requests/reading/archive-names.ts'
import type { CertificateFacts, KeptEvidence } from '../../signatures/kept-evidence.ts'
import { findList, sizesOfLists } from '../../signatures/kept-list-queries.ts'
import { signingPointIds, type LoadedRequest } from '../../requests/core/loaded.ts'
import { terminatingFileName } from '../../requests/core/terminating-name.ts'
import { findAcceptedWithEvidence } from './signature-queries.ts'

export type DurableSignature = {
  id: string
  pointId: string
  /** Readable, valid on every file system, and unique. */
  fileName: string
  signer: string
  /** The organisation or person of the point. */
  side: { name: string; bin: string }
  receivedAt: Date
  /** When the certification centre last answered about the signature. */
  checkedAt: Date
  /** The time of the timestamp, if there is one. */
  timestampTime: Date | null
  verdict: KeptVerdict | null
  certificate: CertificateFacts | null
  /**
   * A detached CMS with the evidence as unsigned attributes; for a signature inside XML, its element with unsigned
   * properties.
   */
  cms: Uint8Array
}

export type KeptVerdict = {
  verdict: string
  subIndication: string | null
  code: string | null
  faults: string[]
}

/** Signatures of the document or of the last terminating document, in the order of their proven times. */
export async function durableSignatures(
  db: Db,
  loaded: Pick<LoadedRequest, 'row' | 'signing'>,
  process: (typeof signedSets)[number],
  /** Which signatures are included; by default not approvals with a key, which are internal to an organisation. */
  isTaken: (one: KeptSignature) => boolean = atPoints(signingPointIds(loaded.signing)),
): Promise<DurableSignature[]> {
  const { row, signing } = loaded
  const isTerminating = process === 'terminating'
  if (isTerminating && row.attempt === 0) return []
  const attempt = isTerminating ? row.attempt : 0
  const kept = (await findKeptSignatures(db, row.id)).filter(
    (one) => one.attempt === attempt && one.revision === row.revision && isTaken(one),
  )
  const documentName = isTerminating ? terminatingFileName(row, row.attempt) : row.fileName
  const unique = uniqueNames()
  const made: DurableSignature[] = []
  for (const one of kept) {
    const signer = signerOf(one)
    const ending = isXmlSignature(one.cms) ? 'xml' : 'cms'
    const fileName = `${safeName(documentName, 'document')} - ${safeName(signer, 'signature')}.${ending}`
    const { id, pointId, receivedAt, timestampTime } = one
    made.push({
      id,
      pointId,
      fileName: unique(fileName),
      signer,
      side: sideOf(one, signing),
      receivedAt,
      checkedAt: one.lastCheckedAt ?? receivedAt,
      timestampTime,
      verdict: one.verdict as KeptVerdict | null,
      certificate: one.owner && { ...one.owner, timestampTime: timestampTime?.toISOString() ?? null },
      cms: (await durableCms(db, one)).cms,
    })
  }
  return made
}

function atPoints(points: readonly string[]): (one: KeptSignature) => boolean {
  return ({ pointId }) => points.includes(pointId)
}

export function signerOf({ owner, actor }: Pick<KeptSignature, 'owner' | 'actor'>): string {
  return owner?.fullName ?? actor.fullName
}

/**
 * Points of a termination have the ids of the signing points. If the sender gave no name, that in the certificate is
 * used.
 */
export function sideOf(
  { pointId, owner }: Pick<KeptSignature, 'pointId' | 'owner'>,
  signing: LoadedRequest['signing'],
): { name: string; bin: string } {
  const point = signing.find((one) => one.pointId === pointId)
  return { name: point?.organizationName || owner?.organization || '', bin: point?.bin ?? '' }
}

export type KeptSignature = Awaited<ReturnType<typeof findKeptSignatures>>[number]

/** All accepted signatures with their evidence, in the order of their proven times. */
export async function findKeptSignatures(db: Db, requestId: string, signatureId?: string) {
  const rows = await findAcceptedWithEvidence(db, requestId, signatureId)
  return rows
    .map(({ owner, evidence, stampedEvidence, time, ...row }) => {
      const came: KeptEvidence | null = evidence
      const stamped: KeptEvidence | null = stampedEvidence
      const brought = came?.timestampTime ? new Date(came.timestampTime) : null
      return {
        ...row,
        owner: owner as CertificateFacts | null,
        timestampTime: time ?? brought,
        /** Evidence obtained with the timestamp is preferred, because older evidence says nothing about that time. */
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

/** Longer revocation lists stay outside, because a signature is also printed as QR codes. */
export const longestInside = 32 * 1024

export type Durable = {
  cms: Uint8Array
  timestamps: Uint8Array[]
  /** The chain of the signer, then of the timestamp. */
  chain: Uint8Array[]
  ocsp: Uint8Array[]
  /** All revocation lists that the signature depends on, including long ones that are not in the CMS. */
  lists: { sha256: string; size: number }[]
}

export async function durableCms(
  db: Db,
  {
    cms,
    timestampedCms,
    token,
    evidence,
    archivedCms,
  }: Pick<KeptSignature, 'cms' | 'timestampedCms' | 'token' | 'evidence' | 'archivedCms'>,
): Promise<Durable> {
  const chain = (evidence.certificates ?? []).map(fromBase64)
  const ocsp = (evidence.ocspResponses ?? []).map(fromBase64)
  const used = [...new Set((evidence.crls ?? []).flatMap((list) => list.sha256 ?? []))]
  const sizes = await sizesOfLists(db, used)
  const lists = used.flatMap((sha256) => {
    const size = sizes.get(sha256)
    return size === undefined ? [] : [{ sha256, size }]
  })
  const own = token ? [new Uint8Array(token)] : []
  const short = lists.filter(({ size }) => size <= longestInside)
  const crls = await Promise.all(short.map(async ({ sha256 }) => (await findList(db, sha256))!))
  const proved = isXmlSignature(cms)
    ? provedInXml(cms, { timestamps: own, chain, ocsp, crls })
    : provedBeside(timestampedCms ?? cms, { timestamps: own, chain, ocsp, crls })
  return {
    ...proved,
    // The archive proves exactly these bytes, however the same evidence would be written today.
    cms: archivedCms ? new Uint8Array(archivedCms) : proved.cms,
    chain,
    ocsp,
    lists,
  }
}

type OwnEvidence = Pick<Durable, 'timestamps' | 'chain' | 'ocsp'> & { crls: Uint8Array[] }

function provedBeside(
  came: Uint8Array,
  { timestamps: own, chain, ocsp, crls }: OwnEvidence,
): Pick<Durable, 'cms' | 'timestamps'> {
  const bare = mergeDetached([withoutBrought(came)])
  const { signers, certificates } = readSignedData(bare)
  const timestamps = [...embeddedEvidence(signers[0]!.unsignedAttributes).timestamps, ...own]
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
  }
}

function provedInXml(
  element: Uint8Array,
  { timestamps, chain, ocsp, crls }: OwnEvidence,
): Pick<Durable, 'cms' | 'timestamps'> {
  const ocspResponses = ocsp.map(fullOcspResponse)
  return {
    cms: withXmlEvidence(element, { timestamps, certificates: chain, ocspResponses, crls }),
    timestamps,
  }
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
