/**
 * The electronic document (docs/product/outputs.md#o-02): one file that other software can verify, whatever its
 * format.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Nothing } from '../fields.ts'
import { OfRequest } from '../requests/contract.ts'
import { signedSets } from '../requests/files-contract.ts'
import { downloadByCode, qrCodesApart } from '../requests/holder-contract.ts'

export const downloadElectronic = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/electronic/:process',
  access: 'party',
  summary:
    'One CMS with the document inside and everybody who signed it, with timestamps and revocation values',
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

export const downloadElectronicByCode = endpoint({
  method: 'POST',
  path: '/api/unauth/SigningRequests/byCode/electronic',
  access: 'anyone',
  summary: 'The same of the document that was signed, for the holder of a code',
  givesFile: true,
  perMinute: 20,
  limitApart: qrCodesApart,
  input: downloadByCode.input,
  result: Nothing,
  refusals: [...downloadByCode.refusals, 'signed-signing-document-not-found', 'archive-under-way'],
})
