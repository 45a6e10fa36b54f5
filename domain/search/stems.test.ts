import { expect, test } from 'vitest'
import { fold } from './folding.ts'
import { kazakhStem, russianStem } from './stems.ts'

test.each([
  ['договор', 'договора', 'договору', 'договором', 'договоре', 'договоры', 'договоров', 'договорами'],
  ['аренда', 'аренды', 'аренде', 'аренду', 'арендой'],
  ['поставка', 'поставки', 'поставке', 'поставку', 'поставкой', 'поставкам'],
  ['акт', 'акта', 'акты', 'актов', 'актом'],
  ['соглашение', 'соглашения', 'соглашению', 'соглашением', 'соглашений'],
  ['доверенность', 'доверенности', 'доверенностью'],
  ['дополнительное', 'дополнительного', 'дополнительные', 'дополнительным'],
])('Russian forms have one stem: %s', (...forms) => {
  expect(new Set(forms.map(russianStem)).size).toBe(1)
})

test.each([
  ['шарт', 'шарттар', 'шарттың', 'шартты', 'шартқа', 'шарттан', 'шартта', 'шарттарымыз', 'шартпен'],
  ['құжат', 'құжаттар', 'құжаттың', 'құжатқа', 'құжаттары', 'құжаттарын', 'құжатымыз'],
  ['келісім', 'келісімдер', 'келісімнің', 'келісімге', 'келісімнен', 'келісімі'],
  ['кітап', 'кітаптар', 'кітабы', 'кітабын'],
  ['ұйым', 'ұйымдар', 'ұйымның', 'ұйымға'],
])('Kazakh forms begin with the stem of each of them: %s', (bare, ...forms) => {
  for (const form of forms) expect(fold(bare)).toMatch(new RegExp(`^${kazakhStem(fold(form), form)}`))
})

test.each(['работа', 'карта', 'оплата', 'сети', 'дата'])(
  'a word without a Kazakh letter keeps short endings that are Russian too: %s',
  (word) => expect(kazakhStem(word, word)).toBe(word),
)

test.each(['кат', 'до', '', 'ааа', 'щ'])(
  'a word that is hardly longer than an ending is kept: "%s"',
  (word) => {
    expect(russianStem(word).length).toBeGreaterThanOrEqual(Math.min(word.length, 1))
    expect(kazakhStem(word, word)).toBe(word)
  },
)
