import {
  getImportRows,
  getMemberImport,
  type ImportRow,
  type MemberImport,
} from '@kelisim/domain/member-import/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type ImportView = z.output<typeof MemberImport>
export type ImportRowView = z.output<typeof ImportRow>
export type RowFilter = 'bad' | 'good' | 'invited' | undefined

export function importQuery(organizationId: string) {
  return query(getMemberImport, { organizationId })
}

export function importRowsQuery(organizationId: string, { skip, take }: ListPosition, only: RowFilter) {
  return query(getImportRows, { organizationId, skip, take, ...(only && { only }) })
}
