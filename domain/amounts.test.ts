import { describe, expect, test } from 'vitest'
import { amountInWords, caretIn, cleanAmount, groupAmount } from './amounts.ts'

const nbsp = '\u00a0'

describe('a typed amount', () => {
  test.each([
    ['1250000', '1250000'],
    ['1 250 000,50 тг', '1250000,50'],
    ['1250000.5', '1250000,5'],
    ['12abc', '12'],
    ['007', '7'],
    ['0', '0'],
    [',5', '0,5'],
    ['1,2,3456', '1,23'],
    ['12345678901234567', '123456789012345'],
    ['', ''],
  ])('%s is kept as %s', (typed, kept) => expect(cleanAmount(typed)).toBe(kept))

  test('is grouped by thousands', () => {
    expect(groupAmount('1250000,5')).toBe(`1${nbsp}250${nbsp}000,5`)
    expect(groupAmount('999')).toBe('999')
    expect(groupAmount('10000,')).toBe(`10${nbsp}000,`)
    expect(groupAmount('2026')).toBe('2026')
    expect(groupAmount('')).toBe('')
  })

  test('keeps the caret behind the same digit', () => {
    // A 9 was typed after the 1 of 1 250: the amount is now 19 250, and the caret is after the 9.
    expect(caretIn(groupAmount('19250'), '19')).toBe(2)
    expect(caretIn(groupAmount('1234567'), '1234')).toBe(5)
    expect(caretIn(groupAmount('10000,5'), '10000,5')).toBe(8)
    expect(caretIn('', '')).toBe(0)
  })

  test('is the same after it was grouped and cleaned again', () => {
    for (const clean of ['1', '12', '123', '1234', '123456789012345,67', '0,05']) {
      expect(cleanAmount(groupAmount(clean))).toBe(clean)
    }
  })
})

describe('an amount in words', () => {
  test.each([
    ['0', 'ноль тенге 00 тиынов', 'нөл теңге 00 тиын'],
    ['1', 'один тенге 00 тиынов', 'бір теңге 00 тиын'],
    ['2,01', 'два тенге 01 тиын', 'екі теңге 01 тиын'],
    ['11,11', 'одиннадцать тенге 11 тиынов', 'он бір теңге 11 тиын'],
    ['21,22', 'двадцать один тенге 22 тиына', 'жиырма бір теңге 22 тиын'],
    ['100,5', 'сто тенге 50 тиынов', 'жүз теңге 50 тиын'],
    ['219', 'двести девятнадцать тенге 00 тиынов', 'екі жүз он тоғыз теңге 00 тиын'],
    ['1000', 'одна тысяча тенге 00 тиынов', 'бір мың теңге 00 тиын'],
    ['2002', 'две тысячи два тенге 00 тиынов', 'екі мың екі теңге 00 тиын'],
    ['5000', 'пять тысяч тенге 00 тиынов', 'бес мың теңге 00 тиын'],
    ['12 000', 'двенадцать тысяч тенге 00 тиынов', 'он екі мың теңге 00 тиын'],
    ['21000', 'двадцать одна тысяча тенге 00 тиынов', 'жиырма бір мың теңге 00 тиын'],
    ['111000', 'сто одиннадцать тысяч тенге 00 тиынов', 'жүз он бір мың теңге 00 тиын'],
    ['1000000', 'один миллион тенге 00 тиынов', 'бір миллион теңге 00 тиын'],
    ['2000001', 'два миллиона один тенге 00 тиынов', 'екі миллион бір теңге 00 тиын'],
    [
      `1${nbsp}234${nbsp}567,89`,
      'один миллион двести тридцать четыре тысячи пятьсот шестьдесят семь тенге 89 тиынов',
      'бір миллион екі жүз отыз төрт мың бес жүз алпыс жеті теңге 89 тиын',
    ],
    ['22000000000', 'двадцать два миллиарда тенге 00 тиынов', 'жиырма екі миллиард теңге 00 тиын'],
    [
      '999999999999999,99',
      'девятьсот девяносто девять триллионов девятьсот девяносто девять миллиардов девятьсот девяносто девять миллионов девятьсот девяносто девять тысяч девятьсот девяносто девять тенге 99 тиынов',
      'тоғыз жүз тоқсан тоғыз триллион тоғыз жүз тоқсан тоғыз миллиард тоғыз жүз тоқсан тоғыз миллион тоғыз жүз тоқсан тоғыз мың тоғыз жүз тоқсан тоғыз теңге 99 тиын',
    ],
  ])('%s', (amount, russian, kazakh) => {
    expect(amountInWords(amount, 'ru')).toBe(russian)
    expect(amountInWords(amount, 'kk')).toBe(kazakh)
  })

  test.each(['', 'сто', '-5', '1,234', '1e3', '1234567890123456'])(
    '"%s" is not an amount and has no words',
    (text) => {
      expect(amountInWords(text, 'ru')).toBeNull()
      expect(amountInWords(text, 'kk')).toBeNull()
    },
  )

  test('every number below a thousand has words of its own, and a longer number ends with the same words', () => {
    for (const language of ['ru', 'kk'] as const) {
      const said = Array.from({ length: 1000 }, (_, number) => amountInWords(String(number), language))
      expect(new Set(said).size).toBe(1000)
      for (const [number, words] of said.entries()) {
        if (number === 0) continue
        const longer = amountInWords(String(7_000_000 + number), language)!
        expect(longer.endsWith(` ${words}`), longer).toBe(true)
      }
    }
  })
})
