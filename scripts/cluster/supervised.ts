/** A process of the cluster that is started again when it dies, as systemd does it with Restart=always. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Supervised = {
  name: string
  /** Undefined while it is down. */
  pid: () => number | undefined
  /** Sends a signal to the process and all that it started; if it ends, it is started again. */
  kill: (signal: NodeJS.Signals) => void
  /** Ends the process until `start` is called. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
  start: () => void
  /** How often it was started. */
  starts: () => number
}

export type ProcessOptions = {
  name: string
  command: string
  /** Read at each start. */
  args: readonly string[] | (() => readonly string[])
  /** The folder of the log file, which is named like the process. */
  logs: string
  /** Read at each start. */
  env?: () => Record<string, string | undefined>
  cwd?: string
  user?: { uid: number; gid: number }
  restartAfterMs?: number
}

/** A process that does not stop within this time is killed. */
const timeoutMs = 45_000

export function supervise(options: ProcessOptions): Supervised {
  const { name, command, args, logs, env, cwd, user, restartAfterMs = 500 } = options
  const log = createWriteStream(join(logs, `${name}.log`), { flags: 'a' })
  let child: ChildProcess | undefined
  let isWanted = false
  let count = 0

  function start(): void {
    isWanted = true
    if (child) return
    count += 1
    // The process ends with this one, however this one ends.
    const started = spawn(
      'setpriv',
      ['--pdeathsig', 'SIGKILL', '--', command, ...(typeof args === 'function' ? args() : args)],
      {
        env: env?.() ?? process.env,
        cwd,
        ...user,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    child = started
    started.stdout.pipe(log, { end: false })
    started.stderr.pipe(log, { end: false })
    started.once('exit', (code, signal) => {
      log.write(`--- ended with ${code ?? signal}\n`)
      child = undefined
      if (isWanted) setTimeout(() => isWanted && start(), restartAfterMs).unref()
    })
  }

  function kill(signal: NodeJS.Signals): void {
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // The process was already gone.
    }
  }

  return {
    name,
    pid: () => child?.pid,
    kill,
    starts: () => count,
    start,
    async stop(signal = 'SIGTERM') {
      isWanted = false
      const ended = child && once(child, 'exit')
      kill(signal)
      const timeout = new AbortController()
      await Promise.race([ended, pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {})])
      timeout.abort()
      kill('SIGKILL')
    },
  }
}

/** Waits for something that happens within seconds on any machine; fails with its name. */
export async function until(what: string, isSo: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return
    await pause(200)
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

/** Whether the address answers with this status. */
export async function answers(url: string, status = 200): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  await response.body?.cancel()
  return response.status === status
}
