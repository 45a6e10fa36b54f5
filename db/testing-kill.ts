/**
 * For tests: the end of a PostgreSQL and all its processes without warning (kill -9), as by the kernel out of memory.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function killPostgres(data: string): void {
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    .map(Number)
  for (const pid of [postmaster, ...children]) kill(pid)
}

function parentOf(pid: string): number | undefined {
  try {
    // After the name in parentheses: the state, then the parent.
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined // it has ended meanwhile
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
