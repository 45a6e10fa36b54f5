/** The position in a list (page, page size, search text, sorting), kept in the address so that a list is a link. */
import { useNavigate } from '@tanstack/react-router'
import { defaultPageSize } from '@kelisim/domain/fields.ts'
import { useAddress } from '../browser/address.ts'
import type { Search } from '../browser/search.ts'

/** A change of the position; undefined removes the parameter from the address. */
export type ListSearch = {
  page?: number | undefined
  take?: number | undefined
  name?: string | undefined
  sort?: string | undefined
}

export type ListPosition = {
  page: number
  take: number
  skip: number
  name: string
  sort: string | undefined
}

/** Used by the loader of a page and by the page itself, so that both ask for the same rows. */
export function listPositionOf(search: Search): ListPosition {
  const take = search.take ?? defaultPageSize
  const page = search.page ?? 1
  return { page, take, skip: (page - 1) * take, name: search.name ?? '', sort: search.sort }
}

export function useListSearch() {
  const { search } = useAddress()
  const navigate = useNavigate()
  return {
    ...listPositionOf(search),
    change: (next: ListSearch) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true }),
  }
}
