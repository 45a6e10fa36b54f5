/** Which commands are permitted now, and why not. */
import type { Alias } from '../../errors.ts'
import { actOf, sideOf, type PointAct } from '../../points/point-types.ts'
import { isAnotherNamed, isAskedAt, mayActAt, partOf, type Actor } from '../actors.ts'
import { isHeld } from '../lock.ts'
import {
  correctableStatuses,
  fullySignedStatuses,
  openStatuses,
  requestStatuses,
  signingStatuses,
  terminatingStatuses,
  withdrawableStatuses,
  type RequestStatuses,
} from '../status.ts'
import { whyNotAhead } from '../steps-ahead.ts'
import type { Command, PersonCommand, PointCommand } from './commands.ts'
import {
  isAnsweredBySigning,
  isDone,
  isExpired,
  pointsOf,
  sidesThatSigned,
  withoutEscalation,
  type RequestPoint,
  type SigningRequest,
} from './request.ts'

/** A slow check may finish after the request did; its result is recorded anyway. */
const judgedIn: RequestStatuses = requestStatuses.names.filter((status) => status !== 'New')

const allowedIn: Record<Command['type'], RequestStatuses> = {
  start: ['New'],
  sign: openStatuses,
  approve: signingStatuses,
  confirm: signingStatuses,
  // A fully signed document cannot be rejected, only terminated.
  reject: [...correctableStatuses, ...terminatingStatuses],
  withdraw: withdrawableStatuses,
  correct: correctableStatuses,
  reroute: correctableStatuses,
  propose: correctableStatuses,
  'decline-proposal': correctableStatuses,
  expire: withdrawableStatuses,
  'tell-deadlines': signingStatuses,
  terminate: fullySignedStatuses,
  settle: openStatuses,
  'finish-termination': ['TerminatingSigned'],
  'accept-signature': judgedIn,
  'refuse-signature': judgedIn,
}

export function whyNot(request: SigningRequest, command: Command, now: Date): Alias | null {
  if (!allowedIn[command.type].includes(request.status)) {
    return command.type === 'start' ? 'request-already-in-process' : 'wrong-request-status'
  }
  switch (command.type) {
    case 'sign':
    case 'approve':
    case 'confirm':
    case 'reject':
    case 'propose':
      // The chore that expires the request may be late.
      if (withdrawableStatuses.includes(request.status) && isExpired(request, now))
        return 'wrong-request-status'
      return whyNotAtPoint(request, command, now)
    case 'expire':
      if (!isExpired(request, command.today)) return 'wrong-request-status'
      return isHeldByCheck(request) ? 'signature-being-checked' : null
    case 'withdraw':
    case 'correct':
    case 'reroute':
      if (command.by.id !== request.authorId) return 'not-enough-permissions'
      if (command.type !== 'withdraw' && isExpired(request, now)) return 'wrong-request-status'
      if (isHeldByCheck(request)) return 'signature-being-checked'
      // People of a campaign sign the current document: it cannot be changed until their signatures are checked.
      if (command.type !== 'withdraw' && hasPersonalChecks(request)) return 'signature-being-checked'
      if (isLockedByAnother(request, command.by, now) && !request.lock?.isWorn)
        return 'document-is-on-signing-process'
      if (command.type !== 'reroute') return null
      // The steps of a campaign are fixed: it asks only its audience, and its sheet lists their answers.
      if (request.points.some(({ isPersonal }) => isPersonal)) return 'wrong-request-configuration'
      return whyNotAhead(request.points, command.ahead)
    case 'decline-proposal': {
      if (command.by.id !== request.authorId) return 'not-enough-permissions'
      const point = request.points.find(({ pointId }) => pointId === command.pointId)
      return point?.isProposed ? null : 'proposal-not-found'
    }
    case 'terminate':
      return sidesThatSigned(request).some((point) => mayActAt(withoutEscalation(point), command.by))
        ? null
        : 'not-enough-permissions'
    case 'start':
    case 'settle':
    case 'tell-deadlines':
    case 'finish-termination':
    case 'accept-signature':
    case 'refuse-signature':
      return null
  }
}

/** Whether a signature is being checked, whose result must be known before anything else happens. */
function isHeldByCheck(request: SigningRequest): boolean {
  return pointsOf(request).some(({ pending }) => pending !== null)
}

function hasPersonalChecks(request: SigningRequest): boolean {
  return pointsOf(request).some(({ checking = [] }) => checking.length > 0)
}

