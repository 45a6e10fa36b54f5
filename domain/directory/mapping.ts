/** The groups that the sign-in service tells at sign-in, and their meaning in an organisation. */
import { roles } from '../identity/roles.ts'

/** The roles that a group can mean; without Employee, which every member has anyway. */
export const mappedRoles = ['Owner', 'PointsAdministrator', 'SignaturePointsRoutesAdministrator'] as const
export type MappedRole = (typeof mappedRoles)[number]

/** Maps a group of the sign-in service to a group of the organisation, or to a role. */
export type Mapping = { providerGroup: string; groupId: string | null; role: MappedRole | null }

/** The person who saved a mapping is responsible for it: it has no effect once they are no longer an owner. */
export function isInForce(
  { isOn, savedBy }: { isOn: boolean; savedBy: string | null },
  owners: readonly string[],
): boolean {
  return isOn && savedBy !== null && owners.includes(savedBy)
}

export type MappedMembership = { roles: number; groupIds: readonly string[] }

const mostGroups = 1000
const longestName = 250

/**
 * The names of groups in a claim. Null: the service says nothing about groups, for example because a person has more
 * of them than fit into a token; nothing is changed then.
 */
export function groupsIn(claim: unknown): string[] | null {
  const list = typeof claim === 'string' ? [claim] : claim
  if (!Array.isArray(list)) return null
  return list
    .filter((name): name is string => typeof name === 'string' && name.length <= longestName)
    .slice(0, mostGroups)
}

/**
 * The groups and roles of a person after a sign-in. Only groups and roles that a mapping names are given and taken;
 * everything else stays as people have set it here. Names are compared exactly: two groups may differ only by case.
 */
export function placeAfter(
  place: MappedMembership,
  mappings: readonly Mapping[],
  told: readonly string[],
): MappedMembership {
  const meant = mappings.filter(({ providerGroup }) => told.includes(providerGroup))
  const wanted = new Set(meant.flatMap(({ groupId }) => groupId ?? []))
  const managed = new Set(mappings.flatMap(({ groupId }) => groupId ?? []))
  const given = maskOf(meant)
  return {
    roles: (place.roles & ~maskOf(mappings)) | given | roles.of('Employee'),
    groupIds: [...place.groupIds.filter((id) => !managed.has(id)), ...wanted],
  }
}

function maskOf(mappings: readonly Mapping[]): number {
  return mappings.reduce((mask, { role }) => (role === null ? mask : mask | roles.of(role)), 0)
}
