/** The common names of the algorithms. */
import { curves } from './curves.ts'
import type { PublicKey, SignatureAlgorithm } from './verify.ts'

export function algorithmName(algorithm: SignatureAlgorithm, key: PublicKey | null): string {
  switch (algorithm.kind) {
    case 'gost': {
      const bits =
        key?.kind === 'gost' ? curves[key.curve].bits : algorithm.hash === 'streebog-512' ? 512 : 256
      if (algorithm.hash === 'gost-34.311') return 'GOST 34.310-2004'
      if (algorithm.hash === 'gost-34.11-94') return 'GOST R 34.10-2001'
      return algorithm.wire === 'kz' ? `GOST 34.10-2015 ${bits}` : `GOST R 34.10-2012 ${bits}`
    }
    case 'ecdsa':
      return `ECDSA ${key?.kind === 'ec' ? `${key.curve.toUpperCase()} ` : ''}${algorithm.hash.toUpperCase()}`
    case 'rsa-pkcs1':
    case 'rsa-pss': {
      const padding = algorithm.kind === 'rsa-pss' ? '-PSS' : ''
      return `RSA${padding} ${key?.kind === 'rsa' ? `${bitsOf(key.modulus)} ` : ''}${algorithm.hash.toUpperCase()}`
    }
  }
}

function bitsOf(modulus: Uint8Array): number {
  const first = modulus.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (modulus.length - first) * 8 - Math.clz32(modulus[first]!) + 24
}
