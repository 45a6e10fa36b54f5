/**
 * Lists of signing requests (docs/product/requests.md#q-03). Separate from the rest of the contract, because the list
 * of incoming requests is the first page and must load quickly.
 */
import * as z from 'zod/mini'
import { flags, listOwners, maskOr } from '../bits.ts'
import { documentFormats } from '../documents/formats.ts'
import { endpoint } from '../endpoint.ts'
import {
  day,
  Id,
  line,
  listOf,
  Moment,
  Nothing,
  OfOrganization,
  Page,
  TwelveDigits,
  Version,
} from '../fields.ts'
import { ActName, OneStatus, Organization, Person, Registration } from './parts.ts'
import { requestStatuses } from './status.ts'

export const signedStatuses = flags({ UnSigned: 1, Signed: 2 })

/** A request in a list. */
export const RequestLine = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  status: OneStatus,
  signingDate: z.iso.date(),
  format: z.enum(documentFormats),
  author: Person,
  organization: Organization,
  /** The first counterparty, and the number of others. */
  counterparty: z.nullable(z.object({ bin: z.string(), name: z.string(), others: z.int() })),
  /** How many of the visible points are done. */
  progress: z.object({ done: z.int(), total: z.int() }),
  classificators: z.array(z.object({ classificatorId: Id, name: z.string() })),
  /** The number that the sender gave the request. */
  registration: z.nullable(Registration),
  /** The number of the request in the organisation of the caller. */
  ownNumber: z.nullable(z.string()),
  createdAt: Moment,
  /** For incoming requests: when it arrived. */
  arrivedAt: z.nullable(Moment),
  changedAt: Moment,
  currentVersion: Version,
  /** The revision of the document, to which an approval from the list applies. */
  revision: z.int(),
  /** Null: the request was sent alone. */
  package: z.nullable(z.object({ id: Id, name: z.string(), isTogether: z.boolean() })),
  /** The earliest running deadline of the caller's side; for people of the sender, that of any side. */
  dueOn: z.nullable(z.iso.date()),
  /** The absent colleague for whom the next act of the caller counts. */
  actsInsteadOf: z.nullable(z.string()),
  /** What the caller may do now, and at which point of which type. */
  acts: z.array(z.object({ act: ActName, pointId: z.nullable(Id), type: z.nullable(z.int()) })),
})

export const requestPaths = ['incomings', 'outgoings'] as const
export type RequestPath = (typeof requestPaths)[number]
/** A leading minus means descending. */
export const requestSorts = ['created', '-created', 'name', '-name'] as const
export const defaultRequestSort = '-created'

export const getRequests = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:route/:skip/:take',
  access: 'member',
  summary: 'Requests that came to the caller, or that went out from the organisation',
  input: z
    .extend(OfOrganization, {
      ...Page.shape,
      skip: Page.shape.skip.check(z.maximum(10_000)),
      route: z.enum(requestPaths),
      status: maskOr(requestStatuses.schema),
      /** For incoming requests: still waiting for the side of the caller, or done by it. */
      signedStatus: maskOr(signedStatuses.schema),
      /** For outgoing requests: the caller's own requests; for owners also those of colleagues. */
      ownScope: maskOr(listOwners.schema),
      name: z.optional(line(250)),
      author: z.optional(line(250)),
      bin: z.optional(TwelveDigits),
      classificatorId: z.optional(Id),
      /** The beginning of the request's number in the journals of the caller's organisation. */
      number: z.optional(line(60)),
      /** Registered in this journal of the caller's organisation. */
      journalId: z.optional(Id),
      /** Days of creation (Asia/Almaty), inclusive. */
      from: z.optional(day()),
      to: z.optional(day()),
      /**
       * Only requests with a passed deadline: of the caller's side for incoming ones, of any side for outgoing ones.
       */
      isOverdue: z.optional(z.stringbool()),
      sort: z._default(z.enum(requestSorts), defaultRequestSort),
    })
    .check(
      z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        error: 'end-before-start',
      }),
    ),
  result: listOf(RequestLine),
  refusals: ['roles-filter'],
})

/** How many requests wait for the caller: the number in the menu. */
export const countWaiting = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/waiting',
  access: 'member',
  summary: 'How many incoming requests wait for an act of the caller’s side; counted up to a hundred',
  input: OfOrganization,
  result: z.object({ count: z.int() }),
  refusals: [],
})

/** The largest page of a list. */
export const mostInArchive = 100
/** A limit for disk space and waiting time. */
export const archiveMegabytes = 500

/** Several documents in one archive. */
export const downloadRequests = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/archive',
  access: 'member',
  summary: 'The documents of several requests with their signatures, as one archive',
  givesFile: true,
  perMinute: 10,
  input: z.extend(OfOrganization, {
    ids: z.pipe(
      z.string(),
      z.pipe(
        z.transform((ids: string) => [...new Set(ids.split(','))]),
        z.array(Id).check(z.minLength(1, 'required'), z.maxLength(mostInArchive)),
      ),
    ),
  }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'archive-too-large',
    'archive-under-way',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
