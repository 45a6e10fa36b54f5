/**
 * Groups by SCIM are the groups of the Administrative Portal, changed by its calls: a group for which requests wait is not
 * removed, and nobody is taken out of one if documents of others would go on or stop by that. Somebody who is only invited
 * joins the group together with the organisation.
 */
import {
  addScimGroup,
  changeScimGroup,
  deleteScimGroup,
  findScimGroups,
  getScimGroup,
  replaceScimGroup,
} from '@kelisim/domain/directory/contract.ts'
import { changedGroup, groupOf, type DirectoryGroup } from '@kelisim/domain/directory/people.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { Id } from '@kelisim/domain/fields.ts'
import { addGroup, removeGroup, saveGroup } from '@kelisim/domain/portal/contract.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Call, Serve } from '../http/serve.ts'
import {
  conditionOnGroups,
  findDirectoryGroup,
  findDirectoryGroups,
  findPeopleAmong,
  linkJoined,
  saveExternalId,
  setInvitedTo,
  type DirectoryGroupRow,
  type PersonRow,
} from './queries.ts'
import { comparisonsOf, groupView, isActive, listOf, windowOf } from './views.ts'

type ProgramCall = Call<'program', unknown>

export function groupCalls(serve: Serve, same: SameHandlers, publicUrl: URL): void {
  serve(findScimGroups, async (call) => {
    const { organizationId } = call.who.member
    const { filter, excludedAttributes } = call.input
    const window = windowOf(call.input)
    const condition = conditionOnGroups(comparisonsOf(filter)) ?? refuse('directory-filter-not-understood')
    await call.write((tx) => linkJoined(tx, organizationId))
    const { rows, total } = await findDirectoryGroups(call.db, organizationId, condition, window)
    return listOf(
      rows.map((row) => groupView(row, publicUrl, excludedAttributes)),
      total,
      window,
    )
  })

  serve(getScimGroup, async (call) => {
    const { groupId, excludedAttributes } = call.input
    return groupView(await mustFind(call, groupId), publicUrl, excludedAttributes)
  })

  serve(addScimGroup, async (call) => {
    const { organizationId } = call.who.member
    await call.write((tx) => linkJoined(tx, organizationId))
    const wanted = groupOf(call.input)
    const people = await peopleAmong(call, wanted.members)
    const group = await same.run(addGroup, call, {
      organizationId,
      name: wanted.displayName,
      participants: membersAmong(people),
    })
    await saveBeside(call, group.id, wanted, { wanted: invitedAmong(people), leaving: [] })
    return groupView(await mustFind(call, group.id), publicUrl)
  })

  serve(replaceScimGroup, async (call) => {
    const before = await mustFind(call, call.input.groupId)
    await apply(call, same, before, groupOf(call.input))
    return groupView(await mustFind(call, before.id), publicUrl)
  })

  serve(changeScimGroup, async (call) => {
    const { groupId, Operations } = call.input
    await withoutCollision(async () => {
      const before = await mustFind(call, groupId)
      const after = changedGroup(asTold(before), Operations) ?? refuse('directory-change-not-understood')
      await apply(call, same, before, after)
    })
    return groupView(await mustFind(call, groupId), publicUrl)
  })

  serve(deleteScimGroup, async (call) => {
    const { id: groupId } = await mustFind(call, call.input.groupId)
    await same.run(removeGroup, call, { organizationId: call.who.member.organizationId, groupId })
    return {}
  })
}

const mostAttempts = 5

/** A directory adds people by concurrent calls: a call that finds the group changed meanwhile is retried. */
async function withoutCollision(work: () => Promise<void>, attempt = 1): Promise<void> {
  try {
    await work()
  } catch (refusal) {
    const isOvertaken = refusal instanceof Refusal && refusal.alias === 'request-changed'
    if (!isOvertaken || attempt === mostAttempts) throw refusal
    await withoutCollision(work, attempt + 1)
  }
}

async function mustFind(call: ProgramCall, id: string): Promise<DirectoryGroupRow> {
  const { organizationId } = call.who.member
  await call.write((tx) => linkJoined(tx, organizationId))
  return (await findDirectoryGroup(call.db, organizationId, id)) ?? refuse('organization-group-not-found')
}

function asTold({ name, externalId, members }: DirectoryGroupRow): DirectoryGroup {
  return { displayName: name, externalId, members: members.map(({ value }) => value) }
}

async function apply(
  call: ProgramCall,
  same: SameHandlers,
  before: DirectoryGroupRow,
  after: DirectoryGroup,
): Promise<void> {
  const { organizationId } = call.who.member
  const people = await peopleAmong(call, after.members)
  const gone = before.members.map(({ value }) => value).filter((id) => !after.members.includes(id))
  const left = await findPeopleAmong(call.db, organizationId, gone, call.now)
  const isChanged =
    before.name !== after.displayName ||
    membersAmong(left).length > 0 ||
    people.some(({ id, memberId }) => memberId !== null && !before.members.some(({ value }) => value === id))
  if (isChanged)
    await same.run(saveGroup, call, {
      organizationId,
      groupId: before.id,
      name: after.displayName,
      participants: membersAmong(people),
      currentVersion: before.currentVersion,
    })
  await saveBeside(call, before.id, after, { wanted: invitedAmong(people), leaving: invitedAmong(left) })
}

/** Each named person must be a member or invited; people of other organisations count as missing. */
async function peopleAmong(call: ProgramCall, ids: readonly string[]): Promise<PersonRow[]> {
  const known = ids.filter((id) => Id.safeParse(id).success)
  const found = await findPeopleAmong(call.db, call.who.member.organizationId, known, call.now)
  const active = found.filter(isActive)
  const missing = ids.filter((id) => !active.some((person) => person.id === id))
  if (missing.length > 0) refuse('group-participants-not-found', { participants: missing.slice(0, 20) })
  return active
}

function membersAmong(people: readonly PersonRow[]): string[] {
  return people.flatMap(({ memberId }) => memberId ?? [])
}

function invitedAmong(people: readonly PersonRow[]): string[] {
  return people.flatMap(({ invitationId }) => invitationId ?? [])
}

async function saveBeside(
  { write }: ProgramCall,
  groupId: string,
  { externalId }: DirectoryGroup,
  invited: { wanted: readonly string[]; leaving: readonly string[] },
): Promise<void> {
  await write(async (tx) => {
    await saveExternalId(tx, groupId, externalId)
    await setInvitedTo(tx, groupId, invited)
  })
}
