/** The parts of the address that pages read, whichever page it is. */
import { useParams, useSearch } from '@tanstack/react-router'
import type { Search } from './search.ts'

export type Params = Partial<Record<'route' | 'path' | 'id' | 'name' | 'token' | 'organizationId', string>>

export function useAddress(): { params: Params; search: Search } {
  return { params: useParams({ strict: false }), search: useSearch({ strict: false }) }
}
