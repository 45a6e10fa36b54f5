/**
 * Signing routes and route templates (docs/product/routes.md). Both have the same fields and the same calls, each
 * under its own path: `routeCalls` and `templateCalls`.
 */
import * as z from 'zod/mini'
import { listOwners, maskOr } from '../bits.ts'
import { longestTerm } from '../requests/deadlines/deadline.ts'
import { escalationKinds } from '../requests/deadlines/escalation.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import type { Alias } from '../errors.ts'
import {
  countLimit,
  Id,
  line,
  listOf,
  Moment,
  Deleted,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
  Version,
  VersionInPath,
} from '../fields.ts'
import { roles } from '../identity/roles.ts'
import { keyHolders } from '../points/key-holder.ts'
import { signatureForms } from '../points/signature-form.ts'
import { agreementConditions } from '../points/point.ts'
import { OnePointType } from '../points/point-types.ts'
import { visibilityScopes } from '../visibility.ts'
import { Condition, OneVerdict } from './condition-contract.ts'
import { routeFaultNames } from './faults.ts'

export const longestRouteName = 250
export const longestRouteDescription = 500
export const mostPoints = 100
export const highestOrder = 1000

export const routeKinds = ['route', 'template'] as const
export type RouteKind = (typeof routeKinds)[number]

const { Private, Public } = visibilityScopes.members
const Scope = z.union([z.literal(Private), z.literal(Public)], 'required')
const Named = z.object({ id: Id, name: z.string() })
const Person = z.object({ userId: Id, fullName: z.string() })

/** A fault and its points; without points it concerns the whole route. */
export const Fault = z.object({ fault: z.enum(routeFaultNames), pointIds: z.array(Id) })

/** Who is told when the term is over; `mayAct` if one of them may then answer in place of the people of the point. */
export const Escalation = z.object({ kind: z.enum(escalationKinds), id: Id, mayAct: z.boolean() })
/** The name is null if the person or group no longer belongs to the organisation: then nobody is told. */
const NamedEscalation = z.extend(Escalation, { name: z.nullable(z.string()) })

/** A point of a route. The people of a counterparty's point are not shown. */
export const PointInRoute = z.object({
  pointId: Id,
  /** Above 0; points of one order act in parallel. */
  order: z.int(),
  name: z.string(),
  description: z.string(),
  type: OnePointType,
  /** Internal 0, External 1, CounterParty 2. */
  pointType: z.int(),
  visibilityScope: Scope,
  isActive: z.boolean(),
  group: z.nullable(Named),
  responsiblePersons: z.array(Person),
  participants: z.array(Person),
  agreementCondition: z.enum(agreementConditions),
  /** How many must act, if neither one nor all. */
  quorum: z.nullable(z.int()),
  isEdsPresentationRequired: z.boolean(),
  keyHolder: z.enum(keyHolders),
  signatureForm: z.enum(signatureForms),
  /** The number of the side that acts; for internal points that of the organisation itself. */
  bin: z.string(),
  organizationName: z.string(),
  emails: z.array(z.string()),
  /** When the point is taken; null: always. */
  condition: z.nullable(Condition),
  /** How many working days its people have from their turn; null: no deadline. */
  termDays: z.nullable(z.int()),
  /** Null: only its people and the author are told that the deadline passed. */
  escalation: z.nullable(NamedEscalation),
})

/** A route in a list. */
export const RouteLine = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  visibilityScope: Scope,
  /** The mask of the types of its points. */
  routeType: z.int(),
  /** The template it was made from; null for templates. */
  templateId: z.nullable(Id),
  isActive: z.boolean(),
  pointsCount: z.int(),
  /** How many different orders there are. */
  turnsCount: z.int(),
  author: Person,
  createdAt: Moment,
  currentVersion: Version,
  allowed: z.object({
    /** Includes activation and deactivation. */
    edit: z.boolean(),
    delete: z.boolean(),
    /** Copying it, or making a route from the template. */
    copy: z.boolean(),
  }),
})

export const Route = z.extend(RouteLine, {
  /** Who saved this version, and when. */
  savedBy: Person,
  savedAt: Moment,
  /** Sorted by order, then in the sequence in which they were added. */
  points: z.array(PointInRoute),
  /** The faults that currently prevent saving or sending. */
  faults: z.array(Fault),
})

