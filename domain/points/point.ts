/**
 * A point: who does what with a document at one step of a route. Its fields depend on its side:
 *
 *   internal       an own group, with the people who are notified first
 *   external       an external number, with e-mail addresses
 *   counterParty   an own published group: others find it by our BIN and send to it
 */
import type { Alias } from '../errors.ts'
import { hasRightCheckDigit, isTwelveDigits } from '../numbers.ts'
import { isOwner, mayEditPoints } from '../identity/permissions.ts'
import type { OrganizationOptions } from '../options/options.ts'
import { roles } from '../identity/roles.ts'
import { areDifferent } from './emails.ts'
import { hasKeyChoice, keyRuleOf, type KeyHolder } from './key-holder.ts'
import { hasFormChoice, type SignatureForm } from './signature-form.ts'
import { sideOf, type PointSide, type PointType } from './point-types.ts'

export type PointScope = 'personal' | 'common'
/** Who of the group must act: any one, or all; with `any`, `quorum` can require a number between one and all. */
export const agreementConditions = ['any', 'all'] as const
export type AgreementCondition = (typeof agreementConditions)[number]

/** A quorum of one is the plain condition `any`. */
export const smallestQuorum = 2
export const largestQuorum = 100

export const mostEmails = 20
export const mostResponsible = 100

/** How many people of a group have to act, at most all of them. */
export function neededOf(
  { agreementCondition, quorum }: { agreementCondition: AgreementCondition; quorum: number | null },
  people: number,
): number {
  return agreementCondition === 'all' ? people : Math.min(quorum ?? 1, people)
}

/** The fields of the form; fields that the type does not have are empty. */
export type PointFields = {
  scope: PointScope
  groupId: string | null
  responsiblePersons: string[]
  agreementCondition: AgreementCondition
  /** Only with the condition `any`. */
  quorum: number | null
  isEdsPresentationRequired: boolean
  bin: string | null
  organizationName: string
  emails: string[]
  keyHolder: KeyHolder | null
  /** The IIN of the person whose key is taken, if `keyHolder` is `person`. */
  keyHolderIin: string | null
  signatureForm: SignatureForm
}

export type PointField = keyof PointFields

/** The fields that a type has; published points have no `scope` because everybody sees them. */
export function fieldsOf(type: PointType): PointField[] {
  const ofGroup = ['groupId', 'responsiblePersons'] as const
  const bySide: Record<PointSide, readonly PointField[]> = {
    internal: ['scope', ...ofGroup],
    external: ['scope', 'bin', 'organizationName', 'emails'],
    counterParty: ofGroup,
  }
  return [
    ...bySide[sideOf(type)],
    ...(manyMayAct.includes(type) ? (['agreementCondition', 'quorum'] as const) : []),
    ...(type === 'InternalApprove' ? (['isEdsPresentationRequired'] as const) : []),
    ...(hasKeyChoice(type, null) ? (['keyHolder', 'keyHolderIin'] as const) : []),
    ...(hasFormChoice(type) ? (['signatureForm'] as const) : []),
  ]
}

/** Types for which the agreement condition matters (docs/product/points.md). */
const manyMayAct: readonly PointType[] = [
  'InternalApprove',
  'EmployeeInternalSign',
  'InternalInformationConfirm',
]

const none: PointFields = {
  scope: 'common',
  groupId: null,
  responsiblePersons: [],
  agreementCondition: 'any',
  quorum: null,
  isEdsPresentationRequired: false,
  bin: null,
  organizationName: '',
  emails: [],
  keyHolder: null,
  keyHolderIin: null,
  signatureForm: 'cms',
}

/** Fields as they are saved. */
export type SavedFields = Omit<PointFields, 'keyHolder'> & { keyHolder: KeyHolder }

/** Drops fields that were filled in for another type. */
export function fittingFields(type: PointType, fields: PointFields): SavedFields {
  const kept = fieldsOf(type).map((field) => [field, fields[field]])
  const fitting = { ...none, ...(Object.fromEntries(kept) as Partial<PointFields>) }
  const quorum = fitting.agreementCondition === 'any' ? fitting.quorum : null
  return { ...fitting, quorum, ...keyRuleOf(type, fitting.bin, fitting) }
}

export type PointFault = { field: PointField; code: string }

