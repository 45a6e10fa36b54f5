/** Groups of people of the organisation. */
import { isUniqueViolation, type Db, type Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import {
  addGroup,
  getGroup,
  getGroups,
  previewGroup,
  removeGroup,
  saveGroup,
  type groupEffects,
} from '@kelisim/domain/portal/contract.ts'
import type { Serve } from '../http/serve.ts'
import type { ListOf, Page } from '../lists/page.ts'
import {
  addGroupRow,
  deleteGroup,
  findGroup,
  findGroups,
  type GroupRow,
  lockMembersAmong,
  renameGroup,
  setParticipants,
} from './group-queries.ts'
import { addEvent } from '../identity/core/queries.ts'

/** Called in the transaction in which people left these groups, for requests that waited for them. */
export type GroupsLeft = (tx: Tx, groupIds: readonly string[]) => Promise<void>

/** Called in the transaction that removes a group; refuses while requests are waiting for it. */
export type RefuseWhileAwaited = (tx: Tx, organizationId: string, groupId: string) => Promise<void>

export type GroupChange = { groupId: string; participants: readonly string[] }
type GroupEffect = { requestId: string; name: string | null; effect: (typeof groupEffects)[number] }

/** What would happen to requests if these became the participants of the groups. */
export type PreviewGroups = (
  db: Db,
  organizationId: string,
  changes: readonly GroupChange[],
  page: Page,
) => Promise<ListOf<GroupEffect> & { fingerprint: string }>

export type GroupDependencies = {
  groupsLeft: GroupsLeft
  refuseWhileAwaited: RefuseWhileAwaited
  effectsOn: PreviewGroups
}

export function groupHandlers(
  serve: Serve,
  { groupsLeft, refuseWhileAwaited, effectsOn }: GroupDependencies,
): void {
  serve(getGroups, async ({ input: { mine, ...filter }, who, db }) => {
    const { organizationId, roles } = who.member
    const found = await findGroups(db, organizationId, {
      ...filter,
      ...(mine && { participant: who.userId }),
    })
    return { totalCount: found.totalCount, items: found.items.map((row) => groupView(row, roles)) }
  })

  serve(getGroup, async ({ input: { groupId }, who, db }) => {
    const found = await findGroup(db, who.member.organizationId, groupId)
    return groupView(found ?? refuse('organization-group-not-found'), who.member.roles)
  })

  serve(addGroup, ({ input: { name, participants }, who, now, write }) => {
    const { organizationId, roles } = who.member
    return nameMustBeFree(
      write(async (tx) => {
        const groupId = newId(now.getTime())
        await addGroupRow(tx, { id: groupId, organizationId, name, createdAt: now })
        await fillGroup(tx, organizationId, groupId, participants)
        const event = { type: 'group-added', subject: name, details: { groupId, participants } } as const
        await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
        return groupView((await findGroup(tx, organizationId, groupId))!, roles)
      }),
    )
  })

  serve(previewGroup, async ({ input: { groupId, participants, skip, take }, who, db }) => {
    const { organizationId } = who.member
    if (!(await findGroup(db, organizationId, groupId))) refuse('organization-group-not-found')
    return effectsOn(db, organizationId, [{ groupId, participants }], { skip, take })
  })

  serve(saveGroup, ({ input, who, now, write }) => {
    const { groupId, name, participants, currentVersion, seenEffects } = input
    const { organizationId, roles } = who.member
    return nameMustBeFree(
      write(async (tx) => {
        const before =
          (await findGroup(tx, organizationId, groupId)) ?? refuse('organization-group-not-found')
        if (!(await renameGroup(tx, organizationId, groupId, currentVersion, name))) refuse('request-changed')
        const hasLost = before.participants.some(({ userId }) => !participants.includes(userId))
        if (hasLost || seenEffects !== undefined) {
          const { fingerprint, totalCount } = await effectsOn(
            tx,
            organizationId,
            [{ groupId, participants }],
            { skip: 0, take: 1 },
          )
          // A program that has not seen the effects must not complete or stop documents of others unawares.
          if (seenEffects === undefined && totalCount > 0) {
            refuse('group-effects-not-seen', { count: totalCount })
          }
          if (seenEffects !== undefined && fingerprint !== seenEffects) refuse('group-effects-changed')
        }
        await fillGroup(tx, organizationId, groupId, participants)
        if (hasLost) await groupsLeft(tx, [groupId])
        const event = { type: 'group-changed', subject: name, details: { groupId, participants } } as const
        await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
        return groupView((await findGroup(tx, organizationId, groupId))!, roles)
      }),
    )
  })

  serve(removeGroup, async ({ input: { groupId }, who, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      if (!(await findGroup(tx, organizationId, groupId))) refuse('organization-group-not-found')
      await refuseWhileAwaited(tx, organizationId, groupId)
      const name = (await deleteGroup(tx, organizationId, groupId)) ?? refuse('organization-group-not-found')
      await groupsLeft(tx, [groupId])
      const event = { type: 'group-removed', subject: name, details: { groupId } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
    })
    return {}
  })
}

async function fillGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
  participants: string[],
): Promise<void> {
  const wanted = [...new Set(participants)]
  const found = await lockMembersAmong(tx, organizationId, wanted)
  const missing = wanted.filter((userId) => !found.includes(userId))
  if (missing.length > 0) refuse('group-participants-not-found', { participants: missing })
  await setParticipants(tx, organizationId, groupId, wanted)
}

/** Two owners may choose the same name at the same moment, so the unique index decides instead of a prior check. */
async function nameMustBeFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'groups_name')) refuse('group-name-already-in-use')
    throw error
  }
}

function groupView(row: GroupRow, mine: number) {
  return { ...row, createdAt: row.createdAt.toISOString(), allowed: { edit: isOwner(mine) } }
}
