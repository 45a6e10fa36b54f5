/**
 * Whose turn it is, so that nobody can make others wait for long: one job in flight a person, turns by organisation, at
 * most half of the seats for one organisation, and callers without an account last and on one seat.
 */

/** On whose behalf something is done; null: on the server's own. */
export type Claimant = { organization: string; person: string } | { network: string } | null

/** `maxOwnWaiting`: of one person, or of all callers without an account. */
export type TurnLimits = { seats: number; maxWaiting: number; maxOwnWaiting: number }

export type Turns<Task> = {
  /** Why nothing more can be added for them now; null: something can. */
  whyNot: (claimant: Claimant) => 'full' | 'own-line-full' | null
  add: (claimant: Claimant, task: Task) => void
  /** The next task, which is in flight until it is done; undefined: nothing may start now. */
  next: () => Task | undefined
  done: (claimant: Claimant) => void
  /** Takes a waiting task out of its line; false: it does not wait. */
  withdraw: (claimant: Claimant, task: Task) => boolean
  /** Takes all of them. */
  clear: () => Task[]
  waiting: () => number
}

type Line<Task> = { tasks: Task[]; inFlight: number }
type Group<Task> = { lines: Map<string, Line<Task>>; inFlight: number; isAnonymous: boolean; isOwn: boolean }

export function createTurns<Task>({ seats, maxWaiting, maxOwnWaiting }: TurnLimits): Turns<Task> {
  // In the order of their turns: a group that had its turn goes to the end, as does a line within its group.
  const groups = new Map<string, Group<Task>>()
  let waiting = 0
  const mostOfOne = Math.max(1, Math.floor(seats / 2))

  function lineOf(claimant: Claimant): { key: string; group: Group<Task>; own: string; line: Line<Task> } {
    const { key, own } = keysOf(claimant)
    const group = groups.get(key) ?? {
      lines: new Map<string, Line<Task>>(),
      inFlight: 0,
      isAnonymous: claimant !== null && 'network' in claimant,
      isOwn: claimant === null,
    }
    const line = group.lines.get(own) ?? { tasks: [], inFlight: 0 }
    return { key, group, own, line }
  }

  /** The first line of the group that may start something. */
  function startable(group: Group<Task>): [string, Line<Task>] | undefined {
    const most = group.isAnonymous ? 1 : group.isOwn ? seats : mostOfOne
    if (group.inFlight >= most) return undefined
    return [...group.lines].find(([, line]) => line.tasks.length > 0 && (group.isOwn || line.inFlight === 0))
  }

  function forget(key: string, group: Group<Task>, own: string, line: Line<Task>): void {
    if (line.tasks.length === 0 && line.inFlight === 0) group.lines.delete(own)
    if (group.lines.size === 0) groups.delete(key)
  }

  return {
    whyNot(claimant) {
      if (waiting >= maxWaiting) return 'full'
      if (claimant === null) return null
      const { group, line } = lineOf(claimant)
      const others = [...group.lines.values()].reduce((sum, { tasks }) => sum + tasks.length, 0)
      const isFull = line.tasks.length >= maxOwnWaiting || (group.isAnonymous && others >= maxOwnWaiting)
      return isFull ? 'own-line-full' : null
    },
    add(claimant, task) {
      const { key, group, own, line } = lineOf(claimant)
      line.tasks.push(task)
      group.lines.set(own, line)
      groups.set(key, group)
      waiting++
    },
    next() {
      const inOrder = [...groups].toSorted(([, a], [, b]) => Number(a.isAnonymous) - Number(b.isAnonymous))
      for (const [key, group] of inOrder) {
        const found = startable(group)
        if (!found) continue
        const [own, line] = found
        const task = line.tasks.shift()!
        waiting--
        line.inFlight++
        group.inFlight++
        group.lines.delete(own)
        group.lines.set(own, line)
        groups.delete(key)
        groups.set(key, group)
        return task
      }
      return undefined
    },
    done(claimant) {
      const { key, group, own, line } = lineOf(claimant)
      line.inFlight--
      group.inFlight--
      forget(key, group, own, line)
    },
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
