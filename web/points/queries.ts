import { roles } from '@kelisim/domain/identity/roles.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import { defaultPointSort, getPoint, getPoints, pointSorts } from '@kelisim/domain/points/contract.ts'
import { maskOf, selectableMask } from '@kelisim/domain/points/point-types.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

/** The filter by which the server selects each list. */
const lists = {
  my: { ownScope: listOwners.members.My },
  public: { visibilityScope: visibilityScopes.members.Public },
  organization: { userRole: roles.members.Owner },
  internal: { pointType: maskOf('internal') & selectableMask },
  external: { pointType: maskOf('external') & selectableMask },
  counterParty: { pointType: maskOf('counterParty') & selectableMask },
} as const

export type PointsPath = keyof typeof lists

const paths = Object.keys(lists) as PointsPath[]

export function pointsPathOf(part: string | undefined): PointsPath | undefined {
  return paths.find((path) => path.toLowerCase() === part?.toLowerCase())
}

export function pointsQuery(
  organizationId: string,
  path: PointsPath,
  { skip, take, name, sort: wanted }: ListPosition,
) {
  return query(getPoints, {
    organizationId,
    enrichCreatorAndParticipants: 'true',
    skip,
    take,
    sort: pointSorts.find((one) => one === wanted) ?? defaultPointSort,
    ...lists[path],
    ...(name && { name }),
  })
}

export function pointQuery(organizationId: string, pointId: string) {
  return query(getPoint, { organizationId, pointId })
}
