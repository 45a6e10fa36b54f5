/** Calls about substitutions. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, OfOrganization, Page, requiredDay } from '../fields.ts'

const Person = z.object({ id: Id, fullName: z.string() })

export const SubstitutionView = z.object({
  id: Id,
  absent: Person,
  substitute: Person,
  /** Days in Almaty, both included. */
  from: z.string(),
  to: z.string(),
  state: z.enum(['coming', 'now', 'past', 'ended']),
  allowed: z.object({ end: z.boolean() }),
})

export const getSubstitutions = endpoint({
  method: 'GET',
  path: '/api/Substitutions/:organizationId/:skip/:take',
  access: 'member',
  summary: 'Who stands in for the caller, and for whom the caller does; the newest days first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(SubstitutionView),
  refusals: [],
})

export const addSubstitution = endpoint({
  method: 'POST',
  path: '/api/Substitutions/:organizationId',
  access: 'member',
  summary: 'A colleague acts instead of the caller, from one day to another',
  input: z.extend(OfOrganization, {
    substituteId: z.uuid('required').check(z.toLowerCase()),
    from: requiredDay(),
    to: requiredDay(),
  }),
  result: SubstitutionView,
  refusals: [
    'user-not-found',
    'substitute-is-oneself',
    'substitution-wrong-period',
    'substitution-too-long',
    'already-substituted',
    'substitute-is-away',
    'substitutes-another',
  ],
})

export const endSubstitution = endpoint({
  method: 'POST',
  path: '/api/Substitutions/:organizationId/:substitutionId/end',
  access: 'member',
  summary: 'Either of the two ends it before its time',
  input: z.extend(OfOrganization, { substitutionId: Id }),
  result: SubstitutionView,
  refusals: ['substitution-not-found', 'substitution-over'],
})
