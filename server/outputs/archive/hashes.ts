/** The hash on which new proofs rest. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { hashEnds, isHashSecure, type HashEnds } from '@kelisim/signature/algorithms/lifetimes.ts'
import { renewedBefore } from './records.ts'

/** In order of preference. */
const hashes: readonly HashName[] = ['sha-256', 'sha-512', 'streebog-512']

/** The first hash that will not end soon. */
export function archiveHash(at: Date, ends: HashEnds = hashEnds): HashName {
  const soon = new Date(Number(at) + renewedBefore.hash)
  const found = hashes.find((name) => isHashSecure(name, soon, ends))
  if (!found) throw new Error('every known hash ends soon')
  return found
}
