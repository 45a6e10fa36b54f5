/**
 * The entries of a CRL, found by serial number. The national list has some 390 000 of them in 19 MB and is used with
 * every signature, so no entry becomes an object until it is needed. One pass over the bytes checks them all; another
 * puts the offsets of the entries into a hash table (open addressing, one 32-bit word a slot, two megabytes for the
 * national list). Bytes and table are typed arrays that can be passed to workers, shared where the bytes are in shared
 * memory.
 */
import { finish, inside, MalformedError, next, read, tags, take, takeIf } from '../asn1/read.ts'
import { isSame, integerBytes, timeOf, toHex } from '../asn1/values.ts'
import { readExtensions, type Extension } from '../certificates/certificate.ts'
import { readGeneralNames, type GeneralName } from '../certificates/general-names.ts'
import { isReasonNumber, reasonOf, type RevocationReason } from './reasons.ts'

export type CrlEntries = {
  /** The entries one after another. */
  bytes: Uint8Array
  count: number
  /**
   * The hash table: the slot at the hash of a serial number, or the next free one, has the offset of the entry plus
   * 1.
   */
  slots: Uint32Array
  /** In a list of several issuers, the offsets of the entries at which the issuer changes. */
  issuerChanges: Uint32Array
  /** Whether an entry has a critical extension that is not understood here. */
  hasUnknownCritical: boolean
}

export type RevokedEntry = {
  revokedAt: Date
  reason: RevocationReason
  /** Since when the key is suspected, if that is stated. */
  invalidSince: Date | null
}

export type EntryRules = {
  /** Extensions came with version 2. */
  hasExtensions: boolean
  /** Whether entries may have other issuers. */
  isIndirect: boolean
}

export const entryOids = {
  reason: '2.5.29.21',
  holdInstruction: '2.5.29.23',
  invalidSince: '2.5.29.24',
  certificateIssuer: '2.5.29.29',
} as const
const knownEntryOids: ReadonlySet<string> = new Set(Object.values(entryOids))

export function indexEntries(bytes: Uint8Array, rules: EntryRules): CrlEntries {
  const scan = scanEntries(bytes, rules)
  const entries = { bytes, ...scan, slots: allocate(capacityFor(scan.count)) }
  fillSlots(entries)
  return entries
}

/**
 * The entry of a certificate, or null. In a list of several issuers, entries without an issuer belong to the list's
 * own. `isOfIssuer` tells whether the names of an issuer (null: the list's own) are those of the certificate's
 * issuer.
 */
export function findEntry(
  entries: CrlEntries,
  serial: Uint8Array,
  isOfIssuer: (names: readonly GeneralName[] | null) => boolean,
): RevokedEntry | null {
  const { bytes, slots } = entries
  const mask = slots.length - 1
  for (let slot = hashOf(serial, 0, serial.length) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const at = slots[slot]! - 1
    const { start, end } = serialAt(bytes, at)
    if (isSame(bytes.subarray(start, end), serial) && isOfIssuer(issuerAt(entries, at)))
      return entryAt(bytes, at)
  }
  return null
}

type Span = { start: number; end: number }

/** Checks every byte, without creating an object for an ordinary entry. */
function scanEntries(bytes: Uint8Array, { hasExtensions, isIndirect }: EntryRules) {
  const entry: Span = { start: 0, end: 0 }
  const field: Span = { start: 0, end: 0 }
  const issuerChanges: number[] = []
  let count = 0
  let hasUnknownCritical = false
  for (let at = 0; at < bytes.length; at = entry.end) {
    enter(bytes, at, bytes.length, tags.sequence, entry)
    enter(bytes, entry.start, entry.end, tags.integer, field)
    checkInteger(bytes, field)
    const time = field.end
    if (isUsualTime(bytes, time, entry.end)) field.end = time + 15
    else field.end = checkTime(bytes, time, entry.end)
    if (field.end < entry.end && !isUsualReason(bytes, field.end, entry.end)) {
      if (!hasExtensions) throw new MalformedError('Extensions in a list of version 1')
      const extensions = readExtensions(read(bytes.subarray(field.end, entry.end), tags.sequence))
      if (checkExtensions(extensions)) hasUnknownCritical = true
      if (extensions.has(entryOids.certificateIssuer)) {
        if (!isIndirect) throw new MalformedError('Another issuer in a list of one')
        issuerChanges.push(at)
      }
    }
    count++
  }
  return { count, hasUnknownCritical, issuerChanges: Uint32Array.from(issuerChanges) }
}

