/** Who is asked to acknowledge a document (docs/product/campaigns.md). */

/** As many people as one printed sheet has room for. */
export const mostPeople = 900

export type Audience = {
  isEverybody: boolean
  groupIds: readonly string[]
  userIds: readonly string[]
}

export type AudienceMember = {
  userId: string
  fullName: string
  groups: readonly { id: string; name: string }[]
}

/** Each person once, however many of their groups were chosen. */
export function chosenPeople(
  { isEverybody, groupIds, userIds }: Audience,
  members: readonly AudienceMember[],
): AudienceMember[] {
  const groups = new Set(groupIds)
  const people = new Set(userIds)
  return members.filter(
    (member) => isEverybody || people.has(member.userId) || member.groups.some(({ id }) => groups.has(id)),
  )
}
