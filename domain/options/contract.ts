/** Options of the organisation and of the person in it (docs/product/portal-and-options.md#options). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, OfOrganization } from '../fields.ts'
import { notificationKinds, notificationModes, OrganizationOptions } from './options.ts'

/** What the person may do in the organisation, computed by the same predicates that guard the calls. */
const AllowedInOrganization = z.object({
  manageOrganization: z.boolean(),
  editPoints: z.boolean(),
  editRoutes: z.boolean(),
  quickSend: z.boolean(),
  keepRegisters: z.boolean(),
})

const OptionsView = z.extend(OrganizationOptions, { allowed: AllowedInOrganization })

export const getOptions = endpoint({
  method: 'GET',
  path: '/api/Organizations/:organizationId/options',
  access: 'member',
  summary: 'The options of the organisation, and what the caller may do in it',
  input: OfOrganization,
  result: OptionsView,
  refusals: [],
})

/** Only given values change; null means "unchanged". */
const OptionsChange = z.object(
  Object.fromEntries(
    Object.entries(OrganizationOptions.shape).map(([name, field]) => [name, z.nullish(field)]),
  ) as {
    [K in keyof typeof OrganizationOptions.shape]: z.ZodMiniOptional<
      z.ZodMiniNullable<(typeof OrganizationOptions.shape)[K]>
    >
  },
)

export const saveOptions = endpoint({
  method: 'POST',
  path: '/api/organizations/:organizationId/options',
  access: 'owner',
  summary: 'Change options of the organisation; only those given',
  input: z.extend(OfOrganization, OptionsChange.shape),
  result: OptionsView,
  refusals: [],
})

const UserOptions = z.object({ userId: Id, quickSendGroupId: z.nullable(Id), options: OrganizationOptions })

export const getUserOptions = endpoint({
  method: 'GET',
  path: '/api/Users/:organizationId/options',
  access: 'member',
  summary: 'The options of the person in this organisation, with those of the organisation',
  input: OfOrganization,
  result: UserOptions,
  refusals: [],
})

export const saveUserOptions = endpoint({
  method: 'POST',
  path: '/api/Users/:organizationId/options',
  access: 'member',
  summary: 'The group that signs what this person sends by quick send',
  input: z.extend(OfOrganization, { quickSendGroupId: z.nullable(Id) }),
  result: UserOptions,
  refusals: ['user-group-not-found'],
})

const Settings = z.object({
  settings: z
    .array(z.object({ kind: z.enum(notificationKinds), mode: z.enum(notificationModes) }))
    .check(z.maxLength(notificationKinds.length)),
})

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/api/Users/:organizationId/notificationSettings',
  access: 'member',
  summary: 'What this person is told about by e-mail, and how soon',
  input: OfOrganization,
  result: Settings,
  refusals: [],
})

export const saveNotificationSettings = endpoint({
  method: 'PUT',
  path: '/api/Users/:organizationId/notificationSettings',
  access: 'member',
  summary: 'Change what this person is told about; kinds not named stay as they are',
  input: z.extend(OfOrganization, Settings.shape),
  result: Settings,
  refusals: [],
})
