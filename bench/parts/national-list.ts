/** A CRL as long as the national centre's was in 2026: 390 000 entries, 19 MB, GOST 512. */
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import { makeCrl } from '@kelisim/signature/signer/issue.ts'
import { gostKey } from '@kelisim/signature/signer/keys.ts'

export const entryCount = 390_000

/** The same key in every process. */
export const listIssuer = () => ({
  subject: makeName({ commonName: 'centre', country: 'KZ' }),
  keys: gostKey('gost-kz-512', 0x6b656c6973696dn),
})

/** Twenty bytes, like the national centre's numbers. */
export function serialOf(number: number): Uint8Array {
  const serial = hash('sha-256', new TextEncoder().encode(`certificate ${number}`)).subarray(0, 20)
  serial[0] = (serial[0]! & 0x6f) | 0x10
  return serial
}

/** Generated once and kept: it takes some seconds. */
export async function nationalList(): Promise<string> {
  const path = join(tmpdir(), 'kelisim-national-list-1.crl')
  if (existsSync(path) && statSync(path).size > 18_000_000) return path
  const start = Date.UTC(2024, 0, 1)
  const entries = Array.from({ length: entryCount }, (_, i) => ({
    serial: serialOf(i),
    revokedAt: new Date(start + i * 200_000),
    // two of three have a reason
    ...(i % 3 > 0 ? { reason: 'cessationOfOperation' as const } : {}),
  }))
  const list = await makeCrl({
    issuer: listIssuer(),
    thisUpdate: new Date('2026-11-01T00:00:00Z'),
    nextUpdate: new Date('2036-11-01T00:00:00Z'),
    number: 1,
    entries,
  })
  writeFileSync(`${path}.part`, list)
  renameSync(`${path}.part`, path)
  return path
}
