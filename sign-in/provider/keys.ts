/**
 * The secrets of this service, generated at the first start and stored in the database. When several processes start at
 * once each generates its own, the first insert wins, and all read that one.
 */
import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'oidc-provider'
import { z } from 'zod'
import type { Database } from '@kelisim/db/db.ts'
import { addKey, findKey } from './key-queries.ts'

export type Keys = { jwks: { keys: JWK[] }; cookieKeys: string[]; clientSecret: string }

export async function loadKeys(database: Database, now: Date): Promise<Keys> {
  const jwks = await keep(database, 'jwks', jwksShape, async () => ({ keys: [await newSigningKey()] }), now)
  const cookies = await keep(database, 'cookies', cookiesShape, () => ({ keys: [newSecret()] }), now)
  const client = await keep(database, 'client', clientShape, () => ({ secret: newSecret() }), now)
  return { jwks, cookieKeys: cookies.keys, clientSecret: client.secret }
}

const jwksShape = z.object({ keys: z.array(z.record(z.string(), z.string())).min(1) })
const cookiesShape = z.object({ keys: z.array(z.string()).min(1) })
const clientShape = z.object({ secret: z.string() })

async function keep<T extends object>(
  { db, write }: Database,
  name: string,
  shape: z.ZodType<T>,
  make: () => T | Promise<T>,
  now: Date,
): Promise<T> {
  let row = await findKey(db, name)
  if (!row) {
    const value = JSON.stringify(await make())
    await write((tx) => addKey(tx, { name, value, createdAt: now }))
    row = await findKey(db, name)
  }
  return shape.parse(row?.value)
}

async function newSigningKey(): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 3072, extractable: true })
  const jwk = await exportJWK(privateKey)
  const { kty, n, e, d, p, q, dp, dq, qi } = z.record(z.string(), z.string()).parse(jwk)
  const kid = await calculateJwkThumbprint(jwk)
  return z
    .record(z.string(), z.string())
    .parse({ kty, n, e, d, p, q, dp, dq, qi, kid, use: 'sig', alg: 'RS256' })
}

function newSecret(): string {
  return randomBytes(48).toString('base64url')
}
