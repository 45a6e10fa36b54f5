import { describe, expect, test } from 'vitest'
import { addressOf, changedGroup, changedPerson, groupOf, personOf, shownName } from './people.ts'

const person = personOf({
  userName: 'aigerim@altyn.kz',
  externalId: '00u1',
  name: { givenName: 'Айгерім', familyName: 'Серікова' },
  emails: [
    { value: 'home@example.kz', type: 'home' },
    { value: 'Work@altyn.kz', type: 'work' },
  ],
  active: 'True',
})

describe('a person', () => {
  test('is read with one address, the primary one or the one for work', () => {
    expect(person).toEqual({
      userName: 'aigerim@altyn.kz',
      externalId: '00u1',
      email: 'Work@altyn.kz',
      givenName: 'Айгерім',
      familyName: 'Серікова',
      displayName: null,
      isActive: true,
    })
    const emails = [
      { value: 'a@b.kz', type: 'work' },
      { value: 'c@d.kz', primary: true },
    ]
    expect(personOf({ userName: 'x', emails }).email).toBe('c@d.kz')
    expect(addressOf(person)).toBe('work@altyn.kz')
    expect(shownName(person)).toBe('Серікова Айгерім')
  })

  test('has their user name as the address, if it is one and no other is given', () => {
    expect(addressOf({ email: null, userName: 'A@B.kz' })).toBe('a@b.kz')
    expect(addressOf({ email: null, userName: 'aigerim' })).toBeNull()
  })

  test.each([
    [{ op: 'Replace', path: 'active', value: 'False' }, { isActive: false }],
    [{ op: 'replace', value: { active: false } }, { isActive: false }],
    [{ op: 'replace', value: { id: '7', 'name.givenName': 'Әлия' } }, { givenName: 'Әлия' }],
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'n@altyn.kz' }, { email: 'n@altyn.kz' }],
    [{ op: 'Add', path: 'emails[type eq "home"].value', value: 'n@altyn.kz' }, {}],
    [{ op: 'replace', path: 'emails', value: [{ value: 'm@altyn.kz' }] }, { email: 'm@altyn.kz' }],
    [{ op: 'remove', path: 'externalId' }, { externalId: null }],
    [
      { op: 'replace', path: 'name', value: { familyName: 'Ли' } },
      { givenName: null, familyName: 'Ли' },
    ],
    [{ op: 'replace', path: 'displayName', value: 'А\u0000\nБ' }, { displayName: 'А Б' }],
    [
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
      {},
    ],
  ])('after %j', (operation, changed) => {
    expect(changedPerson(person, [operation])).toEqual({ ...person, ...changed })
  })

  test.each([
    { op: 'move', path: 'active', value: true },
    { op: 'replace' },
    { op: 'remove' },
    { op: 'replace', path: 'active', value: 'perhaps' },
    { op: 'replace', path: 'userName', value: '' },
    { op: 'replace', path: 'emails[', value: 'x' },
  ])('%j is not understood', (operation) => {
    expect(changedPerson(person, [operation])).toBeNull()
  })
})

describe('a group', () => {
  const group = { displayName: 'Бухгалтерия', externalId: null, members: ['a', 'b'] }

  test.each([
    [{ op: 'Add', path: 'members', value: [{ value: 'C' }, { value: 'a' }] }, { members: ['a', 'b', 'c'] }],
    [{ op: 'Remove', path: 'members', value: [{ value: 'a' }] }, { members: ['b'] }],
    [{ op: 'remove', path: 'members[value eq "B"]' }, { members: ['a'] }],
    [{ op: 'remove', path: 'members' }, { members: [] }],
    [{ op: 'replace', path: 'members', value: [{ value: 'z' }] }, { members: ['z'] }],
    [{ op: 'replace', value: { id: '7', displayName: 'Учёт' } }, { displayName: 'Учёт' }],
    [{ op: 'replace', value: { externalId: '7' } }, { externalId: '7' }],
  ])('after %j', (operation, changed) => {
    expect(changedGroup(group, [operation])).toEqual({ ...group, ...changed })
  })

  test.each([
    { op: 'add', path: 'members', value: 'a' },
    { op: 'add', path: 'members', value: [{ value: 7 }] },
    { op: 'add', path: 'members[value eq "a"]', value: 'x' },
    { op: 'replace', path: 'displayName', value: null },
  ])('%j is not understood', (operation) => {
    expect(changedGroup(group, [operation])).toBeNull()
  })

  test('is read with each member once, and without members if no list is given', () => {
    const told = { displayName: 'Учёт', externalId: '', members: [{ value: 'A' }, { value: 'a' }] }
    expect(groupOf(told)).toEqual({ displayName: 'Учёт', externalId: null, members: ['a'] })
    expect(groupOf({ displayName: 'Учёт', members: null }).members).toEqual([])
  })
})
