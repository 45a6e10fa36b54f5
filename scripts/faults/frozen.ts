/** Freezes processes for a while, or again and again. */
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Everything with this process as its ancestor, itself included. */
function family(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const found = [pid]
  for (const one of found) found.push(...pairs.filter(([, parent]) => parent === one).map(([child]) => child))
  return found
}

export async function frozen(pid: number | undefined, ms: number): Promise<void> {
  if (pid === undefined) return
  const all = family(pid)
  const signal = (name: NodeJS.Signals) => {
    for (const one of all) {
      try {
        process.kill(one, name)
      } catch {
        // The process ended meanwhile.
      }
    }
  }
  signal('SIGSTOP')
  try {
    await pause(ms)
  } finally {
    signal('SIGCONT')
  }
}

/**
 * A slow disk, as its users see it: of each half second the processes stand still for four fifths, so that whatever they write takes
 * about five times as long, and commits hundreds of milliseconds. Unlike at a real one, what is read from memory is slow, too.
 */
export async function slowedWhile(pid: number | undefined, isSlow: () => boolean): Promise<void> {
  while (isSlow()) {
    await frozen(pid, 400)
    await pause(100)
  }
}

export function slowed(pid: number | undefined, ms: number): Promise<void> {
  const end = performance.now() + ms
  return slowedWhile(pid, () => performance.now() < end)
}
