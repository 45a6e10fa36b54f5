/** Requests opened at the page, until they are answered. */
import { randomUUID } from 'node:crypto'
import type { Reply } from '../app/app.ts'
import type { Documents, Introduction } from '../app/protocol.ts'

export type Visit = {
  id: string
  introduction: Introduction
  /** Null until the person has signed in, where the service requires that. */
  documents: Documents | null
  /** Prevents a second submission while one is in progress. */
  isBusy: boolean
  ending: { act: 'signed' | 'refused'; reply: Reply } | null
}

/** A page is used by one person or a few tests; documents are in memory. */
const maxVisits = 50

export function keepVisits() {
  const visits = new Map<string, Visit>()
  return {
    begin(introduction: Introduction, documents: Documents | null): Visit {
      const visit: Visit = { id: randomUUID(), introduction, documents, isBusy: false, ending: null }
      const [oldest] = visits.keys()
      if (visits.size >= maxVisits && oldest !== undefined) visits.delete(oldest)
      visits.set(visit.id, visit)
      return visit
    },
    find: (id: string): Visit | null => visits.get(id) ?? null,
  }
}
