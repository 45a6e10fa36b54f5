/**
 * Comments on the document of a running request: threads about a place in it, internal or shared
 * (docs/product/negotiation.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Moment, Page, paragraphs, Version } from '../fields.ts'
import { OfRequest } from '../requests/contract.ts'

export const longestText = 2000
export const longestQuote = 1000
/** The most threads that the people of one organisation may begin in one request. */
export const mostThreads = 200
/** The most comments in one thread, including the first. */
export const mostComments = 100
const mostPages = 100_000

const share = () => z.number().check(z.minimum(0), z.maximum(1))

/** A rectangle in fractions of its page, from the top left corner. */
export const Area = z.object({ left: share(), top: share(), width: share(), height: share() })

const Place = {
  page: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(mostPages))),
  /** The words of the document to which the comment refers. */
  quote: z._default(paragraphs(longestQuote), ''),
  area: z.nullable(Area),
}

const Text = paragraphs(longestText).check(z.minLength(1, 'required'))

export const CommentView = z.object({
  id: Id,
  fullName: z.string(),
  /** Empty for somebody who acts for their own number. */
  organizationName: z.string(),
  at: Moment,
  text: z.string(),
  isMine: z.boolean(),
})

export const ThreadView = z.object({
  id: Id,
  isShared: z.boolean(),
  revision: z.int(),
  page: z.nullable(z.int()),
  quote: z.string(),
  area: z.nullable(Area),
  resolved: z.nullable(z.object({ fullName: z.string(), at: Moment })),
  comments: z.array(CommentView),
})

const refusals = ['signing-request-not-found', 'signing-request-access-failure'] as const
const writingRefusals = [
  ...refusals,
  'wrong-request-status',
  'wrong-request-configuration',
  'not-enough-permissions',
] as const

export const getThreads = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/comments/:skip/:take',
  access: 'party',
  summary: 'The comments on the document that the caller may see: open threads first, the newest first',
  input: z.extend(OfRequest, Page.shape),
  result: z.object({
    items: z.array(ThreadView),
    totalCount: z.int(),
    openCount: z.int(),
    /** Whether the caller may write to their own people, and to every side; false if there is nobody to read it. */
    canWrite: z.object({ internal: z.boolean(), shared: z.boolean() }),
  }),
  refusals,
})

export const addThread = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/comments',
  access: 'party',
  summary:
    'Comment on the document of a running request, for the people of one’s own organisation or for every side',
  input: z
    .extend(OfRequest, {
      ...Place,
      text: Text,
      /** Internal by default; cannot be changed later. */
      isShared: z._default(z.boolean(), false),
      /** The revision of the document that the caller sees. */
      revision: Version,
      /** Chosen by the client, so that a repeated call is idempotent and writes once. */
      key: z.optional(Id),
    })
    .check(
      z.refine(({ page, area }) => area === null || page !== null, { path: ['page'], error: 'required' }),
    ),
  result: ThreadView,
  refusals: [...writingRefusals, 'document-revised', 'comment-not-found', 'too-many-comments'],
})

const OfThread = z.extend(OfRequest, { threadId: Id })

export const addAnswer = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/comments/:threadId/answers',
  access: 'party',
  summary: 'Answer in a thread; those who see the thread see the answer',
  input: z.extend(OfThread, { text: Text, key: z.optional(Id) }),
  result: ThreadView,
  refusals: [...writingRefusals, 'comment-not-found', 'too-many-comments'],
})

export const resolveThread = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/comments/:threadId/resolution',
  access: 'party',
  summary: 'A thread is settled, or open again; a repeated call changes nothing',
  input: z.extend(OfThread, { isResolved: z.boolean() }),
  result: ThreadView,
  refusals: [...writingRefusals, 'comment-not-found'],
})
