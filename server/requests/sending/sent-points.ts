/** Points as they go into a request: copies of those of the route, or those that a quick send makes of its recipients. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { keyRuleOf, type KeyRule } from '@kelisim/domain/points/key-holder.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import { isSigningType, pointTypes, sideOf } from '@kelisim/domain/points/point-types.ts'
import { whyNotSendTo } from '@kelisim/domain/points/point.ts'
import type { EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import type { SealPlace } from '@kelisim/domain/requests/places/place.ts'
import { findGroup, findGroups } from '../../portal/group-queries.ts'
import { ownGroup } from '../../portal/own-group.ts'
import { findReceiver, provedName } from '../../points/receiver-queries.ts'
import type { PlacedPoint } from '../../routes/placed-points.ts'
import { escalationOf } from '../../routes/saving.ts'
import { holdGroups } from '../core/queries/groups.ts'
import type { Side } from '../core/saving.ts'
import type { Sender } from './sender.ts'

/** A point as it goes into the request. */
export type SentPoint = {
  pointId: string
  order: number
  type: (typeof pointTypes.names)[number]
  name: string
  organizationId: string | null
  groupId: string | null
  bin: string
  organizationName: string
  emails: string[]
  responsible: string[]
  condition: 'any' | 'all'
  quorum: number | null
  isEdsRequired: boolean
  /** How many working days its people have, counted from their turn. */
  termDays?: number | null
  /** Who is told when the term is over. */
  escalation?: EscalationTo | null
  /** Where its seal is shown on the document. */
  place?: SealPlace | null
  signatureForm: SignatureForm
} & KeyRule

export function sentPoint(point: PlacedPoint): SentPoint {
  const side = sideOf(point.type)
  return {
    pointId: point.pointId,
    order: point.order,
    type: point.type,
    name: point.name,
    organizationId: side === 'external' ? null : point.organizationId,
    groupId: side === 'external' ? null : point.groupId,
    bin: point.bin ?? point.ownBin,
    organizationName: side === 'external' ? point.organizationName : point.ownName,
    emails: point.emails,
    responsible: point.responsiblePersons.map(({ userId }) => userId),
    condition: point.agreementCondition,
    quorum: point.quorum,
    termDays: point.termDays,
    escalation: escalationOf(point),
    isEdsRequired: point.isEdsPresentationRequired,
    keyHolder: point.keyHolder,
    keyHolderIin: point.keyHolderIin,
    signatureForm: point.signatureForm,
  }
}

export type QuickRecipient = {
  /** Undefined: the sender is alone in the organisation. */
  groupId?: string | undefined
  isForInformation: boolean
  bin: string
  organizationName: string
  emails: string[]
}

/** A group of the sender signs first, then the recipient signs or is told about it. */
export async function quickPoints(
  tx: Tx,
  sender: Sender & { bin: string; shortName: string },
  { groupId: chosen, isForInformation, bin, organizationName, emails }: QuickRecipient,
  now: Date,
): Promise<SentPoint[]> {
  const groupId = chosen ?? (await ownGroup(tx, sender, now)) ?? (await refuseWithoutGroup(tx, sender))
  const recipientType = isForInformation ? 'QuickDirectInformation' : 'QuickExternalSign'
  await holdGroups(tx, [groupId])
  const group = await findGroup(tx, sender.organizationId, groupId)
  if (!group) refuse('organization-group-not-found')
  if (group.participants.length === 0) refuse('group-empty')
  // The sender must be a member of the group that signs.
  if (!group.participants.some(({ userId }) => userId === sender.userId)) refuse('user-group-not-found')
  if (bin === sender.bin) refuse('recipient-is-own')
  const receiver = await findReceiver(tx, bin)
  const reason = whyNotSendTo('external', receiver, sender.organizationId)
  if (reason) refuse(reason)
  const recipient = provedName(bin, receiver) ?? organizationName
  const none = {
    responsible: [],
    condition: 'any',
    quorum: null,
    isEdsRequired: false,
    signatureForm: 'cms',
  } as const
  return [
    {
      pointId: newId(),
      order: 1,
      type: 'QuickCompanyInternalSign',
      name: group.name,
      organizationId: sender.organizationId,
      groupId,
      bin: sender.bin,
      organizationName: sender.shortName,
      emails: [],
      ...none,
      ...keyRuleOf('QuickCompanyInternalSign', sender.bin),
      responsible: [],
    },
    {
      pointId: newId(),
      order: 2,
      type: recipientType,
      name: recipient,
      organizationId: null,
      groupId: null,
      bin,
      organizationName: recipient,
      emails,
      ...none,
      ...keyRuleOf(recipientType, bin),
      responsible: [],
    },
  ]
}

/** Refuses a sender who has colleagues and named no group: they have to choose one, or to be added to one first. */
async function refuseWithoutGroup(tx: Tx, { organizationId, userId }: Sender): Promise<never> {
  const mine = await findGroups(tx, organizationId, { skip: 0, take: 1, participant: userId })
  if (mine.totalCount === 0) refuse('group-not-found')
  refuse('validation-failure', { fields: [{ path: 'groupId', code: 'required' }] })
}

/** The sides that sign. */
export function sidesOf(
  points: readonly Pick<SentPoint, 'pointId' | 'type' | 'organizationName' | 'bin'>[],
): Side[] {
  return points
    .filter(({ type }) => isSigningType(type))
    .map(({ pointId, organizationName, bin }) => ({ pointId, name: organizationName, bin }))
}
