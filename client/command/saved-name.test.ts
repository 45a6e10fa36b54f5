import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeFileName, safeFileName } from './saved-name.ts'

test.each([
  ['Договор № 5.pdf', 'Договор № 5.pdf'],
  ['../../.ssh/authorized_keys', 'authorized_keys'],
  ['..\\..\\Startup\\run.bat', 'run.bat'],
  ['/etc/passwd', 'passwd'],
  ['.bashrc', 'bashrc'],
  ['..', 'id.signed'],
  ['a/', 'id.signed'],
  ['CON.pdf', 'id.signed'],
  ['a\u001B[2J\u202Efdp.exe', 'a[2Jfdp.exe'],
  ['C:evil.txt', 'Cevil.txt'],
  [null, 'id.signed'],
])('%s is saved as %s', (suggested, name) => {
  expect(safeFileName(suggested, 'id.signed')).toBe(name)
})

test('whatever name is suggested, the file stays in the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (suggested) => {
      const name = safeFileName(suggested, 'x')
      expect(name).not.toMatch(/^\.|[/\\\0]|^$/)
    }),
  )
})

test('no existing file is replaced', () => {
  const taken = new Set(['a.pdf', 'a (2).pdf', 'b'])
  const isTaken = (name: string) => taken.has(name)
  expect(freeFileName('a.pdf', isTaken)).toBe('a (3).pdf')
  expect(freeFileName('b', isTaken)).toBe('b (2)')
  expect(freeFileName('c.pdf', isTaken)).toBe('c.pdf')
})
