import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanFileName, longestName } from './file-name.ts'

test.each([
  ['Договор.pdf', 'Договор.pdf'],
  ['Шарт № 14 «Тұлпар».PDF', 'Шарт № 14 «Тұлпар».pdf'],
  ['C:\\fakepath\\договор.pdf', 'C__fakepath_договор.pdf'],
  ['../../etc/passwd.pdf', '_.._etc_passwd.pdf'],
  ['a "quoted" name.docx', "a 'quoted' name.docx"],
  ['договор\u202efdp.exe.pdf', 'договорfdp.exe.pdf'],
  ['с\u200bпробелом\u00a0 и\tтабуляцией.xlsx', 'спробелом итабуляцией.xlsx'],
  ['и\u0306од.pdf', 'йод.pdf'],
  ['📄🇰🇿 отчёт.pdf', '📄🇰🇿 отчёт.pdf'],
  ['.pdf', 'document.pdf'],
  ['   .pdf', 'document.pdf'],
  ['...', 'document'],
  ['договор. .pdf', 'договор.pdf'],
  ['половина \ud83d.pdf', 'половина \ufffd.pdf'],
])('%j becomes %j', (raw, clean) => {
  expect(cleanFileName(raw)).toBe(clean)
})

test('a long name is cut to 250 characters and keeps its extension', () => {
  const name = cleanFileName(`${'д'.repeat(300)}.pdf`)
  expect(name).toHaveLength(longestName)
  expect(name.endsWith('д.pdf')).toBe(true)
})

test('a long name is not cut inside an emoji', () => {
  const name = cleanFileName(`x${'😀'.repeat(200)}.pdf`)
  expect(name.isWellFormed()).toBe(true)
  expect(name.length).toBeLessThanOrEqual(longestName)
})

test('any name becomes a valid file name of limited length, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
      const name = cleanFileName(raw)
      expect(name.length).toBeGreaterThan(0)
      expect(name.length).toBeLessThanOrEqual(longestName)
      expect(name).not.toMatch(/[\p{Cc}\\/:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      expect(cleanFileName(name)).toBe(name)
    }),
  )
})
