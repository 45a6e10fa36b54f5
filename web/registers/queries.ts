import {
  getDocumentKinds,
  getJournalEntries,
  getJournals,
  type Journal,
} from '@kelisim/domain/registers/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type JournalView = z.output<typeof Journal>

export function journalsQuery(organizationId: string) {
  return query(getJournals, { organizationId })
}

export function kindsQuery(organizationId: string) {
  return query(getDocumentKinds, { organizationId })
}

export function entriesQuery(
  { organizationId, journalId }: { organizationId: string; journalId: string },
  { skip, take, name }: ListPosition,
  year: number | undefined,
) {
  return query(getJournalEntries, {
    organizationId,
    journalId,
    skip,
    take,
    ...(name && { name }),
    ...(year !== undefined && { year }),
  })
}

/** One page of a list that was fetched as a whole, because there are at most a few hundred items; filters by name. */
export function pageOfNamed<T extends { name: string }>(
  all: readonly T[] | undefined,
  { skip, take, name }: ListPosition,
): { items: T[] | undefined; totalCount: number } {
  const found = all?.filter((one) => one.name.toLowerCase().includes(name.toLowerCase()))
  return { items: found?.slice(skip, skip + take), totalCount: found?.length ?? 0 }
}
