/** Changing the steps ahead of a running request, and trying it first. */
import { mayEditRoutes } from '@kelisim/domain/identity/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { changeSteps, trySteps } from '@kelisim/domain/requests/correcting/contract.ts'
import { apply } from '@kelisim/domain/requests/life-cycle/apply.ts'
import { decide } from '@kelisim/domain/requests/life-cycle/decide.ts'
import type { SigningRequest } from '@kelisim/domain/requests/life-cycle/request.ts'
import { maySee, seenOf, speaksForSender } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { areSameSteps, isAhead } from '@kelisim/domain/requests/steps-ahead.ts'
import type { Db } from '@kelisim/db/db.ts'
import type { Serve } from '../../http/serve.ts'
import type { Member } from '../../http/session.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { partyOf, visibleRequest } from '../core/party.ts'
import { perform, refuseUnless } from '../core/perform.ts'
import { findOwnersByOrganization } from '../core/queries/groups.ts'
import { findRequest } from '../core/state.ts'
import { requestView } from '../core/views.ts'
import { refusalOf } from '../sending/sendable.ts'
import { holdAdded, planOf, saveSteps, type StepsPlan } from './steps.ts'

export function stepHandlers(serve: Serve): void {
  serve(changeSteps, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, currentVersion, key, comment } = input
    const sender = { organizationId: who.member.organizationId, userId: who.userId, member: who.member }
    return write(async (tx) => {
      const seen = await visibleRequest(tx, requestId, party)
      refuseStranger(seen, who.member)
      await holdAdded(tx, seen, input.points)
      const plan = await planOf(tx, seen, sender, input.points)
      const command = { type: 'reroute', by: party.viewer, ahead: plan.ahead } as const
      const act = { requestId, party, currentVersion, key, comment, address }
      await perform(tx, act, command, now, (loaded, _, events) => saveSteps(tx, loaded, plan, events))
      return requestView(tx, (await findRequest(tx, requestId))!, party, now)
    })
  })

  serve(trySteps, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const sender = { organizationId: who.member.organizationId, userId: who.userId, member: who.member }
    const seen = await visibleRequest(db, input.signingRequestId, party)
    let plan: StepsPlan | undefined
    const refusals = await refusalOf(async () => {
      refuseStranger(seen, who.member)
      const planned = await planOf(db, seen, sender, input.points)
      refuseUnless(seen, { type: 'reroute', by: party.viewer, ahead: planned.ahead }, now)
      plan = planned
    })
    const shown = refusals.map(({ alias, parameters }) => ({ alias, parameters: { ...parameters } }))
    if (!plan) return { refusals: shown, ...nothing }
    const command = { type: 'reroute', by: party.viewer, ahead: plan.ahead } as const
    const after = decide(seen.request, command, now).reduce(apply, seen.request)
    return { refusals: shown, ...(await effectsOf(db, seen, after, plan)) }
  })
}

const nothing = { added: [], removed: [], isReordered: false, leaving: [], isSigned: false }

/** Refuses whoever may not edit routes: changing steps would let them bypass the routes that others made for them. */
function refuseStranger({ row }: LoadedRequest, member: Member): void {
  const isOfSender = speaksForSender(row, member)
  if (!isOfSender || !mayEditRoutes(member.roles, member.options)) refuse('not-enough-permissions')
}

async function effectsOf(db: Db, seen: LoadedRequest, after: SigningRequest, { added }: StepsPlan) {
  const { signing, request } = seen
  const stays = (pointId: string) => after.points.some((point) => point.pointId === pointId)
  const removed = signing.filter(({ pointId }) => !stays(pointId))
  const stayed = (points: SigningRequest['points']) =>
    points.filter((point) => isAhead(point) && signing.some(({ pointId }) => pointId === point.pointId))
  return {
    added: added.toSorted((one, other) => one.order - other.order).map(({ name }) => name),
    removed: removed.map(({ name }) => name),
    isReordered: !areSameSteps(
      stayed(request.points).filter(({ pointId }) => stays(pointId)),
      stayed(after.points),
    ),
    leaving: await leavingOf(db, seen, after),
    isSigned: after.status === 'Signed',
  }
}

/**
 * The names of people who would no longer see the request. Owners and whoever is asked at another step still see it.
 */
async function leavingOf(db: Db, { row, signing }: LoadedRequest, after: SigningRequest): Promise<string[]> {
  const owners = (await findOwnersByOrganization(db, [row.organizationId])).get(row.organizationId) ?? []
  const people = new Map(
    signing
      .filter(({ organizationId }) => organizationId === row.organizationId)
      .flatMap(({ participants }) => participants.map(({ id, fullName }) => [id, fullName] as const)),
  )
  const seen = seenOf(row, after)
  const isLeaving = (id: string) =>
    !maySee(seen, {
      id,
      numbers: [],
      organizationId: row.organizationId,
      isOwner: owners.some((owner) => owner.id === id),
    })
  return [...people].filter(([id]) => isLeaving(id)).map(([, fullName]) => fullName)
}
