/** How much processor time groups of processes have used, from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksASecond = 100

type Process = { pid: number; parent: number; seconds: number }

/** Seconds of a process and all its children that still run. */
export function processorSeconds(root: number): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []))
  const children = Map.groupBy(all, ({ parent }) => parent)
  const of = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.seconds + of(child.pid), 0)
  return (all.find(({ pid }) => pid === root)?.seconds ?? 0) + of(root)
}

export function parentOf(pid: number): number {
  return processOf(pid)[0]!.parent
}

/** Empty if the process has ended meanwhile. */
function processOf(pid: number): Process[] {
  try {
    // The name, in parentheses, may hold spaces; state, parent and nine other fields stand between it and the times.
    const [, parent, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    const ticks = [9, 10, 11, 12].reduce((sum, at) => sum + Number(rest[at]), 0)
    return [{ pid, parent: Number(parent), seconds: ticks / ticksASecond }]
  } catch {
    return []
  }
}
