import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyIdOf } from './heads.ts'
import { logKeyIn, readLogKey } from './key.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-log-key-'))

test('the key of the log is made once, readable by its owner only, and then kept', () => {
  const file = join(folder, 'new', 'log-key.pem')
  expect(readLogKey(file)).toBeNull()
  const key = logKeyIn(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(keyIdOf(logKeyIn(file))).toEqual(keyIdOf(key))
})

test('an unreadable key of the log, or one of another kind, stops the start and is not replaced', () => {
  const file = join(folder, 'broken.pem')
  writeFileSync(file, 'nonsense')
  expect(() => logKeyIn(file)).toThrow()
})
