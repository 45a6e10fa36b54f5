/** Of any HTML only text and known elements are accepted. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHtml } from '@kelisim/domain/rich-text/rich-text.ts'
import { readHtml, TooComplex } from './read-html.ts'

const cleaned = (html: string) => toHtml(readHtml(html))

describe('hostile HTML', () => {
  test.each([
    ['<script>alert(1)</script><p>a</p>', '<p>a</p>'],
    ['<SCRIPT SRC=//evil.example></SCRIPT><p>a</p>', '<p>a</p>'],
    ['<p onclick="alert(1)" onmouseover=alert(1)>a</p>', '<p>a</p>'],
    ['<img src=x onerror=alert(1)><p>a</p>', '<p>a</p>'],
    ['<svg onload=alert(1)><script>alert(1)</script><text>b</text></svg><p>a</p>', '<p>a</p>'],
    ['<math><mtext></p><style><img src=x onerror=alert(1)></style></mtext></math><p>a</p>', '<p>a</p>'],
    ['<p style="background:url(javascript:alert(1));text-align:right">a</p>', '<p data-align="right">a</p>'],
    ['<p style="text-align:center;position:fixed">a</p>', '<p data-align="center">a</p>'],
    ['<p style="text-align:expression(alert(1))">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<p>a</p>'],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<p>a</p>'],
    ['<iframe srcdoc="<script>alert(1)</script>">b</iframe><p>a</p>', '<p>a</p>'],
    ['<object data="data:text/html;base64,PHN2Zz4="></object><p>a</p>', '<p>a</p>'],
    ['<p>a</p><!--<img src="--><img src=x onerror=alert(1)//">', '<p>a</p>'],
    [
      '<style>@import url(//evil.example);</style><link rel=stylesheet href=//evil.example><p>a</p>',
      '<p>a</p>',
    ],
    ['<form action=//evil.example><input name=a><button>b</button></form>', '<p>b</p>'],
    ['<base href=//evil.example><meta http-equiv=refresh content=0><p>a</p>', '<p>a</p>'],
    ['<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<p class="x" id="y" data-z="1" lang="en">a</p>', '<p>a</p>'],
    ['<template><p>b</p></template><p>a</p>', '<p>a</p>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    [
      '<span data-variable="&quot;><img src=x onerror=alert(1)>" data-kind="x">b</span>',
      '<p><span data-variable="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;" data-kind="text">' +
        '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;</span></p>',
    ],
    ['<p>a\u202eb\u200bc\u0000d</p>', '<p>abcd</p>'],
    ['<p>a\u{e0041}b\u3164c\u2800d\u200de</p>', '<p>abcde</p>'],
    ['<p>👩\u200d🔧 می\u200cخواهم</p>', '<p>👩\u200d🔧 می\u200cخواهم</p>'],
    ['<x-y><p>a</p></x-y>', '<p>a</p>'],
  ])('%s', (html, expected) => {
    expect(cleaned(html)).toBe(expected)
  })
})

describe('HTML of other programs', () => {
  test.each([
    ['<b>a</b><i>b</i><del>c</del><ins>d</ins>', '<p><strong>a</strong><em>b</em><s>c</s><u>d</u></p>'],
    ['a<p>b</p>c', '<p>a</p><p>b</p><p>c</p>'],
    ['<div align="center">a</div><h5>b</h5>', '<p data-align="center">a</p><h3>b</h3>'],
    ['<ul><li>a<ul><li>b</ul></ul>', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
    ['<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
    ['<p>a   b\n\tc</p>', '<p>a b c</p>'],
    ['<p>a <b> b</b> </p>', '<p>a <strong>b</strong></p>'],
    [
      '<table><thead><tr><th>a<td>b</table>',
      '<table><tbody><tr><th><p>a</p></th><td><p>b</p></td></tr></tbody></table>',
    ],
    [
      '<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>',
      '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>',
    ],
    [
      '<table><tr><td colspan=99999 rowspan=-1>a</td></tr></table>',
      '<table><tbody><tr><td colspan="24"><p>a</p></td></tr></tbody></table>',
    ],
    ['<tr><td>a</td></tr>', '<p>a</p>'],
    ['<li>a</li>', '<p>a</p>'],
    ['<p></p>', '<p></p>'],
    ['<p>и\u0306</p>', '<p>й</p>'],
  ])('%s', (html, expected) => {
    expect(cleaned(html)).toBe(expected)
  })
})

describe('too many nested tags', () => {
  test.each(['<div>', '<b>', '<table><tr><td>', '<ul><li>', '<span>', '<svg>', '<x>'])('%s', (tag) => {
    const before = process.threadCpuUsage()
    expect(() => readHtml(tag.repeat(Math.floor(400_000 / tag.length)))).toThrow(TooComplex)
    // CPU time of this thread, so that a busy machine does not matter
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
  })

  test('nested lists are limited in depth, and no text is lost', () => {
    const html = cleaned('<ul><li>x'.repeat(30))
    expect(html.match(/<ul>/g)).toHaveLength(9)
    expect(html.match(/x/g)).toHaveLength(30)
  })
})

test('reading and writing again gives the same HTML for any input', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<h1>',
      '</h1>',
      '<ul>',
      '<li>',
      '</ul>',
      '<ol data-clauses>',
      '</ol>',
      '<table>',
      '<tr>',
      '<td>',
      '<th>',
      '</table>',
      '<b>',
      '</b>',
      '<em>',
      '<br>',
      '<div data-page-break>',
      '</div>',
      '<script>',
      '</script>',
      '<span data-variable="А" data-value="1">',
      '</span>',
      '<img onerror=x>',
      '<!--',
      '-->',
      '<svg>',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const once = cleaned(pieces.join(''))
      expect(cleaned(once)).toBe(once)
      expect(once).not.toMatch(/<(?!\/?(p|h[1-3]|ul|ol|li|table|tbody|tr|td|th|div|strong|em|u|s|br|span)\b)/)
      expect(once).not.toMatch(/<[^>]*\son\w+=/)
    }),
  )
})
