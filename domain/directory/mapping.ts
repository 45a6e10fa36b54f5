/** Groups that the sign-in service tells at a sign-in, and what they mean in an organisation. */
import { roles } from '../identity/roles.ts'

/** Everybody here is an employee anyway. */
export const mappedRoles = ['Owner', 'PointsAdministrator', 'SignaturePointsRoutesAdministrator'] as const
export type MappedRole = (typeof mappedRoles)[number]

/** A group of the service leads to a group of ours, or to a role. */
export type Mapping = { providerGroup: string; groupId: string | null; role: MappedRole | null }

/** Whoever saved a mapping answers for it: it moves nobody once they are an owner no more. */
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
 * The names in a claim; null: the service says nothing about groups, as it does where somebody has more of them than a token
 * holds. Then nothing is changed.
 */
export function groupsIn(claim: unknown): string[] | null {
  const list = typeof claim === 'string' ? [claim] : claim
  if (!Array.isArray(list)) return null
  return list
    .filter((name): name is string => typeof name === 'string' && name.length <= longestName)
    .slice(0, mostGroups)
}

/**
 * Where somebody belongs by what the service tells. Only groups and roles that are named in a mapping are given and taken;
 * everything else stays as people have made it here. Names are compared exactly: two groups may differ by case alone.
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
