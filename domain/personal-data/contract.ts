/** Downloading and erasing everything that is stored about a person (docs/product/personal-data.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Nothing, requiredLine } from '../fields.ts'

export const downloadPersonalData = endpoint({
  method: 'GET',
  path: '/api-user/personal-data',
  access: 'user',
  summary: 'Everything that is stored about the signed-in person, as an archive of JSON files',
  givesFile: true,
  perMinute: 3,
  input: Nothing,
  result: Nothing,
  refusals: ['archive-under-way'],
})

export const eraseAccount = endpoint({
  method: 'POST',
  path: '/api-user/personal-data/erase',
  access: 'user',
  summary: 'Close the account and erase what proves nothing; documents and histories of organisations stay',
  perMinute: 5,
  input: z.object({
    /** The person's own address, typed again as a confirmation. */
    email: requiredLine(320),
  }),
  result: Nothing,
  refusals: ['email-not-own', 'leave-organizations-first', 'signature-being-checked'],
})
