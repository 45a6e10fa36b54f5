import {
  getBulkRows,
  getBulkSending,
  getBulkSendings,
  getBulkToSign,
  getBulkVariables,
  type BulkRow,
  type BulkSending,
} from '@kelisim/domain/bulk/contract.ts'
import { getTemplates } from '@kelisim/domain/rich-text/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type BulkView = z.output<typeof BulkSending>
export type BulkRowView = z.output<typeof BulkRow>
export type BulkKey = { organizationId: string; bulkId: string }

export function bulksQuery(organizationId: string, { skip, take }: ListPosition) {
  return query(getBulkSendings, { organizationId, skip, take })
}

export function bulkQuery(key: BulkKey) {
  return query(getBulkSending, key)
}

export function bulkRowsQuery(
  key: BulkKey,
  { skip, take }: ListPosition,
  only: 'bad' | 'failed' | 'sent' | 'skipped' | 'waiting' | undefined,
) {
  return query(getBulkRows, { ...key, skip, take, ...(only && { only }) })
}

export function bulkToSignQuery(key: BulkKey) {
  return query(getBulkToSign, key)
}

export function bulkVariablesQuery(organizationId: string, templateId: string) {
  return query(getBulkVariables, { organizationId, templateId })
}

const mostTemplates = 100

export function bulkTemplatesQuery(organizationId: string) {
  return query(getTemplates, { organizationId, skip: 0, take: mostTemplates, path: 'all', sort: 'name' })
}
