/** The Administrative Portal: the organisation's details, its people with their roles, its history. */
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner, leavesNoOwner, mayRemove } from '@kelisim/domain/identity/permissions.ts'
import {
  getCard,
  getMembers,
  getOrganizationEvents,
  OrganizationEvent,
  previewRemoval,
  removeMember,
  saveCard,
  setRoles,
} from '@kelisim/domain/portal/contract.ts'
import { asStaff } from '@kelisim/domain/identity/roles.ts'
import type { Serve } from '../http/serve.ts'
import { endSubstitutionsOf } from '../substitutions/queries.ts'
import { groupHandlers, type GroupDependencies } from './group-handlers.ts'
import { findGroupsWithout } from './group-queries.ts'
import { invitationHandlers, type InvitationDependencies } from './invitation-handlers.ts'
import { appointedMail } from './appointed-mail.ts'
import { closeInvitationsOf } from './invitation-queries.ts'
import { deleteMembership, findEvents, findMembers, saveCardFields } from './queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import type { EndTokensOf } from '../identity/confirmation/handlers.ts'
import { findMember, findOwners, lockOwners, saveRoles } from '../identity/core/membership-queries.ts'
import { type CardRow, findCard } from '../identity/core/card-queries.ts'

const noRoles = 0

/** The names of programs with still valid tokens that this person made. */
export type ProgramsOf = (db: Db, organizationId: string, madeBy: string, now: Date) => Promise<string[]>

type PortalDependencies = InvitationDependencies &
  GroupDependencies & { programsOf: ProgramsOf; endTokensOf: EndTokensOf }

export function portalHandlers(serve: Serve, dependencies: PortalDependencies): void {
  groupHandlers(serve, dependencies)
  invitationHandlers(serve, dependencies)

  serve(getCard, async ({ who: { member }, db }) =>
    cardView(await findCard(db, member.organizationId), member.roles),
  )

  serve(saveCard, ({ input, who, now, write }) =>
    write(async (tx) => {
      const { organizationId, currentVersion, ...fields } = input
      const { confirmedAt, shortName } = await findCard(tx, organizationId)
      if (confirmedAt !== null && fields.shortName !== shortName) refuse('organization-name-proved')
      if (!(await saveCardFields(tx, organizationId, currentVersion, fields))) refuse('request-changed')
      const event = { type: 'card-changed', subject: fields.shortName, details: fields } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return cardView(await findCard(tx, organizationId), who.member.roles)
    }),
  )

  serve(getMembers, async ({ input, who, db }) => {
    const { organizationId, roles: mine } = who.member
    const { items, totalCount } = await findMembers(db, organizationId, input)
    const owners = await findOwners(db, organizationId)
    return {
      totalCount,
      items: items.map((row) => ({
        ...row,
        joinedAt: row.joinedAt.toISOString(),
        allowed: {
          changeRoles: isOwner(mine),
          remove: mayRemove(mine, who.userId, row.userId) && !leavesNoOwner(owners, row.userId, noRoles),
        },
      })),
    }
  })

  serve(setRoles, async ({ input: { userId, roles: given, isAppointed: wanted }, who, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      const owners = await lockOwners(tx, organizationId)
      // While we waited for the lock, another owner may have taken this right away.
      if (!owners.includes(who.userId)) refuse('not-enough-permissions')
      const member = (await findMember(tx, organizationId, userId)) ?? refuse('user-not-found')
      const after = asStaff(given)
      if (leavesNoOwner(owners, userId, after)) refuse('last-owner')
      const isAppointed = wanted ?? member.isAppointed
      if (after === member.roles && isAppointed === member.isAppointed) return
      await saveRoles(tx, organizationId, userId, { roles: after, isAppointed })
      if (!isOwner(after)) {
        await closeInvitationsOf(tx, organizationId, { userId, email: member.email }, now)
        await dependencies.endTokensOf(tx, organizationId, userId, { userId: who.userId, now })
      }
      const details = { userId, before: member.roles, after, isAppointed }
      const event = { type: 'roles-changed', subject: member.fullName, details } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      const isToBeTold = isAppointed && !member.isAppointed && userId !== who.userId && member.email !== ''
      if (!isToBeTold) return
      const { fullName: by } = (await findMember(tx, organizationId, who.userId))!
      const { shortName, confirmedAt } = await findCard(tx, organizationId)
      const organization = confirmedAt === null ? null : shortName
      await dependencies.queueMail(tx, appointedMail(member, { by, organization }, dependencies.publicUrl))
    })
    return {}
  })

  serve(previewRemoval, async ({ input: { userId, skip, take }, who, now, db }) => {
    const { organizationId, roles: mine } = who.member
    if (!mayRemove(mine, who.userId, userId)) refuse('not-enough-permissions')
    if (!(await findMember(db, organizationId, userId))) refuse('user-not-found')
    const changes = await findGroupsWithout(db, organizationId, userId)
    const [effects, programs] = await Promise.all([
      dependencies.effectsOn(db, organizationId, changes, { skip, take }),
      dependencies.programsOf(db, organizationId, userId, now),
    ])
    return { ...effects, programs }
  })

  serve(removeMember, async ({ input: { userId, seenEffects }, who, now, write }) => {
    const { organizationId, roles: mine } = who.member
    if (!mayRemove(mine, who.userId, userId)) refuse('not-enough-permissions')
    await write(async (tx) => {
      const owners = await lockOwners(tx, organizationId)
      const isStillAllowed = userId === who.userId || owners.includes(who.userId)
      if (!isStillAllowed) refuse('not-enough-permissions')
      const member = (await findMember(tx, organizationId, userId)) ?? refuse('user-not-found')
      if (leavesNoOwner(owners, userId, noRoles)) refuse('last-owner')
      const left = await findGroupsWithout(tx, organizationId, userId)
      if (seenEffects !== undefined) {
        const { fingerprint } = await dependencies.effectsOn(tx, organizationId, left, { skip: 0, take: 1 })
        if (fingerprint !== seenEffects) refuse('member-effects-changed')
      }
      await endSubstitutionsOf(tx, { organizationId, userId }, who.userId, now)
      await deleteMembership(tx, organizationId, userId)
      await dependencies.groupsLeft(
        tx,
        left.map(({ groupId }) => groupId),
      )
      await closeInvitationsOf(tx, organizationId, { userId, email: member.email }, now)
      await dependencies.endTokensOf(tx, organizationId, userId, { userId: who.userId, now })
      const type = userId === who.userId ? 'left' : 'removed'
      const event = { type, subject: member.fullName, details: { userId } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
    })
    return {}
  })

  serve(getOrganizationEvents, async ({ input, who, db }) => {
    const { items, totalCount } = await findEvents(db, who.member.organizationId, input)
    return {
      totalCount,
      items: items.map((row) => OrganizationEvent.parse({ ...row, at: row.at.toISOString() })),
    }
  })
}

function cardView(row: CardRow, mine: number) {
  return {
    ...row,
    confirmedAt: row.confirmedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    allowed: { edit: isOwner(mine) },
  }
}
