import { describe, expect, test } from 'vitest'
import { filterOf, pathOf } from './filter.ts'

describe('a filter', () => {
  test.each([
    ['userName eq "a@b.kz"', [{ attribute: 'username', value: 'a@b.kz' }]],
    ['  USERNAME   EQ "a"', [{ attribute: 'username', value: 'a' }]],
    [
      'displayName eq "IT" and members.value eq "7"',
      [
        { attribute: 'displayname', value: 'IT' },
        { attribute: 'members.value', value: '7' },
      ],
    ],
    ['active eq True', [{ attribute: 'active', value: 'true' }]],
    ['emails[type eq "work"].value eq "x@y.kz"', [{ attribute: 'emails.value', value: 'x@y.kz' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [{ attribute: 'username', value: 'a' }]],
    [
      String.raw`displayName eq "the \"A\" team and more"`,
      [{ attribute: 'displayname', value: 'the "A" team and more' }],
    ],
  ])('%s is understood', (text, comparisons) => {
    expect(filterOf(text)).toEqual(comparisons)
  })

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq a',
    'userName co "a"',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    'not (userName eq "a")',
    String.raw`userName eq "\u"`,
    String.raw`userName eq "\u0000"`,
    String.raw`userName eq "\ud800"`,
    `userName eq "${'a'.repeat(1001)}"`,
  ])('%s is not', (text) => {
    expect(filterOf(text)).toBeNull()
  })
})

describe('a path', () => {
  test.each([
    ['active', { attribute: 'active', chosen: null, part: null }],
    ['name.givenName', { attribute: 'name.givenname', chosen: null, part: null }],
    [
      'members[value eq "7"]',
      { attribute: 'members', chosen: { attribute: 'value', value: '7' }, part: null },
    ],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', chosen: { attribute: 'type', value: 'work' }, part: 'value' },
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      {
        attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department',
        chosen: null,
        part: null,
      },
    ],
  ])('%s is understood', (text, path) => {
    expect(pathOf(text)).toEqual(path)
  })

  test.each(['', 'members[', 'members[value]', 'members[value eq "a" and value eq "b"]', 'a b'])(
    '%s is not',
    (text) => {
      expect(pathOf(text)).toBeNull()
    },
  )
})
