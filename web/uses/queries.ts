import { second } from '@kelisim/domain/durations.ts'
import { getUses, type UsedKind } from '@kelisim/domain/uses/contract.ts'
import { query } from '../api/api.ts'

/** What used it a moment ago is not what uses it now; the loader's answer is still good for the page. */
export function usesQuery(organizationId: string, kind: UsedKind, id: string) {
  return { ...query(getUses, { organizationId, kind, id }), staleTime: 2 * second }
}
