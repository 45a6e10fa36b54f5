/** Terms of retention, legal holds and packages for a state archive (docs/product/retention.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  Id,
  line,
  listOf,
  Moment,
  Nothing,
  OfOrganization,
  Page,
  requiredDay,
  requiredLine,
} from '../fields.ts'
import { retainedStates } from './terms.ts'

export const mostYears = 200
export const mostTerms = 500

export const RetentionTermView = z.object({
  id: Id,
  kind: z.nullable(z.object({ id: Id, name: z.string() })),
  years: z.nullable(z.int()),
  basis: z.string(),
  validFrom: z.iso.date(),
  addedBy: z.string(),
  addedAt: Moment,
})

export const getRetentionTerms = endpoint({
  method: 'GET',
  path: '/api/Retention/:organizationId/terms',
  access: 'owner',
  summary: 'How long the organisation keeps its documents, by kind, the newest rules first',
  input: OfOrganization,
  result: z.object({ terms: z.array(RetentionTermView) }),
  refusals: [],
})

export const addRetentionTerm = endpoint({
  method: 'POST',
  path: '/api/Retention/:organizationId/terms',
  access: 'owner',
  summary: 'Add a term for a kind of documents, or for all others; rules before it stay in the table',
  input: z.extend(OfOrganization, {
    /** Null: for documents of all kinds that have no term of their own. */
    kindId: z.nullable(Id),
    /** Null: for ever. */
    years: z.nullable(z.int().check(z.minimum(0, 'number-wrong'), z.maximum(mostYears, 'number-wrong'))),
    /** The legal or internal rule on which the term is based. */
    basis: requiredLine(500),
    validFrom: requiredDay(),
  }),
  result: RetentionTermView,
  refusals: ['kind-not-found', 'too-many-terms'],
})

export const RetainedDocument = z.object({
  signingRequestId: Id,
  name: z.string(),
  number: z.nullable(z.string()),
  kind: z.nullable(z.string()),
  /** The day on which the request was completed, terminated, rejected or withdrawn. */
  endedOn: z.iso.date(),
  /** The organisation received the document, so it has no kind here. */
  isReceived: z.boolean(),
  state: z.enum(retainedStates),
  /** The last day on which the document has to be kept; null: for ever, or no term is known. */
  until: z.nullable(z.iso.date()),
  basis: z.nullable(z.string()),
  /** Somebody has signed the document: only then is there evidence for a package. */
  isSigned: z.boolean(),
  hold: z.nullable(z.object({ id: Id, reason: z.string(), by: z.string(), at: Moment })),
})

export const getRetainedDocuments = endpoint({
  method: 'GET',
  path: '/api/Retention/:organizationId/documents/:skip/:take',
  access: 'owner',
  summary:
    'Documents of the organisation that have ended, the longest ended first, and until when they are kept',
  input: z.extend(OfOrganization, {
    ...Page.shape,
    name: z.optional(line(250)),
    /** Documents that the organisation received instead of those that it sent. */
    isReceived: z.optional(z.stringbool()),
  }),
  result: listOf(RetainedDocument),
  refusals: [],
})

export const holdDocument = endpoint({
  method: 'POST',
  path: '/api/Retention/:organizationId/holds',
  access: 'owner',
  summary: 'Hold a document, for a court or an inspection: while it is held it is not due, whatever its term',
  input: z.extend(OfOrganization, { signingRequestId: Id, reason: requiredLine(500) }),
  result: z.object({ id: Id }),
  refusals: ['signing-request-not-found', 'already-held'],
})

export const liftHold = endpoint({
  method: 'POST',
  path: '/api/Retention/:organizationId/holds/:holdId/lift',
  access: 'owner',
  summary: 'End the holding of a document',
  input: z.extend(OfOrganization, { holdId: Id }),
  result: Nothing,
  refusals: ['hold-not-found'],
})

export const downloadTransferPackage = endpoint({
  method: 'GET',
  path: '/api/Retention/:organizationId/transfer/:signingRequestId',
  access: 'owner',
  summary: 'A document with its signatures, evidence, history and description as one package for an archive',
  givesFile: true,
  perMinute: 20,
  input: z.extend(OfOrganization, { signingRequestId: Id }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'evidence-not-found',
    'archive-under-way',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
