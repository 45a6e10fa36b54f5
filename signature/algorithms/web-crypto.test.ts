import { expect, test } from 'vitest'
import { importRsaKey, maxRemembered, type RsaKey } from './web-crypto.ts'

/** An RSA key whose factors are unknown; they are not needed here. */
function someKey(number: number): RsaKey {
  const modulus = new Uint8Array(256).fill(0xa5)
  new DataView(modulus.buffer).setUint32(100, number)
  return { modulus, exponent: Uint8Array.of(1, 0, 1) }
}

test('a key is imported once for each use, and only a limited number is kept', async () => {
  const first = await importRsaKey(someKey(0), 'pkcs1', 'sha-256')
  expect(first).not.toBeNull()
  expect(await importRsaKey(someKey(0), 'pkcs1', 'sha-256')).toBe(first)
  expect(await importRsaKey(someKey(1), 'pkcs1', 'sha-256')).not.toBe(first)
  expect(await importRsaKey(someKey(0), 'pkcs1', 'sha-512')).not.toBe(first)
  expect(await importRsaKey(someKey(0), 'pss', 'sha-256')).not.toBe(first)
  for (let i = 0; i < maxRemembered; i++) await importRsaKey(someKey(i + 2), 'pkcs1', 'sha-256')
  expect(await importRsaKey(someKey(0), 'pkcs1', 'sha-256')).not.toBe(first)
})
