/**
 * Timestamps (RFC 3161): requesting one, and parsing the response and its token. The token is a CMS of its own, whose
 * signature and chain are examined like any other; this file reads its content and compares it with the request.
 */
import { hash, type HashName } from '../algorithms/hash.ts'
import { hashEnds, isHashSecure, type HashEnds } from '../algorithms/lifetimes.ts'
import {
  constructed,
  elements,
  finish,
  inside,
  isAtEnd,
  MalformedError,
  next,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
  takeIf,
  type Element,
} from '../asn1/read.ts'
import {
  booleanOf,
  integerBytes,
  isSame,
  joined,
  namedBits,
  smallInteger,
  takeInteger,
  takeOid,
  takeSmallInteger,
  textOf,
  timeOf,
} from '../asn1/values.ts'
import { boolean, integer, octetString, oid, sequence, unsignedInteger } from '../asn1/write.ts'
import { digestAlgorithmOf, digestIdentifier, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import {
  extensionOids,
  readExtensions,
  type Certificate,
  type Extension,
} from '../certificates/certificate.ts'
import { cmsOids, readSignedData, type SignedData } from '../cms/signed-data.ts'

export type TimestampQuestion = {
  hash: HashName
  /** The digest of the bytes to be stamped: for a signature, of its value. */
  imprint: Uint8Array
  policy?: string
  /** The bytes of an unpredictable number. */
  nonce?: Uint8Array
  /** Whether the service should include its certificate in the token. */
  certReq?: boolean
}

export function timestampRequest(question: TimestampQuestion): Uint8Array {
  const { policy, nonce, certReq = true } = question
  return sequence(
    integer(1),
    messageImprint(question.hash, question.imprint),
    ...(policy === undefined ? [] : [oid(policy)]),
    ...(nonce ? [unsignedInteger(nonce)] : []),
    ...(certReq ? [boolean(true)] : []),
  )
}

/** The hash and the digest, encoded as in both the request and the token. */
export function messageImprint(name: HashName, digest: Uint8Array): Uint8Array {
  return sequence(digestIdentifier(name), octetString(digest))
}

const pkiStatuses = [
  'granted',
  'grantedWithMods',
  'rejection',
  'waiting',
  'revocationWarning',
  'revocationNotification',
] as const
export type TimestampStatus = (typeof pkiStatuses)[number]

/** The bit numbers of PKIFailureInfo. */
const failures = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
}
export type TimestampFailure = keyof typeof failures

const failureNames = Object.keys(failures) as TimestampFailure[]

export const failureNumber = (failure: TimestampFailure): number => failures[failure]

export type TimestampResponse = {
  status: TimestampStatus
  /** The service's message, for display. */
  text: string | null
  failures: TimestampFailure[]
  token: Uint8Array | null
}

/** A token takes two kilobytes, with a chain ten, and with the CRL of a large centre some millions of bytes. */
const maxLength = 16 * 1024 ** 2

export function readTimestampResponse(bytes: Uint8Array): TimestampResponse {
  if (bytes.length > maxLength) throw new MalformedError('The answer is too long')
  const fields = inside(read(bytes, tags.sequence, 'ber'))
  const info = inside(take(fields, tags.sequence))
  const status = pkiStatuses[takeSmallInteger(info)]
  if (!status) throw new MalformedError('No such status')
  const texts = takeIf(info, tags.sequence)
  const failInfo = takeIf(info, tags.bitString)
  finish(info)
  const token = takeIf(fields, tags.sequence)
  finish(fields)
  const isGranted = status === 'granted' || status === 'grantedWithMods'
  if (isGranted !== (token !== null))
    throw new MalformedError('Granted without a token, or a token not granted')
  return {
    status,
    text:
      texts &&
      elements(texts)
        .map((text) => textOf(text) ?? '')
        .join(' '),
    failures: failInfo ? failuresIn(namedBits(failInfo)) : [],
    token: token && token.whole,
  }
}

function failuresIn(bits: ReadonlySet<number>): TimestampFailure[] {
  return failureNames.filter((failure) => bits.has(failures[failure]))
}

export type TimestampInfo = {
  policy: string
  imprint: { hash: HashName | null; bytes: Uint8Array }
  /** The bytes of the number, as written; those of some services look negative. */
  serial: Uint8Array
  genTime: Date
  /** The accuracy of the time in milliseconds; null where the service does not state it. */
  accuracy: number | null
  ordering: boolean
  nonce: Uint8Array | null
  /** The name that the service gives itself, as DER; only the name in the certificate counts. */
  tsa: Uint8Array | null
  extensions: ReadonlyMap<string, Extension>
}

/** Reads the content of the token, and its SignedData. */
export function readTimestampToken(bytes: Uint8Array): { info: TimestampInfo; signedData: SignedData } {
  if (bytes.length > maxLength) throw new MalformedError('The token is too long')
  const signedData = readSignedData(bytes)
  const { contentType, content } = signedData
  if (contentType !== cmsOids.timestampInfo || !content) throw new MalformedError('Not a timestamp')
  return { info: readTimestampInfo(joined(content)), signedData }
}

