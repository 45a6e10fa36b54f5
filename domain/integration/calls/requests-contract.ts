/** Requests of programs: sending, following, submitting signatures (docs/product/integration.md#w-06). */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import {
  CheckedNumber,
  countLimit,
  Id,
  line,
  listOf,
  Moment,
  Page,
  paragraphs,
  requiredDay,
  requiredLine,
  Version,
} from '../../fields.ts'
import { pointTypes } from '../../points/point-types.ts'
import {
  actAtPoint,
  createQuickRequest,
  createRequest,
  followingRefusals,
  longestComment,
  longestRequestDescription,
  longestRequestName,
  RecipientEmails,
  revokeRequest,
  sendingRefusals,
} from '../../requests/contract.ts'
import { Registration } from '../../requests/parts.ts'
import { pointStatuses, requestStatuses, type PointStatus } from '../../requests/status.ts'
import { TypedFacts } from '../../routes/condition-contract.ts'
import { longestFileName, writeDocument } from '../../rich-text/contract.ts'
import { longestValue } from '../../rich-text/variables.ts'

const pointStatusNames = Object.keys(pointStatuses) as [PointStatus, ...PointStatus[]]

/** One step of a request, with statuses as words. */
export const ProgramPoint = z.object({
  pointId: Id,
  order: z.int(),
  type: z.enum(pointTypes.names),
  name: z.string(),
  bin: z.string(),
  organizationName: z.string(),
  status: z.enum(pointStatusNames),
  /** The reason of the status: the alias of a refusal, or `user-comment` with the comment. */
  reason: z.nullable(z.object({ alias: z.string(), comment: z.nullable(z.string()) })),
  doneAt: z.nullable(Moment),
  /** Accepted and other signatures, to be downloaded one by one. */
  signatures: z.array(
    z.object({
      id: Id,
      state: z.enum(['checking', 'accepted', 'refused']),
      receivedAt: Moment,
      /** The DS- code of a refused signature. */
      code: z.nullable(z.string()),
    }),
  ),
})

export const ProgramRequest = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  status: z.enum(requestStatuses.names),
  direction: z.enum(['incoming', 'outgoing']),
  sender: z.object({ name: z.string(), bin: z.string() }),
  document: z.object({ id: z.nullable(Id), fileName: z.string(), size: z.int(), sha256: z.string() }),
  /** The kind of document that the sender chose; null for everybody else. */
  kind: z.nullable(z.object({ id: Id, name: z.string() })),
  /** The number of the request in the journal of the sender, with the day in Almaty. */
  registration: z.nullable(Registration),
  /** The number of the request in the organisation of the token. */
  ownRegistration: z.nullable(z.object({ number: z.string(), registeredAt: Moment, journalId: Id })),
  signingDate: z.iso.date(),
  createdAt: Moment,
  changedAt: Moment,
  version: z.int(),
  /** The current revision of the document: 1 is the document that was sent, and every correction adds 1. */
  revision: z.int(),
  points: z.array(ProgramPoint),
  /** The points at which a signature of the member is awaited now. */
  awaitsSignatureAt: z.array(Id),
})

const sent = {
  name: requiredLine(longestRequestName),
  description: z._default(paragraphs(longestRequestDescription), ''),
  /** The date of the document; today (Asia/Almaty) by default. */
  signingDate: z.optional(requiredDay()),
  /** The last day on which it can be signed (Asia/Almaty). */
  expiresOn: z.optional(requiredDay()),
  isTimestampRequired: z._default(z.boolean(), false),
  classifierIds: z._default(z.array(Id).check(z.maxLength(20)), []),
  /** A kind of document of the organisation; its journal may give the request a number at once. */
  kindId: z.optional(Id),
}

/** The recipient of a request: a group of the organisation signs, then the recipient signs or is informed. */
const recipient = {
  bin: CheckedNumber,
  organizationName: z._default(line(250), ''),
  emails: RecipientEmails,
  /** The group that signs first; may be left out by somebody who is alone in the organisation. */
  groupId: z.optional(Id),
  /** The recipient is only informed about the document and signs nothing. */
  isForInformation: z._default(z.boolean(), false),
}

const common = { method: 'POST', access: 'program', scope: 'requests.send' } as const

export const sendByRoute = endpoint({
  ...common,
  path: '/api/v1/requests',
  summary: 'Send a document along a route of the organisation',
  input: z.object({ documentId: Id, routeId: Id, ...sent, facts: z.optional(TypedFacts) }),
  result: ProgramRequest,
  refusals: createRequest.refusals,
})

export const sendToRecipient = endpoint({
  ...common,
  path: '/api/v1/requests/to-recipient',
  summary: 'Send a document to a number: a group of ours signs, then the recipient',
  input: z.object({ documentId: Id, ...sent, ...recipient }),
  result: ProgramRequest,
  refusals: createQuickRequest.refusals,
})

