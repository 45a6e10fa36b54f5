import type { Generated, JSONColumnType } from 'kysely'

type StoredPoint = {
  pointId: string
  order: number
  name: string
  type: number
  condition?: object | null
  termDays?: number | null
  escalation?: { kind: 'person' | 'group'; id: string; mayAct: boolean }
}

export type RouteTables = {
  routes: {
    id: string
    organizationId: string
    authorId: string
    kind: 'route' | 'template'
    name: string
    description: string
    scope: 'personal' | 'common'
    type: number
    pointsCount: number
    turnsCount: number
    templateId: string | null
    isActive: Generated<boolean>
    version: Generated<number>
    createdAt: Date
  }
  routePoints: {
    organizationId: string
    routeId: string
    pointId: string
    order: number
    place: number
    /** When the point is taken (domain/routes/condition.ts); null: always. */
    condition: JSONColumnType<object> | null
    /** How many working days the point's people have. */
    termDays: number | null
    /** Who is told when the days are over: a person, a group, or nobody. */
    escalationUserId: string | null
    escalationGroupId: string | null
    escalationActs: Generated<boolean>
  }
  routeVersions: {
    organizationId: string
    routeId: string
    version: number
    name: string
    description: string
    scope: 'personal' | 'common'
    isActive: boolean
    points: JSONColumnType<StoredPoint[]>
    savedBy: string
    savedAt: Date
  }
  routeCounts: {
    organizationId: string
    kind: 'route' | 'template'
    authorId: string
    scope: 'personal' | 'common'
    isActive: boolean
    count: number
  }
}
