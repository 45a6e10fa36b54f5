/** Archive timestamps of a signature (EN 319 122-1, 5.5.3): what each covers, and whether it can be trusted. */
import { hash, type HashName } from '../algorithms/hash.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import {
  archivedBytes,
  indexOfToken,
  isIndexed,
  isIndexKept,
  type HashIndex,
} from '../cms/archive-timestamp.ts'
import type { SignedContent } from '../cms/check-signer.ts'
import {
  cmsOids,
  ExcessError,
  readSignedData,
  type Attribute,
  type SignedData,
  type SignerInfo,
} from '../cms/signed-data.ts'
import type { Finding } from '../findings/findings.ts'
import { readTimestampToken } from '../timestamps/timestamp.ts'
import { readableEvidence } from './revocation.ts'
import { examineTimestamp, type TimestampExamination } from './timestamps.ts'
import type { ExaminationWork } from './work.ts'

export type ArchiveTimestampExamination = TimestampExamination & {
  /**
   * `signature`: the signature and its evidence, but an empty content in place of the document, as NCALayer does for a
   * detached signature. It proves nothing about the document.
   */
  covers: 'document' | 'signature' | 'nothing'
  /** Whether this value of an unsigned attribute is covered. */
  isCovering: (attribute: Attribute, value: Uint8Array) => boolean
}

type ReadArchiveTimestamp = {
  attribute: Attribute
  token: Uint8Array
  info: ReturnType<typeof readTimestampToken>['info']
  index: HashIndex | null
}

/** The hashes that archive timestamps need of the document. */
export function archiveHashes({ signers }: Pick<SignedData, 'signers'>): HashName[] {
  return signers.flatMap((signer) =>
    tokensOf(signer).flatMap(({ token }) => (readable(token)?.imprint.hash ?? []) as HashName[]),
  )
}

function readable(token: Uint8Array) {
  try {
    return readTimestampToken(token).info
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function tokensOf({ unsignedAttributes }: SignerInfo): { attribute: Attribute; token: Uint8Array }[] {
  return unsignedAttributes
    .filter((attribute) => attribute.oid === cmsOids.archiveTimestamp)
    .flatMap((attribute) => attribute.values.map(({ whole }) => ({ attribute, token: whole })))
}

/** One a year for longer than any contract lasts; each is compared with all others. */
const mostTokens = 64

/**
 * Examines them in the order of their times. Each has to be trusted until the next one that covers it, the last until
 * the check.
 */
export async function examineArchiveTimestamps(
  data: SignedData,
  signer: SignerInfo,
  signed: SignedContent,
  others: readonly Certificate[],
  work: ExaminationWork,
): Promise<ArchiveTimestampExamination[]> {
  const all: ReadArchiveTimestamp[] = []
  const examined: ArchiveTimestampExamination[] = []
  const tokens = tokensOf(signer)
  if (tokens.length > mostTokens) throw new ExcessError('Too many archive timestamps')
  for (const { attribute, token } of tokens) {
    const info = readable(token)
    if (info) all.push({ attribute, token, info, index: indexIn(token) })
    else examined.push(unreadable('timestamp-damaged'))
  }
  all.sort((one, other) => Number(one.info.genTime) - Number(other.info.genTime))
  for (const [i, { attribute, token, info, index }] of all.entries()) {
    if (!index || !isIndexKept(index, data, signer)) {
      examined.push({ ...unreadable('timestamp-of-other'), time: info.genTime })
      continue
    }
    const next = all.slice(i + 1).find((later) => later.index && isIndexed(later.index, attribute, token))
    const brought = readableEvidence(null, readSignedData(token))
    const { covers, bytes } = coverage(data, signer, signed, info.imprint, index)
    const provedAt = next?.info.genTime ?? null
    const examination = await examineTimestamp(token, bytes, others, work, {
      until: work.policy.timestampLife === 'until-check' ? (provedAt ?? work.at) : info.genTime,
      provedAt,
      brought,
    })
    examined.push({
      ...examination,
      covers: examination.findings.length === 0 ? covers : 'nothing',
      isCovering: (other, value) => isIndexed(index, other, value),
    })
  }
  return examined
}

function indexIn(token: Uint8Array): HashIndex | null {
  try {
    return indexOfToken(token)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function unreadable(finding: Finding): ArchiveTimestampExamination {
  return {
    time: null,
    path: [],
    root: null,
    revocation: [],
    findings: [finding],
    covers: 'nothing',
    isCovering: () => false,
  }
}

/** The timestamped bytes: with the document, or with an empty content in its place. */
function coverage(
  data: SignedData,
  signer: SignerInfo,
  signed: SignedContent,
  imprint: { hash: HashName | null; bytes: Uint8Array },
  index: HashIndex,
): { covers: 'document' | 'signature'; bytes: Uint8Array } {
  const name = imprint.hash ?? index.hash
  const document = signed.digest(name)
  const whole = archivedBytes(data, signer, document ?? new Uint8Array(), index.der)
  const empty = archivedBytes(data, signer, hash(name, new Uint8Array()), index.der)
  const isEmpty = data.content === null && isSame(hash(name, empty), imprint.bytes)
  return isEmpty && !(document && isSame(document, hash(name, new Uint8Array())))
    ? { covers: 'signature', bytes: empty }
    : { covers: 'document', bytes: whole }
}
