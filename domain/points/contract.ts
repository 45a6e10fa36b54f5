/** Points, and the organisations to which their numbers belong (docs/product/points.md). */
import * as z from 'zod/mini'
import { listOwners, maskOr } from '../bits.ts'
import { endpoint } from '../endpoint.ts'
import {
  countLimit,
  Email,
  Id,
  line,
  listOf,
  Moment,
  Deleted,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
  TwelveDigits,
  Version,
} from '../fields.ts'
import { roles } from '../identity/roles.ts'
import { visibilityScopes } from '../visibility.ts'
import { keyHolders } from './key-holder.ts'
import { signatureForms } from './signature-form.ts'
import {
  agreementConditions,
  largestQuorum,
  mostEmails,
  mostResponsible,
  pointFaults,
  smallestQuorum,
  type PointFields,
} from './point.ts'
import { pointTypes, selectableTypes, typeOf, type PointType } from './point-types.ts'

const { Private, Public } = visibilityScopes.members
/** A mask with exactly one bit; a form without a choice is told that one is required. */
const oneOf = (types: readonly PointType[]) =>
  z.literal(
    types.map((type) => pointTypes.of(type)),
    'required',
  )
const RequiredPointType = oneOf(pointTypes.names)
const Named = z.object({ id: Id, name: z.string() })
const Participant = z.object({ userId: Id, fullName: z.string() })

export const Point = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  type: RequiredPointType,
  /** Internal 0, External 1, CounterParty 2. */
  pointType: z.int(),
  visibilityScope: z.union([z.literal(Private), z.literal(Public)]),
  /** Null for an external point, or if the group was deleted. */
  group: z.nullable(Named),
  responsiblePersons: z.array(Participant),
  agreementCondition: z.enum(agreementConditions),
  /** How many must act, if neither one nor all. */
  quorum: z.nullable(z.int()),
  isEdsPresentationRequired: z.boolean(),
  /** The number of the side that acts; for internal points that of the organisation itself. */
  bin: z.string(),
  organizationName: z.string(),
  emails: z.array(z.string()),
  keyHolder: z.enum(keyHolders),
  /** The IIN of the person whose key is taken, if `keyHolder` is `person`; null if everybody uses their own key. */
  keyHolderIin: z.nullable(z.string()),
  signatureForm: z.enum(signatureForms),
  isActive: z.boolean(),
  createdAt: Moment,
  currentVersion: Version,
  /** Null unless requested. */
  creator: z.nullable(Participant),
  participants: z.nullable(z.array(Participant)),
  allowed: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

const NoneChosen = z.literal('')

/** The fields of all types; those that the chosen type does not have are dropped when it is saved. */
const Fields = z.object({
  name: requiredLine(250),
  description: paragraphs(250),
  visibilityScope: z.union([z.literal(Private), z.literal(Public)], 'required'),
  groupId: z.nullable(z.union([NoneChosen, Id])),
  responsiblePersons: z.array(Id).check(z.maxLength(mostResponsible)),
  agreementCondition: z.enum(agreementConditions),
  /** Left out: one is enough with `any`. Ignored with `all`. */
  quorum: z.nullish(
    z
      .int('quorum-number')
      .check(z.minimum(smallestQuorum, 'quorum-number'), z.maximum(largestQuorum, 'quorum-number')),
  ),
  isEdsPresentationRequired: z.boolean(),
  bin: z.nullable(z.union([NoneChosen, TwelveDigits], 'twelve-digits')),
  organizationName: line(250),
  emails: z.array(Email).check(z.maxLength(mostEmails, 'too-many-emails')),
  /** Left out: the default of the type. */
  keyHolder: z.nullish(z.enum(keyHolders)),
  keyHolderIin: z.nullish(z.union([NoneChosen, TwelveDigits], 'twelve-digits')),
  /** Left out: a file beside the document. */
  signatureForm: z.optional(z.enum(signatureForms)),
})

export type PointInput = z.output<typeof Fields>

/** The fields in the form of the rules. */
export function fieldsFrom(filled: PointInput): PointFields {
  const { visibilityScope, groupId, bin, keyHolder, keyHolderIin, quorum, signatureForm, ...same } = filled
  return {
    ...same,
    quorum: quorum ?? null,
    keyHolder: keyHolder ?? null,
    keyHolderIin: keyHolderIin || null,
    signatureForm: signatureForm ?? 'cms',
    scope: visibilityScope === Public ? 'common' : 'personal',
    groupId: groupId || null,
    bin: bin || null,
  }
}

/** Reports every fault at its field at once. */
function faultsAtFields<F extends PointInput & { type: number }>({
  value,
  issues,
}: z.core.ParsePayload<F>): void {
  const type = typeOf(value.type)
  if (!type) return
  const isWrongAlready = new Set(issues.map(({ path }) => path?.[0]))
  for (const { field, code } of pointFaults(type, fieldsFrom(value))) {
    if (isWrongAlready.has(field)) continue
    issues.push({ code: 'custom', message: code, path: [field], input: value })
  }
}