const Placed = z.object({
  pointId: Id,
  order: z.int().check(z.minimum(1, 'order-not-positive'), z.maximum(highestOrder)),
  /** Null: always taken. Left out: unchanged, so that older programs change no conditions. */
  condition: z.optional(z.nullable(Condition)),
  /** Working days from the turn; null: no deadline. Left out: unchanged. */
  termDays: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(longestTerm)))),
  /** Only for an internal point that has a term; null: nobody. Left out: unchanged. */
  escalation: z.optional(z.nullable(Escalation)),
})
/** Of a repeated point the earlier order counts. */
const Points = z.array(Placed).check(z.minLength(1, 'no-signing-point'), z.maxLength(mostPoints))

/** The person has agreed to leave personal points out of a common route. */
const removePersonalPoints = z._default(z.boolean(), false)

const Fields = z.object({
  name: requiredLine(longestRouteName),
  description: paragraphs(longestRouteDescription),
  visibilityScope: Scope,
  points: Points,
  removePersonalPoints,
})

/** A leading minus means descending. */
export const routeSorts = ['created', '-created', 'name', '-name'] as const
export const defaultRouteSort = '-created'

const OfRoute = z.extend(OfOrganization, { routeId: Id })

/** A saved version, with the names of points because these may be deleted later. */
export const RouteVersion = z.object({
  version: z.int(),
  name: z.string(),
  description: z.string(),
  visibilityScope: Scope,
  isActive: z.boolean(),
  points: z.array(
    z.object({
      pointId: Id,
      order: z.int(),
      name: z.string(),
      type: OnePointType,
      condition: z.nullable(Condition),
      termDays: z.nullable(z.int()),
      escalation: z.nullable(Escalation),
    }),
  ),
  savedBy: Person,
  savedAt: Moment,
})

const OfPoint = { pointId: Id, name: z.string(), type: OnePointType }
const PointChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('added'), ...OfPoint, order: z.int() }),
  z.object({ change: z.literal('removed'), ...OfPoint, order: z.int() }),
  z.object({ change: z.literal('moved'), ...OfPoint, from: z.int(), to: z.int() }),
  z.object({
    change: z.literal('condition'),
    ...OfPoint,
    before: z.nullable(Condition),
    after: z.nullable(Condition),
  }),
  z.object({
    change: z.literal('term'),
    ...OfPoint,
    before: z.nullable(z.int()),
    after: z.nullable(z.int()),
  }),
  z.object({ change: z.literal('escalation'), ...OfPoint }),
])

/** The difference between two versions: changed fields with both values, then points. */
export const RouteChanges = z.object({
  before: RouteVersion,
  after: RouteVersion,
  fields: z.array(z.enum(['name', 'description', 'visibilityScope', 'isActive'])),
  points: z.array(PointChange),
})

/** Who gets a document at a point, and what they are asked to do. */
export const Step = z.object({
  pointId: Id,
  name: z.string(),
  type: OnePointType,
  pointType: z.int(),
  act: z.enum(['sign', 'approve', 'inform', 'confirm']),
  /** The required certificate: of the organisation with `bin`, of the person, or none. */
  certificate: z.nullable(z.enum(['organization', 'person'])),
  /** Whether one participant must act, or all of them. */
  agreementCondition: z.enum(agreementConditions),
  /** How many must act, if neither one nor all. */
  quorum: z.nullable(z.int()),
  /** Meaningless if nothing is signed. */
  signatureForm: z.enum(signatureForms),
  bin: z.string(),
  organizationName: z.string(),
  group: z.nullable(Named),
  /** The participants; empty for other organisations. */
  participants: z.array(Person),
  /** Who gets e-mails: the responsible people, otherwise all. */
  addressed: z.array(Person),
  emails: z.array(z.string()),
  faults: z.array(z.enum(routeFaultNames)),
  /** When the point is taken; null: always. */
  condition: z.nullable(Condition),
  /** Whether the condition is met for the document; null: no condition, or no document. */
  verdict: z.nullable(OneVerdict),
  /** How many working days the people of the point have; null: no deadline. */
  termDays: z.nullable(z.int()),
  escalation: z.nullable(NamedEscalation),
})

