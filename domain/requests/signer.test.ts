import { describe, expect, test } from 'vitest'
import type { KeyHolder } from '../points/key-holder.ts'
import type { CertificateOwner } from '../signatures/owner.ts'
import { demandOf, needsPower, signerFaults, type Demand } from './signer.ts'

const bin = '260140020007'
const iin = '900611300120'
const otherIin = '901108300543'

function owner(change: Partial<CertificateOwner> = {}): CertificateOwner {
  return {
    commonName: 'СЕРІКОВА АЙГЕРІМ',
    surname: 'СЕРІКОВА',
    givenName: 'НҰРЛАНҚЫЗЫ',
    iin,
    bin,
    organization: 'ТОО «Алтын Дала»',
    email: null,
    roles: ['legal-entity', 'head'],
    keyUse: 'both',
    ...change,
  }
}

const head = owner()
const signing = owner({ roles: ['legal-entity', 'signing-right'] })
const employee = owner({ roles: ['legal-entity', 'employee'] })
const individual = owner({ bin: null, organization: null, roles: ['individual'] })

function demand(keyHolder: KeyHolder, iins: string[] = []): Extract<Demand, { of: 'number' }> {
  return { of: 'number', number: bin, keyHolder, iins }
}

describe('the demand of a point', () => {
  const external = { type: 'ExternalSign', bin, keyHolder: 'signingRight', keyHolderIin: null } as const

  test('is for a key of its number, with the IIN of the actor where it is known', () => {
    expect(demandOf(external, {})).toEqual(demand('signingRight'))
    expect(demandOf(external, { iin })).toEqual(demand('signingRight', [iin]))
    const named = { ...external, keyHolder: 'person', keyHolderIin: otherIin } as const
    expect(demandOf(named, { iin })).toEqual(demand('person', [otherIin, iin]))
  })

  test('is for a key of the person at personal points and for approvals', () => {
    const own = { ...external, type: 'EmployeeInternalSign', keyHolder: 'person' } as const
    expect(demandOf(own, { iin })).toEqual({ of: 'person', iin })
    expect(demandOf({ ...own, type: 'InternalApprove' }, {})).toEqual({ of: 'person', iin: null })
  })
})

describe('the role in the certificate', () => {
  test.each([
    ['head', head, []],
    ['head', signing, ['not-head-of-organization']],
    ['head', employee, ['not-head-of-organization']],
    ['signingRight', head, []],
    ['signingRight', signing, []],
    ['signingRight', employee, ['not-entitled-for-organization']],
    ['signingRight', owner({ roles: [] }), ['not-entitled-for-organization']],
    ['employee', employee, []],
    ['person', employee, []],
  ] as const)('%s asked', (keyHolder, given, faults) => {
    expect(signerFaults(given, demand(keyHolder))).toEqual(faults)
  })

  test('is not needed by an individual who is asked by their own IIN', () => {
    expect(signerFaults(individual, { of: 'number', number: iin, keyHolder: 'person', iins: [iin] })).toEqual(
      [],
    )
  })
})

describe('the owner of the certificate', () => {
  test('a colleague of the same organisation is another person', () => {
    expect(signerFaults(head, demand('employee', [otherIin]))).toEqual(['other-person'])
    expect(signerFaults(owner({ iin: null }), demand('employee', [iin]))).toEqual(['iin-not-in-certificate'])
  })

  test('a key of an organisation whose number cannot be read does not count as a personal key', () => {
    const own = { of: 'number', number: iin, keyHolder: 'person', iins: [] } as const
    const unread = owner({ bin: null })
    const twoNumbers = owner({ bin: null, hasUnclearBin: true, roles: [] })
    for (const one of [unread, twoNumbers]) {
      expect(signerFaults(one, own)).toEqual(['other-organization'])
      expect(signerFaults(one, demand('signingRight'), { verdict: 'valid' })).toEqual(['other-organization'])
    }
  })

  test('a key without a person, as information systems have, signs for nobody', () => {
    const system = owner({ iin: null, roles: ['legal-entity', 'information-system'] })
    expect(signerFaults(system, demand('employee'))).toEqual(['iin-not-in-certificate'])
  })

  test('a certificate of another organisation, or of none, is refused', () => {
    expect(signerFaults(owner({ bin: '240540017348' }), demand('employee'))).toEqual(['other-organization'])
    expect(signerFaults(individual, demand('employee'))).toEqual(['other-organization'])
    expect(signerFaults(owner({ bin: null, iin: null }), demand('employee'))).toEqual([
      'bin-not-in-certificate',
    ])
    expect(signerFaults(head, { ...demand('employee'), number: '' })).toEqual(['bin-not-given'])
  })
})

describe('under a power of attorney', () => {
  test('a key without the right to sign is enough, also one without an organisation', () => {
    expect(signerFaults(employee, demand('head'), { verdict: 'valid' })).toEqual([])
    expect(signerFaults(individual, demand('signingRight'), { verdict: 'valid' })).toEqual([])
  })

  test('a key of another organisation or of another person is never enough', () => {
    const foreign = owner({ bin: '240540017348' })
    expect(signerFaults(foreign, demand('signingRight'), { verdict: 'valid' })).toEqual([
      'other-organization',
    ])
    expect(signerFaults(individual, demand('signingRight', [otherIin]), { verdict: 'valid' })).toEqual([
      'other-person',
    ])
  })

  test('a power that is not in force, or is for other documents, is named as the reason', () => {
    expect(signerFaults(employee, demand('head'), { verdict: 'not-in-force' })).toEqual([
      'power-not-in-force',
    ])
    expect(signerFaults(individual, demand('head'), { verdict: 'out-of-scope' })).toEqual([
      'power-out-of-scope',
    ])
  })

  test('a signer whose role is enough needs no power, and none is named', () => {
    expect(needsPower(head, demand('head'))).toBe(false)
    expect(needsPower(employee, demand('signingRight'))).toBe(true)
    expect(signerFaults(head, demand('head'), { verdict: 'not-in-force' })).toEqual([])
  })
})
