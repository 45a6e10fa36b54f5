import { expect, test } from 'vitest'
import { harmless, subjectLine } from './email.ts'

test('a subject is one line of bounded length', () => {
  expect(subjectLine('Договор\r\nBcc: victim@example.kz')).toBe('Договор Bcc: victim @ example. kz')
  expect(Array.from(subjectLine('ұ'.repeat(400)))).toHaveLength(150)
  expect(subjectLine('Шарт №5')).toBe('Шарт №5')
})

test('a subject is not cut inside a character', () => {
  expect(subjectLine('🖋'.repeat(200))).toBe(`${'🖋'.repeat(149)}…`)
})

test('texts of users contain no links and are no longer than a line or two', () => {
  for (const way of ['_https://', '1https://', 'https:www.//', 'htwww.tps:www.//www.', 'https:////']) {
    expect(harmless(`Оплатите: ${way}evil.example`)).not.toMatch(/:\/\/|www\.|evil\.e/i)
    expect(subjectLine(`Оплатите: ${way}evil.example`)).not.toMatch(/:\/\/|www\.|evil\.e/i)
  }
  expect(Array.from(harmless('а'.repeat(500)))).toHaveLength(300)
})
