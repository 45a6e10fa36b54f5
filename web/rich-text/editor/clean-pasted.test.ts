// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { cleanPasted } from './clean-pasted.ts'
import { fillUsual } from './fill-usual.ts'

const item = (level: number, marker: string, words: string) =>
  `<p class=MsoListParagraph style='text-indent:-18pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`

test.each([
  [
    "<p class=MsoNormal align=center style='text-align:center'><b><span lang=RU style='font-size:14pt'>Договор</span></b><o:p></o:p></p>",
    '<p align="center" data-align="center"><b><span>Договор</span></b></p>',
  ],
  ['<span style="font-weight:700">а</span>', '<span><strong>а</strong></span>'],
  ['<span style="font-style:italic;text-decoration:underline">а</span>', '<span><u><em>а</em></u></span>'],
  ['<style>p{color:red}</style><script>x</script><p onclick="x" class="y">а</p>', '<p>а</p>'],
  ['<!--[if gte mso 9]><xml><o:p>x</o:p></xml><![endif]--><p>а</p>', '<p>а</p>'],
  ['<p>а</p><p style="page-break-before:always">б</p>', '<p>а</p><div data-page-break=""></div><p>б</p>'],
  [item(1, '·', 'а') + item(1, '·', 'б'), '<ul><li><p>а</p></li><li><p>б</p></li></ul>'],
  [
    item(1, '1.', 'а') + item(2, '1.1.', 'б') + item(1, '2.', 'в'),
    '<ol data-clauses=""><li><p>а</p><ol data-clauses=""><li><p>б</p></li></ol></li><li><p>в</p></li></ol>',
  ],
  [item(1, 'а)', 'раз'), '<ol><li><p>раз</p></li></ol>'],
  [
    `${item(1, '1', 'а')}<p>между</p>${item(1, '2', 'б')}`,
    '<ol><li><p>а</p></li></ol><p>между</p><ol><li><p>б</p></li></ol>',
  ],
])('%s', (html, expected) => {
  expect(cleanPasted(html)).toBe(expected)
})

test('variables get their default or known values; existing values are kept', () => {
  const facts = {
    organization: 'ТОО «А & Б»',
    organizationBin: '1',
    author: 'Айгерім',
    today: new Date('2026-11-15T06:00:00Z'),
  }
  const html =
    '<p><span data-variable="О" data-kind="organization">О</span><span data-variable="Г" data-kind="text" data-default="Астана">Г</span>' +
    '<span data-variable="П" data-kind="text">П</span><span data-variable="Д" data-kind="today" data-value="01.01.2026">01.01.2026</span></p>'
  const filled = new DOMParser().parseFromString(fillUsual(html, facts), 'text/html')
  const values = [...filled.querySelectorAll('span')].map((chip) => chip.getAttribute('data-value'))
  expect(values).toEqual(['ТОО «А & Б»', 'Астана', null, '01.01.2026'])
  expect(filled.body.textContent).toBe('ТОО «А & Б»АстанаП01.01.2026')
})
