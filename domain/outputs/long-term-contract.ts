/** One signature with an archive timestamp inside, for people who keep it outside (docs/product/outputs.md#o-06). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Moment, Nothing } from '../fields.ts'
import { OfRequest } from '../requests/contract.ts'

const OfSignature = z.extend(OfRequest, { signatureId: Id })
const path = '/api/SigningRequests/:organizationId/:signingRequestId/signatures/:signatureId/long-term'
const refusals = [
  'signing-request-not-found',
  'signing-request-access-failure',
  'signing-sign-not-found',
] as const

export const makeLongTerm = endpoint({
  method: 'POST',
  path,
  access: 'party',
  summary: 'Puts an archive timestamp (CAdES-LTA) into an accepted signature, unless it has one that holds',
  perMinute: 20,
  input: OfSignature,
  result: z.object({
    time: Moment,
    /** When the first certificate of the timestamp ends. */
    holdsUntil: Moment,
  }),
  refusals: [
    ...refusals,
    'timestamp-unavailable',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})

export const downloadLongTerm = endpoint({
  method: 'GET',
  path,
  access: 'party',
  summary: 'The signature with its archive timestamp, once it was made',
  givesFile: true,
  input: OfSignature,
  result: Nothing,
  refusals,
})
