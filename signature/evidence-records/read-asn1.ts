/**
 * Reads EvidenceRecord (RFC 4998, appendix B: implicit tags). Everything but the timestamps has to be DER, because it
 * is hashed.
 */
import { digestLength, type HashName } from '../algorithms/hash.ts'
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  next,
  read,
  tags,
  take,
  takeIf,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import { takeOid, takeSmallInteger } from '../asn1/values.ts'
import { sequence } from '../asn1/write.ts'
import { digestAlgorithmOf, readAlgorithm } from '../certificates/algorithm-identifier.ts'
import { readTimestampToken } from '../timestamps/timestamp.ts'
import {
  RecordError,
  recordLimits,
  refuseTooMuch,
  type ArchiveChain,
  type ArchiveTimestamp,
  type EvidenceRecord,
} from './record.ts'

export function readAsn1Record(bytes: Uint8Array): EvidenceRecord {
  if (bytes.length > recordLimits.bytes) throw new RecordError('too-much', 'The record is too long')
  const fields = inside(read(bytes, tags.sequence))
  if (takeSmallInteger(fields) !== 1) throw new MalformedError('No such version of evidence records')
  const announced = elements(take(fields, tags.sequence)).map((one) => digestAlgorithmOf(readAlgorithm(one)))
  const cryptoInfos = takeIf(fields, constructed(0))
  if (cryptoInfos) checkAttributes(cryptoInfos)
  if (takeIf(fields, constructed(1))) throw new RecordError('record-form-unknown', 'Of encrypted documents')
  const chains = limited(elements(take(fields, tags.sequence)), recordLimits.chains)
  finish(fields)
  refuseTooMuch(bytes, chains.length)
  return {
    format: 'asn1',
    chains: chains.map((chain, i) => readChain(chain, chains.slice(0, i), announced)),
  }
}

function readChain(
  element: Element,
  before: readonly Element[],
  announced: readonly (HashName | null)[],
): ArchiveChain {
  if (element.tag !== tags.sequence) throw new MalformedError('Not a chain')
  const timestamps = limited(elements(element), recordLimits.timestamps).map(readTimestamp)
  const { hash } = timestamps[0]!
  if (timestamps.some((one) => one.hash !== hash)) throw new MalformedError('Two hashes in one chain')
  if (!announced.includes(hash)) throw new MalformedError('A hash that the record does not name')
  return {
    hash,
    timestamps: timestamps.map(({ timestamp }) => timestamp),
    older: before.length === 0 ? [] : [sequence(...before.map(({ whole }) => whole))],
    form: null,
  }
}

function readTimestamp(element: Element): { hash: HashName; timestamp: ArchiveTimestamp } {
  if (element.tag !== tags.sequence) throw new MalformedError('Not an archive timestamp')
  const fields = inside(element)
  const algorithm = takeIf(fields, constructed(0))
  const attributes = takeIf(fields, constructed(1))
  if (attributes) checkAttributes(attributes)
  const tree = takeIf(fields, constructed(2))
  const token = takeToken(fields)
  finish(fields)
  const { imprint, genTime } = readTimestampToken(token).info
  if (!imprint.hash) throw new RecordError('unknown-algorithm', 'The hash of the timestamp')
  const hash = algorithm ? digestAlgorithmOf(readAlgorithm(algorithm)) : imprint.hash
  if (!hash) throw new RecordError('unknown-algorithm', 'The hash of the tree')
  return {
    hash,
    timestamp: {
      lists: tree ? readTree(tree, digestLength(hash)) : [],
      token,
      imprint: { hash: imprint.hash, digest: imprint.bytes },
      time: genTime,
      renewable: token,
      certificates: [],
      crls: [],
      ocspResponses: [],
    },
  }
}

/** A timestamp is a CMS, whose envelope may be BER. */
function takeToken(fields: Cursor): Uint8Array {
  fields.encoding = 'ber'
  return take(fields, tags.sequence).whole
}

function readTree(element: Element, length: number): Uint8Array[][] {
  const lists = elements(element)
  if (lists.length > recordLimits.lists) throw new RecordError('too-much', 'Too many lists')
  return lists.map((list) => {
    if (list.tag !== tags.sequence) throw new MalformedError('Not a list of hashes')
    return limited(elements(list), recordLimits.hashes).map((one) => {
      if (one.tag !== tags.octetString || one.content.length !== length)
        throw new MalformedError('Not a hash of this length')
      return one.content
    })
  })
}

/** Attributes prove nothing here, but they have to be well formed. */
function checkAttributes(element: Element): void {
  for (const attribute of limited(elements(element), recordLimits.timestamps)) {
    const fields = inside(attribute)
    takeOid(fields)
    take(fields, tags.set)
    finish(fields)
  }
}

function limited(all: Element[], most: number): Element[] {
  if (all.length === 0) throw new MalformedError('An empty list')
  if (all.length > most) throw new RecordError('too-much', 'Too many')
  return all
}

/** Whether the bytes begin like an evidence record: a number, then a list of algorithms. */
export function looksLikeAsn1Record(start: Uint8Array): boolean {
  try {
    const outer: Cursor = { bytes: start, at: 0, encoding: 'der', depth: 0 }
    if (start[0] !== tags.sequence) return false
    outer.at = start[1]! < 0x80 ? 2 : 2 + (start[1]! & 0x7f)
    if (takeSmallInteger(outer) !== 1) return false
    const algorithms = elements(take(outer, tags.sequence))
    return algorithms.length > 0 && algorithms.every((one) => isAlgorithm(one))
  } catch (error) {
    if (error instanceof MalformedError) return false
    throw error
  }
}

function isAlgorithm(element: Element): boolean {
  if (element.tag !== tags.sequence) return false
  const fields = inside(element)
  takeOid(fields)
  while (fields.at < fields.bytes.length) next(fields)
  return true
}
