import { expect, test } from 'vitest'
import { safeName, uniqueNames } from './archive-names.ts'

test.each([
  ['Договор № 14/2026', 'Договор № 14_2026'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'file'],
  ['  Акт   сверки. ', 'Акт сверки'],
  ['con.pdf', '_con.pdf'],
  ['NUL', '_NUL'],
  ['C:\\Windows\\x.pdf', 'C__Windows_x.pdf'],
  ['a\u202egpj.pdf', 'agpj.pdf'],
  ['д\u00adо\u061cг\u3164о\u{e0041}вор.pdf', 'договор.pdf'],
  ['', 'file'],
])('the file name %j becomes %j', (name, safe) => {
  expect(safeName(name, 'file')).toBe(safe)
})

test('a long name keeps its extension', () => {
  const name = safeName(`${'ұ'.repeat(250)}.docx`, 'file')
  expect(name).toHaveLength(120)
  expect(name.endsWith('ұ.docx')).toBe(true)
})

test('names that differ only in case get different numbers', () => {
  const unique = uniqueNames()
  expect(['Акт.pdf', 'акт.PDF', 'Акт.pdf', 'Акт (2).pdf'].map(unique)).toEqual([
    'Акт.pdf',
    'акт (2).PDF',
    'Акт (3).pdf',
    'Акт (2) (2).pdf',
  ])
})
