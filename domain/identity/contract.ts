/**
 * The signed-in person: profile, organisations, roles, agreement, invitations
 * (docs/product/identity-and-organisations.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { CheckedNumber, Email, Id, Language, listOf, Moment, Nothing, Page, nameLine } from '../fields.ts'
import { roles } from './roles.ts'

export const Organization = z.object({
  Id,
  ShortName: z.string(),
  Bin: z.string(),
  /** Whether a digital signature with this BIN was presented. */
  IsConfirmed: z.boolean(),
  /** The address of the installation to which it has moved; null: it works here. */
  LivesAt: z.nullable(z.string()),
})

export const getProfile = endpoint({
  method: 'GET',
  path: '/api-user/profile',
  access: 'user',
  summary: 'The signed-in person',
  input: Nothing,
  result: z.object({
    UserId: Id,
    Login: z.string(),
    FullName: z.string(),
    Email: z.string(),
    Language,
    IsAgreementAccepted: z.boolean(),
    /** Present only for operators of the installation. */
    IsOperator: z.optional(z.literal(true)),
  }),
  refusals: [],
})

/** The only call that also answers outsiders: their identity, so that a page can show it. */
export const getRecipient = endpoint({
  method: 'GET',
  path: '/api-user/recipient',
  access: 'recipient',
  summary: 'Who is signed in, with an account or as an outsider, and by which numbers',
  input: Nothing,
  result: z.object({
    isOutsider: z.boolean(),
    fullName: z.string(),
    /** null: not proved by a digital signature yet. */
    iin: z.nullable(z.string()),
    bin: z.nullable(z.string()),
    organization: z.nullable(z.string()),
  }),
  refusals: [],
})

export const getOrganizations = endpoint({
  method: 'GET',
  path: '/api-user/organizations',
  access: 'user',
  summary: 'The organisations of the signed-in person',
  input: Nothing,
  result: z.object({ Organizations: z.array(Organization) }),
  refusals: [],
})

export const getRoles = endpoint({
  method: 'GET',
  path: '/api-user/rolesinfo',
  access: 'user',
  summary: 'The roles of the signed-in person, one line a role and organisation',
  input: Nothing,
  result: z.object({ UserRolesInfoes: z.array(z.object({ RoleName: z.string(), OrganizationId: Id })) }),
  refusals: [],
})

export const addOrganization = endpoint({
  method: 'POST',
  path: '/api-user/organizations',
  access: 'user',
  summary: 'Add an organisation; whoever adds it becomes its owner',
  input: z.object({ bin: CheckedNumber, shortName: nameLine(250) }),
  result: Organization,
  refusals: ['organization-already-yours', 'organization-of-others'],
  perMinute: 10,
})

export const setLanguage = endpoint({
  method: 'PUT',
  path: '/api-user/language',
  access: 'user',
  summary: 'The language of e-mails and documents made for this person',
  input: z.object({ language: Language }),
  result: Nothing,
  refusals: [],
})

export const acceptAgreement = endpoint({
  method: 'POST',
  path: '/api-user/agreement',
  access: 'anyone',
  summary: 'Accept the agreement; without a session the acceptance waits in a cookie for the sign-in',
  input: z.object({ version: z.string().check(z.maxLength(20)) }),
  result: Nothing,
  refusals: ['agreement-not-found'],
})

/** A changed text of the agreement gets a new version, which everybody must accept again. */
export const agreementVersion = '2025-01-01'
export const agreementCookie = 'agreement'

export const MyGroup = z.object({
  id: Id,
  name: z.string(),
  organizationId: Id,
  organizationName: z.string(),
  participants: z.array(z.string()),
})

export const getMyGroups = endpoint({
  method: 'GET',
  path: '/api-user/groups/:skip/:take',
  access: 'user',
  summary: 'The groups the signed-in person belongs to, over all organisations',
  input: Page,
  result: listOf(MyGroup),
  refusals: [],
})

const Token = z.string().check(z.minLength(20), z.maxLength(100))

/** What the holder of an invitation link may know before signing in. */
export const getInvitation = endpoint({
  method: 'GET',
  path: '/api/unauth/invitations/:token',
  access: 'anyone',
  summary: 'An invitation, by the token of its link',
  input: z.object({ token: Token }),
  result: z.object({
    organizationName: z.string(),
    bin: z.string(),
    isConfirmed: z.boolean(),
    roles: roles.schema,
    invitedBy: z.string(),
    email: Email,
    expiresAt: Moment,
    isExpired: z.boolean(),
  }),
  refusals: ['invitation-not-found'],
  perMinute: 30,
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api-user/invitations/:token/accept',
  access: 'user',
  summary: 'Join the organisation; only the person whose confirmed e-mail was invited',
  input: z.object({ token: Token }),
  result: z.object({ organizationId: Id }),
  refusals: ['invitation-not-found', 'invitation-expired', 'invitation-for-another-email', 'already-member'],
  perMinute: 30,
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api-user/signout',
  access: 'anyone',
  summary: 'End the session here; the answer says where to go to end it at the sign-in service too',
  input: z.object({ returnApp: z.optional(z.string().check(z.maxLength(2000))) }),
  result: z.object({ location: z.string() }),
  refusals: [],
})
