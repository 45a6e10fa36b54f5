/** Every test file that the threat model names exists. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText, root } from './source-files.ts'

const rows = readText('docs/threat-model.md')
  .split('\n')
  .filter((line) => /^\| \d+ /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every threat has a number of its own, an asset, an attacker, an answer and a test', () => {
  expect(rows.map(([, number]) => Number(number))).toEqual(rows.map((_, i) => i + 1))
  for (const row of rows) {
    expect(row).toHaveLength(9)
    expect(row.slice(1, -1).every((cell) => cell !== '')).toBe(true)
    expect(row[2]).toMatch(/^[STRIDE]$/)
  }
})

test('every test that is named exists', () => {
  const named = rows.flatMap((row) => [...row.at(-2)!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!))
  expect(named.length).toBeGreaterThanOrEqual(rows.length)
  expect(named.filter((file) => !file.endsWith('.test.ts') || !existsSync(join(root, file)))).toEqual([])
})
