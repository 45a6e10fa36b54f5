// Plain JavaScript for whatever Node the machine has (18 or newer): installs what is missing, exactly as locked.
// The lock brings Node 24 itself, which every later script then runs on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const stamp = 'node_modules/.lock-sha256'
const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
const ownNode = `node-linux-${process.arch}/bin/node`

if (wanted !== present) {
  // to standard error, because programs read the standard output of some commands
  console.error('Installing dependencies…')
  install(process.execPath, process.env.PATH)
  if (isTooOldForSome() && existsSync(`node_modules/${ownNode}`)) installOnOwnNode()
  // Older npm (Debian's 9) lets the package of the other processor claim the name, and then links neither.
  if (existsSync(`node_modules/${ownNode}`) && !existsSync('node_modules/.bin/node')) {
    symlinkSync(`../${ownNode}`, 'node_modules/.bin/node')
  }
  writeFileSync(stamp, wanted)
}

/** @type {(node: string, path: string | undefined) => void} */
function install(node, path) {
  const npm = process.env.npm_execpath
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, PATH: path } }
  const installed = npm ? spawnSync(node, [npm, ...args], options) : spawnSync('npm', args, options)
  if (installed.status !== 0) process.exit(installed.status ?? 1)
}

/** npm silently leaves out optional packages that want a newer Node: the bundler's part for this processor wants 20.19. */
function isTooOldForSome() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 19)
}

/** Runs a copy of the installed Node, because npm removes everything before it installs. */
function installOnOwnNode() {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-node-'))
  try {
    copyFileSync(`node_modules/${ownNode}`, join(folder, 'node'))
    install(join(folder, 'node'), `${folder}${delimiter}${process.env.PATH}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
