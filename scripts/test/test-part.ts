/**
 * `npm run test:unit`, `test:db`, `test:e2e` and `test:watch`: one kind of test, all of them or those that are named.
 * A word that is part of a test file's path chooses files; any other words choose tests by their titles.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTestFolder } from './test-folder.ts'

type Part = 'unit' | 'db' | 'e2e' | 'watch'

const files: Record<Part, string[]> = {
  unit: ['**/*.test.{ts,tsx}'],
  db: ['**/*.db.test.ts'],
  e2e: ['e2e/*.e2e.ts'],
  watch: ['**/*.test.{ts,tsx}'],
}

const [part = '', ...words] = process.argv.slice(2)
if (!isPart(part)) fail(`There are no ${part} tests; there are ${Object.keys(files).join(', ')}`)
// The journeys run on the built site.
if (part === 'e2e') run('node', ['scripts/build/build.ts', '--if-changed'])
const results = join(openTestFolder(), 'vitest.json')
run(...command(part, words))
// Without this check, a run for a title that no test has would pass.
if ((part === 'unit' || part === 'db') && !hasRun(results)) fail(`No test was run for ${words.join(' ')}`)

function isPart(name: string): name is Part {
  return name in files
}

function command(kind: Part, chosen: readonly string[]): [program: string, args: string[]] {
  const known = globSync(files[kind], { exclude: ['**/node_modules/**', '**/dist/**'] })
  const isPath = (word: string) => known.some((file) => file.includes(word))
  const paths = chosen.filter((word) => word.startsWith('-') || isPath(word))
  const others = chosen.filter((word) => !paths.includes(word))
  const mistyped = others.find((word) => /\/|\.tsx?$/.test(word))
  if (mistyped) fail(`No test file has ${mistyped} in its path`)
  const title = others.join(' ')
  switch (kind) {
    case 'unit':
    case 'db': {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${results}`]
      return ['vitest', ['run', '--project', kind, ...reporters, ...paths, ...(title ? ['-t', title] : [])]]
    }
    case 'watch':
      return ['vitest', ['watch', ...paths, ...(title ? ['-t', title] : [])]]
    case 'e2e':
      return [
        'playwright',
        ['test', '--config', 'e2e/playwright.config.ts', ...paths, ...(title ? ['-g', title] : [])],
      ]
  }
}

function hasRun(file: string): boolean {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  return numPassedTests! + numFailedTests! > 0
}

function fail(message: string): never {
  console.error(message)
  process.exit(64)
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
