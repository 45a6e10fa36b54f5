/**
 * A child process for the files of strangers, with limits that the kernel enforces (decision 019). It has an empty
 * environment and a working folder of its own, which is removed with it.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFolder } from './worker-folder.ts'

export type MemoryLimits = {
  /** Objects of JavaScript, in megabytes. */
  heapMb: number
  /** Buffers, WebAssembly and native code, in megabytes. */
  outsideMb: number
}

/** Writable memory that Node itself reserves before it runs anything: stacks of its threads, the young generation. */
const reservedMb = 384
/** The CPU limit ends a child that hangs and outlives a killed parent; children in use are replaced at half of it. */
export const cpuSeconds = 600

export type LimitedProcess = {
  child: ChildProcess
  /** The end of the child's standard error, for the log. */
  lastWords: () => string
}

export function startLimited(file: URL, memory: MemoryLimits): LimitedProcess {
  const folder = mkdtempSync(join(tmpdir(), workerFolder))
  const flags = [
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${memory.heapMb}`,
    '--max-semi-space-size=16',
    // Deeply nested files are refused by their readers rather than by the stack; main threads have 8 MB on these systems.
    ...(isUnix ? ['--stack-size=3900'] : []),
  ]
  const options = {
    cwd: folder,
    env: { TMPDIR: folder, ...(isUnix ? {} : { SystemRoot: process.env['SystemRoot'], TEMP: folder }) },
    serialization: 'advanced',
  } as const
  const child = isLinux
    ? spawn('/bin/sh', ['-c', limits(memory), process.execPath, ...flags, fileURLToPath(file)], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
    : fork(file, [], { ...options, execArgv: flags, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  alive.set(child, folder)
  child.once('exit', () => {
    alive.delete(child)
    removeFolder(folder)
  })
  return { child, lastWords: listenTo(child.stderr as Socket) }
}

const longestWords = 2000

function listenTo(stream: Socket): () => string {
  let words = ''
  stream.setEncoding('utf8')
  stream.on('data', (piece: string) => (words = (words + piece).slice(-longestWords)))
  stream.unref()
  return () => words
}

const isLinux = process.platform === 'linux'
const isUnix = isLinux || process.platform === 'darwin'

/**
 * Limits writable memory (RLIMIT_DATA) rather than address space, of which WebAssembly reserves gigabytes that it
 * never uses. The kernel also ends a child first when the machine runs out of memory.
 */
function limits({ heapMb, outsideMb }: MemoryLimits): string {
  codeMb ??= reservedForCode(readFileSync('/proc/self/maps', 'utf8'))
  const kilobytes = (reservedMb + codeMb + heapMb + outsideMb) * 1024
  return [
    `ulimit -d ${kilobytes}`,
    `ulimit -t ${cpuSeconds}`,
    'ulimit -c 0',
    '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
    'exec "$0" "$@"',
  ].join('; ')
}

let codeMb: number | null = null

/**
 * The megabytes that V8 reserves at start for compiled code. On processors with protection keys this memory is
 * writable, so it counts towards the limit. A child reserves as much as this process.
 */
export function reservedForCode(maps: string): number {
  const bytes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].reduce(
    (sum, [, from, to]) => sum + Number.parseInt(to!, 16) - Number.parseInt(from!, 16),
    0,
  )
  return Math.ceil(bytes / 1024 ** 2)
}

const alive = new Map<ChildProcess, string>()
// Children are killed here, because a busy one would not notice that its parent has gone.
process.on('exit', () => {
  for (const [child, folder] of alive) {
    child.kill('SIGKILL')
    removeFolder(folder)
  }
})

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
