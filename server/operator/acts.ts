/** An operator's action is performed and logged in one transaction, from the page and from the command line alike. */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { actTypes } from '@kelisim/domain/operator/contract.ts'
import type { Queue } from '../jobs/queue.ts'
import { findDead } from '../jobs/queries.ts'
import { addAct, addSubscription, findConfirmedOrganization, lockDeadLetters } from './queries.ts'
import type { tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'

export type OperatorQueue = Pick<Queue, 'revive' | 'drop' | 'runNow' | 'nextOf'>

/** `by` is null for the command line. */
export type ActBy = { by: string | null; at: Date }

export async function noteAct(
  tx: Tx,
  { by, at }: ActBy,
  type: (typeof actTypes)[number],
  details: Record<string, unknown>,
): Promise<void> {
  await addAct(tx, { at, by, type, details: JSON.stringify(details) })
}

const batchSize = 100

/**
 * Retries dead letters with these ids, or of one kind, or all. A concurrent call of another operator finds none left.
 */
export async function retryDead(
  { write }: Database,
  queue: OperatorQueue,
  wanted: { ids?: readonly string[] | undefined; name?: string | undefined },
  act: ActBy,
): Promise<number> {
  let count = 0
  for (;;) {
    const revived = await write(async (tx) => {
      await lockDeadLetters(tx)
      const dead = await findDead(tx, wanted, { skip: 0, take: batchSize })
      if (dead.length === 0) return 0
      await queue.revive(tx, dead)
      const ids = dead.map(({ id }) => id)
      await noteAct(tx, act, 'retried', { count: dead.length, names: namesOf(dead), ids })
      return dead.length
    })
    count += revived
    if (revived < batchSize) return count
  }
}

export function dropDead(
  { write }: Database,
  queue: OperatorQueue,
  ids: readonly string[],
  act: ActBy,
): Promise<number> {
  return write(async (tx) => {
    await lockDeadLetters(tx)
    const dead = await findDead(tx, { ids }, { skip: 0, take: batchSize })
    if (dead.length === 0) return 0
    await queue.drop(
      tx,
      dead.map(({ id }) => id),
    )
    // Deleted jobs are kept in the log of actions.
    const dropped = dead.map(({ id, name, data, reason }) => ({ id, name, data, reason }))
    await noteAct(tx, act, 'dropped', { count: dead.length, names: namesOf(dead), dropped })
    return dead.length
  })
}

export function runChoreNow(
  { write }: Database,
  queue: OperatorQueue,
  name: string,
  act: ActBy,
): Promise<boolean> {
  return write(async (tx) => {
    const isQueued = await queue.runNow(tx, name)
    if (isQueued) await noteAct(tx, act, 'ran', { name })
    return isQueued
  })
}

export type GivenSubscription = {
  bin: string
  tariff: (typeof tariffNames)[number]
  startDate: string
  endDate: string
  /** Null: unlimited. */
  maximum: number | null
}

/** False: no confirmed organisation has this number. */
export function giveSubscription(
  { write }: Database,
  given: GivenSubscription,
  act: ActBy,
): Promise<boolean> {
  return write(async (tx) => {
    const organization = await findConfirmedOrganization(tx, given.bin)
    if (!organization) return false
    const { startDate, endDate, maximum: maxSigningRequests, tariff: nameKey } = given
    await addSubscription(tx, {
      id: newId(act.at.getTime()),
      organizationId: organization.id,
      nameKey,
      startDate,
      endDate,
      maxSigningRequests,
      createdAt: act.at,
    })
    await noteAct(tx, act, 'gave-subscription', given)
    return true
  })
}

function namesOf(dead: readonly { name: string }[]): string[] {
  return [...new Set(dead.map(({ name }) => name))]
}
