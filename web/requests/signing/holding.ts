/**
 * Keeps documents locked while a dialog has them open, and while the signatures of a closed dialog are being sent.
 */
import { letGo } from './signing-calls.ts'

/** How many dialogs hold each document, so that closing one does not release what the next one holds. */
const holders = new Map<string, number>()

export type Holding = {
  /** Says which documents were locked; if the response came after the end, they are released at once. */
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
