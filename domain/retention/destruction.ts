/**
 * Whether a document may be destroyed (docs/product/retention.md). It has several keepers, who share one file: the
 * file is removed when all of them have ordered its destruction and none holds it.
 */
import type { RetainedState } from './terms.ts'

/** The sender or a recipient of a document, or of another request with the same file. */
export type Keeper = {
  /** Null: a person, or an organisation that does not use this service, so it cannot order anything. */
  organizationId: string | null
  name: string
  isHeld: boolean
  /** Their act naming the document was carried out after it last ended, and no termination is running. */
  hasOrdered: boolean
}

export type WhyKept = 'document-not-due' | 'document-held' | 'document-shared-outside' | 'document-in-act'

/** Why the document cannot be named in an act of this organisation; null: it can. */
export function whyNotInAct(
  state: RetainedState,
  keepers: readonly Keeper[],
  organizationId: string,
): WhyKept | null {
  if (state === 'destroyed') return 'document-in-act'
  if (state === 'held') return 'document-held'
  if (state !== 'due') return 'document-not-due'
  if (keepers.some((keeper) => keeper.organizationId === null)) return 'document-shared-outside'
  const own = keepers.find((keeper) => keeper.organizationId === organizationId)
  return own?.hasOrdered ? 'document-in-act' : null
}

export function mayGo(keepers: readonly Keeper[]): boolean {
  return keepers.length > 0 && keepers.every(({ hasOrdered, isHeld }) => hasOrdered && !isHeld)
}

/** The names of the keepers that have not ordered the destruction yet, or hold the document. */
export function waitsFor(keepers: readonly Keeper[]): string[] {
  return keepers.filter(({ hasOrdered, isHeld }) => !hasOrdered || isHeld).map(({ name }) => name)
}
