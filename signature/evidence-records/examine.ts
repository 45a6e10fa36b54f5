/**
 * Judges an evidence record over files (RFC 4998, 5.3; RFC 6283, 4.3):
 *
 *   files ◀─ tree ◀─ timestamp 1 ◀─ tree ◀─ timestamp 2 …   a chain: one hash, each timestamp covers the one before
 *   it
 *   files and all older chains ◀─ tree ◀─ timestamp n …     the next chain: another hash over everything again
 *
 * Each timestamp has to be valid at the time of the next one, the last at the time of the check, and each hash has to
 * be secure until the next chain begins. Then the files existed, as they are, at the time of the first timestamp.
 */
import { createHash, type HashName } from '../algorithms/hash.ts'
import { hashEnds, isHashSecure } from '../algorithms/lifetimes.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame, joined } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { readableCertificates } from '../examination/certificates.ts'
import { digestsOf, type Content } from '../examination/content.ts'
import type { Setting } from '../examination/policy.ts'
import { readableEvidence } from '../examination/revocation.ts'
import { examineTimestamp } from '../examination/timestamps.ts'
import { startWork, type ExaminationWork } from '../examination/work.ts'
import { ExcessError } from '../cms/signed-data.ts'
import type { Finding } from '../findings/findings.ts'
import { canonicalDocument } from '../xml/canonical.ts'
import { XmlError, type XmlDocument } from '../xml/nodes.ts'
import { looksLikeXml, readXml } from '../xml/read.ts'
import { rootsOf } from './hash-tree.ts'
import { readAsn1Record } from './read-asn1.ts'
import { readXmlRecord } from './read-xml.ts'
import { RecordError, type ArchiveChain, type ArchiveTimestamp, type EvidenceRecord } from './record.ts'

export type RecordedFile = {
  name: string
  /** Can be called repeatedly. */
  pieces: () => Content
}

export type RecordExamination = {
  format: EvidenceRecord['format'] | null
  /** Since when the files are proved to exist; null if there are findings. */
  existedAt: Date | null
  /** Until when the proof holds without renewal: the end of the last timestamp's certificates or of its hash. */
  holdsUntil: Date | null
  files: { name: string; isCovered: boolean }[]
  /** How many further files the record covers together with these that were not given. */
  others: number
  timestamps: RecordTimestamp[]
  findings: Finding[]
}

export type RecordTimestamp = {
  time: Date
  hash: HashName
  /** The timestamp begins a chain with another hash. */
  isRehashed: boolean
  /** The chain of the timestamp service. */
  path: readonly Certificate[]
  findings: Finding[]
}

export async function examineRecord(
  bytes: Uint8Array,
  files: readonly RecordedFile[],
  setting: Setting,
): Promise<RecordExamination> {
  const nothing: RecordExamination = {
    format: null,
    existedAt: null,
    holdsUntil: null,
    files: files.map(({ name }) => ({ name, isCovered: false })),
    others: 0,
    timestamps: [],
    findings: [],
  }
  try {
    return await examine(readRecord(bytes), files, startWork(setting))
  } catch (error) {
    return { ...nothing, findings: [findingOf(error)] }
  }
}

/** The files that the record covers by its first timestamp; none if it cannot be read. */
export async function filesOfRecord<F extends RecordedFile>(
  bytes: Uint8Array,
  files: readonly F[],
): Promise<F[]> {
  let record: EvidenceRecord
  try {
    record = readRecord(bytes)
  } catch (error) {
    findingOf(error)
    return []
  }
  const [chain] = record.chains
  const its: F[] = []
  try {
    for (const file of files) {
      const { digests } = await hashedFile(file, { ...record, chains: [chain!] })
      if (digests(chain!).some((one) => isIn(one, chain!.timestamps[0]!))) its.push(file)
    }
  } catch (error) {
    // The fault is reported when the record itself is judged.
    findingOf(error)
  }
  return its
}

/** Throws errors that `findingOf` translates. */
export function readRecord(bytes: Uint8Array): EvidenceRecord {
  if (!looksLikeXml(bytes)) return readAsn1Record(bytes)
  const record = readXmlRecord(bytes)
  if (!record) throw new RecordError('record-damaged', 'Not an evidence record')
  return record
}

