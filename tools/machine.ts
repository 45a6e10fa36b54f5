/** What tests and benchmarks need of the machine: a browser, and for one test an older PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isRoot = process.getuid?.() === 0

/** The headless Chromium comes first: the same engine, and a third faster. */
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** Undefined: there is none on this machine. */
export function findBrowser(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? browsers.find((path) => existsSync(path))
}

/** Installs one where that is possible; otherwise says what is missing and ends the process. */
export function browserOrExit(): string {
  const found = findBrowser() ?? (install(['chromium']), findBrowser())
  if (found !== undefined) return found
  console.error('This needs Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.')
  process.exit(69) // EX_UNAVAILABLE
}

/**
 * Installs Debian's browsers and older PostgreSQL where this process may; otherwise the tests say what is missing.
 */
export function installForTests(): void {
  const isChosen = process.env['CHROMIUM_PATH'] !== undefined
  install([
    ...(isChosen || existsSync('/usr/bin/chromium') ? [] : ['chromium']),
    ...(isChosen || existsSync('/usr/bin/chromium-headless-shell') ? [] : ['chromium-headless-shell']),
    ...(existsSync('/usr/lib/postgresql/15/bin/initdb') ? [] : ['postgresql-15']),
  ])
}

function install(packages: readonly string[]): void {
  if (packages.length === 0) return
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    console.log(`Install ${packages.join(' and ')} (Debian: apt-get install ${packages.join(' ')}).`)
    return
  }
  const options = {
    stdio: ['ignore', 'inherit', 'inherit'] as ('ignore' | 'inherit')[],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-q'], options)
  // One by one: a package that this release of Debian lacks must not keep the others away.
  for (const name of packages) {
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], options)
  }
}
