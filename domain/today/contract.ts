/**
 * The home page: requests that wait for the person, that wait for others or that have finished, and what ends soon
 * (docs/product/today.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, OfOrganization } from '../fields.ts'
import { Reminder } from '../notifications/emails-contract.ts'
import { RequestLine } from '../requests/list-contract.ts'

/** A request that waits for others. */
export const StuckLine = z.extend(RequestLine, {
  /** Groups and organisations whose turn it is, and since when the first of them has had it. */
  waitsFor: z.array(z.string()),
  since: Moment,
  reminder: Reminder,
})

/** The last day of something that the organisation relies on; for its owners. */
export const Ending = z.object({
  kind: z.enum(['subscription', 'power']),
  /** The tariff, or the holder of the power of attorney. */
  subject: z.string(),
  id: z.nullable(Id),
  date: z.iso.date(),
})

export const getToday = endpoint({
  method: 'GET',
  path: '/api/Today/:organizationId',
  access: 'member',
  summary:
    'What waits for the caller, what of theirs waits for others or has finished since yesterday, what ends soon',
  input: OfOrganization,
  result: z.object({
    waiting: listOf(RequestLine),
    stuck: listOf(StuckLine),
    finished: listOf(RequestLine),
    ending: z.array(Ending),
  }),
  refusals: [],
})
