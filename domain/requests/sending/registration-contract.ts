/** Giving a request a number by hand (docs/product/registers.md). */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id } from '../../fields.ts'
import { OfRequest, SigningRequest } from '../contract.ts'

export const registerRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/register',
  access: 'member',
  summary: 'Register a request in a journal: it gets the next number, and keeps it for ever',
  input: z.extend(OfRequest, { journalId: Id }),
  result: SigningRequest,
  refusals: [
    'signing-request-not-found',
    'registers-not-kept',
    'journal-not-found',
    'journal-closed',
    'already-registered',
  ],
})
