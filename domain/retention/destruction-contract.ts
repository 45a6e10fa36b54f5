/** Acts by which documents whose term has ended are destroyed (docs/product/retention.md#r-07). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, OfOrganization, Page } from '../fields.ts'

export const mostInAct = 200

export const actStates = ['prepared', 'signed', 'carriedOut'] as const

export const DestructionAct = z.object({
  id: Id,
  /** prepared: the head has to sign it; signed: it can be carried out. */
  state: z.enum(actStates),
  fileName: z.string(),
  /** Null if the document was deleted. */
  documentId: z.nullable(Id),
  preparedBy: z.string(),
  preparedAt: Moment,
  /** The request in which the head signed the act. */
  signed: z.nullable(z.object({ signingRequestId: Id, by: z.string(), at: Moment })),
  carriedOutAt: z.nullable(Moment),
  documentCount: z.int(),
  /** How many of these documents have lost their file. */
  goneCount: z.int(),
})

export const ActDocument = z.object({
  signingRequestId: Id,
  name: z.string(),
  sha256: z.string(),
  isGone: z.boolean(),
  /** The organisations that have not ordered the destruction yet, or hold the document. */
  waitsFor: z.array(z.string()),
})

export const getDestructionActs = endpoint({
  method: 'GET',
  path: '/api/Retention/:organizationId/acts/:skip/:take',
  access: 'owner',
  summary: 'The acts by which the organisation destroys documents, the newest first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(DestructionAct),
  refusals: [],
})

export const getActDocuments = endpoint({
  method: 'GET',
  path: '/api/Retention/:organizationId/acts/:actId/documents',
  access: 'owner',
  summary: 'The documents that an act names, and whom each of them waits for',
  input: z.extend(OfOrganization, { actId: Id }),
  result: z.object({ documents: z.array(ActDocument) }),
  refusals: ['act-not-found'],
})

export const prepareDestruction = endpoint({
  method: 'POST',
  path: '/api/Retention/:organizationId/acts',
  access: 'owner',
  summary: 'Make an act over documents whose term has ended, as a document that the head signs',
  perMinute: 10,
  input: z.extend(OfOrganization, {
    signingRequestIds: z
      .array(Id)
      .check(z.minLength(1, 'documents-not-chosen'), z.maxLength(mostInAct, 'too-many-documents')),
  }),
  result: DestructionAct,
  refusals: [
    'organization-not-confirmed',
    'signing-request-not-found',
    'document-not-due',
    'document-held',
    'document-shared-outside',
    'document-in-act',
    'files-queue-full',
    'own-files-queue-full',
    'service-unavailable',
    'file-storage-error',
    'sas-token-error',
  ],
})

export const carryOutDestruction = endpoint({
  method: 'POST',
  path: '/api/Retention/:organizationId/acts/:actId/carryOut',
  access: 'owner',
  summary: 'Carry out an act that the head has signed: the files go, the signatures and proofs stay',
  input: z.extend(OfOrganization, { actId: Id }),
  result: DestructionAct,
  refusals: [
    'act-not-found',
    'act-carried-out',
    'act-not-signed',
    'organization-not-confirmed',
    'document-not-due',
    'document-held',
    'document-shared-outside',
    'document-in-act',
  ],
})
