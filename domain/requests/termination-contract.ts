/** Termination of a signed request (docs/product/requests.md#q-09). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { paragraphs } from '../fields.ts'
import { Acting, actRefusals, SigningRequest } from './contract.ts'

export const longestTerminationComment = 8000

export const terminateRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/terminateByComment',
  access: 'party',
  summary: 'Begin to terminate what was signed: every side that signed signs the terminating document',
  input: z.extend(Acting, {
    comment: paragraphs(longestTerminationComment).check(z.minLength(1, 'required')),
  }),
  result: SigningRequest,
  refusals: [
    ...actRefusals,
    'too-many-terminations',
    'side-moved',
    'file-storage-error',
    'rich-text-unknown-signs',
    'rich-text-too-large',
  ],
})
