/** The product as a separate process with its own data, for measures of the whole. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFlags } from '@kelisim/tools/node-flags.ts'

export const root = join(import.meta.dirname, '..', '..')

/** All calls of a measure come from one address, so no rate limit must apply. */
const unlimited = { CALLS_PER_MINUTE: '100000000', TOKEN_CALLS_PER_MINUTE: '100000000' }

/** Accessible to the user as whom root runs the embedded database. */
export function temporaryData(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-bench-'))
  chmodSync(folder, 0o755)
  return folder
}

export type Product = {
  url: string
  pid: number
  dataDir: string
  startedInMs: number
  stop: () => Promise<void>
}

/** `root`: the checkout that is started; undefined: this one. */
export type ProductOptions = { root?: string | undefined; env?: Record<string, string> }

export async function startProduct(
  port: number,
  dataDir: string,
  options: ProductOptions = {},
): Promise<Product> {
  const began = performance.now()
  const process_ = spawn(process.execPath, [...nodeFlags, 'scripts/start.ts'], {
    cwd: options.root ?? root,
    env: {
      ...process.env,
      ...options.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      MODE: 'demo',
      ...unlimited,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await readyLine(process_)
  return {
    url: `http://localhost:${port}`,
    pid: process_.pid!,
    dataDir,
    startedInMs: performance.now() - began,
    stop: async () => {
      process_.kill('SIGTERM')
      await once(process_, 'exit')
    },
  }
}

/** Waits for the line that says the product is ready. */
async function readyLine(child: ChildProcess): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout!) {
    said += String(chunk)
    if (said.includes('is ready')) {
      child.stdout!.resume()
      return
    }
  }
  throw new Error('the product did not start')
}

/** Milliseconds of processor time that a process has used; its children are not counted, here and below. */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024
}
