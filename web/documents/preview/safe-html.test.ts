// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { safeCopy } from './safe-html.ts'

function cleaned(html: string): string {
  const place = document.createElement('div')
  place.append(safeCopy(html))
  return place.innerHTML
}

test.each([
  ['<h1>Бұйрық</h1><p>a <strong>b</strong></p>', '<h1>Бұйрық</h1><p>a <strong>b</strong></p>'],
  [
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
  ],
  ['<p onclick="x()" style="color:red" class="a" id="root">a</p>', '<p>a</p>'],
  ['a<script>x()</script><style>*{}</style><iframe></iframe>b', 'ab'],
  ['<svg><a xlink:href="javascript:x()">a</a></svg><math>b</math>', ''],
  ['<form action="/"><input name="a"><p>b</p></form>', ''],
  ['<a href="javascript:x()">a</a>', '<a target="_blank" rel="noopener noreferrer nofollow">a</a>'],
  ['<img src="https://elsewhere.kz/a.png" alt="x">', '<img alt="x">'],
  ['<img src="data:image/svg+xml;base64,AAAA">', '<img>'],
  ['<img src="data:image/png;base64,AAAA" onerror="x()">', '<img src="data:image/png;base64,AAAA">'],
  ['<custom-thing><b>a</b></custom-thing>', '<b>a</b>'],
])('%s', (html, safe) => {
  expect(cleaned(html)).toBe(safe)
})

test('a link to the web opens a new tab without a referrer', () => {
  expect(cleaned('<a href="https://adilet.zan.kz/">a</a>')).toBe(
    '<a href="https://adilet.zan.kz/" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  )
})