/** Reads the header of the element at an offset: where its content starts and ends. */
function enter(bytes: Uint8Array, at: number, limit: number, tag: number, span: Span): void {
  const first = bytes[at + 1]
  if (at + 2 > limit || bytes[at] !== tag || first === undefined)
    throw new MalformedError('Not an entry of the list')
  if (first < 0x80) {
    span.start = at + 2
    span.end = span.start + first
  } else {
    const size = first & 0x7f
    span.start = at + 2 + size
    let length = 0
    for (let i = at + 2; i < span.start; i++) length = length * 256 + (bytes[i] ?? Infinity)
    if (size === 0 || size > 4 || length < 0x80 || bytes[at + 2] === 0)
      throw new MalformedError('Not a length')
    span.end = span.start + length
  }
  if (span.end > limit) throw new MalformedError('The element is longer than what holds it')
}

function checkInteger(bytes: Uint8Array, { start, end }: Span): void {
  if (start === end) throw new MalformedError('A number without digits')
  const [first, second] = [bytes[start]!, bytes[start + 1]!]
  const isPadded = end - start > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (isPadded) throw new MalformedError('A number written longer than it need be')
}

/** Whether this is certainly a valid UTCTime, with a day that every month has; all other times are parsed fully. */
function isUsualTime(bytes: Uint8Array, at: number, limit: number): boolean {
  if (at + 15 > limit || bytes[at] !== tags.utcTime || bytes[at + 1] !== 13 || bytes[at + 14] !== 0x5a)
    return false
  for (let i = at + 2; i < at + 14; i++) if (bytes[i]! < 0x30 || bytes[i]! > 0x39) return false
  const month = pairAt(bytes, at + 4)
  const day = pairAt(bytes, at + 6)
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    pairAt(bytes, at + 8) < 24 &&
    pairAt(bytes, at + 10) < 60 &&
    pairAt(bytes, at + 12) < 60
  )
}

function pairAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! - 0x30) * 10 + bytes[at + 1]! - 0x30
}

function checkTime(bytes: Uint8Array, at: number, limit: number): number {
  const cursor = { bytes: bytes.subarray(at, limit), at: 0, encoding: 'der' as const, depth: 0 }
  timeOf(next(cursor))
  return at + cursor.at
}

/**
 * An extension with the reason and nothing else, as the national centre writes it. The last byte is the reason's
 * number.
 */
const usualReason = Uint8Array.of(0x30, 12, 0x30, 10, 6, 3, 0x55, 0x1d, 21, 4, 3, tags.enumerated, 1)

function isUsualReason(bytes: Uint8Array, at: number, limit: number): boolean {
  if (limit - at !== usualReason.length + 1) return false
  for (let i = 0; i < usualReason.length; i++) if (bytes[at + i] !== usualReason[i]) return false
  return isReasonNumber(bytes[limit - 1]!)
}

/** Throws if a known extension is malformed; returns whether an unknown one is critical. */
function checkExtensions(extensions: ReadonlyMap<string, Extension>): boolean {
  let hasUnknownCritical = false
  for (const { oid, isCritical, value } of extensions.values()) {
    if (oid === entryOids.reason) reasonOf(read(value))
    if (oid === entryOids.invalidSince) timeOf(read(value))
    if (oid === entryOids.certificateIssuer) readGeneralNames(value)
    if (isCritical && !knownEntryOids.has(oid)) hasUnknownCritical = true
  }
  return hasUnknownCritical
}

/** The number of slots: a power of two, filled to at most three quarters. */
function capacityFor(count: number): number {
  let capacity = 16
  while (capacity * 0.75 < count) capacity *= 2
  return capacity
}

/** Uses shared memory if available (browsers have it only on isolated pages). */
function allocate(length: number): Uint32Array {
  const size = length * Uint32Array.BYTES_PER_ELEMENT
  return typeof SharedArrayBuffer === 'undefined'
    ? new Uint32Array(length)
    : new Uint32Array(new SharedArrayBuffer(size))
}

/** Honest lists need a few steps per entry; a list whose numbers were chosen to collide would need hours. */
const maxStepsAnEntry = 64

