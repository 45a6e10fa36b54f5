import { readFileSync } from 'node:fs'

/** The unit of CPU times in /proc, the same on all systems that Node runs on. */
const tickMs = 10

/** The CPU time of a process since it started, without waiting for a processor; null if the system does not tell. */
export function workedMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain anything.
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(user) + Number(system)) * tickMs
  } catch {
    return null
  }
}
