/**
 * The mailbox page of the demo: every e-mail that would have been sent (docs/product/operations-and-demo.md#demo).
 * Served in demo mode only.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Email, Id, Language, listOf, Moment, Page } from '../fields.ts'

const Mail = z.object({
  id: Id,
  recipient: z.string(),
  subject: z.string(),
  language: Language,
  createdAt: Moment,
  sentAt: z.nullable(Moment),
})

export const getMails = endpoint({
  method: 'GET',
  path: '/api/demo/mails/:skip/:take',
  access: 'anyone',
  summary: 'The e-mails of the demo, newest first',
  input: z.extend(Page, { recipient: z.optional(Email) }),
  result: listOf(Mail),
  refusals: [],
})

export const getMail = endpoint({
  method: 'GET',
  path: '/api/demo/mails/:id',
  access: 'anyone',
  summary: 'One e-mail of the demo with its plain text',
  input: z.object({ id: Id }),
  result: z.extend(Mail, { text: z.string() }),
  refusals: ['page-not-found'],
})

/** The e-mail as a mail program would show it. */
export function mailPage(id: string): string {
  return `/api/demo/mails/${id}/html`
}
