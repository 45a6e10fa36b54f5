import { readFileSync } from 'node:fs'

/** The unit of the times in /proc, the same on all systems that Node runs on. */
const tickMs = 10

/** How long a process has worked since it started, waiting for a processor not included; null where the system does not say. */
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
