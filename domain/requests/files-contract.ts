/** Files of a request: the document, the terminating document, signatures, and archives of them. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Nothing } from '../fields.ts'
import { OfRequest } from './contract.ts'
import { processKinds } from './status.ts'

export const downloadRequestFile = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/files/:file',
  access: 'party',
  summary: 'The document that is signed, or the terminating document, byte for byte',
  givesFile: true,
  input: z.extend(OfRequest, { file: z.enum(['original', 'terminating']) }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'terminating-document-not-found',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})

export const downloadSignature = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/signatures/:signatureId',
  access: 'party',
  summary: 'One signature as it came',
  givesFile: true,
  input: z.extend(OfRequest, {
    signatureId: Id,
    /** The process of the signature; any by default. */
    associationType: z.optional(z.pipe(z.coerce.number(), z.literal([0, ...Object.values(processKinds)]))),
  }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'signing-sign-not-found',
    'terminating-sign-not-found',
  ],
})

export const signedSets = ['signing', 'terminating'] as const

/** The signed document set of the signing process or of the termination (docs/product/requests.md). */
export const downloadSignedSet = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/signed/:process',
  access: 'party',
  summary:
    'The document, or the terminating document, with every signature that was accepted, as one archive',
  givesFile: true,
  perMinute: 20,
  input: z.extend(OfRequest, { process: z.enum(signedSets) }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'signing-request-access-failure',
    'terminating-document-not-found',
    'signed-signing-document-not-found',
    'signed-terminating-document-not-found',
    'archive-under-way',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
