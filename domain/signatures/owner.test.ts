import { describe, expect, test } from 'vitest'
import { fullNameOf, headFaults, loginFaults, type CertificateOwner } from './owner.ts'

const person: CertificateOwner = {
  commonName: 'СЕРІКОВА АЙГЕРІМ',
  surname: 'СЕРІКОВА',
  givenName: 'НҰРЛАНҚЫЗЫ',
  iin: '900101400123',
  bin: null,
  organization: null,
  email: null,
  roles: ['individual'],
  keyUse: 'both',
}
const head = { ...person, bin: '260140020007', roles: ['legal-entity', 'head'] }

describe('signing in', () => {
  test.each([
    ['both', []],
    ['authentication', []],
    ['signature', ['certificate-not-for-login']],
    ['neither', ['certificate-not-for-login']],
  ] as const)('with a key for %s', (keyUse, faults) => {
    expect(loginFaults({ ...person, keyUse })).toEqual(faults)
  })

  test('without an IIN is refused', () => {
    expect(loginFaults({ ...person, iin: null })).toEqual(['iin-not-in-certificate'])
  })
})

describe('acting for an organisation', () => {
  test.each([
    ['head', []],
    ['signing-right', []],
    ['financial-signing-right', ['not-entitled-for-organization']],
    ['human-resources', ['not-entitled-for-organization']],
    ['employee', ['not-entitled-for-organization']],
  ] as const)('%s', (role, faults) => {
    expect(headFaults({ ...head, roles: ['legal-entity', role] })).toEqual(faults)
  })

  test('is refused with a personal key', () => {
    expect(headFaults(person)).toEqual(['bin-not-in-certificate'])
  })
})

test.each([
  ['СЕРІКОВА АЙГЕРІМ', 'НҰРЛАНҚЫЗЫ', 'Серікова Айгерім Нұрланқызы'],
  ['ӘБДІРАХМАНОВ  ҒАБИТ', null, 'Әбдірахманов Ғабит'],
  ['КИМ-ЛИ АННА-МАРИЯ', '', 'Ким-Ли Анна-Мария'],
  ['ISMAILOV IGOR', null, 'Ismailov Igor'],
  [null, null, ''],
])('the full name of %s %s is %s', (commonName, givenName, fullName) => {
  expect(fullNameOf({ ...person, commonName, givenName })).toBe(fullName)
})
