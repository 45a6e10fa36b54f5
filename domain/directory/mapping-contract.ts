/**
 * Which groups of the sign-in service mean which groups and roles of an organisation
 * (docs/product/directory.md#sc-08).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, OfOrganization, requiredLine } from '../fields.ts'
import { mappedRoles } from './mapping.ts'

export const mostMappings = 100
export const usualClaim = 'groups'

const MappingFields = z.object({
  isOn: z.boolean(),
  /** The name of the claim in the token. */
  claim: requiredLine(100),
  mappings: z
    .array(
      z
        .object({
          providerGroup: requiredLine(250),
          groupId: z.nullable(Id),
          role: z.nullable(z.enum(mappedRoles)),
        })
        .check(z.refine(({ groupId, role }) => (groupId === null) !== (role === null), 'required')),
    )
    .check(z.maxLength(mostMappings)),
})

export const getGroupMapping = endpoint({
  method: 'GET',
  path: '/api/GroupMapping/:organizationId',
  access: 'owner',
  summary: 'What the groups of the sign-in service mean here',
  input: OfOrganization,
  result: z.extend(MappingFields, {
    /** People sign in at a service that the operator has configured; the embedded service tells no groups. */
    isOffered: z.boolean(),
    /** The mapping is on, and the person who saved it is still an owner. */
    isInForce: z.boolean(),
    /** The groups of the organisation that a group of the service can be mapped to. */
    groups: z.array(z.object({ id: Id, name: z.string() })),
  }),
  refusals: [],
})

export const saveGroupMapping = endpoint({
  method: 'PUT',
  path: '/api/GroupMapping/:organizationId',
  access: 'owner',
  summary:
    'Say what the groups of the sign-in service mean here; it holds from the next sign-in of each person',
  input: z.extend(OfOrganization, MappingFields.shape),
  result: getGroupMapping.result,
  refusals: ['group-mapping-not-offered', 'group-not-in-organization'],
})