/** The rehearsal of a route by turns; points of one turn act in parallel. */
export const Rehearsal = z.object({
  turns: z.array(z.object({ order: z.int(), steps: z.array(Step) })),
  faults: z.array(Fault),
})

const Validation = z.object({ isValid: z.boolean(), faults: z.array(Fault) })

/** Why points do not make a route: the parameter `faults` lists all faults with their points. */
const savingRefusals = [
  'points-not-found',
  /** Ask the person, then repeat with `removePersonalPoints`; the parameters have `pointIds`. */
  'common-route-with-personal-points',
  'internal_point_not_belong_to_organization',
  'counter_party_targets_creator_organization',
  'inactive-point',
  'unsuccessful_point_state',
  'group-smaller-than-quorum',
  'organization-point-not-found',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'user-not-found',
  'organization-group-not-found',
  'forbidden_counter_party_point_by_options',
] as const satisfies readonly Alias[]

/** The refusals of each kind. */
export const routeAliases = {
  route: {
    /** The refusals if it is not found: by the path; by an id in the body; among the caller's own. */
    missing: 'route-not-found',
    missingNamed: 'signature-route-not-found',
    missingByCreator: 'signature-route-not-found-by-creator',
    activation: 'error-during-route-activation',
    removal: 'route-remove-error',
  },
  template: {
    missing: 'route-template-not-found',
    missingNamed: 'route-template-not-found',
    missingByCreator: 'route-template-not-found',
    activation: 'template-activation-error',
    removal: 'template-remove-error',
  },
} as const satisfies Record<RouteKind, Record<string, Alias>>

