/**
 * The first call of every program: whether the connection works, and what it may do
 * (docs/product/integration.md#w-03).
 */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id, Moment } from '../../fields.ts'
import { scopes } from '../../scopes.ts'

export const getConnection = endpoint({
  method: 'GET',
  path: '/api/v1/connection',
  access: 'program',
  summary: 'Test the connection: for whom the token acts, what it may do and until when',
  input: z.object({}),
  result: z.object({
    organization: z.object({
      id: Id,
      name: z.string(),
      bin: z.string(),
      /** Whether the number was proved by the organisation's key; otherwise nothing can be sent to others. */
      isConfirmed: z.boolean(),
    }),
    actsAs: z.object({ id: Id, fullName: z.string() }),
    token: z.object({ name: z.string(), scopes: z.array(z.enum(scopes)), expiresAt: Moment }),
    /** The time of the server, which is also the time in the signatures of webhooks. */
    now: Moment,
    version: z.string(),
  }),
  refusals: [],
})
