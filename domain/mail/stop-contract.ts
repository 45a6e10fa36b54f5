/**
 * The links in e-mails to strangers by which they stop such e-mails without an account
 * (docs/product/notifications.md#e-mails-to-strangers).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Signed by the server: the address and the sender of the e-mail. */
const Token = z.string().check(z.maxLength(200))

const Stopped = z.object({
  /** The sender whose e-mails can be stopped; null if the e-mail with the link named no sender. */
  sender: z.nullable(
    z.object({
      /** The name in the sender's certificate; null if it has proved none. */
      name: z.nullable(z.string()),
      isOff: z.boolean(),
    }),
  ),
  /** Whether the e-mails of all unknown senders are stopped. */
  isAllOff: z.boolean(),
})

export const getStopped = endpoint({
  method: 'GET',
  path: '/api/unauth/stopLetters/:token',
  access: 'anyone',
  summary: 'Whether e-mails to the address of this link are stopped; changes nothing',
  perMinute: 60,
  input: z.object({ token: Token }),
  result: Stopped,
  refusals: ['page-not-found'],
})

export const stopEmails = endpoint({
  method: 'POST',
  path: '/api/Landing/stopLetters',
  access: 'anyone',
  summary:
    'Stop e-mails of one sender or of all strangers to the address of this link, or let them come again',
  perMinute: 20,
  input: z.object({
    token: Token,
    of: z._default(z.enum(['sender', 'all']), 'all'),
    isOff: z._default(z.boolean(), true),
  }),
  result: Stopped,
  refusals: ['page-not-found'],
})

/** Called by mail programs when the reader presses "unsubscribe" (RFC 8058); browsers show a page there. */
export function stopPath(token: string): string {
  return `/quick/stop/${token}`
}
