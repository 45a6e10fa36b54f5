/** A run of the journeys that is interrupted in any way leaves nothing behind: no port, no database, no folder. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { afterUs } from '@kelisim/db/testing-after-us.ts'
import { freePorts, isFree } from '@kelisim/db/testing-ports.ts'

const bound = { timeout: 150_000, interval: 100 }

/** Holds the other end of the product's standard input, as the runner of the journeys does. */
const runner = `
  import { spawn } from 'node:child_process'
  spawn('/bin/sh', ['-c', 'node scripts/test/start-for-tests.ts'], { detached: true, stdio: ['pipe', 'inherit', 'inherit'] })
  setInterval(() => {}, 1000)
`

const started: { pid: number; callOff: () => void }[] = []
afterAll(() => {
  for (const { pid, callOff } of started) {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    callOff()
  }
})

async function startRun(): Promise<{ pid: number; port: number; folder: string; said: () => string }> {
  const folder = temporaryFolder()
  // The three ports after it are those of the stand-ins.
  const port = await freePorts(4)
  const child = spawn(process.execPath, ['--input-type=module', '-e', runner], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_NO_WARNINGS: '1',
      MODE: 'demo',
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'fatal',
      // With another sign-in service the demo begins without people and documents, which would take most of the
      // start.
      OIDC_ISSUER: 'http://localhost:9',
      OIDC_CLIENT_ID: 'kelisim',
      OIDC_CLIENT_SECRET: 'secret',
    },
  })
  // Ends the child even if these tests are interrupted themselves.
  started.push({ pid: child.pid!, callOff: afterUs('kill -KILL "$1"', String(child.pid)) })
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  return { pid: child.pid!, port, folder, said: () => said }
}

/** A process that has ended and that its parent has not asked about yet (a zombie) is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function databaseIn(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function expectNothingLeft(folder: string, ports: readonly number[], database: number): Promise<void> {
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false), bound)
  await vi.waitFor(() => expect(isAlive(database)).toBe(false), bound)
  for (const port of ports) await vi.waitFor(async () => expect(await isFree(port)).toBe(true), bound)
}

test('a killed test runner leaves no folder, database or open port', async () => {
  const { pid, port, folder, said } = await startRun()
  await vi.waitFor(() => expect(said()).toContain('is ready'), bound)
  const database = databaseIn(folder)
  expect(isAlive(database)).toBe(true)
  expect(await isFree(port)).toBe(false)
  process.kill(pid, 'SIGKILL')
  await expectNothingLeft(folder, [port, port + 1, port + 2, port + 3], database)
}, 300_000)

test('a test runner killed while the product was starting leaves no folder, database or open port', async () => {
  const { pid, port, folder } = await startRun()
  await vi.waitFor(() => expect(databaseIn(folder)).toBeGreaterThan(0), bound)
  const database = databaseIn(folder)
  process.kill(pid, 'SIGKILL')
  await expectNothingLeft(folder, [port, port + 1, port + 2, port + 3], database)
}, 300_000)
