import { getMails } from '@kelisim/domain/mail/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function mailsQuery({ skip, take, name: recipient }: ListPosition) {
  return query(getMails, { skip, take, ...(recipient && { recipient }) })
}
