/**
 * The documents that wait for a person, one after the other: which is shown, which are marked to be acted on
 * together, and which are done.
 */
export type Queue = {
  ids: readonly string[]
  shown: string | null
  marked: readonly string[]
  done: readonly string[]
}

const empty: Queue = { ids: [], shown: null, marked: [], done: [] }

/** Updates the queue. A document that no longer waits is done and keeps its place; new documents come last. */
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

/** Shows the previous or next document; at the ends nothing changes. */
export function step(queue: Queue, by: 1 | -1): Queue {
  const at = queue.ids.indexOf(queue.shown ?? '') + by
  return { ...queue, shown: queue.ids[at] ?? queue.shown }
}

/** Marks the shown document and shows the next one that is neither marked nor done. */
export function mark(queue: Queue): Queue {
  const { shown, marked, done } = queue
  if (shown === null || done.includes(shown)) return step(queue, 1)
  const next = { ...queue, marked: marked.includes(shown) ? marked : [...marked, shown] }
  return { ...next, shown: nextOpen(next) ?? shown }
}

export function unmark(queue: Queue): Queue {
  return { ...queue, marked: queue.marked.filter((id) => id !== queue.shown) }
}

/** Whether every document is marked or done. */
export function isLookedThrough(queue: Queue): boolean {
  return nextOpen(queue) === null
}

/** The next document that is neither marked nor done: after the shown one, then from the beginning. */
function nextOpen({ ids, shown, marked, done }: Queue): string | null {
  const at = ids.indexOf(shown ?? '')
  const inTurn = [...ids.slice(at + 1), ...ids.slice(0, at + 1)]
  return inTurn.find((id) => !marked.includes(id) && !done.includes(id)) ?? null
}