function findingOf(error: unknown): Finding {
  if (error instanceof RecordError) return error.finding
  if (error instanceof ExcessError) return 'too-much'
  if (error instanceof MalformedError || error instanceof XmlError) return 'record-damaged'
  // A string or an array became too long for the engine.
  if (error instanceof RangeError) return 'too-much'
  throw error
}

async function examine(
  record: EvidenceRecord,
  files: readonly RecordedFile[],
  work: ExaminationWork,
): Promise<RecordExamination> {
  const findings: Finding[] = []
  if (files.length === 0) findings.push('document-missing')
  const hashed = await Promise.all(files.map((file) => hashedFile(file, record)))
  const covers = record.chains.flatMap((chain) => coverageOf(chain, hashed, record.format))
  const isCovered = (file: HashedFile) => covers.every(({ missing }) => !missing.includes(file))
  if (covers[0]!.missing.length > 0) findings.push('record-of-other')
  if (covers.slice(1).some(({ missing }) => missing.length > 0)) findings.push('record-broken')
  if (covers.some(({ isLinked, isRooted }) => !isLinked || !isRooted)) findings.push('record-broken')
  if (covers.some(({ timestamp }, i) => i > 0 && timestamp.time < covers[i - 1]!.timestamp.time))
    findings.push('record-disordered')
  if (areHashesEnded(record, work)) findings.push('record-weak')

  const timestamps = await examineTimestamps(covers, work)
  findings.push(...timestamps.flatMap((one) => one.findings))
  const first = covers[0]!
  const given = new Set(
    hashed.map((file) => file.digests(first.chain).find((one) => isIn(one, first.timestamp))),
  )
  return {
    format: record.format,
    existedAt: findings.length === 0 ? first.timestamp.time : null,
    holdsUntil: findings.length === 0 ? endOf(timestamps.at(-1)!, work) : null,
    files: hashed.map((file) => ({ name: file.name, isCovered: isCovered(file) })),
    others: Math.max(0, (first.timestamp.lists[0]?.length ?? 1) - given.size),
    timestamps,
    findings: [...new Set(findings)],
  }
}

type Coverage = {
  chain: ArchiveChain
  timestamp: ArchiveTimestamp
  /** The timestamp begins a chain; the first of all begins the record. */
  isFirst: boolean
  /** Files that the timestamp should cover but does not. */
  missing: HashedFile[]
  /** The timestamp covers the one before it or, at the start of a chain, the older chains. */
  isLinked: boolean
  /** The tree leads to the hash that was timestamped. */
  isRooted: boolean
}

function coverageOf(
  chain: ArchiveChain,
  files: readonly HashedFile[],
  format: EvidenceRecord['format'],
): Coverage[] {
  return chain.timestamps.map((timestamp, i) => {
    const isFirst = i === 0
    const before = isFirst ? null : chain.timestamps[i - 1]!.renewable
    const links = before ? [digest(chain.hash, before)] : chain.older.map((one) => digest(chain.hash, one))
    const isRooted =
      timestamp.imprint.hash === chain.hash &&
      (timestamp.lists.length === 0 ||
        rootsOf(chain.hash, timestamp.lists).some((root) => isSame(root, timestamp.imprint.digest)))
    const isInside = (hash: Uint8Array) => isIn(hash, timestamp)
    if (!isFirst) return { chain, timestamp, isFirst, missing: [], isLinked: links.some(isInside), isRooted }
    const isRenewal = chain.older.length > 0
    // In ASN.1 each document is hashed together with the older chains; in XML the hashes of the older chains stand
    // beside those of the documents.
    const isJoined = isRenewal && format === 'asn1'
    const hashesOf = (file: HashedFile) =>
      isJoined
        ? file.digests(chain).flatMap((one) => links.map((link) => digest(chain.hash, joined([one, link]))))
        : file.digests(chain)
    const isLinked = !isRenewal || isJoined || (timestamp.lists.length > 0 && links.some(isInside))
    return {
      chain,
      timestamp,
      isFirst,
      missing: files.filter((file) => !hashesOf(file).some(isInside)),
      isLinked,
      isRooted,
    }
  })
}

