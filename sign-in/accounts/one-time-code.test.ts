import { describe, expect, test } from 'vitest'
import {
  codeAt,
  enrolmentAddress,
  hashOfSpareCode,
  newSpareCodes,
  secretInLetters,
  stepAt,
  stepOfCode,
} from './one-time-code.ts'

/** RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d seconds the code is that of the standard', (seconds, code) => {
  expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code)
})

describe('a typed code', () => {
  const now = new Date(1234567890_000)
  const here = stepAt(now)
  const typed = (step: number, lastStep = 0) => stepOfCode(codeAt(secret, step), secret, lastStep, now)

  test('is accepted half a minute early or late, and not more', () => {
    expect([-2, -1, 0, 1, 2].map((away) => typed(here + away))).toEqual([
      null,
      here - 1,
      here,
      here + 1,
      null,
    ])
  })
  test('is accepted once, and no older code after it', () => {
    expect(typed(here, here)).toBeNull()
    expect(typed(here - 1, here)).toBeNull()
    expect(typed(here + 1, here)).toBe(here + 1)
  })
  test('may have a space, and nothing else', () => {
    expect(stepOfCode('005 924', secret, 0, now)).toBe(here)
    for (const wrong of ['', '5924', '0059240', '00592a', '-05924', '００５９２４'])
      expect(stepOfCode(wrong, secret, 0, now)).toBeNull()
  })
})

test('programs get the secret in base32 of RFC 4648', () => {
  expect(secretInLetters(secret)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  expect(enrolmentAddress(secret, 'Келісім', 'a+b@example.kz')).toBe(
    `otpauth://totp/${encodeURIComponent('Келісім')}:a%2Bb%40example.kz?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=${encodeURIComponent('Келісім')}`,
  )
})

test('spare codes differ, and may be typed in capitals and with spaces', () => {
  const codes = newSpareCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/)
    expect(hashOfSpareCode(` ${code.toUpperCase().replace('-', ' ')}`)).toEqual(hashOfSpareCode(code))
  }
})
