import { describe, expect, test } from 'vitest'
import {
  codeLength,
  codeLetters,
  isOpenBy,
  lettersFrom,
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

  test('cause longer and longer pauses from the fifth on, up to a quarter of an hour', () => {
    const pauses = [0, 4, 5, 6, 7, 30].map((count) => pauseBefore(wrongTimes(count), now) / 1000)
    expect(pauses).toEqual([0, 0, 2, 4, 8, 900])
    expect(pauseBefore(wrongTimes(6), later(3)) / 1000).toBe(1)
    expect(pauseBefore(wrongTimes(6), later(4))).toBe(0)
  })

  test('are forgotten after a day; a clock that is set back does not extend a pause', () => {
    const many = wrongTimes(40)
    expect(pauseBefore(many, later(24 * 3600))).toBe(0)
    expect(withWrong(many, later(25 * 3600)).wrong).toBe(1)
    expect(pauseBefore(many, later(-24 * 3600)) / 1000).toBe(900)
  })

  test('of everybody together are limited for each hour', () => {
    let tries: CodeTries | undefined
    for (let i = 0; i < mostWrongInAll; i++) {
      expect(pauseForAll(tries, later(i))).toBe(0)
      tries = withWrongOfAll(tries, later(i))
    }
    expect(pauseForAll(tries, later(600)) / 1000).toBe(3000)
    expect(pauseForAll(tries, later(3600))).toBe(0)
    expect(withWrongOfAll(tries, later(3600))).toEqual({ wrong: 1, at: later(3600) })
  })
})
