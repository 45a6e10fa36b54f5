/**
 * The Administrative Portal: the organisation's details, members and roles, invitations, groups
 * (docs/product/portal-and-options.md#m-01).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  Email,
  Id,
  Language,
  line,
  listOf,
  Moment,
  nameLine,
  Nothing,
  OfOrganization,
  Page,
  requiredLine,
  Version,
} from '../fields.ts'
import { roles } from '../identity/roles.ts'

const CardFields = z.object({
  shortName: nameLine(250),
  fullName: line(500),
  address: line(500),
  phone: line(50).check(z.refine((text) => /^[\d\s()+-]*$/.test(text), 'phone-incorrect')),
  email: z.union([z.literal(''), Email]),
})

export const Card = z.extend(CardFields, {
  id: Id,
  currentVersion: Version,
  bin: z.string(),
  isIndividual: z.boolean(),
  /** null: no digital signature with this BIN was presented yet. */
  confirmedAt: z.nullable(Moment),
  createdAt: Moment,
  membersCount: z.int(),
  groupsCount: z.int(),
  allowed: z.object({ edit: z.boolean() }),
})

export const getCard = endpoint({
  method: 'GET',
  path: '/api/Organizations/:organizationId',
  access: 'member',
  summary: 'The card of the organisation',
  input: OfOrganization,
  result: Card,
  refusals: [],
})

export const saveCard = endpoint({
  method: 'PUT',
  path: '/api/Organizations/:organizationId',
  access: 'owner',
  summary: 'Change the card; the BIN stays',
  input: z.extend(OfOrganization, { ...CardFields.shape, currentVersion: Version }),
  result: Card,
  refusals: ['request-changed', 'organization-name-proved'],
})

export const Member = z.object({
  userId: Id,
  fullName: z.string(),
  login: z.string(),
  email: z.string(),
  roles: roles.schema,
  /** Acts on requests to the number of the organisation, like owners do. */
  isAppointed: z.boolean(),
  joinedAt: Moment,
  groups: z.array(z.object({ id: Id, name: z.string() })),
  allowed: z.object({ changeRoles: z.boolean(), remove: z.boolean() }),
})

export const getMembers = endpoint({
  method: 'GET',
  path: '/api/Members/:organizationId/:skip/:take',
  access: 'member',
  summary: 'The people of the organisation',
  input: z.extend(OfOrganization, { ...Page.shape, name: z.optional(line(250)) }),
  result: listOf(Member),
  refusals: [],
})

const OfMember = z.extend(OfOrganization, { userId: Id })

export const setRoles = endpoint({
  method: 'PUT',
  path: '/api/Members/:organizationId/:userId/roles',
  access: 'owner',
  summary: 'Give and take roles, and appoint for incoming documents; the last owner stays one',
  input: z.extend(OfMember, {
    roles: roles.schema,
    /** Left out: unchanged. */
    isAppointed: z.optional(z.boolean()),
  }),
  result: Nothing,
  refusals: ['user-not-found', 'last-owner'],
})

/** `step-done`: everybody who remains has acted, so the step is completed; `nobody-left`: nobody could act at it. */
export const groupEffects = ['step-done', 'nobody-left'] as const

const Effects = z.object({
  totalCount: z.int(),
  items: z.array(
    z.object({
      requestId: Id,
      /**
       * Null for a request of another organisation whose turn has not come, because its name is not disclosed yet.
       */
      name: z.nullable(z.string()),
      effect: z.enum(groupEffects),
    }),
  ),
  /** Sent back when saving, so that there are no effects that were not shown. */
  fingerprint: z.string(),
})

export const previewRemoval = endpoint({
  method: 'POST',
  path: '/api/Members/:organizationId/:userId/preview',
  access: 'member',
  summary:
    'What happens to requests that wait for the groups of a person, and to the programs they connected, if they are removed; changes nothing',
  takesAway: true,
  input: z.extend(OfMember, Page.shape),
  result: z.extend(Effects, {
    /** Programs with tokens made by the person; the tokens also end if the person only stops being an owner. */
    programs: z.array(z.string()),
  }),
  refusals: ['user-not-found'],
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/Members/:organizationId/:userId',
  access: 'member',
  summary: 'An owner removes a person; anyone may leave; the last owner cannot',
  takesAway: true,
  input: z.extend(OfMember, {
    /**
     * The fingerprint of the preview that the caller saw. Left out: the person is removed regardless of the effects.
     */
    seenEffects: z.optional(z.string()),
  }),
  result: Nothing,
  refusals: ['user-not-found', 'last-owner', 'member-effects-changed'],
})

export const Invitation = z.object({
  id: Id,
  email: z.string(),
  roles: roles.schema,
  invitedBy: z.string(),
  createdAt: Moment,
  sentAt: Moment,
  expiresAt: Moment,
  isExpired: z.boolean(),
})

export const getInvitations = endpoint({
  method: 'GET',
  path: '/api/Invitations/:organizationId/:skip/:take',
  access: 'owner',
  summary: 'Invitations that nobody has accepted or withdrawn yet',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(Invitation),
  refusals: [],
})