/** Whether the hash is in the first list or, without lists, is the timestamped hash itself. */
function isIn(hash: Uint8Array, { lists, imprint }: ArchiveTimestamp): boolean {
  const [first] = lists
  return first ? first.some((one) => isSame(one, hash)) : isSame(imprint.digest, hash)
}

function digest(name: HashName, bytes: Uint8Array): Uint8Array {
  return createHash(name).update(bytes).digest()
}

type HashedFile = {
  name: string
  /** The digests by the hash of the chain; in an XML record also that of the chain's canonical form. */
  digests: (chain: ArchiveChain) => Uint8Array[]
}

async function hashedFile({ name, pieces }: RecordedFile, record: EvidenceRecord): Promise<HashedFile> {
  const digests = await digestsOf(
    pieces(),
    record.chains.map((chain) => chain.hash),
  )
  const document = record.format === 'xml' ? await xmlOf(pieces()) : null
  return {
    name,
    digests: (chain) => [
      digests.get(chain.hash)!,
      ...(document && chain.form
        ? [digest(chain.hash, new TextEncoder().encode(canonicalDocument(document, chain.form)))]
        : []),
    ],
  }
}

/** RFC 6283, 4.1.2: XML is hashed in its canonical form. Null: not XML, or XML that this reader refuses. */
async function xmlOf(content: Content): Promise<XmlDocument | null> {
  const all: Uint8Array[] = []
  for await (const piece of content) {
    if (all.length === 0 && !looksLikeXml(piece)) return null
    all.push(piece)
  }
  try {
    return readXml(joined(all))
  } catch (error) {
    if (error instanceof XmlError) return null
    throw error
  }
}

/** Whether a hash ended before the next chain covered everything by another hash. */
function areHashesEnded({ chains }: EvidenceRecord, work: ExaminationWork): boolean {
  const ends = work.policy.hashEnds ?? hashEnds
  return chains.some(({ hash }, i) => {
    const next = chains[i + 1]?.timestamps[0]
    return !isHashSecure(hash, next?.time ?? work.at, ends)
  })
}

async function examineTimestamps(
  covers: readonly Coverage[],
  work: ExaminationWork,
): Promise<RecordTimestamp[]> {
  const known = covers.flatMap(({ timestamp: { certificates, token } }) => [
    ...readableCertificates(certificates).certificates,
    ...readableCertificates(readSignedData(token).certificates).certificates,
  ])
  const others = [...known, ...work.trust.others, ...work.trust.roots]
  const examined: RecordTimestamp[] = []
  for (const [i, { chain, timestamp, isFirst }] of covers.entries()) {
    const next = covers[i + 1]?.timestamp.time ?? null
    const { crls, ocspResponses } = timestamp
    const inToken = readableEvidence(null, readSignedData(timestamp.token))
    const beside = readableEvidence(
      { timestamps: [], certificates: [], crls, basicOcspResponses: [] },
      {
        crls: [],
        ocspResponses,
      },
    )
    const { imprint } = timestamp
    const { findings, path, isForged } = await examineTimestamp(
      timestamp.token,
      { hash: imprint.hash, digest: imprint.digest },
      others,
      work,
      {
        until: next ?? work.at,
        provedAt: next,
        brought: { crls: [...inToken.crls, ...beside.crls], ocsp: [...inToken.ocsp, ...beside.ocsp] },
      },
    )
    examined.push({
      time: timestamp.time,
      hash: chain.hash,
      isRehashed: isFirst && i > 0,
      path,
      findings: findings.map((finding) => recordFinding(finding, isForged ?? false, next === null)),
    })
  }
  return examined
}

function recordFinding(finding: Finding, isForged: boolean, isLast: boolean): Finding {
  if (isForged) return 'record-forged'
  return finding === 'record-expired' && !isLast ? 'record-late' : finding
}

function endOf({ path, hash }: RecordTimestamp, work: ExaminationWork): Date {
  const ends = work.policy.hashEnds ?? hashEnds
  const times = [...path.map(({ notAfter }) => notAfter), ...(ends[hash] ? [ends[hash]] : [])]
  return times.reduce((one, other) => (one < other ? one : other))
}
