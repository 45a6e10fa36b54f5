import { describe, expect, test } from 'vitest'
import type { CertificateOwner } from '../signatures/owner.ts'
import { claimFaults, resultOfClaim, rolesOnceConfirmed, type Known } from './confirmation.ts'
import { roles } from './roles.ts'

const head: CertificateOwner = {
  commonName: 'СЕРІКОВА АЙГЕРІМ',
  surname: 'СЕРІКОВА',
  givenName: null,
  iin: '900101400123',
  bin: '260140020007',
  organization: 'ТОО «Алтын Дала»',
  email: null,
  roles: ['legal-entity', 'head'],
  keyUse: 'both',
}
const person: CertificateOwner = { ...head, bin: null, organization: null, roles: ['individual'] }

describe('the key', () => {
  test.each<[string, CertificateOwner, 'organization' | 'individual', string | null, string[]]>([
    ['of the head is accepted for the organisation', head, 'organization', null, []],
    ['of a person is accepted for that person', person, 'individual', '900101400123', []],
    ['of a person is refused for an organisation', person, 'organization', null, ['bin-not-in-certificate']],
    [
      'of the head is refused for another person’s account',
      head,
      'organization',
      '800101400123',
      ['other-person'],
    ],
    ['of another person is refused', person, 'individual', '800101400123', ['other-person']],
    ['without a number is refused', { ...person, iin: null }, 'individual', null, ['iin-not-in-certificate']],
    [
      'of an employee is refused for the organisation',
      { ...head, roles: ['legal-entity', 'employee'] },
      'organization',
      null,
      ['not-entitled-for-organization'],
    ],
  ])('%s', (_, owner, kind, iin, faults) => {
    expect(claimFaults(owner, kind, iin)).toEqual(faults)
  })
})

describe('a claim of an organisation', () => {
  const [employee, owner] = [roles.of('Employee'), roles.of('Employee', 'Owner')]
  const typed = (id: string, mask: number | null): Known => ({ id, isConfirmed: false, roles: mask })
  const confirmed = (mask: number | null): Known => ({ id: 'confirmed', isConfirmed: true, roles: mask })

  test.each<[string, Known[], string | undefined, object]>([
    ['if nobody has registered the number', [], undefined, { type: 'add' }],
    ['if strangers have registered it without proof', [typed('theirs', null)], undefined, { type: 'add' }],
    [
      'if strangers have registered it without proof, and theirs is requested',
      [typed('theirs', null)],
      'theirs',
      { type: 'add' },
    ],
    [
      'if the signer has registered it without proof',
      [typed('theirs', null), typed('mine', owner)],
      undefined,
      { type: 'confirm', organizationId: 'mine' },
    ],
    ['if the signer is only an employee there', [typed('works', employee)], undefined, { type: 'add' }],
    [
      'if the signer is a member of two',
      [typed('works', employee), typed('owns', owner)],
      undefined,
      { type: 'confirm', organizationId: 'owns' },
    ],
    [
      'if the signer has chosen one of two',
      [typed('works', employee), typed('owns', owner)],
      'works',
      { type: 'confirm', organizationId: 'works' },
    ],
    [
      'if another organisation has proved it',
      [typed('mine', owner), confirmed(null)],
      'mine',
      { type: 'ask', organizationId: 'confirmed' },
    ],
    [
      'if the signer is a member of the organisation that has proved it',
      [confirmed(employee)],
      undefined,
      { type: 'already-yours' },
    ],
    [
      'if the signer owns the confirmed organisation',
      [confirmed(owner)],
      undefined,
      { type: 'renew', organizationId: 'confirmed' },
    ],
  ])('%s', (_, known, wanted, outcome) => {
    expect(resultOfClaim(known, wanted)).toEqual(outcome)
  })

  test('makes the signer the owner, and earlier owners employees', () => {
    expect(rolesOnceConfirmed(employee, true)).toBe(owner)
    expect(rolesOnceConfirmed(owner, true)).toBe(owner)
    expect(rolesOnceConfirmed(owner, false)).toBe(employee)
    const administrator = roles.of('Employee', 'Owner', 'PointsAdministrator')
    expect(rolesOnceConfirmed(administrator, false)).toBe(roles.of('Employee', 'PointsAdministrator'))
  })
})
