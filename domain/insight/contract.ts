/** Where sent documents wait, and for how long (docs/product/insight.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { listOf, Moment, Nothing, OfOrganization, Page } from '../fields.ts'

/** By what the waits are grouped. */
export const waitKeys = ['act', 'group', 'counterparty', 'month'] as const
export type WaitKey = (typeof waitKeys)[number]

/** How far back requests are counted. */
export const waitMonths = [1, 3, 6, 12] as const
export const defaultWaitMonths = 3

const Question = {
  by: z.enum(waitKeys),
  /** `all` is for owners. */
  whose: z.enum(['mine', 'all']),
  months: z._default(z.pipe(z.coerce.number(), z.literal([...waitMonths])), defaultWaitMonths),
}

export const Wait = z.object({
  /** The act (`sign`, `approve`, `confirm`), the name of the group or organisation, or the month (2026-11). */
  name: z.string(),
  /** The BIN of a counterparty; null for other keys. */
  bin: z.nullable(z.string()),
  /** How many steps were answered, and within how many hours half of them and nine of ten of them were. */
  answered: z.int(),
  medianHours: z.nullable(z.number()),
  slowHours: z.nullable(z.number()),
  /** How many steps wait now, and since when the first of them. */
  waiting: z.int(),
  waitingSince: z.nullable(Moment),
})

export const getWaits = endpoint({
  method: 'GET',
  path: '/api/Insight/:organizationId/:skip/:take',
  access: 'member',
  summary:
    "How long the caller's requests waited at their steps, or those of the whole organisation for owners",
  input: z.extend(OfOrganization, { ...Page.shape, ...Question }),
  result: listOf(Wait),
  refusals: [],
  perMinute: 60,
})

export const downloadWaits = endpoint({
  method: 'GET',
  path: '/api/Insight/:organizationId/xlsx',
  access: 'member',
  summary: 'The same as a table (XLSX)',
  givesFile: true,
  perMinute: 10,
  input: z.extend(OfOrganization, Question),
  result: Nothing,
  refusals: ['archive-under-way'],
})