function fillSlots(entries: CrlEntries): void {
  const { bytes, slots, count } = entries
  const mask = slots.length - 1
  const entry: Span = { start: 0, end: 0 }
  const serial: Span = { start: 0, end: 0 }
  let stepsLeft = (count + 16) * maxStepsAnEntry
  for (let at = 0; at < bytes.length; at = entry.end) {
    enter(bytes, at, bytes.length, tags.sequence, entry)
    enter(bytes, entry.start, entry.end, tags.integer, serial)
    let slot = hashOf(bytes, serial.start, serial.end) & mask
    while (slots[slot] !== 0 && !isSameEntry(entries, slots[slot]! - 1, at, serial)) {
      if (--stepsLeft < 0) throw new MalformedError('Serial numbers chosen to be slow')
      slot = (slot + 1) & mask
    }
    if (slots[slot] === 0 || isWorse(bytes, at, slots[slot]! - 1)) slots[slot] = at + 1
  }
}

/** Whether the entry at an offset is about the same certificate as the given serial number. */
function isSameEntry(entries: CrlEntries, known: number, at: number, serial: Span): boolean {
  const { bytes } = entries
  const { start, end } = serialAt(bytes, known)
  if (end - start !== serial.end - serial.start) return false
  for (let i = 0; i < end - start; i++) if (bytes[start + i] !== bytes[serial.start + i]) return false
  return entries.issuerChanges.length === 0 || isSameIssuer(entries, known, at)
}

function isSameIssuer(entries: CrlEntries, one: number, other: number): boolean {
  const [first, second] = [issuerChangeAt(entries, one), issuerChangeAt(entries, other)]
  if (first === null || second === null || first === second) return first === second
  return issuerNameAt(entries, first) === issuerNameAt(entries, second)
}

/** Cached, because entries with equal numbers of many issuers are each compared with each other. */
function issuerNameAt(entries: CrlEntries, change: number): string {
  const known = issuerNames.get(entries) ?? new Map<number, string>()
  issuerNames.set(entries, known)
  const name = known.get(change) ?? toHex(issuerBytes(entries, change))
  known.set(change, name)
  return name
}

const issuerNames = new WeakMap<CrlEntries, Map<number, string>>()

/** Of two entries of one certificate the earlier one counts, and a revocation before a removal. */
function isWorse(bytes: Uint8Array, at: number, than: number): boolean {
  const [one, other] = [entryAt(bytes, at), entryAt(bytes, than)]
  const isRemoval = (entry: RevokedEntry) => entry.reason === 'removeFromCRL'
  if (isRemoval(one) !== isRemoval(other)) return isRemoval(other)
  return one.revokedAt < other.revokedAt
}

/** FNV-1a, mixed at the end since only the lower bits are used. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Only for entries that were scanned. An entry's header takes two bytes, or more if the entry is long. */
function serialAt(bytes: Uint8Array, at: number): Span {
  const header = bytes[at + 1]! < 0x80 ? 2 : 2 + (bytes[at + 1]! & 0x7f)
  const span: Span = { start: 0, end: 0 }
  enter(bytes, at + header, bytes.length, tags.integer, span)
  return span
}

function entryAt(bytes: Uint8Array, at: number): RevokedEntry {
  const { revokedAt, extensions } = fieldsAt(bytes, at)
  const reason = extensions.get(entryOids.reason)
  const invalidSince = extensions.get(entryOids.invalidSince)
  return {
    revokedAt,
    reason: reason ? reasonOf(read(reason.value)) : 'unspecified',
    invalidSince: invalidSince ? timeOf(read(invalidSince.value)) : null,
  }
}

function fieldsAt(bytes: Uint8Array, at: number): { revokedAt: Date; extensions: Map<string, Extension> } {
  const fields = inside(take({ bytes, at, encoding: 'der', depth: 0 }, tags.sequence))
  integerBytes(take(fields, tags.integer))
  const revokedAt = timeOf(next(fields))
  const list = takeIf(fields, tags.sequence)
  finish(fields)
  return { revokedAt, extensions: list ? readExtensions(list) : new Map<string, Extension>() }
}

/** The names of an entry's issuer; null: the list's own issuer. */
function issuerAt(entries: CrlEntries, at: number): GeneralName[] | null {
  const change = issuerChangeAt(entries, at)
  return change === null ? null : readGeneralNames(issuerBytes(entries, change))
}

function issuerBytes({ bytes }: CrlEntries, change: number): Uint8Array {
  return fieldsAt(bytes, change).extensions.get(entryOids.certificateIssuer)!.value
}

/** The last change at or before an offset. */
function issuerChangeAt({ issuerChanges }: CrlEntries, at: number): number | null {
  let [low, high] = [0, issuerChanges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (issuerChanges[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : issuerChanges[low - 1]!
}
