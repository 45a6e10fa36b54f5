/** The group of somebody who is alone in an organisation: made when they first need one. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { isAlone, nameOfOwnGroup } from '@kelisim/domain/requests/sending/quick.ts'
import { findMember, lockOrganization, findFirstMembers } from '../identity/core/membership-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import { addGroupRow, findGroupNames, findGroupOfOne, setParticipants } from './group-queries.ts'

/** Undefined: the person has colleagues, so somebody has to decide who signs. */
export async function ownGroup(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
  now: Date,
): Promise<string | undefined> {
  // Locked, so that concurrent calls make only one group, and nobody joins meanwhile.
  await lockOrganization(tx, organizationId)
  if (!isAlone(await findFirstMembers(tx, organizationId, 2), userId)) return undefined
  const existing = await findGroupOfOne(tx, organizationId, userId)
  if (existing !== undefined) return existing
  const { fullName } = (await findMember(tx, organizationId, userId))!
  const name = nameOfOwnGroup(
    fullName,
    (await findGroupNames(tx, organizationId)).map((group) => group.name),
  )
  const groupId = newId(now.getTime())
  await addGroupRow(tx, { id: groupId, organizationId, name, createdAt: now })
  await setParticipants(tx, organizationId, groupId, [userId])
  const event = { type: 'group-added', subject: name, details: { groupId, participants: [userId] } } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...event })
  return groupId
}
