import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyIdOf } from './heads.ts'
import { logKeyIn, readLogKey } from './key.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-log-key-'))

test('is made once, for its owner’s eyes alone, and then stays', () => {
  const file = join(folder, 'new', 'log-key.pem')
  expect(readLogKey(file)).toBeNull()
  const key = logKeyIn(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(keyIdOf(logKeyIn(file))).toEqual(keyIdOf(key))
})

test('of another kind or unreadable stops the start rather than being replaced', () => {
  const file = join(folder, 'broken.pem')
  writeFileSync(file, 'nonsense')
  expect(() => logKeyIn(file)).toThrow()
})
