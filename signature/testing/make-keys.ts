/**
 * Keys for tests. GOST keys are derived from a seed, so that a failure can be reproduced; RSA and P-256 keys are new
 * each time.
 */
import { hash } from '../algorithms/hash.ts'
import { curveOf, generateKey, gostKey, numberBelow, type KeyKind, type SigningKey } from '../signer/keys.ts'

export async function makeKeys(kind: KeyKind, seed?: string): Promise<SigningKey> {
  if (kind === 'rsa' || kind === 'p-256' || seed === undefined) return generateKey(kind)
  return gostKey(kind, numberBelow(curveOf(kind), hash('sha-512', new TextEncoder().encode(seed))))
}
