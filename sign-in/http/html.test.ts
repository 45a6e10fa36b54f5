import { expect, test } from 'vitest'
import { html, trusted } from './html.ts'

test('values inserted into a page are escaped, wherever they stand', () => {
  const name = `"><img src=x onerror='alert(1)'>&`
  expect(html`<a title="${name}">${name}</a>`.markup).toBe(
    '<a title="&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;">&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;</a>',
  )
})

test('markup, lists and empty values can be inserted too', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(html`${items}${null}${false}${undefined}${trusted('<svg/>')}${0}`.markup).toBe(
    '<li>a</li><li>&lt;b&gt;</li><svg/>0',
  )
})
