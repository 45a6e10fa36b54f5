import { describe, expect, test } from 'vitest'
import { flawOf } from './password-rules.ts'

const email = 'aigerim@altyn-dala.kz'

describe('a new password', () => {
  test.each([
    ['nine characters', 'k7Lm-9Qxz', 'too-short'],
    ['more than a screenful', 'ab3'.repeat(70), 'too-long'],
    ['the e-mail with digits', 'aigerim@altyn-dala.kz1', 'contains-email'],
    ['the name before the @, in capitals', 'AIGERIM-2026!', 'contains-email'],
    ['digits in order', '1234567890', 'too-common'],
    ['digits backwards', '9876543210', 'too-common'],
    ['one key held down', 'aaaaaaaaaaaa', 'too-common'],
    ['two keys in turn', 'abababababab', 'too-common'],
    ['a row of the keyboard', 'qwertyuiop', 'too-common'],
    ['a row of the Russian keyboard', 'йцукенгшщз', 'too-common'],
    ['a common word with digits', 'Password2026', 'too-common'],
    ['the country with digits', 'қазақстан2026', 'too-common'],
  ] as const)('%s is refused', (_, password, flaw) => {
    expect(flawOf(password, email)).toBe(flaw)
  })

  test.each(['сегодня снег в степи', 'k7Lm-9Qxz!', 'тоғыз тоты құс', '👍👍 ok 👍 ten!'])(
    'the password “%s” is accepted',
    (password) => {
      expect(flawOf(password, email)).toBeNull()
    },
  )

  test('a very short name before the @ forbids nothing', () => {
    expect(flawOf('banking on luck', 'an@example.kz')).toBeNull()
  })
})