export function readTimestampInfo(der: Uint8Array): TimestampInfo {
  const fields = inside(read(der, tags.sequence))
  if (takeSmallInteger(fields) !== 1) throw new MalformedError('No such version of timestamps')
  const policy = takeOid(fields)
  const imprint = readImprint(take(fields, tags.sequence))
  const serial = takeInteger(fields)
  const time = next(fields)
  if (time.tag !== tags.generalizedTime) throw new MalformedError('Not a time of this kind')
  const accuracy = takeIf(fields, tags.sequence)
  const ordering = takeIf(fields, tags.boolean)
  const nonce = takeIf(fields, tags.integer)
  const tsa = takeExplicit(fields, 0)
  const extensions = takeIf(fields, constructed(1))
  finish(fields)
  return {
    policy,
    imprint,
    serial,
    genTime: timeOf(time),
    accuracy: accuracy && readAccuracy(accuracy),
    ordering: ordering !== null && booleanOf(ordering),
    nonce: nonce && integerBytes(nonce),
    tsa: tsa && next(tsa).whole,
    extensions: extensions ? readExtensions(extensions) : new Map(),
  }
}

function readImprint(element: Element): TimestampInfo['imprint'] {
  const fields = inside(element)
  const algorithm = takeAlgorithm(fields)
  const bytes = take(fields, tags.octetString).content
  finish(fields)
  return { hash: digestAlgorithmOf(algorithm), bytes }
}

function readAccuracy(element: Element): number {
  const fields = inside(element)
  const [seconds, millis, micros] = [tags.integer, primitive(0), primitive(1)].map((tag) =>
    takeIf(fields, tag),
  )
  if (!isAtEnd(fields)) throw new MalformedError('Not an accuracy')
  const part = (field: Element | null | undefined) => (field ? smallInteger(field) : 0)
  return part(seconds) * 1000 + part(millis) + part(micros) / 1000
}

export type TimestampProblem =
  | 'unknown-hash'
  | 'weak-hash'
  /** The timestamp is over something else. */
  | 'other-imprint'
  | 'from-future'
  /** The certificate is not for timestamps, or not for them alone. */
  | 'wrong-usage'
  | 'expired'
  | 'not-yet-valid'
  | 'nonce'
  | 'policy'
  | 'unknown-critical-extension'

export type HashedBytes = {
  hash: HashName
  digest: Uint8Array
}

export type TimestampDemands = {
  /** The stamped bytes (for a signature, its value), or their hash if they are not available. */
  imprintOf: Uint8Array | HashedBytes
  /** The time of the check; if clocks may differ, the latest that it may be. */
  at: Date
  /** The nonce of the request, for a response that has just arrived. */
  nonce?: Uint8Array
  policy?: string
  /**
   * Until when the timestamp is relied on: its hash must be secure until then. Without it, every hash that has an end
   * is refused.
   */
  reliedUntil?: { time: Date; hashEnds: HashEnds }
}

const timeStamping = '1.3.6.1.5.5.7.3.8'

/** The certificate is that of the token's signer; its chain is not checked here. */
export function checkTimestampInfo(
  info: TimestampInfo,
  certificate: Certificate,
  { imprintOf, at, nonce, policy, reliedUntil }: TimestampDemands,
): TimestampProblem | null {
  const { imprint, genTime } = info
  if (!imprint.hash) return 'unknown-hash'
  const isWeak = reliedUntil
    ? !isHashSecure(imprint.hash, reliedUntil.time, reliedUntil.hashEnds)
    : imprint.hash in hashEnds
  if (isWeak) return 'weak-hash'
  if (!isImprintOf(imprint.hash, imprint.bytes, imprintOf)) return 'other-imprint'
  if (genTime > at) return 'from-future'
  if (!isForTimestampsOnly(certificate)) return 'wrong-usage'
  if (genTime > certificate.notAfter) return 'expired'
  if (genTime < certificate.notBefore) return 'not-yet-valid'
  const other = differenceFrom({ nonce, policy }, info)
  if (other) return other
  return [...info.extensions.values()].some((extension) => extension.isCritical)
    ? 'unknown-critical-extension'
    : null
}

/** The field in which a token differs from its request, or null. */
function differenceFrom(
  { nonce, policy }: { nonce?: Uint8Array | undefined; policy?: string | undefined },
  info: TimestampInfo,
): 'nonce' | 'policy' | null {
  if (nonce && !(info.nonce && isSame(read(unsignedInteger(nonce)).content, info.nonce))) return 'nonce'
  return policy !== undefined && info.policy !== policy ? 'policy' : null
}

/**
 * The token of a response to this request, or why there is none. Responses come over plain HTTP and can be replayed.
 */
export function tokenAnswering(
  question: TimestampQuestion,
  response: Uint8Array,
): { token: Uint8Array } | { refusal: string } {
  const { token, status, failures: reasons } = readTimestampResponse(response)
  if (!token) return { refusal: [status, ...reasons].join(', ') }
  const other = differenceFrom(question, readTimestampToken(token).info)
  return other ? { refusal: `the ${other} is not the one that was sent` } : { token }
}

function isImprintOf(name: HashName, imprint: Uint8Array, of: Uint8Array | HashedBytes): boolean {
  if (of instanceof Uint8Array) return isSame(imprint, hash(name, of))
  return of.hash === name && isSame(imprint, of.digest)
}

function isForTimestampsOnly({ extendedKeyUsage, keyUsage, extensions }: Certificate): boolean {
  return (
    extensions.get(extensionOids.extendedKeyUsage)?.isCritical === true &&
    extendedKeyUsage?.length === 1 &&
    extendedKeyUsage[0] === timeStamping &&
    (keyUsage === null || keyUsage.has('digitalSignature') || keyUsage.has('nonRepudiation'))
  )
}