/** Faults that can be found in the fields alone, in the order of the form. */
export function pointFaults(type: PointType, fields: PointFields): PointFault[] {
  const { groupId, bin, emails } = fields
  const { keyHolder, keyHolderIin } = keyRuleOf(type, bin, fields)
  const namesPerson = keyHolder === 'person' && hasKeyChoice(type, bin)
  const checks: [PointField, string, boolean][] = [
    ['groupId', 'required', groupId !== null && groupId !== ''],
    ['bin', 'required', bin !== null && bin !== ''],
    ['bin', 'twelve-digits', isTwelveDigits(bin ?? '')],
    ['emails', 'email-not-chosen', emails.length > 0],
    ['emails', 'emails-repeat', areDifferent(emails)],
    ['keyHolderIin', 'required', !namesPerson || (keyHolderIin !== null && keyHolderIin !== '')],
    ['keyHolderIin', 'twelve-digits', !namesPerson || isTwelveDigits(keyHolderIin ?? '')],
  ]
  const has = new Set(fieldsOf(type))
  const faults = new Map<PointField, PointFault>()
  for (const [field, code, isRight] of checks) {
    if (has.has(field) && !isRight && !faults.has(field)) faults.set(field, { field, code })
  }
  return [...faults.values()]
}

export type NumberWarning = 'check-digit' | 'own-number'

/** A warning that does not prevent saving. */
export function numberWarning(number: string, ownNumber: string): NumberWarning | null {
  if (!isTwelveDigits(number)) return null
  if (number === ownNumber) return 'own-number'
  return hasRightCheckDigit(number) ? null : 'check-digit'
}

/** Why the point cannot be saved with this group; `group` is null if it does not exist. */
export function whyNotGroup(
  group: { participants: readonly string[] } | null,
  responsiblePersons: readonly string[],
  quorum: number | null,
): Alias | null {
  if (!group) return 'group-not-in-organization'
  if (group.participants.length === 0) return 'group-empty'
  if (quorum !== null && quorum > group.participants.length) return 'group-smaller-than-quorum'
  const isResponsible = (userId: string) => group.participants.includes(userId)
  return responsiblePersons.every(isResponsible) ? null : 'responsible-not-in-group'
}

/** `allowedPointTypesForIncomingSigningRequests` of the API. */
const acceptsExternal = 1
const acceptsCounterParty = 2

/**
 * A confirmed organisation; null for an unconfirmed one, which has no options: its people act with their own keys.
 */
export type Receiver = { organizationId: string; accepts: number } | null

/** Why documents cannot be sent to the number by such a point; `sender` is the sending organisation. */
export function whyNotSendTo(side: PointSide, receiver: Receiver, sender: string): Alias | null {
  if (side === 'internal' || receiver === null) return null
  if (side === 'counterParty') {
    if (receiver.organizationId === sender) return 'counter_party_targets_creator_organization'
    return isPaused(receiver) ? 'receiver-paused' : whyNotPublish(receiver.accepts)
  }
  if (isPaused(receiver)) return 'receiver-paused'
  return (receiver.accepts & acceptsExternal) !== 0 ? null : 'forbidden_external_point_by_options'
}

/** Whether the organisation accepts no documents at all for now. */
export function isPaused({ accepts }: { accepts: number }): boolean {
  return (accepts & (acceptsExternal | acceptsCounterParty)) === 0
}

/** Refuses to publish a point to which nobody could send, because the organisation accepts no such points. */
export function whyNotPublish(accepts: number): Alias | null {
  return (accepts & acceptsCounterParty) !== 0 ? null : 'forbidden_counter_party_point_by_options'
}

export type Viewer = { userId: string; roles: number; options: OrganizationOptions }
type Owned = { authorId: string; scope: PointScope }

/** Personal points are visible to their author and to owners. */
export function maySeePoint(viewer: Viewer, point: Owned): boolean {
  return point.scope === 'common' || point.authorId === viewer.userId || isOwner(viewer.roles)
}

export function mayEditPoint(viewer: Viewer, point: Owned): boolean {
  return mayEditPoints(viewer.roles, viewer.options) && maySeePoint(viewer, point)
}

/** Others may use a common point, so only its author and administrators of points may delete it. */
export function mayDeletePoint(viewer: Viewer, point: Owned): boolean {
  const looksAfterPoints = isOwner(viewer.roles) || roles.has(viewer.roles, 'PointsAdministrator')
  return mayEditPoint(viewer, point) && (looksAfterPoints || point.authorId === viewer.userId)
}
