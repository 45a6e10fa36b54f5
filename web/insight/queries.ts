import { defaultWaitMonths, getWaits, type WaitKey } from '@kelisim/domain/insight/contract.ts'
import { query } from '../api/api.ts'

/** The number of bars that fit a screen; a button shows more. */
export const pageLength = 25

export type WaitsQuestion = { by: WaitKey; whose: 'mine' | 'all'; months: 1 | 3 | 6 | 12 }

/** The question with which the page starts, and which its loader asks beforehand. */
export const firstQuestion: WaitsQuestion = { by: 'group', whose: 'mine', months: defaultWaitMonths }

export function waitsQuery(organizationId: string, question: WaitsQuestion, skip: number, take: number) {
  return query(getWaits, { organizationId, ...question, skip, take })
}
