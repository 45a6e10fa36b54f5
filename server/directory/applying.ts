/**
 * At each sign-in at a configured service, the groups that it reports are applied in the organisations that want
 * this. It makes nobody a member, keeps the last owner an owner, and takes nobody out of a group if documents of
 * others would go on or stop by that, because nobody is there to look first. A mapping is in force only while the
 * person who saved it is an owner.
 */
import type { Tx } from '@kelisim/db/db.ts'
import { groupsIn, isInForce, placeAfter, type MappedMembership } from '@kelisim/domain/directory/mapping.ts'
import { isOwner, leavesNoOwner } from '@kelisim/domain/identity/permissions.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import type { EndTokensOf } from '../identity/confirmation/handlers.ts'
import { findMember, lockOwners, saveRoles } from '../identity/core/membership-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import type { AfterSignIn } from '../identity/sign-in/sign-in.ts'
import type { GroupsLeft, PreviewGroups } from '../portal/group-handlers.ts'
import { findGroup, findGroupsWithout, joinGroup, leaveGroup } from '../portal/group-queries.ts'
import { closeInvitationsOf } from '../portal/invitation-queries.ts'
import { findGroupMapping, findMappedOrganizations } from './mapping-queries.ts'

type Dependencies = { groupsLeft: GroupsLeft; effectsOn: PreviewGroups; endTokensOf: EndTokensOf }

type Someone = { organizationId: string; userId: string; now: Date }

export function applyGroupMappings(dependencies: Dependencies): AfterSignIn {
  return async (tx, { userId, told }, now) => {
    for (const organizationId of await findMappedOrganizations(tx, userId)) {
      // Locked before the mapping is read, so that a concurrent loss of ownership cannot leave its author's mapping
      // in force.
      const owners = await lockOwners(tx, organizationId)
      const mapping = await findGroupMapping(tx, organizationId)
      const groups = mapping && groupsIn(told[mapping.claim])
      if (!mapping || !groups || !isInForce(mapping, owners)) continue
      const someone = { organizationId, userId, now }
      const member = await findMember(tx, organizationId, userId)
      if (!member) continue
      const before = {
        roles: member.roles,
        groupIds: (await findGroupsWithout(tx, organizationId, userId)).map(({ groupId }) => groupId),
      }
      const after = placeAfter(before, mapping.mappings, groups)
      const isLast = leavesNoOwner(owners, userId, after.roles)
      const mask = isLast ? after.roles | roles.of('Owner') : after.roles
      if (mask !== member.roles) await changeRoles(tx, dependencies, someone, member, mask)
      await changeGroups(tx, dependencies, someone, before, after)
    }
  }
}

async function changeRoles(
  tx: Tx,
  { endTokensOf }: Dependencies,
  { organizationId, userId, now }: Someone,
  member: NonNullable<Awaited<ReturnType<typeof findMember>>>,
  after: number,
): Promise<void> {
  await saveRoles(tx, organizationId, userId, { roles: after, isAppointed: member.isAppointed })
  if (isOwner(member.roles) && !isOwner(after)) {
    await closeInvitationsOf(tx, organizationId, { userId, email: member.email }, now)
    await endTokensOf(tx, organizationId, userId, { userId, now })
  }
  const details = { userId, before: member.roles, after, isBySignIn: true }
  const event = { type: 'roles-changed', subject: member.fullName, details } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...event })
}

async function changeGroups(
  tx: Tx,
  { groupsLeft, effectsOn }: Dependencies,
  someone: Someone,
  before: MappedMembership,
  after: MappedMembership,
): Promise<void> {
  const { organizationId, userId } = someone
  for (const groupId of after.groupIds.filter((id) => !before.groupIds.includes(id))) {
    await joinGroup(tx, organizationId, groupId, userId)
    await noteGroup(tx, someone, groupId, 'joined')
  }
  const others = await findGroupsWithout(tx, organizationId, userId)
  for (const change of others.filter(({ groupId }) => !after.groupIds.includes(groupId))) {
    const { totalCount } = await effectsOn(tx, organizationId, [change], { skip: 0, take: 1 })
    if (totalCount > 0) continue
    await leaveGroup(tx, change.groupId, userId)
    await groupsLeft(tx, [change.groupId])
    await noteGroup(tx, someone, change.groupId, 'left')
  }
}

async function noteGroup(
  tx: Tx,
  { organizationId, userId, now }: Someone,
  groupId: string,
  change: 'joined' | 'left',
): Promise<void> {
  const group = await findGroup(tx, organizationId, groupId)
  const details = { groupId, userId, change, isBySignIn: true }
  const event = { type: 'group-changed', subject: group?.name ?? '', details } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...event })
}