function callsOf(
  kind: RouteKind,
  { base, one, many }: { base: `/api/${string}`; one: string; many: string },
) {
  const { missing, missingNamed, missingByCreator, activation, removal } = routeAliases[kind]
  return {
    list: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:skip/:take`,
      access: 'member',
      summary: `The ${many} of the organisation: one's own and the common ones; for owners, with their role, all`,
      input: z.extend(OfOrganization, {
        ...Page.shape,
        // A longer list is searched rather than paged through.
        skip: Page.shape.skip.check(z.maximum(countLimit)),
        visibilityScope: maskOr(visibilityScopes.schema),
        ownScope: maskOr(listOwners.schema),
        /** The role in which the list is read; owners see the routes of everybody. */
        userRole: maskOr(roles.schema),
        name: z.optional(line(longestRouteName)),
        isActive: z.optional(z.stringbool()),
        sort: z._default(z.enum(routeSorts), defaultRouteSort),
      }),
      result: listOf(RouteLine),
      refusals: ['roles-filter'],
    }),

    get: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:routeId`,
      access: 'member',
      summary: `One ${one} with its points`,
      input: OfRoute,
      result: Route,
      refusals: [missing],
    }),

    add: endpoint({
      method: 'POST',
      path: `${base}/:organizationId`,
      access: 'member',
      summary: `Make a ${one}; where routes are kept for their administrators, only they and owners may`,
      input: z.extend(OfOrganization, {
        ...Fields.shape,
        /** The template it is made from, if any; null for templates. */
        templateId: z._default(z.nullable(Id), null),
      }),
      result: Route,
      refusals: [...savingRefusals, 'route-template-not-found', 'unavailable-route'],
    }),

    save: endpoint({
      method: 'PUT',
      path: `${base}/:organizationId`,
      access: 'member',
      summary: `Change a ${one}: the version that was seen goes with it`,
      input: z.extend(OfOrganization, { id: Id, ...Fields.shape, currentVersion: Version }),
      result: Route,
      // outdated-route: the parameters have `currentVersion`; `changes` lists the changes since the seen version.
      refusals: [...savingRefusals, missingNamed, 'outdated-route', 'error-during-route-update'],
    }),

    activate: endpoint({
      method: 'POST',
      path: `${base}/:organizationId/:routeId/activate`,
      access: 'member',
      summary: `Let a ${one} be used again; refused while something is wrong with it`,
      input: z.extend(OfRoute, { currentVersion: Version }),
      result: Route,
      refusals: [missing, 'outdated-route', activation],
    }),

    deactivate: endpoint({
      method: 'POST',
      path: `${base}/:organizationId/:routeId/deactivate`,
      access: 'member',
      summary: `Keep a ${one} from being used, without deleting it`,
      input: z.extend(OfRoute, { currentVersion: Version }),
      result: Route,
      refusals: [missing, 'outdated-route'],
    }),

    copy: endpoint({
      method: 'POST',
      path: `${base}/:organizationId/:routeId/copy`,
      access: 'member',
      summary: `Make a ${one} of one's own with the same points, under another name`,
      input: z.extend(OfRoute, {
        name: Fields.shape.name,
        visibilityScope: Scope,
        removePersonalPoints,
      }),
      result: Route,
      refusals: [...savingRefusals, missing],
    }),

    remove: endpoint({
      method: 'DELETE',
      path: `${base}/:organizationId/:routeId`,
      access: 'member',
      summary: `Delete a ${one} that nothing rests on; one in use can be deactivated`,
      input: OfRoute,
      result: Deleted,
      refusals: [...new Set([missing, missingByCreator]), removal],
    }),

    version: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:routeId/versions/:version`,
      access: 'member',
      summary: `A ${one} as it was saved in a version`,
      input: z.extend(OfRoute, { version: VersionInPath }),
      result: RouteVersion,
      refusals: [missing],
    }),

    changes: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:routeId/changes/:since`,
      access: 'member',
      summary: `What is different in a ${one} since a version`,
      input: z.extend(OfRoute, { since: VersionInPath }),
      result: RouteChanges,
      refusals: [missing],
    }),

    validate: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:routeId/validate`,
      access: 'member',
      summary: `Whether a ${one} can be used as things stand now, and what is wrong with which of its points`,
      input: OfRoute,
      result: Validation,
      refusals: [missing],
    }),

    rehearseSaved: endpoint({
      method: 'GET',
      path: `${base}/:organizationId/:routeId/rehearsal`,
      access: 'member',
      summary: `Who would get what in which order by a ${one}`,
      input: OfRoute,
      result: Rehearsal,
      refusals: [missing],
    }),
  } satisfies Record<string, Endpoint>
}

export const routeCalls = callsOf('route', {
  base: '/api/SignaturePointsRoutes',
  one: 'route',
  many: 'routes',
})

export const templateCalls = callsOf('template', {
  base: '/api/SignaturePointsRouteTemplates',
  one: 'route template',
  many: 'route templates',
})

export const callsByKind: Record<RouteKind, typeof routeCalls> = {
  route: routeCalls,
  template: templateCalls,
}

/** Repeated in the query, or separated by commas. */
const Ids = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.pipe(
    z.transform((value: string | string[]) => [value].flat().flatMap((ids) => ids.split(','))),
    z.array(Id).check(z.maxLength(mostPoints)),
  ),
)

export const validatePoints = endpoint({
  method: 'GET',
  path: '/api/SignaturePointsRoutes/:organizationId/signaturePoints/validate',
  access: 'member',
  summary: 'Whether these points can stand in a route, and what is wrong with which',
  input: z.extend(OfOrganization, {
    pointsId: Ids,
    /** The scope of the route for which the points are meant; personal by default. */
    visibilityScope: z.optional(z.pipe(z.coerce.number(), Scope)),
  }),
  result: Validation,
  refusals: [],
})

export const rehearse = endpoint({
  method: 'POST',
  path: '/api/SignaturePointsRoutes/:organizationId/rehearsal',
  access: 'member',
  summary: 'Who would get what in which order, before anything is saved or sent; nothing is kept',
  input: z.extend(OfOrganization, { visibilityScope: Scope, points: Points }),
  result: Rehearsal,
  refusals: ['points-not-found'],
})

export const addRouteFromTemplate = endpoint({
  method: 'POST',
  path: '/api/SignaturePointsRouteTemplates/:organizationId/:templateId/createRoute',
  access: 'member',
  summary: 'Make a route with the points of a template at once',
  input: z.extend(OfOrganization, {
    templateId: Id,
    name: Fields.shape.name,
    visibilityScope: Scope,
    removePersonalPoints,
  }),
  result: Route,
  refusals: [...savingRefusals, 'route-template-not-found', 'unavailable-route'],
})
