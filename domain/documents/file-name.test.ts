import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanFileName, longestName, shownFileName } from './file-name.ts'

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
  ['CON.pdf', '_CON.pdf'],
  ['con', '_con'],
  ['Aux.tar.pdf', '_Aux.tar.pdf'],
  ['COM1.docx', '_COM1.docx'],
  ['LPT¹.pdf', '_LPT¹.pdf'],
  ['con .pdf', '_con.pdf'],
  ['CONTRACT.pdf', 'CONTRACT.pdf'],
  ['COM10.pdf', 'COM10.pdf'],
  ['договор. . .', 'договор'],
  ['a\u180eb\u3164c\u{e0041}d\u2800e\ufe0ff.pdf', 'abcdef.pdf'],
  ['a\u115fb\uffa0c\u034fd\u17b4e.pdf', 'abcde.pdf'],
  ['👩\u200d💻.pdf', '👩💻.pdf'],
])('%j becomes %j', (raw, clean) => {
  expect(cleanFileName(raw)).toBe(clean)
})

test('a long name is cut to the length in UTF-8 bytes that every disk accepts, and keeps its extension', () => {
  const name = cleanFileName(`${'д'.repeat(300)}.pdf`)
  expect(bytesOf(name)).toBe(longestName)
  expect(name.endsWith('д.pdf')).toBe(true)
  expect(cleanFileName(`${'d'.repeat(300)}.pdf`)).toHaveLength(longestName)
})

test('a long name is not cut inside an emoji', () => {
  const name = cleanFileName(`x${'😀'.repeat(200)}.pdf`)
  expect(name.isWellFormed()).toBe(true)
  expect(bytesOf(name)).toBeLessThanOrEqual(longestName)
})

/** The number of bytes in UTF-8. */
const bytesOf = (text: string) => encodeURIComponent(text).replaceAll(/%../g, 'x').length

/** Names as attackers choose them: devices, dots, spaces and characters that cannot be seen. */
const hostileName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'CON',
        'nul',
        'com1',
        'LPT³',
        '.',
        '..',
        ' ',
        '\u202e',
        '\u180e',
        '\u3164',
        '\u{e0041}',
        '.pdf',
      ),
      fc.string({ unit: 'binary', maxLength: 100 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test('any name becomes a valid file name of limited length, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(hostileName, (raw) => {
      const name = cleanFileName(raw)
      expect(name.length).toBeGreaterThan(0)
      expect(bytesOf(name)).toBeLessThanOrEqual(longestName)
      expect(name).not.toMatch(
        /[\p{Cc}\p{Cf}\\/:*?"<>|\u115f\u1160\u2800\u3164\uffa0]|\p{Default_Ignorable_Code_Point}/u,
      )
      expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i)
      expect(name).not.toMatch(/^[\s.]|[\s.]$/)
      expect(cleanFileName(name)).toBe(name)
    }),
    { numRuns: 1000 },
  )
})

test('the shown name keeps what was typed; only the saved file has another name', () => {
  const typed = 'Приказ № 7/к: "О премии".pdf'
  expect(shownFileName(typed)).toBe(typed)
  expect(cleanFileName(typed)).toBe("Приказ № 7_к_ 'О премии'.pdf")
  expect(shownFileName('  Договор\u202e   gpj.PDF. ')).toBe('Договор gpj.PDF')
  expect(shownFileName('.pdf')).toBe(cleanFileName('.pdf'))
  expect(Array.from(shownFileName(`${'я'.repeat(400)}.docx`))).toHaveLength(250)
  expect(shownFileName(`${'я'.repeat(400)}.docx`).endsWith('я.docx')).toBe(true)
})
