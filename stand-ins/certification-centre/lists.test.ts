/** CRLs over several days. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { revokedByCrl } from '@kelisim/signature/revocation/by-crl.ts'
import { findEntry } from '@kelisim/signature/revocation/crl-entries.ts'
import { readCrl, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { openCentre, type Centre } from './centre.ts'
import { allowTime, anOrder, temporaryFolder } from './testing.ts'

allowTime()

const { folder, remove } = temporaryFolder()
afterAll(remove)

const hour = 60 * 60 * 1000
const day = 24 * hour
/** Time only moves forward, also between tests: they share a centre. */
let now = new Date('2026-06-01T08:00:00Z')
let centre: Centre
let certificate: Certificate

beforeEach(async () => {
  centre = await openCentre({ folder, address: 'http://centre.example', clock: () => now })
  pass(day)
  certificate = (await centre.issue(anOrder({ kind: 'gost-kz-2004' }))).certificate
})

const pass = (milliseconds: number) => (now = new Date(Number(now) + milliseconds))
const which = () => ({ serial: toHex(certificate.serial) })
const full = async () => readCrl(await centre.crl('gost-kz-2004', 'full'))
const delta = async () => readCrl(await centre.crl('gost-kz-2004', 'delta'))
const reasonIn = ({ entries }: Crl) => {
  const entry = findEntry(entries, certificate.serial, () => true)
  return entry && (entry.reason ?? 'unspecified')
}

describe('numbers of lists', () => {
  test('grow with every day and every change, and the same list has the same octets', async () => {
    const first = await full()
    pass(hour)
    expect(toHex((await full()).der)).toBe(toHex(first.der))
    centre.revoke(which())
    const second = await full()
    pass(day)
    const third = await full()
    expect(second.number! > first.number!).toBe(true)
    expect(third.number! > second.number!).toBe(true)
    const again = await openCentre({ folder, clock: () => now })
    expect(toHex(await again.crl('gost-kz-2004', 'full'))).toBe(toHex(third.der))
  })

  test('of deltas are a series of their own, and name the first full list of the day', async () => {
    const base = await full()
    expect((await delta()).baseNumber).toBe(base.number)
    centre.revoke(which())
    pass(hour)
    const later = await delta()
    expect(later.baseNumber).toBe(base.number)
    expect(later.number).not.toBe((await full()).number)
    pass(hour)
    expect((await delta()).number! > later.number!).toBe(true)
  })
})

test('a list is always current when it is asked for, and says when the next one comes', async () => {
  for (let i = 0; i < 30; i++) {
    pass(1.7 * hour)
    for (const list of [await full(), await delta()]) {
      expect(list.thisUpdate <= now && now < list.nextUpdate!).toBe(true)
    }
  }
})

describe('a delta lists what changed since the day began', () => {
  test('and nothing else', async () => {
    expect((await delta()).entries.count).toBe(0)
    centre.revoke(which(), 'keyCompromise')
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual(['keyCompromise', 'keyCompromise'])
    pass(day)
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual(['keyCompromise', null])
  })

  test('the end of a hold that is still in the first list of the day', async () => {
    centre.hold(which())
    pass(day)
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual(['certificateHold', null])
    centre.unhold(which())
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual([null, 'removeFromCRL'])
    pass(day)
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual([null, null])
  })

  test('a hold that came and went leaves nothing', async () => {
    centre.hold(which())
    centre.unhold(which())
    expect([reasonIn(await full()), reasonIn(await delta())]).toEqual([null, null])
  })
})

test('an old full list with the new delta says what the newest list says', async () => {
  const old = await full()
  pass(hour)
  centre.revoke(which(), 'superseded')
  const path = [centre.centres[1]!, centre.roots[1]!]
  const judged = async (...lists: Crl[]) => (await revokedByCrl(certificate, path, lists, { at: now })).status
  expect(await judged(old)).toBe('good')
  expect(await judged(old, await delta())).toBe('revoked')
  expect(await judged(await full())).toBe('revoked')
})

test('a list has only certificates of its own centre', async () => {
  centre.revoke(which())
  const other = readCrl(await centre.crl('gost-kz-512', 'full'))
  expect(other.entries.count).toBe(0)
})
