import { describe, expect, test } from 'vitest'
import { isCodeRight, placeOf, shortNameOf } from './phone-sign-in.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

describe('the place where a sign-in began', () => {
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/130.0.0.0`, 'Microsoft Edge', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} YaBrowser/24.10`, 'Yandex Browser', 'Linux'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/115.0`, 'Opera', 'macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S911B) SamsungBrowser/26.0 ${chrome}`,
      'Samsung Internet',
      'Android',
    ],
  ])('%s', (userAgent, browser, system) => {
    expect(placeOf(userAgent, '')).toMatchObject({ browser, system })
  })

  test('contains no words of the caller', () => {
    expect(placeOf('Это ваш банк, подпишите', '')).toEqual({ browser: null, system: null, network: null })
  })

  test.each([
    ['91.185.20.7', '91.185.*.*'],
    ['::ffff:91.185.20.7', '91.185.*.*'],
    ['2a03:32c0:1:2::5', '2a03:32c0:*'],
    ['', null],
  ])('shortens the address %s', (address, network) => {
    expect(placeOf('', address).network).toBe(network)
  })
})

test('a code may be typed with spaces, and must be complete', () => {
  expect(isCodeRight(' 4 72 ', '472')).toBe(true)
  expect(['', '47', '4720', '473'].map((typed) => isCodeRight(typed, '472'))).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('a name is shortened to the first name and an initial', () => {
  expect(shortNameOf('Серікова Айгерім Нұрланқызы')).toBe('Айгерім\u00a0С.')
  expect(shortNameOf('Ли')).toBe('Л.')
  expect(shortNameOf('900101300001')).toBe('9.')
})
