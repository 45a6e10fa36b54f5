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

describe('whose key speaks for what', () => {
  test.each<[string, CertificateOwner, 'organization' | 'individual', string | null, string[]]>([
    ['the head’s for the organisation', head, 'organization', null, []],
    ['one’s own for oneself', person, 'individual', '900101400123', []],
    ['one’s own not for an organisation', person, 'organization', null, ['bin-not-in-certificate']],
    ['another person’s for nothing', head, 'organization', '800101400123', ['other-person']],
    ['another person’s not for oneself', person, 'individual', '800101400123', ['other-person']],
    ['nobody’s for nothing', { ...person, iin: null }, 'individual', null, ['iin-not-in-certificate']],
    [
      'an employee’s not for the organisation',
      { ...head, roles: ['legal-entity', 'employee'] },
      'organization',
      null,
      ['not-entitled-for-organization'],
    ],
  ])('%s', (_, owner, kind, iin, faults) => {
    expect(claimFaults(owner, kind, iin)).toEqual(faults)
  })
})

describe('what follows', () => {
  const [employee, owner] = [roles.of('Employee'), roles.of('Employee', 'Owner')]
  const typed = (id: string, mask: number | null): Known => ({ id, isConfirmed: false, roles: mask })
  const confirmed = (mask: number | null): Known => ({ id: 'confirmed', isConfirmed: true, roles: mask })

  test.each<[string, Known[], string | undefined, object]>([
    ['nobody has the number', [], undefined, { type: 'add' }],
    ['strangers typed it', [typed('theirs', null)], undefined, { type: 'add' }],
    ['strangers typed it, and theirs is meant', [typed('theirs', null)], 'theirs', { type: 'add' }],
    [
      'the signer typed it',
      [typed('theirs', null), typed('mine', owner)],
      undefined,
      { type: 'confirm', organizationId: 'mine' },
    ],
    ['the signer only works there', [typed('works', employee)], undefined, { type: 'add' }],
    [
      'the signer belongs to two',
      [typed('works', employee), typed('owns', owner)],
      undefined,
      { type: 'confirm', organizationId: 'owns' },
    ],
    [
      'the signer means one of two',
      [typed('works', employee), typed('owns', owner)],
      'works',
      { type: 'confirm', organizationId: 'works' },
    ],
    [
      'somebody has proved it',
      [typed('mine', owner), confirmed(null)],
      'mine',
      { type: 'ask', organizationId: 'confirmed' },
    ],
    [
      'the signer belongs to the one that is proved',
      [confirmed(employee)],
      undefined,
      { type: 'already-yours' },
    ],
  ])('%s', (_, known, wanted, outcome) => {
    expect(resultOfClaim(known, wanted)).toEqual(outcome)
  })

  test('the signer owns what is confirmed; who only said so before is staff', () => {
    expect(rolesOnceConfirmed(employee, true)).toBe(owner)
    expect(rolesOnceConfirmed(owner, true)).toBe(owner)
    expect(rolesOnceConfirmed(owner, false)).toBe(employee)
    const administrator = roles.of('Employee', 'Owner', 'PointsAdministrator')
    expect(rolesOnceConfirmed(administrator, false)).toBe(roles.of('Employee', 'PointsAdministrator'))
  })
})