function whyNotAtPoint(request: SigningRequest, command: PointCommand, now: Date): Alias | null {
  const point = pointsOf(request).find(({ pointId }) => pointId === command.pointId)
  if (!point) return 'point-not-found'
  if (command.over !== undefined && command.over !== request.revision) return 'document-revised'
  if (!isAskedAt(point, command.by)) return 'not-enough-permissions'
  if (!mayActAt(point, command.by)) return 'key-not-taken'
  const wrongAct = whyNotThisAct(point, command.type)
  if (wrongAct) return wrongAct
  if (command.type === 'propose' && request.isFromLanding) return 'wrong-request-configuration'
  if (isDone(point) || partOf(point, command.by) === null) return 'point-already-processed'
  if (point.status === 'InQueue') return 'process-wrong-order'
  if (point.status === 'Validation' || isOwnBeingChecked(point, command.by)) return 'signature-being-checked'
  if (command.type === 'propose' && point.isProposed) return 'proposal-open'
  if (command.type === 'sign' && isAnotherNamed(point, command.by)) return 'key-not-taken'
  const isLocked = command.type === 'sign' && !point.isPersonal && isLockedByAnother(request, command.by, now)
  return isLocked ? 'document-is-on-signing-process' : null
}

function isOwnBeingChecked({ checking = [] }: RequestPoint, { id }: Actor): boolean {
  return checking.some(({ by }) => by === id)
}

/** The acts of each type of point; an approval with a digital signature is given by signing. */
const actsAt: Record<PointAct, readonly PointCommand['type'][]> = {
  sign: ['sign', 'reject', 'propose'],
  approve: ['approve', 'reject'],
  confirm: ['confirm'],
  inform: [],
}

function whyNotThisAct(point: RequestPoint, act: PointCommand['type']): Alias | null {
  // Proposals are for other sides: people of the sender can correct the document themselves, or reject it.
  if (act === 'propose' && sideOf(point.type) === 'internal') return 'wrong-request-configuration'
  if (isAnsweredBySigning(point) && act !== 'reject') {
    return act === 'sign' ? null : 'signature-needed'
  }
  return actsAt[actOf(point.type)].includes(act) ? null : 'wrong-request-configuration'
}

/** The acts of a person, without `reroute`: everybody who may correct may also change the steps ahead. */
export type PersonAct = { act: Exclude<PersonCommand['type'], 'reroute'>; pointId: string | null }

/** What this person may do now. */
export function actsOf(request: SigningRequest, by: Actor, now: Date): PersonAct[] {
  const atPoints = pointsOf(request).flatMap(({ pointId }): PersonAct[] =>
    (['sign', 'approve', 'confirm', 'reject', 'propose'] as const)
      .filter((act) => whyNot(request, { type: act, pointId, by, signatureId: '' }, now) === null)
      .map((act) => ({ act, pointId })),
  )
  const whole = (['withdraw', 'terminate', 'correct'] as const)
    .filter((act) => whyNot(request, { type: act, by }, now) === null)
    .map((act) => ({ act, pointId: null }))
  const declining = request.points.flatMap(({ pointId }): PersonAct[] =>
    whyNot(request, { type: 'decline-proposal', pointId, by }, now) === null
      ? [{ act: 'decline-proposal', pointId }]
      : [],
  )
  return [...atPoints, ...whole, ...declining]
}

/** Only a person who may sign now can lock the document, unless another holds it. */
export function whyNotLock(request: SigningRequest, by: Actor, now: Date): Alias | null {
  if (isLockedByAnother(request, by, now)) return 'document-is-on-signing-process'
  const maySign = actsOf(request, by, now).some(({ act }) => act === 'sign')
  return maySign ? null : 'not-enough-permissions'
}

/** Whether signing needs the lock; at a personal point it does not, because signing there delays nobody else. */
export function needsLock(request: SigningRequest, by: Actor, now: Date): boolean {
  const signable = actsOf(request, by, now).flatMap(({ act, pointId }) => (act === 'sign' ? [pointId] : []))
  return pointsOf(request).some(({ pointId, isPersonal }) => signable.includes(pointId) && !isPersonal)
}

function isLockedByAnother({ lock }: SigningRequest, by: Actor, now: Date): boolean {
  return lock !== null && lock.by !== by.id && isHeld(lock, now)
}
