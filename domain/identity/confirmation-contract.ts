/**
 * Adding an organisation by a digital signature, and joining one that another person has confirmed
 * (docs/product/identity-and-organisations.md#m-02).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, Nothing, OfOrganization, Page } from '../fields.ts'
import { claimKinds } from './confirmation.ts'
import { Organization } from './contract.ts'
import { roles } from './roles.ts'

export const askForChallenge = endpoint({
  method: 'POST',
  path: '/api-user/organizations/challenge',
  access: 'user',
  summary: 'Something new to sign, for this session alone and for a few minutes',
  input: Nothing,
  /** The content is base64; the decoded bytes are signed. */
  result: z.object({ id: z.string(), content: z.string(), expiresAt: Moment }),
  refusals: [],
  perMinute: 20,
})

/** Ample: a signature takes three kilobytes, with a long chain ten. */
const longestSignature = 128 * 1024

export const confirmOrganization = endpoint({
  method: 'POST',
  path: '/api-user/organizations/signature',
  access: 'user',
  summary: 'Show by a signature of the challenge that one speaks for an organisation, or is the individual',
  input: z.object({
    challengeId: z.string().check(z.maxLength(100)),
    /** CMS, detached, base64 or PEM. */
    signature: z.string().check(z.minLength(1), z.maxLength(longestSignature)),
    kind: z.enum(claimKinds),
    /** The unconfirmed organisation to confirm; undefined: any that the key proves. */
    organizationId: z.optional(Id),
  }),
  result: z.object({
    /** waiting: the organisation is already confirmed, so its owners are asked. */
    status: z.enum(['added', 'confirmed', 'waiting']),
    shortName: z.string(),
    bin: z.string(),
    /** null while waiting. */
    organization: z.nullable(Organization),
    /** Earlier owners, who had no proof; they stay as employees. */
    formerOwners: z.array(z.string()),
  }),
  refusals: [
    'challenge-not-found',
    'signature-refused',
    'signature-not-checked',
    'iin-already-in-use',
    'organization-already-yours',
  ],
  perMinute: 20,
})

export const MyJoinRequest = z.object({
  id: Id,
  organizationName: z.string(),
  bin: z.string(),
  createdAt: Moment,
})

export const getMyJoinRequests = endpoint({
  method: 'GET',
  path: '/api-user/join-requests',
  access: 'user',
  summary: 'Organisations whose owners the signed-in person has asked to join, and who have not answered yet',
  input: Nothing,
  result: z.object({ items: z.array(MyJoinRequest) }),
  refusals: [],
})

export const JoinRequest = z.object({
  id: Id,
  fullName: z.string(),
  email: z.string(),
  /** The owner named in the certificate. */
  signedBy: z.string(),
  createdAt: Moment,
})

export const getJoinRequests = endpoint({
  method: 'GET',
  path: '/api/JoinRequests/:organizationId/:skip/:take',
  access: 'owner',
  summary: 'People who showed a signature of this organisation and wait to be let in',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(JoinRequest),
  refusals: [],
})

const OfJoinRequest = z.extend(OfOrganization, { joinRequestId: Id })

export const acceptJoinRequest = endpoint({
  method: 'POST',
  path: '/api/JoinRequests/:organizationId/:joinRequestId/accept',
  access: 'owner',
  summary: 'Let the person in with these roles',
  input: z.extend(OfJoinRequest, { roles: roles.schema }),
  result: Nothing,
  refusals: ['join-request-not-found'],
})

export const declineJoinRequest = endpoint({
  method: 'POST',
  path: '/api/JoinRequests/:organizationId/:joinRequestId/decline',
  access: 'owner',
  summary: 'Do not let the person in',
  input: OfJoinRequest,
  result: Nothing,
  refusals: ['join-request-not-found'],
})
