/** Loads a request in the form of the rules about recipients (domain/notifications/notices.ts). */
import type { Db } from '@kelisim/db/db.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { Person, NotifiedRequest, NotifiedPoint } from '@kelisim/domain/notifications/notices.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { pointStatusOf } from '@kelisim/domain/requests/status.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import { findMembersAmong, findSubstitutes } from './queries/people.ts'
import type { PointRow } from '../requests/core/queries/rows.ts'

export type NotificationContext = {
  request: NotifiedRequest
  /** The language of each recipient, by user. */
  languages: Map<string, Language>
}

/** Loads the context with only those people who are still members of the organisation they act for. */
export async function notificationContext(
  db: Db,
  { row, signing, terminating, request }: LoadedRequest,
  now: Date,
): Promise<NotificationContext> {
  const points = [...signing, ...terminating]
  const organizationIds = [row.organizationId, ...points.flatMap(({ actsForId }) => actsForId ?? [])]
  const wanted = [
    row.authorId,
    ...points.flatMap(({ participants, escalationPeople }) =>
      [...participants, ...escalationPeople].map(({ id }) => id),
    ),
  ]
  const absent = await findSubstitutes(db, organizationIds, wanted, now)
  const substituteIds = absent.map(({ substituteId }) => substituteId)
  const rows = await findMembersAmong(db, organizationIds, [...wanted, ...substituteIds])
  const members = rows.map(notifiedPerson)
  const memberOf = (organizationId: string | null, userId: string) =>
    members.find((one) => one.userId === userId && one.organizationId === organizationId)
  const notifiedPoint = (point: PointRow): NotifiedPoint => {
    const type = typeOf(point.type)!
    const ids = point.participants.map(({ id }) => id)
    const away = absent.filter(
      (one) => !point.isAudience && one.organizationId === point.actsForId && ids.includes(one.absentId),
    )
    return {
      pointId: point.pointId,
      type,
      status: pointStatusOf(point.status),
      wasReached: point.turnCameAt !== null,
      acted: point.acted,
      organizationId: point.actsForId,
      responsible: point.responsible,
      emails: point.emails,
      bin: sideOf(type) === 'external' && point.bin !== '' ? point.bin : null,
      escalation: {
        people: point.escalationPeople.flatMap(({ id }) => memberOf(point.actsForId, id) ?? []),
        mayAct: point.escalationActs,
        isTold: point.escalatedAt !== null,
      },
      people: ids.flatMap((id) => memberOf(point.actsForId, id) ?? []),
      substitutes: [...Map.groupBy(away, ({ substituteId }) => substituteId)].flatMap(([id, for_]) => {
        const person = memberOf(point.actsForId, id)
        return person ? [{ ...person, standsInFor: for_.map(({ absentId }) => absentId) }] : []
      }),
    }
  }
  return {
    languages: new Map(rows.map(({ userId, language }) => [userId, language])),
    request: {
      organizationId: row.organizationId,
      authorId: row.authorId,
      status: request.status,
      author: memberOf(row.organizationId, row.authorId) ?? null,
      points: signing.map(notifiedPoint),
      terminating: terminating.map(notifiedPoint),
    },
  }
}

/** A member as somebody who may be notified; e-mails go to confirmed addresses only. */
export function notifiedPerson(member: Awaited<ReturnType<typeof findMembersAmong>>[number]): Person {
  return {
    userId: member.userId,
    organizationId: member.organizationId,
    isOwner: isOwner(member.roles),
    email: member.isEmailConfirmed && member.email !== '' ? member.email : null,
  }
}
