/** Correcting a running request, and its earlier documents. */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id, Nothing, paragraphs, Version, VersionInPath } from '../../fields.ts'
import { longestComment, OfRequest, SigningRequest } from '../contract.ts'

export const correctRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/correct',
  access: 'member',
  summary: 'Replace the document of a running request; its author may, until everybody has signed',
  input: z.extend(OfRequest, {
    documentId: Id,
    /** What was changed: everybody who had the document reads it. */
    comment: paragraphs(longestComment).check(z.minLength(1, 'required')),
    currentVersion: z.optional(Version),
    /** Chosen by the client, so that a repeated call corrects once. */
    key: z.optional(Id),
  }),
  result: SigningRequest,
  refusals: [
    'signing-request-not-found',
    'request-changed',
    'wrong-request-status',
    'wrong-request-configuration',
    'not-enough-permissions',
    'signature-being-checked',
    'document-is-on-signing-process',
    'document-not-found',
    'outdated-document',
    'file-not-found',
    'file-storage-error',
    'document-not-printable',
    'document-not-signable',
    'signature-form-unfit',
    'correction-changes-nothing',
    'correction-needs-sending-again',
    'too-many-corrections',
  ],
})

/** Every correction keeps another document for ever. */
export const mostRevisions = 30

export const downloadRevision = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/revisions/:revision',
  access: 'party',
  summary: 'An earlier document of a request that was corrected, byte for byte',
  givesFile: true,
  input: z.extend(OfRequest, { revision: VersionInPath }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
