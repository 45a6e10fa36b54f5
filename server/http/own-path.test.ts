import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nastyAddresses } from '../testing-addresses.ts'
import { ownPath } from './own-path.ts'

const ours = new URL('https://kelisim.kz')

describe('a place to return to', () => {
  test.each([
    ['/signingRequests/incomings', '/signingRequests/incomings'],
    ['/documents/my?organizationId=1#top', '/documents/my?organizationId=1#top'],
    ['https://kelisim.kz/options', '/options'],
    ['options', '/options'],
    ['/құжат', '/%D2%9B%D2%B1%D0%B6%D0%B0%D1%82'],
    ['/a?next=https://evil.example', '/a?next=https://evil.example'],
  ])('%j is a path of this site', (value, path) => expect(ownPath(value, ours)).toBe(path))

  test.each(nastyAddresses)('%j is refused, or stays on this site', (value) => {
    const path = ownPath(value, ours)
    if (path !== null) expect(new URL(path, ours).origin).toBe(ours.origin)
    expect(path ?? '').not.toMatch(/^\/[/\\]/)
  })

  test('for any input, a browser that follows the result stays on this site', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      ':',
      '@',
      '.',
      '..',
      '\t',
      '\n',
      ' ',
      'https:',
      'evil.example',
      '%2f',
      '?',
      '#',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 }))), (pieces) => {
        const path = ownPath(pieces.join(''), ours)
        if (path !== null) expect(new URL(path, ours).origin).toBe(ours.origin)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([undefined, null, '', 5, ['/a'], {}, `/${'a'.repeat(2000)}`, `/${'ұ'.repeat(1000)}`])(
    '%j is refused',
    (value) => expect(ownPath(value, ours)).toBeNull(),
  )
})
