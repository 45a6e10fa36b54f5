import { describe, expect, test } from 'vitest'
import { longestRequestName } from '../requests/contract.ts'
import { isFresh, requestName, senderNumber } from './quick-send.ts'

test('the sender is the organisation of the key, otherwise the person', () => {
  expect(senderNumber({ bin: '260140020007', iin: '900101300123' })).toBe('260140020007')
  expect(senderNumber({ bin: null, iin: '900101300123' })).toBe('900101300123')
  expect(senderNumber({ bin: null, iin: null })).toBeNull()
})

describe('whether a signature is fresh', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 15, 12, minutes))
  const times = { begunAt: at(0), now: at(30) }
  const never = { timestampTime: null, signingTime: null }

  test.each([
    ['made after the transaction began', { ...never, signingTime: at(10) }, true],
    ['made by a clock that is slightly behind', { ...never, signingTime: at(-10) }, true],
    ['made by a clock that is slightly ahead', { ...never, signingTime: at(40) }, true],
    ['made long before', { ...never, signingTime: at(-20) }, false],
    ['made in the future', { ...never, signingTime: at(50) }, false],
    ['of unknown time', never, false],
    ['with a timestamp', { timestampTime: at(11), signingTime: at(10) }, true],
    ['made long before, with a new timestamp', { timestampTime: at(5), signingTime: at(-600) }, false],
    ['of unknown time, with a new timestamp', { timestampTime: at(5), signingTime: null }, false],
    [
      'made by a clock that contradicts the timestamp',
      { timestampTime: at(-600), signingTime: at(5) },
      false,
    ],
  ])('%s', (_, made, isGood) => {
    expect(isFresh(made, times)).toBe(isGood)
  })

  test('a signature must be submitted within an hour', () => {
    const made = { ...never, signingTime: at(30) }
    expect(isFresh(made, { begunAt: at(0), now: at(85) })).toBe(true)
    expect(isFresh(made, { begunAt: at(0), now: at(95) })).toBe(false)
  })
})

test.each([
  ['Договор поставки.pdf', 'Договор поставки'],
  ['Акт 1.2.xls', 'Акт 1.2'],
  ['Акт Ким А.Б. от 01.02.2026.doc', 'Акт Ким А.Б. от 01.02.2026'],
  ['http://evil.kz take it.pdf', 'evil. kz take it'],
  ['www.evil.kz.pdf', 'evil. kz'],
  ['Вход kelisim-pay.kz∕login, help@мошенник.қаз.pdf', 'Вход kelisim-pay. kz/login, help @ мошенник. қаз'],
  ['www..pdf', '.pdf'],
])('a request with the file %s is called %s', (fileName, name) => {
  expect(requestName(fileName)).toBe(name)
})

test.each([
  ['many host-like dots, each of which gets a space', `${'ab.'.repeat(82)}pdf`],
  ['characters that stand for several', `${'㎯'.repeat(80)}.pdf`],
  ['emoji, which are two units of a string each', `${'😀'.repeat(249)}.pdf`],
])('a name with %s fits into a request', (_, fileName) => {
  const name = requestName(fileName)
  expect(Array.from(name).length).toBeLessThanOrEqual(longestRequestName)
  expect(name.isWellFormed()).toBe(true)
})
