import { expect, test } from 'vitest'
import { withOperator, type Operator } from './operator.ts'

const page = [
  '__IF_COMPANIES__<b>__COMPANIES__+</b>__END_COMPANIES__',
  '__IF_NAME__<b>__NAME__</b>__END_NAME____IF_BIN__<span>БИН __BIN__</span>__END_BIN__',
  '__IF_ADDRESS__<span>__ADDRESS__</span>__END_ADDRESS__',
  '__EACH_PHONE__<a href="tel:__PHONE_DIGITS__">__PHONE__</a>__END_PHONE__',
  '__IF_SOCIAL__<p>__EACH_LINK__<a href="__LINK__">__LINK_NAME__</a>__END_LINK__</p>__END_SOCIAL__',
  '{"name":"Келісім","__OPERATOR_FACTS__":true}',
].join('\n')

const nothing: Operator = { name: '', bin: '', address: '', phones: [], socialLinks: [], companies: null }

test('a page says nothing of an operator without configured facts', () => {
  expect(withOperator(page, nothing, 'ru').replaceAll('\n', '')).toBe('{"name":"Келісім"}')
})

test('the configured facts of the operator are shown, escaped, in their places', () => {
  const shown = withOperator(
    page,
    {
      name: 'ТОО «Орман & Ко»',
      bin: '260940001111',
      address: 'Астана, ул. <Достык>, 1',
      phones: ['+7 (717) 200-00-00', '8 800 080 00 00'],
      socialLinks: [new URL('https://t.me/orman'), new URL('https://news.orman.kz/all')],
      companies: 12_500,
    },
    'ru',
  )
  expect(shown.split('\n')).toEqual([
    '<b>12\u00a0500+</b>',
    '<b>ТОО «Орман &amp; Ко»</b><span>БИН 260940001111</span>',
    '<span>Астана, ул. &lt;Достык&gt;, 1</span>',
    '<a href="tel:+77172000000">+7 (717) 200-00-00</a><a href="tel:88000800000">8 800 080 00 00</a>',
    '<p><a href="https://t.me/orman">Telegram</a><a href="https://news.orman.kz/all">news.orman.kz</a></p>',
    '{"name":"Келісім","legalName":"ТОО «Орман & Ко»","taxID":"260940001111","address":"Астана, ул. \\u003cДостык>, 1","telephone":["+7 (717) 200-00-00","8 800 080 00 00"],"sameAs":["https://t.me/orman","https://news.orman.kz/all"]}',
  ])
  expect(withOperator('__COMPANIES__', { ...nothing, companies: 12_500 }, 'en')).toBe('12,500')
})