/** A leading minus means descending. */
export const pointSorts = ['created', '-created', 'name', '-name'] as const
export const defaultPointSort = '-created'

export const getPoints = endpoint({
  method: 'GET',
  path: '/api/Points/:organizationId/:skip/:take',
  access: 'member',
  summary: "Points of the organisation: one's own and the common ones; for owners, with their role, all",
  input: z.extend(OfOrganization, {
    ...Page.shape,
    // A longer list is searched rather than paged through.
    skip: Page.shape.skip.check(z.maximum(countLimit)),
    pointType: maskOr(pointTypes.schema),
    visibilityScope: maskOr(visibilityScopes.schema),
    ownScope: maskOr(listOwners.schema),
    /** The role in which the list is read; owners see the points of everybody. */
    userRole: maskOr(roles.schema),
    name: z.optional(line(250)),
    bin: z.optional(TwelveDigits),
    isActive: z.optional(z.stringbool()),
    enrichCreatorAndParticipants: z.optional(z.stringbool()),
    sort: z._default(z.enum(pointSorts), defaultPointSort),
  }),
  result: listOf(Point),
  refusals: ['roles-filter'],
})

const OfPoint = z.extend(OfOrganization, { pointId: Id })

export const getPoint = endpoint({
  method: 'GET',
  path: '/api/Points/:organizationId/:pointId',
  access: 'member',
  summary: 'One point',
  input: OfPoint,
  result: Point,
  refusals: ['point-not-found'],
})

const savingRefusals = [
  'group-not-in-organization',
  'group-empty',
  'group-smaller-than-quorum',
  'responsible-not-in-group',
  'forbidden_external_point_by_options',
  'receiver-paused',
] as const

export const addPoint = endpoint({
  method: 'POST',
  path: '/api/Points/:organizationId',
  access: 'member',
  summary: 'Make a point; where points are kept for their administrators, only they and owners may',
  input: z
    .extend(OfOrganization, {
      ...Fields.shape,
      type: oneOf(selectableTypes),
    })
    .check(faultsAtFields),
  result: Point,
  refusals: [...savingRefusals, 'forbidden_counter_party_point_by_options'],
})

export const savePoint = endpoint({
  method: 'PUT',
  path: '/api/Points/:organizationId/:pointId',
  access: 'member',
  summary: 'Change a point. Its type stays: routes rest on it',
  input: z
    .extend(OfPoint, {
      ...Fields.shape,
      /** The type cannot be changed. */
      type: RequiredPointType,
      isActive: z.boolean(),
      currentVersion: Version,
    })
    .check(faultsAtFields),
  result: Point,
  refusals: [...savingRefusals, 'point-not-found', 'request-changed', 'common-route-with-personal-points'],
})

export const deletePoint = endpoint({
  method: 'DELETE',
  path: '/api/Points/:organizationId/:pointId',
  access: 'member',
  summary: 'Delete a point that no route uses; one in use can be made inactive',
  input: OfPoint,
  result: Deleted,
  refusals: ['point-not-found', 'point-remove-error'],
})

/** What everybody may know of a published point, without its people. */
export const PublishedPoint = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  type: RequiredPointType,
  pointType: z.int(),
  bin: z.string(),
  organizationName: z.string(),
  keyHolder: z.enum(keyHolders),
})

export const findPublishedPoints = endpoint({
  method: 'GET',
  path: '/api/unauth/points/:bin/:skip/:take',
  access: 'anyone',
  summary: 'The counterparty points that the organisation of this number has published',
  input: z.extend(Page, {
    bin: TwelveDigits,
    skip: Page.shape.skip.check(z.maximum(countLimit)),
    name: z.optional(line(250)),
  }),
  result: listOf(PublishedPoint),
  refusals: ['forbidden_counter_party_point_by_options', 'receiver-paused'],
  perMinute: 60,
})

export const getReceivingOptions = endpoint({
  method: 'GET',
  path: '/api/unauth/organizations/:bin/options',
  access: 'anyone',
  summary:
    'How the organisation of this number receives documents; one that is not here receives by its number',
  input: z.object({ bin: TwelveDigits }),
  result: z.object({ allowedPointTypesForIncomingSigningRequests: z.int() }),
  refusals: [],
  perMinute: 60,
})

export const getContractor = endpoint({
  method: 'GET',
  path: '/api/Contractors/:organizationId/:bin',
  access: 'member',
  summary: 'Whose number it is: an organisation confirmed here, else what the directory says',
  input: z.extend(OfOrganization, { bin: TwelveDigits }),
  result: z.object({
    bin: z.string(),
    name: z.string(),
    /** Whether the organisation is confirmed here. */
    isConfirmedHere: z.boolean(),
    allowedPointTypesForIncomingSigningRequests: z.int(),
  }),
  refusals: ['contractor-not-found', 'business-analyst-unavailable'],
  perMinute: 60,
})
