/** The filters of a list of requests; they are kept in the address, so that a link opens the filtered list. */
import { listOwners } from '@kelisim/domain/bits.ts'
import { signedStatuses, type RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import type { Search } from '../../ui/browser/search.ts'

/** undefined removes the filter from the address. */
export type Filters = {
  status?: number | undefined
  signedStatus?: number | undefined
  ownScope?: number | undefined
  author?: string | undefined
  bin?: string | undefined
  classificatorId?: string | undefined
  /** The registration number or its beginning. */
  number?: string | undefined
  journalId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  isOverdue?: boolean | undefined
}

export const noFilters: Filters = {
  status: undefined,
  signedStatus: undefined,
  ownScope: undefined,
  author: undefined,
  bin: undefined,
  classificatorId: undefined,
  number: undefined,
  journalId: undefined,
  from: undefined,
  to: undefined,
  isOverdue: undefined,
}

/** The filters in the address that apply to this list and this person. */
export function filtersOf(search: Search, path: RequestPath, isOwner: boolean): Filters {
  const { author, bin, classificatorId, number, journalId, from, to, isOverdue } = search
  const masks = {
    status: part(search.status, requestStatuses.all),
    signedStatus: path === 'incomings' ? part(search.signedStatus, signedStatuses.all) : undefined,
    ownScope:
      path === 'outgoings' && isOwner ? (search.ownScope ?? 0) & listOwners.all || undefined : undefined,
  }
  const isBackwards = from !== undefined && to !== undefined && to < from
  const given: Filters = {
    ...masks,
    author,
    bin,
    classificatorId,
    number,
    journalId,
    from,
    to: isBackwards ? undefined : to,
    isOverdue,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/**
 * The filters in effect. An address without filters shows the requests that wait for the person, if there are any;
 * all requests are shown by an address that asks for all.
 */
export function shownFilters(
  filters: Filters,
  { path, search, waiting }: { path: RequestPath; search: Search; waiting: number },
): Filters {
  const isPlain =
    path === 'incomings' && search.signedStatus === undefined && !search.name && !isNarrowed(filters)
  return isPlain && waiting > 0 ? { signedStatus: signedStatuses.of('UnSigned') } : filters
}

/** All values together are no filter. */
function part(mask: number | undefined, all: number): number | undefined {
  const known = (mask ?? 0) & all
  return known === 0 || known === all ? undefined : known
}

export function isNarrowed(filters: Filters): boolean {
  return Object.keys(filters).length > 0
}
