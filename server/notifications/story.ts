/** A request between the database and the rule of who is told (domain/notifications/notices.ts). */
import type { Db } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { Person, Story, StoryPoint } from '@kelisim/domain/notifications/notices.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { pointStatusOf } from '@kelisim/domain/requests/status.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { Loaded } from '../requests/core/loaded.ts'
import type { PointRow } from '../requests/core/queries/rows.ts'

export type Told = {
  story: Story
  /** In which language each of them is written to. */
  languages: Map<string, Language>
}

/** With whoever of the people concerned still belongs to the organisation that they act for. */
export async function storyOf(
  db: Db,
  { row, signing, terminating, request }: Loaded,
  now: Date,
): Promise<Told> {
  const points = [...signing, ...terminating]
  const organizationIds = [row.organizationId, ...points.flatMap(({ actsForId }) => actsForId ?? [])]
  const wanted = [row.authorId, ...points.flatMap(({ participants }) => participants.map(({ id }) => id))]
  const absent = await findStandIns(db, organizationIds, wanted, now)
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.organizationId', 'm.userId', 'm.roles', 'u.email', 'u.isEmailConfirmed', 'u.language'])
    .where('m.organizationId', 'in', organizationIds)
    .where('m.userId', 'in', [...wanted, ...absent.map(({ substituteId }) => substituteId)])
    .execute()
  const members = rows.map((member): Person => ({
    userId: member.userId,
    organizationId: member.organizationId,
    isOwner: isOwner(member.roles),
    email: member.isEmailConfirmed && member.email !== '' ? member.email : null,
  }))
  const memberOf = (organizationId: string | null, userId: string) =>
    members.find((one) => one.userId === userId && one.organizationId === organizationId)
  const storyPoint = (point: PointRow): StoryPoint => {
    const type = typeOf(point.type)!
    const ids = point.participants.map(({ id }) => id)
    const away = absent.filter((one) => one.organizationId === point.actsForId && ids.includes(one.absentId))
    return {
      pointId: point.pointId,
      type,
      status: pointStatusOf(point.status),
      acted: point.acted,
      organizationId: point.actsForId,
      responsible: point.responsible,
      emails: point.emails,
      bin: sideOf(type) === 'external' && point.bin !== '' ? point.bin : null,
      people: ids.flatMap((id) => memberOf(point.actsForId, id) ?? []),
      standIns: [...Map.groupBy(away, ({ substituteId }) => substituteId)].flatMap(([id, for_]) => {
        const person = memberOf(point.actsForId, id)
        return person ? [{ ...person, standsInFor: for_.map(({ absentId }) => absentId) }] : []
      }),
    }
  }
  return {
    languages: new Map(rows.map(({ userId, language }) => [userId, language])),
    story: {
      organizationId: row.organizationId,
      authorId: row.authorId,
      status: request.status,
      author: memberOf(row.organizationId, row.authorId) ?? null,
      points: signing.map(storyPoint),
      terminating: terminating.map(storyPoint),
    },
  }
}

/** Who acts today instead of one of these people. */
function findStandIns(db: Db, organizationIds: readonly string[], absentIds: readonly string[], now: Date) {
  const today = dateInAlmaty(now)
  return db
    .selectFrom('substitutions')
    .select(['organizationId', 'absentId', 'substituteId'])
    .where('organizationId', 'in', organizationIds)
    .where('absentId', 'in', absentIds)
    .where('endedAt', 'is', null)
    .where('fromDate', '<=', today)
    .where('toDate', '>=', today)
    .execute()
}
