import { describe, expect, test } from 'vitest'
import { isFresh, requestName, senderNumber } from './quick-send.ts'

test('with a key of an organisation one speaks for it, otherwise for oneself', () => {
  expect(senderNumber({ bin: '260140020007', iin: '900101300123' })).toBe('260140020007')
  expect(senderNumber({ bin: null, iin: '900101300123' })).toBe('900101300123')
  expect(senderNumber({ bin: null, iin: null })).toBeNull()
})

describe('a signature is made for this sending', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 15, 12, minutes))
  const times = { begunAt: at(0), now: at(30) }
  const never = { timestampTime: null, signingTime: null }

  test.each([
    ['while it is under way', { ...never, signingTime: at(10) }, true],
    ['by a clock that is somewhat wrong', { ...never, signingTime: at(-10) }, true],
    ['by one that is somewhat ahead', { ...never, signingTime: at(40) }, true],
    ['long before', { ...never, signingTime: at(-20) }, false],
    ['in the future', { ...never, signingTime: at(50) }, false],
    ['nobody knows when', never, false],
    ['with a timestamp', { timestampTime: at(11), signingTime: at(10) }, true],
    ['long before, and stamped now', { timestampTime: at(5), signingTime: at(-600) }, false],
    ['nobody knows when, and stamped now', { timestampTime: at(5), signingTime: null }, false],
    ['by a clock that the timestamp shows to lie', { timestampTime: at(-600), signingTime: at(5) }, false],
  ])('%s', (_, made, isGood) => {
    expect(isFresh(made, times)).toBe(isGood)
  })

  test('and sent soon: nobody begins and waits for it', () => {
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
  ['Вход kelisim-pay.kz∕login, help@мошенник.қаз.pdf', 'Вход kelisim-pay. kz∕login, help@мошенник. қаз'],
  ['www..pdf', 'www..pdf'],
])('%s is called %s', (fileName, name) => {
  expect(requestName(fileName)).toBe(name)
})
