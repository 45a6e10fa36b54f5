/** The parts of the address that pages read. */
import { useMemo } from 'react'
import { useParams, useSearch } from '@tanstack/react-router'
import { Id } from '@kelisim/domain/fields.ts'
import { searchOf, type Search } from './search.ts'

export type Params = Partial<
  Record<'route' | 'path' | 'id' | 'name' | 'token' | 'tab' | 'organizationId', string | undefined>
>

export function useAddress(): { params: Params; search: Search } {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  // The router returns what `validateSearch` has dropped, too.
  const search = useMemo(() => searchOf(raw), [raw])
  return { params: useParams({ strict: false }), search }
}

/** The part of an address in lower case if it is an id, as endpoints take it; undefined if it is anything else. */
export function idOf(part: string | undefined): string | undefined {
  return Id.safeParse(part).success ? part?.toLowerCase() : undefined
}
