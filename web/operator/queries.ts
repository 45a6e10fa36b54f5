import { getDeadLetters, getHealth, getOperatorActs, getOverview } from '@kelisim/domain/operator/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function healthQuery() {
  return query(getHealth, {})
}

export function overviewQuery() {
  return query(getOverview, {})
}

export function deadLettersQuery({ skip, take }: ListPosition) {
  return query(getDeadLetters, { skip, take })
}

export function operatorActsQuery({ skip, take }: ListPosition) {
  return query(getOperatorActs, { skip, take })
}
