/** The initial values of the sending page when a request is sent again (docs/product/requests.md). */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id, Version } from '../../fields.ts'
import { KnownFacts } from '../../routes/condition-contract.ts'
import { followingRefusals, GenerationSetting, OfRequest } from '../contract.ts'
import { OneStatus } from '../parts.ts'

export const getSendingAgain = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/sendingAgain',
  access: 'member',
  summary: 'What was sent with a request that was rejected or withdrawn, for its author to send again',
  input: OfRequest,
  result: z.object({
    id: Id,
    name: z.string(),
    description: z.string(),
    status: OneStatus,
    signingDate: z.iso.date(),
    isTimestampRequired: z.boolean(),
    generationSetting: GenerationSetting,
    classificatorsV2: z.array(Id),
    kindId: z.nullable(Id),
    /** The facts that were known for the conditions of its route. */
    facts: z.nullable(KnownFacts),
    /** Null: the document was deleted, or the author may no longer see it. */
    documentId: z.nullable(Id),
    /** The current version of the route; null: there was none, or it can no longer be used for sending. */
    route: z.nullable(z.object({ id: Id, currentVersion: Version })),
    /** The recipient of a request without a route. */
    quick: z.nullable(
      z.object({
        groupId: z.nullable(Id),
        isForInformation: z.boolean(),
        bin: z.string(),
        organizationName: z.string(),
        emails: z.array(z.string()),
      }),
    ),
  }),
  refusals: followingRefusals,
})
