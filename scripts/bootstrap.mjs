// Plain JavaScript for whatever Node the machine has (18 or newer): installs what is missing, exactly as locked.
// The lock brings Node 24 itself, which every later script then runs on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const stamp = 'node_modules/.lock-sha256'
const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''

if (wanted !== present) {
  // to the other stream: what some commands print is read by programs
  console.error('Installing dependencies…')
  const npm = process.env.npm_execpath
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const installed = npm
    ? spawnSync(process.execPath, [npm, ...args], { stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { stdio: ['ignore', 2, 2] })
  if (installed.status !== 0) process.exit(installed.status ?? 1)
  writeFileSync(stamp, wanted)
}
