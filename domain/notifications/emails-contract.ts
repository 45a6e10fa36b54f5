/** E-mails about a request and their delivery, for its author and owners. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, OfOrganization, Page } from '../fields.ts'
import { notificationKinds } from '../options/options.ts'
import { deliveryReasons } from '../mail/delivery.ts'

export const emailStates = [
  'queued',
  'handing-over',
  'sent',
  'refused',
  'failed',
  'uncertain',
  'kept',
  'daily',
  'off',
  'none',
  'held',
  'outdated',
] as const
/** Why an e-mail was not sent: the reasons of mail servers and our own. */
const emailReasons = [...deliveryReasons, 'day-limit', 'not-awaited', 'address-stopped'] as const

export type EmailState = (typeof emailStates)[number]

const OfRequest = z.extend(OfOrganization, { signingRequestId: Id })

export const EmailView = z.object({
  noticeId: Id,
  kind: z.enum(notificationKinds),
  at: Moment,
  /** The name of a colleague or of another organisation; null if only the address is known. */
  recipient: z.nullable(z.string()),
  /** Shortened if the recipient belongs to another organisation. */
  address: z.nullable(z.string()),
  state: z.enum(emailStates),
  reason: z.nullable(z.enum(emailReasons)),
  /** The response of the mail server. */
  answer: z.string(),
  canResend: z.boolean(),
})

export const Reminder = z.object({ lastAt: z.nullable(Moment), canRemind: z.boolean() })

export const getRequestEmails = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/letters/:skip/:take',
  access: 'member',
  summary: 'E-mails about the request, or of one of its points, with recipient and delivery, newest first',
  input: z.extend(OfRequest, {
    ...Page.shape,
    /** Only e-mails that announced the turn of this point. */
    pointId: z.optional(Id),
    process: z.optional(z.enum(['signing', 'terminating'])),
  }),
  result: z.extend(listOf(EmailView), { reminder: Reminder }),
  refusals: ['signing-request-not-found'],
})

export const resendEmail = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/letters/:noticeId/resend',
  access: 'member',
  summary: 'Send the same e-mail again, at most once an hour to one recipient',
  input: z.extend(OfRequest, { noticeId: Id }),
  result: EmailView,
  refusals: [
    'signing-request-not-found',
    'not-enough-permissions',
    'letter-not-found',
    'letter-on-its-way',
    'letter-resent-recently',
    'email-limit-reached',
  ],
})

export const remindOfRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/remind',
  access: 'member',
  summary: 'Reminds everybody the request waits for now, at most once a day',
  input: OfRequest,
  result: Reminder,
  refusals: ['signing-request-not-found', 'not-enough-permissions', 'nobody-to-remind', 'reminded-recently'],
})
