/**
 * The directory of an organisation (Entra ID, Okta …) tells by SCIM 2.0 (RFC 7643, 7644) who works there. A SCIM user
 * is a member or an invited person, a SCIM group is a group of the organisation (docs/product/directory.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, line, Moment, requiredLine } from '../fields.ts'
import { invite, removeGroup, removeMember, saveGroup } from '../portal/contract.ts'

export const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  /** Our alias and its parameters, in addition to the error fields of SCIM. */
  refusal: 'urn:kelisim:params:scim:api:messages:2.0:Error',
} as const

export const mostResources = 200

const scim = { access: 'program', scope: 'people', protocol: 'scim' } as const

/** Only the attributes that are stored here are read; others that a directory sends are ignored. */
const Words = z.nullish(z.string().check(z.maxLength(1000)))
/** A boolean, or a string for one, as some directories send. */
const Truth = z.nullish(z.union([z.boolean(), z.string().check(z.maxLength(10))]))

const PersonFields = z.object({
  userName: requiredLine(250),
  externalId: Words,
  displayName: Words,
  name: z.nullish(z.object({ formatted: Words, givenName: Words, familyName: Words })),
  emails: z.nullish(z.array(z.object({ value: Words, type: Words, primary: Truth })).check(z.maxLength(100))),
  active: Truth,
  preferredLanguage: Words,
})

const GroupFields = z.object({
  displayName: requiredLine(250),
  externalId: Words,
  members: z.nullish(
    z.array(z.object({ value: z.string().check(z.maxLength(100)) })).check(z.maxLength(1000)),
  ),
})

const Changes = z.object({
  Operations: z
    .array(z.object({ op: line(20), path: Words, value: z.optional(z.unknown()) }))
    .check(z.minLength(1), z.maxLength(100)),
})

/** A whole number for paging: rows are counted from 1, and a count that is too large returns as many as allowed. */
const whole = (fallback: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(-2_147_483_648), z.maximum(2_147_483_647)), fallback)

const Search = z.object({
  filter: z.optional(z.string().check(z.maxLength(1000))),
  startIndex: whole(1),
  count: whole(100),
  excludedAttributes: z.optional(z.string().check(z.maxLength(1000))),
})

const Meta = z.object({
  resourceType: z.string(),
  created: z.optional(Moment),
  lastModified: z.optional(Moment),
  location: z.string(),
})

const Reference = z.object({ value: Id, display: z.string(), $ref: z.optional(z.string()) })

export const ScimUser = z.object({
  schemas: z.array(z.string()),
  id: Id,
  externalId: z.optional(z.string()),
  userName: z.string(),
  displayName: z.string(),
  name: z.object({
    formatted: z.string(),
    givenName: z.optional(z.string()),
    familyName: z.optional(z.string()),
  }),
  emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
  /** The person is a member or invited. */
  active: z.boolean(),
  groups: z.array(Reference),
  meta: Meta,
})

export const ScimGroup = z.object({
  schemas: z.array(z.string()),
  id: Id,
  externalId: z.optional(z.string()),
  displayName: z.string(),
  members: z.optional(z.array(Reference)),
  meta: Meta,
})

const list = <T extends z.ZodMiniType>(resource: T) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  })

const OfPerson = z.object({ userId: Id })
const OfGroup = z.object({ groupId: Id })
const NoBody = z.optional(z.object({}))

const inviting = [...invite.refusals, 'directory-address-missing', 'directory-person-exists'] as const
const dismissing = removeMember.refusals

export const findScimUsers = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/Users',
  summary: 'The members of the organisation and those whom its directory has invited',
  input: Search,
  result: list(ScimUser),
  refusals: ['directory-filter-not-understood'],
})

export const getScimUser = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/Users/:userId',
  summary: 'One person',
  input: OfPerson,
  result: ScimUser,
  refusals: ['user-not-found'],
})

export const addScimUser = endpoint({
  ...scim,
  method: 'POST',
  path: '/scim/v2/Users',
  summary: 'Invite a person by e-mail, or take over somebody who is a member already',
  input: PersonFields,
  result: ScimUser,
  refusals: inviting,
})

export const replaceScimUser = endpoint({
  ...scim,
  method: 'PUT',
  path: '/scim/v2/Users/:userId',
  summary: 'Replace what the directory says of a person; active: false dismisses them',
  input: z.extend(OfPerson, PersonFields.shape),
  result: ScimUser,
  refusals: [...inviting, ...dismissing],
})

export const changeScimUser = endpoint({
  ...scim,
  method: 'PATCH',
  path: '/scim/v2/Users/:userId',
  summary: 'Change a part of it',
  input: z.extend(OfPerson, Changes.shape),
  result: ScimUser,
  refusals: [...inviting, ...dismissing, 'directory-change-not-understood'],
})

export const deleteScimUser = endpoint({
  ...scim,
  method: 'DELETE',
  path: '/scim/v2/Users/:userId',
  summary: 'Dismiss a person and forget what the directory said of them',
  input: OfPerson,
  result: NoBody,
  refusals: dismissing,
})

export const findScimGroups = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/Groups',
  summary: 'The groups of the organisation',
  input: Search,
  result: list(ScimGroup),
  refusals: ['directory-filter-not-understood'],
})

export const getScimGroup = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/Groups/:groupId',
  summary: 'One group with its members',
  input: z.extend(OfGroup, { excludedAttributes: Search.shape.excludedAttributes }),
  result: ScimGroup,
  refusals: ['organization-group-not-found'],
})

const keeping = saveGroup.refusals

export const addScimGroup = endpoint({
  ...scim,
  method: 'POST',
  path: '/scim/v2/Groups',
  summary: 'Make a group',
  input: GroupFields,
  result: ScimGroup,
  refusals: ['group-name-already-in-use', 'group-participants-not-found'],
})

export const replaceScimGroup = endpoint({
  ...scim,
  method: 'PUT',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Rename a group and set its members',
  input: z.extend(OfGroup, GroupFields.shape),
  result: ScimGroup,
  refusals: keeping,
})

export const changeScimGroup = endpoint({
  ...scim,
  method: 'PATCH',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Rename a group, add or remove members',
  input: z.extend(OfGroup, Changes.shape),
  result: ScimGroup,
  refusals: [...keeping, 'directory-change-not-understood'],
})

export const deleteScimGroup = endpoint({
  ...scim,
  method: 'DELETE',
  path: '/scim/v2/Groups/:groupId',
  summary: 'Remove a group; not while a request waits for its people',
  input: OfGroup,
  result: NoBody,
  refusals: removeGroup.refusals,
})

/** The constant result of the discovery calls, the same for every token. */
const Described = z.looseObject({ schemas: z.array(z.string()) })

export const getScimConfig = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What of SCIM is supported here',
  input: z.object({}),
  result: Described,
  refusals: [],
})

export const getScimResourceTypes = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  summary: 'The kinds of resources',
  input: z.object({}),
  result: list(Described),
  refusals: [],
})

export const getScimSchemas = endpoint({
  ...scim,
  method: 'GET',
  path: '/scim/v2/Schemas',
  summary: 'The attributes of the resources',
  input: z.object({}),
  result: list(Described),
  refusals: [],
})
