import { describe, expect, test } from 'vitest'
import { ownReturn } from './own-return.ts'

const origin = 'https://kelisim.kz'

describe('addresses of this site are kept', () => {
  test.each([
    ['/signingRequests/incomings', '/signingRequests/incomings'],
    ['/points/my?organizationId=1&page=2#x', '/points/my?organizationId=1&page=2#x'],
    ['https://kelisim.kz/documents/my', '/documents/my'],
    ['/apiary', '/apiary'],
    ['/frame/videos?next=//evil.kz', '/frame/videos?next=//evil.kz'],
  ])('%j', (value, path) => {
    expect(ownReturn(value, origin)).toBe(path)
  })
})

describe('everything else is dropped', () => {
  test.each([
    undefined,
    '',
    'documents/my',
    '//evil.kz',
    '///evil.kz',
    '\\\\evil.kz',
    '/\\evil.kz',
    '/\t/evil.kz',
    '/\n/evil.kz',
    '\t//evil.kz',
    ' //evil.kz',
    '/\u0000/evil.kz',
    '/x/..//evil.kz',
    '/.//evil.kz',
    'https:evil.kz',
    'https:/evil.kz',
    'https://evil.kz/',
    'https://kelisim.kz.evil.kz/',
    'https://kelisim.kz@evil.kz/',
    'https://user:word@kelisim.kz/documents/my',
    'http://kelisim.kz/documents/my',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://kelisim.kz/1',
    '@evil.kz',
    '/api-user/autologin?changeAccount=true',
    '/x/../api/demo',
    '/connect/end_session',
    `/${'a'.repeat(2000)}`,
  ])('%j', (value) => {
    expect(ownReturn(value, origin)).toBeNull()
  })
})
