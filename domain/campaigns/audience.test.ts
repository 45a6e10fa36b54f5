import { expect, test } from 'vitest'
import { chosenPeople, type AudienceMember } from './audience.ts'

const person = (userId: string, ...groups: string[]): AudienceMember => ({
  userId,
  fullName: userId,
  groups: groups.map((id) => ({ id, name: id })),
})
const members = [person('a', 'one', 'two'), person('b', 'two'), person('c')]
const chosen = (audience: object) =>
  chosenPeople({ isEverybody: false, groupIds: [], userIds: [], ...audience }, members)
    .map(({ userId }) => userId)
    .join(' ')

test.each([
  ['nobody', {}, ''],
  ['everybody', { isEverybody: true }, 'a b c'],
  ['groups, each person once', { groupIds: ['one', 'two'] }, 'a b'],
  ['a group and people', { groupIds: ['one'], userIds: ['c', 'a'] }, 'a c'],
  ['what is not of the organisation', { groupIds: ['three'], userIds: ['x'] }, ''],
])('the people of an audience: %s', (_, audience, expected) => expect(chosen(audience)).toBe(expected))
