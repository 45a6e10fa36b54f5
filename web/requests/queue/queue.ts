/**
 * The documents that wait for a person, one after the other: which is shown, which are marked to be acted on together,
 * and which are done.
 */
export type Queue = {
  ids: readonly string[]
  shown: string | null
  marked: readonly string[]
  done: readonly string[]
}

const empty: Queue = { ids: [], shown: null, marked: [], done: [] }

/** What waits now. What no longer waits is done and keeps its place, so that nothing jumps; what is new comes last. */
export function withWaiting(waiting: readonly string[], queue: Queue = empty): Queue {
  const ids = [...queue.ids, ...waiting.filter((id) => !queue.ids.includes(id))]
  const done = ids.filter((id) => !waiting.includes(id))
  const next = {
    ids,
    shown: queue.shown ?? ids[0] ?? null,
    marked: queue.marked.filter((id) => !done.includes(id)),
    done,
  }
  const isShownDoneNow = next.shown !== null && done.includes(next.shown) && !queue.done.includes(next.shown)
  return isShownDoneNow ? { ...next, shown: nextOpen(next) ?? next.shown } : next
}

/** The one before or after; at the ends it stays. */
export function step(queue: Queue, by: 1 | -1): Queue {
  const at = queue.ids.indexOf(queue.shown ?? '') + by
  return { ...queue, shown: queue.ids[at] ?? queue.shown }
}

/** Marks the shown one and goes on to the next that is neither marked nor done. */
export function mark(queue: Queue): Queue {
  const { shown, marked, done } = queue
  if (shown === null || done.includes(shown)) return step(queue, 1)
  const next = { ...queue, marked: marked.includes(shown) ? marked : [...marked, shown] }
  return { ...next, shown: nextOpen(next) ?? shown }
}

export function unmark(queue: Queue): Queue {
  return { ...queue, marked: queue.marked.filter((id) => id !== queue.shown) }
}

/** Nothing is left to look at: everything is marked or done. */
export function isLookedThrough(queue: Queue): boolean {
  return nextOpen(queue) === null
}

/** The first open one after the shown one, else the first of all. */
function nextOpen({ ids, shown, marked, done }: Queue): string | null {
  const at = ids.indexOf(shown ?? '')
  const inTurn = [...ids.slice(at + 1), ...ids.slice(0, at + 1)]
  return inTurn.find((id) => !marked.includes(id) && !done.includes(id)) ?? null
}
