/** Notices of a person in an organisation (docs/product/notifications.md#k-01). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, OfOrganization, Page, Version } from '../fields.ts'
import { notificationKinds } from '../options/options.ts'

const Kind = z.enum(notificationKinds)
/** A larger count is shown as "99+". */
export const unreadLimit = 99

export const NoticeView = z.object({
  id: Id,
  signingRequestId: Id,
  kind: Kind,
  asks: z.nullable(z.enum(['sign', 'approve', 'inform', 'confirm'])),
  process: z.enum(['signing', 'terminating']),
  /** The actor; null for the system, or if the reader may not know. */
  by: z.nullable(z.string()),
  comment: z.string(),
  /** The name of the request. */
  name: z.string(),
  organizationName: z.string(),
  createdAt: Moment,
  isRead: z.boolean(),
})

export const getNotices = endpoint({
  method: 'GET',
  path: '/api/Notifications/:organizationId/:skip/:take',
  access: 'member',
  summary: 'The notices of the person in this organisation, newest first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(NoticeView),
  refusals: [],
})

const Unread = z.object({ unreadCount: z.int() })

export const countUnread = endpoint({
  method: 'GET',
  path: '/api/Notifications/:organizationId/unread',
  access: 'member',
  summary: 'How many of them are new; one more than 99 means many',
  input: OfOrganization,
  result: Unread,
  refusals: [],
})

export const readNotices = endpoint({
  method: 'POST',
  path: '/api/Notifications/:organizationId/read',
  access: 'member',
  summary: 'They are not new any more: one, those of one request, or, with neither named, all of them',
  input: z.extend(OfOrganization, { noticeId: z.optional(Id), signingRequestId: z.optional(Id) }),
  result: Unread,
  refusals: [],
})

/**
 * One event stream for a page. Without a request it has only the bell; for callers with the empty id only the
 * request.
 */
export const watchPage = endpoint({
  method: 'GET',
  path: '/api/Notifications/:organizationId/live',
  access: 'party',
  summary:
    'A line that stays open (server-sent events): new notices, and changes of the request that is looked at',
  streams: true,
  input: z.extend(OfOrganization, { signingRequestId: z.optional(Id) }),
  result: z.union([
    z.object({ type: z.literal('notices'), unreadCount: z.int() }),
    z.object({ type: z.literal('request'), signingRequestId: Id, currentVersion: Version }),
  ]),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

/** Signed by the server; allows its holder to turn e-mails of this kind on or off. */
const Token = z.string().check(z.maxLength(200))
const Subscription = z.object({ kinds: z.array(Kind), organizationName: z.string(), isOff: z.boolean() })

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/unauth/Notifications/:token',
  access: 'anyone',
  summary: 'The kinds of e-mails that the link of an e-mail is about, and whether they are turned off',
  input: z.object({ token: Token }),
  result: Subscription,
  refusals: ['page-not-found'],
  perMinute: 60,
})

export const saveSubscription = endpoint({
  method: 'POST',
  path: '/api/unauth/Notifications/:token',
  access: 'anyone',
  summary: 'Turn e-mails of these kinds off or on',
  input: z.object({ token: Token, isOff: z.boolean() }),
  result: Subscription,
  refusals: ['page-not-found'],
  perMinute: 60,
})

/** Called by mail programs when the reader presses "unsubscribe" (RFC 8058); browsers show a page there. */
export function unsubscribePath(token: string): string {
  return `/unsubscribe/${token}`
}
