import { second } from '@kelisim/domain/durations.ts'
import { getUses, type UsedKind } from '@kelisim/domain/uses/contract.ts'
import { query } from '../api/api.ts'

/** Uses change at any time, so they are only fresh long enough for the page to use the loader's answer. */
export function usesQuery(organizationId: string, kind: UsedKind, id: string) {
  return { ...query(getUses, { organizationId, kind, id }), staleTime: 2 * second }
}
