import { expect, test } from 'vitest'
import { roles } from '../identity/roles.ts'
import { allowedWithTemplate, maySeeTemplate, whyNotEditTemplate } from './permissions.ts'

const people = {
  author: { userId: 'author', member: { roles: roles.of('Employee') } },
  colleague: { userId: 'colleague', member: { roles: roles.of('Employee') } },
  owner: { userId: 'owner', member: { roles: roles.of('Employee', 'Owner') } },
}

test.each([
  ['author', 'private', true, null],
  ['author', 'public', true, null],
  ['colleague', 'private', false, 'document-template-not-found'],
  ['colleague', 'public', true, 'not-enough-permissions'],
  ['owner', 'private', true, 'not-enough-permissions'],
  ['owner', 'public', true, null],
] as const)('what this person may do: %s, %s template', (who, visibility, sees, editing) => {
  const template = { authorId: 'author', visibility }
  expect(maySeeTemplate(template, people[who])).toBe(sees)
  expect(whyNotEditTemplate(template, people[who])).toBe(editing)
  const mayEdit = editing === null
  expect(allowedWithTemplate(template, people[who])).toEqual({ edit: mayEdit, delete: mayEdit })
})
