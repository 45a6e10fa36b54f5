import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { deletedKinds } from './deletion.ts'

export const restoreDeleted = endpoint({
  method: 'POST',
  path: '/api/Deletions/:organizationId/:deletionId/restore',
  access: 'member',
  summary: 'Put back what the caller deleted within the last hour, as it was and under the same id',
  input: z.object({ organizationId: Id, deletionId: Id }),
  result: z.object({ kind: z.enum(deletedKinds), id: Id }),
  refusals: ['deletion-not-found', 'restore-error'],
})
