/** Files of a request: the document, the terminating document, signatures, and archives of them. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Moment, Nothing } from '../fields.ts'
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

const OfPoint = z.extend(OfRequest, { pointId: Id })

const preparingRefusals = [
  'signing-request-not-found',
  'signing-request-access-failure',
  'point-not-found',
  'signature-inside-being-checked',
] as const

export const getPreparation = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/points/:pointId/preparation',
  access: 'party',
  summary: 'Begin to sign inside the document: the time that the signature states',
  input: OfPoint,
  result: z.object({
    at: Moment,
    /** How many signatures are inside already. */
    signatures: z.int(),
  }),
  refusals: preparingRefusals,
})

/** The bytes to sign are no PDF, because the place of the signature is left out. */
export const downloadPrepared = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/points/:pointId/prepared/:at',
  access: 'party',
  summary: 'The bytes that a signature inside the document covers, to be signed as a detached CMS',
  givesFile: true,
  perMinute: 60,
  input: z.extend(OfPoint, { at: Moment }),
  result: Nothing,
  refusals: [
    ...preparingRefusals,
    'document-revised',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})

export const downloadSignature = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/signatures/:signatureId',
  access: 'party',
  summary: 'One signature as it came; where it is inside the document, the PDF as it left it',
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
    'file-not-found',
    'outdated-document',
    'file-storage-error',
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
