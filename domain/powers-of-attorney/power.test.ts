import { describe, expect, test } from 'vitest'
import { isInScope, powerFor, powerState, type Power, type SignedMatter } from './power.ts'

const bin = '260140020007'
const other = '240540017348'
const power: Power = {
  id: 'p',
  number: '12',
  bin,
  holderIin: '900611300120',
  direction: 'any',
  counterparties: [],
  validFrom: '2026-03-01',
  validUntil: '2026-03-31',
  revokedAt: null,
}
const incoming: SignedMatter = { bin, isIncoming: true, others: [other] }
const outgoing: SignedMatter = { bin, isIncoming: false, others: [other] }

describe('the state of a power of attorney', () => {
  test.each([
    // Almaty is five hours ahead: its days begin at 19:00 of the day before.
    ['2026-02-28T18:59:59Z', 'upcoming'],
    ['2026-02-28T19:00:00Z', 'valid'],
    ['2026-03-31T18:59:59Z', 'valid'],
    ['2026-03-31T19:00:00Z', 'expired'],
  ] as const)('%s: %s', (at, state) => {
    expect(powerState(power, new Date(at))).toBe(state)
  })

  test('is revoked from the moment of the revocation', () => {
    const revoked = { ...power, revokedAt: new Date('2026-03-10T10:00:00Z') }
    expect(powerState(revoked, new Date('2026-03-10T09:59:59Z'))).toBe('valid')
    expect(powerState(revoked, new Date('2026-03-10T10:00:00Z'))).toBe('revoked')
  })
})

describe('the scope of a power of attorney', () => {
  test('is its direction, seen from the organisation that gave it', () => {
    expect(isInScope(power, incoming)).toBe(true)
    expect(isInScope({ ...power, direction: 'incoming' }, incoming)).toBe(true)
    expect(isInScope({ ...power, direction: 'incoming' }, outgoing)).toBe(false)
    expect(isInScope({ ...power, direction: 'outgoing' }, incoming)).toBe(false)
  })

  test('is limited to certain counterparties: every other side must be one of them', () => {
    const narrow = { ...power, counterparties: [other] }
    expect(isInScope(narrow, incoming)).toBe(true)
    expect(isInScope(narrow, { ...incoming, others: [other, '111140000018'] })).toBe(false)
    expect(isInScope(narrow, { ...outgoing, others: [] })).toBe(false)
  })

  test('never includes another organisation', () => {
    expect(isInScope(power, { ...incoming, bin: other })).toBe(false)
  })
})

describe('the power of attorney of a person', () => {
  const at = new Date('2026-03-10T10:00:00Z')
  const iin = power.holderIin

  test('is found among others that do not fit', () => {
    const ended = { ...power, id: 'ended', validUntil: '2026-03-02' }
    const narrow = { ...power, id: 'narrow', direction: 'outgoing' } as const
    expect(powerFor([ended, narrow, power], iin, incoming, at)).toEqual({ verdict: 'valid', power })
  })

  test('is refused with the reason of the one that fits best', () => {
    const ended = { ...power, validUntil: '2026-03-02' }
    const narrow = { ...power, direction: 'outgoing' } as const
    expect(powerFor([ended], iin, incoming, at).verdict).toBe('not-in-force')
    expect(powerFor([ended, narrow], iin, incoming, at).verdict).toBe('out-of-scope')
    expect(powerFor([power], '901108300543', incoming, at).verdict).toBe('none')
    expect(powerFor([power], null, incoming, at).verdict).toBe('none')
    expect(powerFor([power], iin, { ...incoming, bin: other }, at).verdict).toBe('none')
  })
})
