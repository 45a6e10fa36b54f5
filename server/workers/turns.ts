/**
 * Whose turn it is: one organisation after the other, in each of them one person after the other, callers without an
 * account last. `shares.ts` decides what may start at all.
 */

/** On whose behalf a task runs; null: on behalf of the server itself. */
export type Claimant = { organization: string; person: string } | { network: string } | null

/** `maxOwnWaiting`: how many tasks of one person, or of all callers without an account, may wait. */
export type TurnLimits = { maxWaiting: number; maxOwnWaiting: number }

export type Turns<Task> = {
  /** Why no task of the claimant can be added now; null: one can. */
  whyNot: (claimant: Claimant) => 'full' | 'own-queue-full' | null
  add: (claimant: Claimant, task: Task) => void
  /** Takes the next task of a claimant who may start one; undefined: there is none. */
  next: (mayStart: (claimant: Claimant) => boolean) => Task | undefined
  /** Whether a task of a claimant who may start one is waiting. */
  canStart: (mayStart: (claimant: Claimant) => boolean) => boolean
  /** Removes a waiting task; false: it was not waiting. */
  withdraw: (claimant: Claimant, task: Task) => boolean
  /** Removes and returns all waiting tasks. */
  clear: () => Task[]
  waiting: () => number
}

type Line<Task> = { claimant: Claimant; tasks: Task[] }
type Group<Task> = { lines: Map<string, Line<Task>>; isAnonymous: boolean }

export function createTurns<Task>({ maxWaiting, maxOwnWaiting }: TurnLimits): Turns<Task> {
  // In the order of their turns: a group that had its turn goes to the end, as does a line within its group.
  const groups = new Map<string, Group<Task>>()
  let waiting = 0

  function lineOf(claimant: Claimant): { key: string; group: Group<Task>; own: string; line: Line<Task> } {
    const { key, own } = keysOf(claimant)
    const group = groups.get(key) ?? {
      lines: new Map<string, Line<Task>>(),
      isAnonymous: claimant !== null && 'network' in claimant,
    }
    const line = group.lines.get(own) ?? { claimant, tasks: [] }
    return { key, group, own, line }
  }

  function forget(key: string, group: Group<Task>, own: string, line: Line<Task>): void {
    if (line.tasks.length === 0) group.lines.delete(own)
    if (group.lines.size === 0) groups.delete(key)
  }

  return {
    whyNot(claimant) {
      if (waiting >= maxWaiting) return 'full'
      if (claimant === null) return null
      const { group, line } = lineOf(claimant)
      const others = [...group.lines.values()].reduce((sum, { tasks }) => sum + tasks.length, 0)
      const isFull = line.tasks.length >= maxOwnWaiting || (group.isAnonymous && others >= maxOwnWaiting)
      return isFull ? 'own-queue-full' : null
    },
    add(claimant, task) {
      const { key, group, own, line } = lineOf(claimant)
      line.tasks.push(task)
      group.lines.set(own, line)
      groups.set(key, group)
      waiting++
    },
    next(mayStart) {
      const inOrder = [...groups].toSorted(([, a], [, b]) => Number(a.isAnonymous) - Number(b.isAnonymous))
      for (const [key, group] of inOrder) {
        const found = [...group.lines].find(([, { claimant }]) => mayStart(claimant))
        if (!found) continue
        const [own, line] = found
        const task = line.tasks.shift()!
        waiting--
        group.lines.delete(own)
        group.lines.set(own, line)
        groups.delete(key)
        groups.set(key, group)
        forget(key, group, own, line)
        return task
      }
      return undefined
    },
    canStart: (mayStart) =>
      [...groups.values()].some(({ lines }) =>
        [...lines.values()].some(({ claimant }) => mayStart(claimant)),
      ),
    withdraw(claimant, task) {
      const { key, group, own, line } = lineOf(claimant)
      const at = line.tasks.indexOf(task)
      if (at < 0) return false
      line.tasks.splice(at, 1)
      waiting--
      forget(key, group, own, line)
      return true
    },
    clear() {
      const all = [...groups.values()].flatMap(({ lines }) =>
        [...lines.values()].flatMap(({ tasks }) => tasks.splice(0)),
      )
      groups.clear()
      waiting = 0
      return all
    },
    waiting: () => waiting,
  }
}

function keysOf(claimant: Claimant): { key: string; own: string } {
  if (claimant === null) return { key: 'server', own: '' }
  return 'network' in claimant
    ? { key: 'anonymous', own: claimant.network }
    : { key: `organization ${claimant.organization}`, own: claimant.person }
}
