/** Which hash new proofs rest on. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { hashEnds, isHashSecure, type HashEnds } from '@kelisim/signature/algorithms/lifetimes.ts'
import { renewedBefore } from './records.ts'

/** In the order in which they are taken. */
const hashes: readonly HashName[] = ['sha-256', 'sha-512', 'streebog-512']

/** The first that will not end soon. */
export function archiveHash(at: Date, ends: HashEnds = hashEnds): HashName {
  const soon = new Date(Number(at) + renewedBefore.hash)
  const found = hashes.find((name) => isHashSecure(name, soon, ends))
  if (!found) throw new Error('every known hash ends soon')
  return found
}
