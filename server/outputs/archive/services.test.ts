/** Which answers of timestamp services the archive accepts. */
import { expect, test } from 'vitest'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import {
  readTimestampRequest,
  stamp,
  timestampResponse,
} from '@kelisim/signature/signer/timestamp-authority.ts'
import { daysLater, foundNation, signedOn } from '@kelisim/signature/testing/nation.ts'
import { serviceOf } from '@kelisim/signature/testing/records.ts'
import { takeFrom } from './services.ts'
import { answersOf, timestampChecksIn, type ListsOfCentre } from './testing-timestamps.ts'

const nation = await foundNation('gost-kz-512')
const root = hash('sha-256', new Uint8Array(3))
const clock = () => signedOn
const answer = answersOf(nation.clock, clock)

function take(ask: (request: Uint8Array) => Promise<Uint8Array>, lists: ListsOfCentre = {}) {
  return takeFrom([{ name: 'a', ask }], timestampChecksIn(nation, lists), clock)('sha-256', root)
}

test('a timestamp over the requested hash by a trusted service is taken', async () => {
  expect(await take(answer)).toMatchObject({
    time: signedOn,
    endsAt: nation.clock.certificate.notAfter,
    service: 'a',
  })
})

test('the next service is asked where the certificate of one ends too soon', async () => {
  const year = signedOn.getUTCFullYear()
  const long = await serviceOf(nation, year - 1, year + 3)
  const asked = (...names: ('short' | 'long')[]) => {
    const by = { short: answer, long: answersOf(long, clock) }
    const services = names.map((name) => ({ name, ask: by[name] }))
    return takeFrom(services, timestampChecksIn(nation), clock)(
      'sha-256',
      root,
      nation.clock.certificate.notAfter,
    )
  }
  expect(await asked('short', 'long')).toMatchObject({ service: 'long', endsAt: long.certificate.notAfter })
  await expect(asked('short')).rejects.toThrow('short: its certificate ends too soon')
})

test('a timestamp of another request, or by another policy, is refused', async () => {
  const stampedBy = async (bytes: Uint8Array, change: object) => {
    const request = { ...readTimestampRequest(bytes), ...change }
    const parts = { authority: nation.clock, request, policy: request.policy!, genTime: signedOn }
    return timestampResponse(await stamp({ ...parts, serial: Uint8Array.of(1) }))
  }
  for (const nonce of [null, Uint8Array.of(1, 2, 3)])
    await expect(take((bytes) => stampedBy(bytes, { nonce }))).rejects.toThrow('nonce')
  await expect(take((bytes) => stampedBy(bytes, { policy: '1.2.3.4' }))).rejects.toThrow('policy')
})

test('a timestamp by a revoked key, or by one whose revocation is unknown, is refused', async () => {
  const revoked = { key: nation.clock, since: daysLater(-1) }
  await expect(take(answer, { revoked })).rejects.toThrow('timestamp-untrusted')
  await expect(take(answer, { isAway: true })).rejects.toThrow('timestamp-revocation-unknown')
})
