/** Documents are locked while a dialog has them open, and while signatures of one that was closed are on their way. */
import { letGo } from './signing-calls.ts'

/** How many dialogs have each document: one that was closed does not release what the next one holds. */
const holders = new Map<string, number>()

export type Holding = {
  /** What was locked; also after the end, for a response that came late. */
  keep: (ids: readonly string[]) => void
  end: () => void
}

export function openHolding(organizationId: string, ids: readonly string[]): Holding {
  let held: readonly string[] = []
  for (const id of ids) holders.set(id, (holders.get(id) ?? 0) + 1)
  const releaseAll = () => {
    for (const id of held) letGo(organizationId, id)
  }
  const releaseUnheld = () => {
    for (const id of held) if (!holders.has(id)) letGo(organizationId, id)
  }
  let isEnded = false
  window.addEventListener('pagehide', releaseAll)
  return {
    keep: (locked) => {
      held = locked
      if (isEnded) releaseUnheld()
    },
    end: () => {
      isEnded = true
      window.removeEventListener('pagehide', releaseAll)
      for (const id of ids) {
        const left = holders.get(id)! - 1
        if (left > 0) holders.set(id, left)
        else holders.delete(id)
      }
      releaseUnheld()
    },
  }
}
