/** What a person is told of, in the organisation they work in (CHECKLIST.md K-01, N-01). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, OfOrganization, Page } from '../fields.ts'
import { notificationKinds } from '../options/options.ts'

const Kind = z.enum(notificationKinds)
/** Beyond this it is many. */
export const unreadLimit = 99

export const NoticeView = z.object({
  id: Id,
  signingRequestId: Id,
  kind: Kind,
  asks: z.nullable(z.enum(['sign', 'approve', 'inform', 'confirm'])),
  process: z.enum(['signing', 'terminating']),
  /** Who did it; null: nobody in particular, or nobody the reader may know. */
  by: z.nullable(z.string()),
  comment: z.string(),
  /** Of the request, and of its sender. */
  name: z.string(),
  organizationName: z.string(),
  createdAt: Moment,
  isRead: z.boolean(),
})

export const getNotices = endpoint({
  method: 'GET',
  path: '/api/Notifications/:organizationId/:skip/:take',
  access: 'member',
  summary: 'What the person was told of in this organisation, the newest first',
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
 * One line a page for everything that is live on it. Without a request it speaks of the bell alone; for whoever speaks for
 * themselves (the empty identifier) of the request alone.
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
    z.object({ type: z.literal('request'), signingRequestId: Id, currentVersion: z.int() }),
  ]),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

/** Signed by the server; who has it may choose for its reader, of this kind alone. */
const Token = z.string().check(z.maxLength(200))
const Subscription = z.object({ kinds: z.array(Kind), organizationName: z.string(), isOff: z.boolean() })

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/unauth/Notifications/:token',
  access: 'anyone',
  summary: 'Letters of which kinds a link in a letter is about, and whether they come',
  input: z.object({ token: Token }),
  result: Subscription,
  refusals: ['page-not-found'],
  perMinute: 60,
})

export const saveSubscription = endpoint({
  method: 'POST',
  path: '/api/unauth/Notifications/:token',
  access: 'anyone',
  summary: 'Letters of these kinds come no more, or come again',
  input: z.object({ token: Token, isOff: z.boolean() }),
  result: Subscription,
  refusals: ['page-not-found'],
  perMinute: 60,
})

/** What a mail program calls by itself when its reader presses "unsubscribe" (RFC 8058); a person sees a page there. */
export function stopPath(token: string): string {
  return `/quick/stop/${token}`
}

export function unsubscribePath(token: string): string {
  return `/unsubscribe/${token}`
}
