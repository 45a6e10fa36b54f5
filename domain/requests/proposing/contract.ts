/** Returning a document with a proposed file instead of rejecting it (docs/product/negotiation.md#ng-05). */
import * as z from 'zod/mini'
import { Document, fileRefusals } from '../../documents/contract.ts'
import { endpoint } from '../../endpoint.ts'
import { Id, Nothing, paragraphs, Version, VersionInPath } from '../../fields.ts'
import { actRefusals, Acting, longestComment, OfRequest, SigningRequest } from '../contract.ts'

/** The most proposals of one request; limited, because each keeps a file for ever. */
export const mostProposals = 30
/** Short, because the note is part of the address of the upload, whose length is limited. */
export const longestProposalNote = 500

export const proposeFile = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/proposals',
  access: 'party',
  summary: 'Return a document with a proposed file: the body is the file, all the rest stands in the query',
  takesFile: true,
  input: z.extend(OfRequest, {
    pointId: Id,
    name: z.string().check(z.minLength(1, 'required'), z.maxLength(1000, 'too-long')),
    /** What was changed, and why. */
    comment: paragraphs(longestProposalNote).check(z.minLength(1, 'required')),
    /** The revision of the document that the caller saw. */
    revision: VersionInPath,
    /** Chosen by the client, so that a repeated call is idempotent and proposes once. */
    key: z.optional(Id),
  }),
  result: SigningRequest,
  refusals: [
    ...actRefusals,
    ...fileRefusals,
    'point-not-found',
    'point-already-processed',
    'process-wrong-order',
    'signature-being-checked',
    'key-not-taken',
    'document-revised',
    'correction-changes-nothing',
    'proposal-open',
    'too-many-proposals',
  ],
})

export const declineProposal = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/declineProposal',
  access: 'member',
  summary: 'Decline a proposed file, with words; the request goes on with its document',
  input: z.extend(Acting, {
    pointId: Id,
    comment: paragraphs(longestComment).check(z.minLength(1, 'required')),
  }),
  result: SigningRequest,
  refusals: [...actRefusals, 'proposal-not-found'],
})

const OfProposal = z.extend(OfRequest, { number: VersionInPath })

export const downloadProposal = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/proposals/:number',
  access: 'party',
  summary: 'A proposed file, byte for byte: for the side that proposed it and for people of the sender',
  givesFile: true,
  input: OfProposal,
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'proposal-not-found',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})

/** The first step of taking a proposal; the second step corrects the request with that document. */
export const keepProposal = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/keepProposal',
  access: 'member',
  summary: 'Make a proposed file a document of the author, by which the request can be corrected',
  input: z.extend(OfRequest, { number: Version }),
  result: Document,
  refusals: [
    ...fileRefusals,
    'signing-request-not-found',
    'proposal-not-found',
    'document-not-found',
    'file-not-found',
    'outdated-document',
  ],
})
