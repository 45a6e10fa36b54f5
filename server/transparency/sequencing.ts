/**
 * From committed events to the log (decision 040):
 *
 *   act ──commit──▶ request_events + log_waiting ──sequence──▶ log_entries, log_nodes, log_size
 *
 * Acts never touch the tree, so no act waits for another one. One sequencer at a time locks the tree, on a connection
 * of its own, and appends everything that is committed. A killed sequencer leaves its events waiting; a frozen one is
 * ended by the database.
 */
import { setTimeout } from 'node:timers/promises'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { second } from '@kelisim/domain/durations.ts'
import { leafOf } from './log.ts'
import { isAnyWaiting, lockTree, takeWaiting } from './queries.ts'
import { growTree } from './tree.ts'

/** How many events are appended in one transaction. */
const batch = 500

const passesOf = new WeakMap<Database, () => Promise<void>>()

/** Returns when everything that was committed before the call is in the log; true if any event had waited. */
export async function sequence(database: Database): Promise<boolean> {
  // Events that a sequencer has taken are still visible here until its transaction is committed.
  const isAnyThere = await isAnyWaiting(database.db)
  if (isAnyThere) await passOf(database)()
  return isAnyThere
}

/** One pass at a time in a process; concurrent callers share the next one, which sees what they committed. */
function passOf(database: Database): () => Promise<void> {
  const known = passesOf.get(database)
  if (known) return known
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const pass = (): Promise<void> => {
    if (!running) {
      running = appendAll(database).finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return pass()
      })
    return next
  }
  passesOf.set(database, pass)
  return pass
}

async function appendAll(database: Database): Promise<void> {
  while ((await database.append(appendSome)) === batch);
}

/** The tree is locked first, so the events that the previous sequencer took are gone when this one looks. */
async function appendSome(tx: Tx): Promise<number> {
  const tree = await lockTree(tx)
  const { taken, events } = await takeWaiting(tx, batch)
  const leaves = events.map((event) => ({
    requestId: event.requestId,
    number: event.number,
    hash: leafOf(event),
  }))
  if (leaves.length > 0) await growTree(tx, tree, leaves)
  return taken
}

/**
 * Sequences after commits of this process, and also what other processes left behind; runs until `stop` is called.
 * After each pass it waits a little: concurrent acts then share a transaction, which on a busy day costs less than
 * one for each.
 */
export function openSequencer(
  database: Database,
  {
    everyMs = second,
    gatherMs = 50,
    onError,
  }: { everyMs?: number; gatherMs?: number; onError: (error: unknown) => void },
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let told = Promise.withResolvers<void>()
  const forget = database.onCommit(() => told.resolve())
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
  const loop = (async () => {
    while (!signal.aborted) {
      await Promise.race([told.promise, pause(everyMs)])
      told = Promise.withResolvers<void>()
      if (await sequence(database).catch(onError)) await pause(gatherMs)
    }
  })()
  return {
    async stop() {
      forget()
      stopping.abort()
      await loop
    },
  }
}