export const invite = endpoint({
  method: 'POST',
  path: '/api/Invitations/:organizationId',
  access: 'owner',
  summary: 'Invite a person by e-mail; a second invitation to the same address replaces the first',
  input: z.extend(OfOrganization, { email: Email, roles: roles.schema, language: Language }),
  result: Invitation,
  refusals: ['already-member', 'email-limit-reached', 'address-refuses-emails'],
  perMinute: 30,
})

const OfInvitation = z.extend(OfOrganization, { invitationId: Id })

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/Invitations/:organizationId/:invitationId/resend',
  access: 'owner',
  summary: 'Send the e-mail again with a new link and a new term; the old link stops working',
  input: OfInvitation,
  result: Invitation,
  refusals: ['invitation-not-found', 'email-limit-reached', 'address-refuses-emails'],
  perMinute: 10,
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/Invitations/:organizationId/:invitationId',
  access: 'owner',
  summary: 'Withdraw an invitation: its link stops working',
  input: OfInvitation,
  result: Nothing,
  refusals: ['invitation-not-found'],
})

export const Group = z.object({
  id: Id,
  currentVersion: Version,
  name: z.string(),
  createdAt: Moment,
  participants: z.array(z.object({ userId: Id, fullName: z.string() })),
  allowed: z.object({ edit: z.boolean() }),
})

export const getGroups = endpoint({
  method: 'GET',
  path: '/api/Groups/:organizationId/:skip/:take',
  access: 'member',
  summary: 'The groups of the organisation; with `mine`, those of the signed-in person',
  input: z.extend(OfOrganization, {
    ...Page.shape,
    name: z.optional(line(250)),
    mine: z.optional(z.stringbool()),
  }),
  result: listOf(Group),
  refusals: [],
})

const OfGroup = z.extend(OfOrganization, { groupId: Id })

export const getGroup = endpoint({
  method: 'GET',
  path: '/api/Groups/:organizationId/:groupId',
  access: 'member',
  summary: 'One group with its participants',
  input: OfGroup,
  result: Group,
  refusals: ['organization-group-not-found'],
})

const GroupFields = z.object({ name: requiredLine(250), participants: z.array(Id).check(z.maxLength(1000)) })

export const addGroup = endpoint({
  method: 'POST',
  path: '/api/Groups/:organizationId',
  access: 'owner',
  summary: 'Make a group of people of the organisation',
  input: z.extend(OfOrganization, GroupFields.shape),
  result: Group,
  refusals: ['group-name-already-in-use', 'group-participants-not-found'],
})

export const previewGroup = endpoint({
  method: 'POST',
  path: '/api/Groups/:organizationId/:groupId/preview',
  access: 'owner',
  summary: 'What happens to requests that wait for the group if these become its participants; saves nothing',
  input: z.extend(OfGroup, { participants: GroupFields.shape.participants, ...Page.shape }),
  result: Effects,
  refusals: ['organization-group-not-found'],
})

export const saveGroup = endpoint({
  method: 'PUT',
  path: '/api/Groups/:organizationId/:groupId',
  access: 'owner',
  summary: 'Rename a group, change its participants',
  input: z.extend(OfGroup, {
    ...GroupFields.shape,
    currentVersion: Version,
    /** The fingerprint of the preview that the caller saw; needed only if the change affects requests. */
    seenEffects: z.optional(z.string()),
  }),
  result: Group,
  refusals: [
    'organization-group-not-found',
    'group-effects-changed',
    'group-effects-not-seen',
    'request-changed',
    'group-name-already-in-use',
    'group-participants-not-found',
  ],
})

export const removeGroup = endpoint({
  method: 'DELETE',
  path: '/api/Groups/:organizationId/:groupId',
  access: 'owner',
  summary: 'Remove a group; not while a request waits for its people',
  input: OfGroup,
  result: Nothing,
  refusals: ['organization-group-not-found', 'group-is-awaited'],
})

/** The history of the portal, kept for ever: who admitted whom, who changed what. */
export const OrganizationEvent = z.object({
  id: z.int(),
  at: Moment,
  by: z.string(),
  type: z.enum([
    'organization-added',
    'organization-confirmed',
    'card-changed',
    'options-changed',
    'invited',
    'invitation-resent',
    'invitation-withdrawn',
    'joined',
    'join-requested',
    'join-declined',
    'roles-changed',
    'removed',
    'left',
    'group-added',
    'group-changed',
    'group-removed',
    'power-registered',
    'power-revoked',
    'retention-term-added',
    'hold-set',
    'hold-lifted',
    'transfer-made',
    'destruction-prepared',
    'destruction-carried-out',
    'token-made',
    'token-revoked',
    'webhook-made',
    'webhook-rotated',
    'webhook-switched-on',
    'webhook-switched-off',
    'webhook-removed',
  ]),
  /** The person or thing concerned, as text: a name, an e-mail, a group. */
  subject: z.string(),
})
export type OrganizationEventType = z.infer<typeof OrganizationEvent>['type']

export const getOrganizationEvents = endpoint({
  method: 'GET',
  path: '/api/Organizations/:organizationId/events/:skip/:take',
  access: 'owner',
  summary: 'The history of the organisation, newest first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(OrganizationEvent),
  refusals: [],
})
