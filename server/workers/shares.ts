/**
 * How much of the machine one claimant may have at a time, over all kinds of work together: a person one job, an
 * organisation a share of the cores, all callers without an account one job together. An organisation that had a job
 * killed lately has only one.
 */
import { availableParallelism } from 'node:os'
import { minute } from '@kelisim/domain/durations.ts'
import type { Claimant } from './turns.ts'

export type Shares = {
  mayStart: (claimant: Claimant) => boolean
  /** Whether a job of the claimant's organisation was killed lately. */
  wasKilledLately: (claimant: Claimant) => boolean
  start: (claimant: Claimant) => void
  /** `wasKilled`: the job took too much time or memory, or crashed. */
  end: (claimant: Claimant, wasKilled: boolean) => void
  /** Calls the listener whenever a share becomes free; returns a function that removes the listener. */
  onFree: (listener: () => void) => () => void
}

const penalty = 10 * minute

export function createShares(ofOrganization: number, clock: () => number = Date.now): Shares {
  const people = new Set<string>()
  const groups = new Map<string, number>()
  const killedAt = new Map<string, number>()
  const listeners = new Set<() => void>()

  function wasKilledLately(group: string): boolean {
    const at = killedAt.get(group)
    if (at !== undefined && clock() - at < penalty) return true
    killedAt.delete(group)
    return false
  }

  const most = (group: string) => (group === anonymous || wasKilledLately(group) ? 1 : ofOrganization)

  return {
    mayStart(claimant) {
      if (claimant === null) return true
      const { group, person } = keysOf(claimant)
      return !people.has(person) && (groups.get(group) ?? 0) < most(group)
    },
    wasKilledLately: (claimant) =>
      claimant !== null && !('network' in claimant) && wasKilledLately(keysOf(claimant).group),
    start(claimant) {
      if (claimant === null) return
      const { group, person } = keysOf(claimant)
      people.add(person)
      groups.set(group, (groups.get(group) ?? 0) + 1)
    },
    end(claimant, wasKilled) {
      if (claimant === null) return
      const { group, person } = keysOf(claimant)
      people.delete(person)
      const left = (groups.get(group) ?? 1) - 1
      if (left > 0) groups.set(group, left)
      else groups.delete(group)
      if (wasKilled) killedAt.set(group, clock())
      for (const listener of listeners) listener()
    },
    onFree(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const anonymous = 'anonymous'

/** A person who works for two organisations is counted separately in each. */
function keysOf(claimant: NonNullable<Claimant>): { group: string; person: string } {
  if ('network' in claimant) return { group: anonymous, person: `${anonymous} ${claimant.network}` }
  const { organization, person } = claimant
  return { group: `organization ${organization}`, person: `${organization} ${person}` }
}

/** The shares of all pools of this process. */
export const machineShares = createShares(Math.max(2, Math.floor(availableParallelism() / 2)))
