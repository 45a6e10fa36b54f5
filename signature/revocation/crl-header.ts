/** Parses only the beginning of a long CRL, for callers that need its dates. */
import { enter, MalformedError, next, peek, tags, take, takeIf, type Cursor } from '../asn1/read.ts'
import { timeOf } from '../asn1/values.ts'

/** Enough for the name of any issuer. */
export const crlHeaderLength = 4096

export function readCrlHeader(
  start: Uint8Array,
  wholeLength: number,
): { issuer: Uint8Array; thisUpdate: Date; nextUpdate: Date | null } {
  const cursor: Cursor = { bytes: start, at: 0, encoding: 'der', depth: 0 }
  const length = enter(cursor, tags.sequence)
  if (cursor.at + length !== wholeLength) throw new MalformedError('Not the whole list, or more than it')
  enter(cursor, tags.sequence)
  takeIf(cursor, tags.integer)
  take(cursor, tags.sequence)
  const issuer = take(cursor, tags.sequence).whole
  const thisUpdate = timeOf(next(cursor))
  const isTime = peek(cursor) === tags.utcTime || peek(cursor) === tags.generalizedTime
  return { issuer, thisUpdate, nextUpdate: isTime ? timeOf(next(cursor)) : null }
}
