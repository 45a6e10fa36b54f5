import { getLogState } from '@kelisim/domain/transparency/contract.ts'
import { query } from '../api/api.ts'

export function logStateQuery() {
  return query(getLogState, {})
}