export const sendFromTemplate = endpoint({
  ...common,
  path: '/api/v1/requests/from-template',
  summary: 'Make a document from a template and send it: along a route, or to a recipient',
  input: z
    .object({
      templateId: Id,
      fileName: requiredLine(longestFileName),
      /** Values by the names of the variables; variables that are left out get their usual values. */
      values: z.record(z.string(), z.string().check(z.maxLength(longestValue, 'too-long'))),
      ...sent,
      routeId: z.optional(Id),
      /** Facts for the conditions of the route that the values of the template do not contain. */
      facts: z.optional(TypedFacts),
      recipient: z.optional(z.object(recipient)),
    })
    .check(
      z.refine(({ routeId, recipient: to }) => (routeId === undefined) !== (to === undefined), {
        path: ['routeId'],
        error: 'route-or-recipient',
      }),
    ),
  result: ProgramRequest,
  refusals: [
    ...new Set([
      ...writeDocument.refusals,
      ...sendingRefusals,
      ...followingRefusals,
      ...createQuickRequest.refusals,
      'document-template-not-found' as const,
    ]),
  ],
})

const OfRequest = z.object({ requestId: Id })

export const getProgramRequest = endpoint({
  method: 'GET',
  path: '/api/v1/requests/:requestId',
  access: 'program',
  scope: 'requests.read',
  summary: 'One request with its points and signatures',
  input: OfRequest,
  result: ProgramRequest,
  refusals: ['signing-request-not-found'],
})

export const RequestState = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(requestStatuses.names),
  /** The number that the sender gave the request. */
  number: z.nullable(z.string()),
  /** The number of the request in the organisation of the token. */
  ownNumber: z.nullable(z.string()),
  version: z.int(),
  changedAt: Moment,
})

export const getProgramRequests = endpoint({
  method: 'GET',
  path: '/api/v1/requests',
  access: 'program',
  scope: 'requests.read',
  summary: 'Requests that came to the member, or that went out from the organisation, the newest first',
  input: z.object({
    direction: z.enum(['incoming', 'outgoing']),
    skip: z._default(Page.shape.skip.check(z.maximum(countLimit)), 0),
    take: z._default(Page.shape.take, 100),
  }),
  result: listOf(RequestState),
  refusals: [],
})

export const mostStatuses = 100

export const getStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/requests/statuses',
  access: 'program',
  scope: 'requests.read',
  summary:
    'The statuses of up to a hundred requests; ids of requests that the member may not see are listed apart',
  input: z.object({
    ids: z.pipe(
      z.string(),
      z.pipe(
        z.transform((ids: string) => [...new Set(ids.split(','))]),
        z.array(Id).check(z.minLength(1, 'required'), z.maxLength(mostStatuses)),
      ),
    ),
  }),
  result: z.object({ items: z.array(RequestState), notFound: z.array(Id) }),
  refusals: [],
})

export const withdrawProgramRequest = endpoint({
  ...common,
  path: '/api/v1/requests/:requestId/withdraw',
  summary: 'Withdraw a request of the member, until everybody has signed',
  input: z.extend(OfRequest, { comment: paragraphs(longestComment).check(z.minLength(1, 'required')) }),
  result: ProgramRequest,
  refusals: revokeRequest.refusals,
})

export const addSignature = endpoint({
  method: 'POST',
  path: '/api/v1/requests/:requestId/signatures',
  access: 'program',
  scope: 'requests.sign',
  summary:
    'Hand in a signature (CMS) that the member made elsewhere over the bytes of the document; it is judged like any other',
  perMinute: 120,
  input: z.extend(OfRequest, {
    /** One of `awaitsSignatureAt`. */
    pointId: Id,
    /** CMS in base64 or PEM. */
    signature: z.string().check(z.minLength(1, 'required'), z.maxLength(200_000, 'too-long')),
    /** A signature by the same certificate with a timestamp, if the request requires one. */
    timestampedSignature: z.optional(z.string().check(z.maxLength(200_000, 'too-long'))),
    comment: z._default(paragraphs(longestComment), ''),
    /**
     * The `revision` that was signed: if the document was corrected since, the signature is refused and not stored.
     */
    revision: z.optional(Version),
  }),
  result: ProgramRequest,
  refusals: actAtPoint.refusals,
})

/** An event of a request that the member sees. */
export const Change = z.object({
  requestId: Id,
  /**
   * Types of the history: sent, turn-came, signature-accepted, rejected, completed, overdue, escalated, rerouted,
   * expired …
   */
  type: z.string(),
  /** The status of the request after the event. */
  status: z.enum(requestStatuses.names),
  pointId: z.nullable(Id),
  at: Moment,
})

export const mostChanges = 100

export const getChanges = endpoint({
  method: 'GET',
  path: '/api/v1/changes',
  access: 'program',
  scope: 'requests.read',
  summary:
    'What happened since a cursor, in the order in which it was saved; without a cursor from the beginning',
  input: z.object({
    after: z.optional(z.string().check(z.maxLength(100))),
    take: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(mostChanges)), mostChanges),
  }),
  result: z.object({
    items: z.array(Change),
    /** The cursor for the next call, even if nothing happened. */
    cursor: z.string(),
    /** Whether more can be read at once. */
    hasMore: z.boolean(),
  }),
  refusals: ['cursor-not-known'],
})
