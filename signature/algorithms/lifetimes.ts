/**
 * Until when hashes can be relied on. The list is dated, because a hash that is strong today will be broken one day,
 * and what was made before that stays proved.
 */
import type { HashName } from './hash.ts'

export type HashEnds = Partial<Record<HashName, Date>>

/** SHA-1: NIST SP 800-131A allows it for signatures until the end of 2013. */
export const hashEnds: HashEnds = { 'sha-1': new Date('2014-01-01T00:00:00Z') }

export function isHashSecure(name: HashName, at: Date, ends: HashEnds = hashEnds): boolean {
  const end = ends[name]
  return end === undefined || at < end
}
