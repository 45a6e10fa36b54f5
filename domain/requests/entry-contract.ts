/**
 * For people without an account (docs/product/requests.md#q-11): what the link of an e-mail tells before they sign
 * in, and the requests to the numbers that they proved.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, Page } from '../fields.ts'
import { OneStatus, Sender } from './parts.ts'

export const openByLetter = endpoint({
  method: 'POST',
  path: '/api/unauth/SigningRequests/byLetter',
  access: 'anyone',
  summary: 'Who asks for what, for whoever followed the link of an e-mail',
  perMinute: 60,
  input: z.object({ signingRequestId: Id, letter: z.string().check(z.maxLength(200)) }),
  result: z.object({
    /** As the sender typed it. */
    name: z.string(),
    /** Null if the sender had not proved its number. */
    organization: z.nullable(Sender),
    /** The number that the e-mail is addressed to. */
    number: z.nullable(z.string()),
    /** What waits for that number now; null: nothing. */
    asks: z.nullable(z.enum(['sign', 'approve', 'confirm', 'terminate'])),
  }),
  refusals: ['access-denied'],
})

export const getInbox = endpoint({
  method: 'GET',
  path: '/api/inbox/:skip/:take',
  access: 'recipient',
  summary: 'What was sent to the numbers that the caller has proved; what waits for them comes first',
  input: z.object({ ...Page.shape, skip: Page.shape.skip.check(z.maximum(10_000)) }),
  result: listOf(
    z.object({
      id: Id,
      name: z.string(),
      status: OneStatus,
      organization: Sender,
      arrivedAt: Moment,
      isWaiting: z.boolean(),
    }),
  ),
  refusals: [],
})
