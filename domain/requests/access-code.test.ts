import { describe, expect, test } from 'vitest'
import {
  atAnyRequest,
  atOneRequest,
  codeLength,
  codeLetters,
  isOpenBy,
  lettersFrom,
  mostWrongAtRequest,
  mostWrongInAll,
  pauseBefore,
  pauseForAll,
  readCode,
  withWrong,
  withWrongOfAll,
  type CodeTries,
} from './access-code.ts'

const now = new Date('2026-11-15T06:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('a code', () => {
  test('has eight letters and digits that are not easily confused', () => {
    const code = lettersFrom(Uint8Array.from({ length: 32 }, (_, i) => i * 8))!
    expect(code).toHaveLength(codeLength)
    expect(code).toMatch(/^[^0O1IL2Z5S8BUV]+$/)
    expect(new Set(codeLetters).size).toBe(codeLetters.length)
    expect(lettersFrom(new Uint8Array(32).fill(255))).toBeNull()
  })

  test('is read with spaces, dashes and small letters', () => {
    expect(readCode(' acde-fgh j ')).toEqual({ kind: 'letters', code: 'ACDEFGHJ' })
    expect(readCode('abcdefghijklmnopqrst-_')).toEqual({ kind: 'qr', code: 'abcdefghijklmnopqrst-_' })
    for (const none of ['', 'ACDEFGH', 'ACDEFGH0', 'АСДЕФГХЙ', 'ACDEFGHJK']) expect(readCode(none)).toBeNull()
  })

  test('is valid while its kind is turned on, until the end of the last day', () => {
    const request = { additionalComponents: 1, accessCodeExpiresOn: '2026-11-20' }
    expect(isOpenBy('letters', request, '2026-11-20')).toBe(true)
    expect(isOpenBy('letters', request, '2026-11-21')).toBe(false)
    expect(isOpenBy('qr', request, '2026-11-20')).toBe(false)
    expect(isOpenBy('qr', { ...request, additionalComponents: 3 }, '2026-11-21')).toBe(false)
    expect(isOpenBy('qr', { additionalComponents: 2, accessCodeExpiresOn: null }, '2030-01-01')).toBe(true)
  })
})

describe('wrong codes', () => {
  const wrongTimes = (count: number) => {
    let tries: CodeTries | undefined
    for (let i = 0; i < count; i++) tries = withWrong(tries, now)
    return tries
  }

  test.each([
    ['at one request', atOneRequest, [0, 0, 0, 30, 60, 120, 900]],
    ['where no request is named', atAnyRequest, [0, 0, 0, 0, 0, 2, 900]],
  ])('%s cause longer and longer pauses, up to a quarter of an hour', (_, curve, expected) => {
    const pauses = [0, 1, 2, 3, 4, 5, 30].map((count) => pauseBefore(wrongTimes(count), now, curve) / 1000)
    expect(pauses).toEqual(expected)
  })

  test('the pause before the next try passes', () => {
    expect(pauseBefore(wrongTimes(4), later(50), atOneRequest) / 1000).toBe(10)
    expect(pauseBefore(wrongTimes(4), later(60), atOneRequest)).toBe(0)
  })

  test.each([
    ['at one request', atOneRequest, 10],
    ['where no request is named', atAnyRequest, 16],
  ])('%s are slowed down within an hour, even if each is tried as soon as allowed', (_, curve, most) => {
    let tries: CodeTries | undefined
    let count = 0
    for (let second = 0; second < 3600; second++) {
      while (pauseBefore(tries, later(second), curve) === 0) {
        tries = withWrong(tries, later(second))
        count++
      }
    }
    expect(count).toBe(most)
  })

  test('that come a quarter of an hour apart never add up, however many there are', () => {
    let tries: CodeTries | undefined
    for (let quarter = 0; quarter < 1000; quarter++) {
      tries = withWrong(tries, later(quarter * 900))
      // Immediately afterwards somebody else in the same network may try.
      expect(pauseBefore(tries, later(quarter * 900), atOneRequest)).toBe(0)
    }
  })

  test.each([
    ['at one request', atOneRequest],
    ['where no request is named', atAnyRequest],
  ])('%s are limited to four an hour in the long run, whatever the rhythm of trying', (_, curve) => {
    for (const wait of [0, 60, 600, 900, 1800, 3600]) {
      let tries: CodeTries | undefined
      let count = 0
      let since = 0
      for (let second = 0; second < 240 * 3600; second += 30) {
        if (pauseBefore(tries, later(second), curve) > 0 || second - since < wait) continue
        tries = withWrong(tries, later(second))
        since = second
        count++
      }
      expect(count).toBeLessThanOrEqual(4 * 240 + 20)
    }
  })

  test('are forgotten after a day; a clock that is set back does not extend a pause', () => {
    const many = wrongTimes(40)
    expect(pauseBefore(many, later(24 * 3600), atOneRequest)).toBe(0)
    expect(withWrong(many, later(25 * 3600)).wrong).toBe(1)
    expect(pauseBefore(many, later(-24 * 3600), atOneRequest) / 1000).toBe(900)
  })

  test.each([mostWrongInAll, mostWrongAtRequest])(
    'of everybody together are limited to %d an hour',
    (most) => {
      let tries: CodeTries | undefined
      for (let i = 0; i < most; i++) {
        expect(pauseForAll(tries, later(i / 10), most)).toBe(0)
        tries = withWrongOfAll(tries, later(i / 10))
      }
      expect(pauseForAll(tries, later(600), most) / 1000).toBe(3000)
      expect(pauseForAll(tries, later(3600), most)).toBe(0)
      expect(withWrongOfAll(tries, later(3600))).toEqual({ wrong: 1, at: later(3600) })
    },
  )

  test('at one request somebody who never stops guessing finds a code within a year with at most 0.6 % probability', () => {
    const codesOfOneRequest = 50
    const guesses = mostWrongAtRequest * 24 * 365
    expect((guesses * codesOfOneRequest) / codeLetters.length ** codeLength).toBeLessThan(0.006)
  })
})
