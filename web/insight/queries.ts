import { defaultWaitMonths, getWaits, type WaitKey } from '@kelisim/domain/insight/contract.ts'
import { query } from '../api/api.ts'

/** Bars that fit a screen; the rest is one press away. */
export const pageLength = 25

export type WaitsQuestion = { by: WaitKey; whose: 'mine' | 'all'; months: 1 | 3 | 6 | 12 }

/** What the page asks first, and its loader before it. */
export const firstQuestion: WaitsQuestion = { by: 'group', whose: 'mine', months: defaultWaitMonths }

export function waitsQuery(organizationId: string, question: WaitsQuestion, skip: number, take: number) {
  return query(getWaits, { organizationId, ...question, skip, take })
}
