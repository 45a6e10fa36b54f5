/**
 * `npm test`: types, lint, format, unit and database tests, then the journeys in a real Chromium. Every step runs,
 * whatever the ones before it said; the last line counts them all. Interrupting it ends everything that it has
 * started.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { endGroupAfterUs } from '@kelisim/db/testing-after-us.ts'
import { checkEnvironment, checks } from './checks.ts'
import { installForTests } from '@kelisim/tools/machine.ts'
import { openTestFolder } from './test-folder.ts'

const folder = openTestFolder()
const running = new Set<ChildProcess>()
const durations: { name: string; seconds: number }[] = []
/** Repeated at the end for readers who see only the last lines. */
const failures: string[] = []
/**
 * How many tests of each file were skipped, because the machine lacks what they need (OpenSSL's GOST, a folder to
 * mount …).
 */
const skipped = new Map<string, number>()
let passed = 0
let failed = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void breakOff(signal))

installForTests()
await timed('types, lint, format, site', () =>
  Promise.all(
    [
      ...checks,
      // One of the tests runs and kills the whole product, which needs its pages.
      ['site', 'node', 'scripts/build/build.ts', '--if-changed'] as const,
    ].map(([name, program, ...args]) => check(name, program, args)),
  ),
)

const vitestResults = join(folder, 'vitest.json')
let vitestEnd = 0
await timed('unit and database tests', async () => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${vitestResults}`]
  vitestEnd = await run('vitest', ['run', ...reporters])
})
countVitest(vitestResults, vitestEnd)

const playwrightResults = join(folder, 'playwright.json')
await timed('journeys', () =>
  run('playwright', ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json'], {
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightResults },
  }),
)
const flaky = countPlaywright(playwrightResults)

console.log()
for (const { name, seconds } of durations) console.log(`${`${seconds} s`.padStart(7)}  ${name}`)
for (const [file, count] of skipped) console.log(`skipped: ${count} in ${file}`)
for (const title of flaky) console.log(`flaky: ${title}`)
for (const title of failures) console.log(`failed: ${title}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function timed(name: string, step: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await step()
  durations.push({ name, seconds: Math.round((performance.now() - start) / 1000) })
}

/** A step that passes or fails as a whole. */
async function check(name: string, program: string, args: string[]): Promise<void> {
  if ((await run(program, args, { environment: checkEnvironment, isQuiet: true })) === 0) passed++
  else {
    failed++
    failures.push(name)
  }
}

/** Several programs may run at once: a quiet one prints its output only when it has ended. */
async function run(
  program: string,
  args: string[],
  { environment = {}, isQuiet = false }: { environment?: Record<string, string>; isQuiet?: boolean } = {},
): Promise<number> {
  const title = `\n› ${program} ${args.join(' ')}`
  if (!isQuiet) console.log(title)
  // In a group of its own, so that whatever it starts can be ended with it.
  const child = spawn(program, args, {
    detached: true,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'close').then(
    () => child.exitCode ?? 1,
    (error: unknown) => {
      console.error(String(error))
      return 1
    },
  )
  running.add(child)
  const callOff = child.pid ? endGroupAfterUs(child.pid) : () => {}
  const said = await Promise.all([
    child.stdout ? buffer(child.stdout) : '',
    child.stderr ? buffer(child.stderr) : '',
  ])
  const code = await ended
  callOff()
  running.delete(child)
  if (isQuiet) console.log(`${title}\n${said.join('')}`.trimEnd())
  return code
}

/** Passes the signal on to everything that runs, and kills what does not end in time. */
async function breakOff(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<void> {
  const children = [...running]
  const tell = (told: NodeJS.Signals) => children.forEach((child) => child.pid && kill(-child.pid, told))
  const isLate = setTimeout(() => tell('SIGKILL'), 30_000)
  tell(signal)
  await Promise.all(
    children
      .filter((child) => child.exitCode === null && child.signalCode === null)
      .map((child) => once(child, 'close')),
  )
  clearTimeout(isLate)
  process.exit(128 + constants.signals[signal])
}

function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal)
  } catch {
    // the process has ended by itself
  }
}

/** No result file means that the runner itself broke: that is a failure, not nothing. */
function readResults(file: string): unknown {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  failed++
  return null
}

function countVitest(file: string, exitCode: number): void {
  type Results = {
    numPassedTests: number
    numFailedTests: number
    success: boolean
    testResults: {
      name: string
      status: string
      message: string
      assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
    }[]
  }
  const results = readResults(file) as Results | null
  if (!results) return
  passed += results.numPassedTests
  // A file that could not even be loaded has no failed test, yet the run is no success.
  failed += results.numFailedTests || (results.success ? 0 : 1)
  // An error that is thrown outside every test is in no result: only the exit code shows it.
  if (results.success && exitCode !== 0) {
    failed++
    failures.push('vitest: an error outside of the tests, see "Unhandled" above')
  }
  for (const { name, assertionResults } of results.testResults) {
    const count = assertionResults.filter(({ status }) => status === 'skipped' || status === 'pending').length
    if (count > 0) skipped.set(relative(process.cwd(), name), count)
  }
  for (const { name, message, assertionResults } of results.testResults.filter(isFailed)) {
    const file = relative(process.cwd(), name)
    const tests = assertionResults.filter(isFailed)
    // A file that could not be loaded, or whose cleanup failed, has no failed test but its own message.
    if (tests.length === 0) failures.push(`${file}${reason(message)}`)
    for (const { fullName, failureMessages } of tests)
      failures.push(`${file} › ${fullName}${reason(failureMessages[0])}`)
  }
}

function isFailed({ status }: { status: string }): boolean {
  return status === 'failed'
}

/** The first lines of an error message, for readers of only the end of the output. */
function reason(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines
    .slice(0, 6)
    .map((line) => `\n    ${line.slice(0, 200)}`)
    .join('')
}

type Suite = {
  specs: {
    title: string
    file: string
    tests: { status: string; results: { error?: { message?: string } }[] }[]
  }[]
  suites?: Suite[]
}

/** Returns the titles of the journeys that passed only when they were tried again. */
function countPlaywright(file: string): string[] {
  type Results = {
    suites: Suite[]
    stats: { expected: number; unexpected: number; flaky: number }
    errors: unknown[]
  }
  const results = readResults(file) as Results | null
  if (!results) return []
  passed += results.stats.expected + results.stats.flaky
  failed += results.stats.unexpected + results.errors.length
  failures.push(...results.suites.flatMap((suite) => titlesIn(suite, 'unexpected')))
  return results.suites.flatMap((suite) => titlesIn(suite, 'flaky'))
}

function titlesIn({ specs, suites = [] }: Suite, wanted: 'flaky' | 'unexpected'): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === wanted))
  return [
    ...own.map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message))
      return `${file} › ${title}${errors.map(reason).join('')}`
    }),
    ...suites.flatMap((suite) => titlesIn(suite, wanted)),
  ]
}
