/** The details an organisation publishes about itself. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'

export type CardFields = {
  shortName: string
  fullName: string
  address: string
  phone: string
  email: string
}

export type CardRow = CardFields & {
  id: string
  bin: string
  isIndividual: boolean
  confirmedAt: Date | null
  createdAt: Date
  membersCount: number
  groupsCount: number
  currentVersion: number
}

export function findCard(db: Db, organizationId: string): Promise<CardRow> {
  return db
    .selectFrom('organizations as o')
    .select([
      'o.id',
      'o.bin',
      'o.isIndividual',
      'o.shortName',
      'o.fullName',
      'o.address',
      'o.phone',
      'o.email',
    ])
    .select(['o.confirmedAt', 'o.createdAt', 'o.version as currentVersion'])
    .select([
      sql<number>`(select count(*) from memberships m where m.organization_id = o.id)`.as('membersCount'),
      sql<number>`(select count(*) from groups g where g.organization_id = o.id and not g.is_audience)`.as(
        'groupsCount',
      ),
    ])
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow()
}
