import { describe, expect, test } from 'vitest'
import { defaultOptions } from '../options/options.ts'
import { roles } from '../identity/roles.ts'
import {
  allowedWith,
  maySee,
  whyNotDelete,
  whyNotDescribe,
  type DocumentFacts,
  type Viewer,
} from './permissions.ts'

const employee = (userId: string): Viewer => ({
  userId,
  member: { roles: roles.of('Employee'), options: defaultOptions },
})
const author = employee('author')
const colleague = employee('colleague')
const owner: Viewer = { userId: 'owner', member: { roles: roles.all, options: defaultOptions } }

const document = (facts: Partial<DocumentFacts> = {}): DocumentFacts => ({
  authorId: 'author',
  visibility: 'private',
  isInLiveRequest: false,
  ...facts,
})

describe('seeing a document', () => {
  test.each([
    ['its author', author, 'private', true],
    ['a colleague', colleague, 'private', false],
    ['an owner', owner, 'private', true],
    ['a colleague', colleague, 'public', true],
  ] as const)('whether %s sees a document (%#)', (_, viewer, visibility, sees) => {
    expect(maySee(document({ visibility }), viewer)).toBe(sees)
  })
})

describe('deleting a document and changing its description', () => {
  test.each([
    ['its author', author, {}, null, null],
    ['its author while it is being signed', author, { isInLiveRequest: true }, 'document-is-busy', null],
    ['an owner', owner, {}, 'not-enough-permissions', 'not-enough-permissions'],
    [
      'a colleague who sees it',
      colleague,
      { visibility: 'public' },
      'not-enough-permissions',
      'not-enough-permissions',
    ],
    ['a colleague who does not', colleague, {}, 'document-not-found', 'document-not-found'],
  ] as const)('%s', (_, viewer, facts, deleting, describing) => {
    expect(whyNotDelete(document(facts), viewer)).toBe(deleting)
    expect(whyNotDescribe(document(facts), viewer)).toBe(describing)
    expect(allowedWith(document(facts), viewer)).toMatchObject({
      delete: deleting === null,
      describe: describing === null,
    })
  })
})

test('quick send is offered if the options of the organisation allow it', () => {
  const options = { ...defaultOptions, isQuickRequestAllowed: false }
  const viewer = { ...author, member: { ...author.member, options } }
  expect(allowedWith(document(), author).quickSend).toBe(true)
  expect(allowedWith(document(), viewer).quickSend).toBe(false)
})
