/**
 * `npm test`: types, lint, format, unit and database tests, then the journeys in a real Chromium. Every step runs,
 * whatever the ones before it said; the last line counts them all.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSite } from './build.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-results-'))
const isRoot = process.getuid?.() === 0
let passed = 0
let failed = 0

installForTests()
check('types: domain', 'tsc', '-p', 'domain')
check('types: signature', 'tsc', '-p', 'signature')
check('types: web', 'tsc', '-p', 'web')
check('types: everything else', 'tsc', '-p', '.')
check('lint', 'oxlint', '--type-aware', '--deny-warnings')
check('format', 'oxfmt', '--check')

// One of the tests kills the product as it runs, with its pages.
buildSite()
const vitestResults = join(folder, 'vitest.json')
run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile=${vitestResults}`])
countVitest(vitestResults)

const playwrightResults = join(folder, 'playwright.json')
run('playwright', ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json'], {
  PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightResults,
})
countPlaywright(playwrightResults)

rmSync(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** A step that is right or wrong as a whole. */
function check(name: string, program: string, ...args: string[]): void {
  if (run(program, args) === 0) passed++
  else {
    failed++
    console.error(`✗ ${name}`)
  }
}

function run(program: string, args: string[], environment: Record<string, string> = {}): number {
  console.log(`\n› ${program} ${args.join(' ')}`)
  const env = { ...process.env, ...environment }
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status ?? 1
}

/** No result file means that the runner itself broke: that is a failure, not nothing. */
function readResults(file: string): unknown {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  failed++
  return null
}

function countVitest(file: string): void {
  type Results = { numPassedTests: number; numFailedTests: number; success: boolean; numTotalTests: number }
  const results = readResults(file) as Results | null
  if (!results) return
  passed += results.numPassedTests
  // A file that could not even be loaded has no failed test, yet the run is no success.
  failed += results.numFailedTests || (results.success ? 0 : 1)
}

function countPlaywright(file: string): void {
  type Results = { stats: { expected: number; unexpected: number; flaky: number }; errors: unknown[] }
  const results = readResults(file) as Results | null
  if (!results) return
  passed += results.stats.expected + results.stats.flaky
  failed += results.stats.unexpected + results.errors.length
}

/** What the tests need of the machine: a browser, and PostgreSQL 15 for one of them. */
function installForTests(): void {
  const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  const isChosen = process.env['CHROMIUM_PATH'] !== undefined
  const missing = [
    ...(existsSync(chromium) ? [] : ['chromium']),
    // the same without its windows: journeys take a third less; where Debian has none, they run in the other
    ...(isChosen || existsSync('/usr/bin/chromium-headless-shell') ? [] : ['chromium-headless-shell']),
    ...(existsSync('/usr/lib/postgresql/15/bin/initdb') ? [] : ['postgresql-15']),
  ]
  if (missing.length === 0) return
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    console.log(
      `For all tests install ${missing.join(' and ')} (Debian: apt-get install ${missing.join(' ')}).`,
    )
    return
  }
  run('apt-get', ['update', '-q'])
  // One by one: where Debian has no PostgreSQL 15, its test is left out, but the browser is still wanted.
  for (const name of missing) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], env)
  }
}
