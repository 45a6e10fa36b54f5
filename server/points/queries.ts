/** Points of organisations. */
import { sql } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import type { pointSorts } from '@kelisim/domain/points/contract.ts'
import { pointTypes, quickTypes, selectableTypes } from '@kelisim/domain/points/point-types.ts'
import type { KeyHolder } from '@kelisim/domain/points/key-holder.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import type { AgreementCondition, PointScope, SavedFields } from '@kelisim/domain/points/point.ts'
import { inOrderOf, isNamed, pageInOrder, pageOfFound, type ListQuery } from '../lists/page-queries.ts'

export type Participant = { userId: string; fullName: string }

export type PointRow = {
  id: string
  organizationId: string
  authorId: string
  authorName: string
  name: string
  description: string
  type: number
  scope: PointScope
  groupId: string | null
  groupName: string | null
  agreementCondition: AgreementCondition
  quorum: number | null
  isEdsPresentationRequired: boolean
  bin: string | null
  organizationName: string
  keyHolder: KeyHolder
  keyHolderIin: string | null
  signatureForm: SignatureForm
  ownBin: string
  ownName: string
  isActive: boolean
  version: number
  createdAt: Date
  emails: string[]
  responsiblePersons: Participant[]
  participants: Participant[]
}

/** An index range of points: of one author or of anybody, of one scope. */
export type Piece = { authorId: string | null; scope: PointScope }

export type PointFilter = {
  organizationId: string
  /** Together the pieces are what the viewer may see and asked for. */
  pieces: readonly Piece[]
  types: readonly number[]
  /** Leaves out this author. */
  exceptAuthor: string | null
  name: string
  bin: string | null
  isActive: boolean | null
  sort: (typeof pointSorts)[number]
  skip: number
  take: number
}

/** Details are fetched only for the rows of the page. */
export async function findPoints(
  db: Db,
  filter: PointFilter,
): Promise<{ items: PointRow[]; totalCount: number }> {
  if (filter.pieces.length === 0 || filter.types.length === 0) return { items: [], totalCount: 0 }
  const query = pointsQuery(filter)
  const { ids, totalCount } = isSearch(filter)
    ? await pageOfFound(db, query)
    : { ids: await pageInOrder(db, query), totalCount: await countListed(db, filter) }
  return { items: inOrderOf(ids, await findPointsAmong(db, ids)), totalCount }
}

/** Whether the filter needs counting; otherwise the count is stored. */
function isSearch({ name, bin, isActive }: PointFilter): boolean {
  return name !== '' || bin !== null || isActive !== null
}

async function countListed(db: Db, filter: PointFilter): Promise<number> {
  const { organizationId, pieces, types, exceptAuthor } = filter
  const { count } = await db
    .selectFrom('pointCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('organizationId', '=', organizationId)
    .where('type', 'in', types)
    .where((eb) =>
      eb.or(
        pieces.map(({ authorId, scope }) =>
          eb.and([eb('scope', '=', scope), ...(authorId === null ? [] : [eb('authorId', '=', authorId)])]),
        ),
      ),
    )
    .$if(exceptAuthor !== null, (query) => query.where('authorId', '<>', exceptAuthor))
    .executeTakeFirstOrThrow()
  return Math.min(count, countLimit + 1)
}

/** The query of a list; search uses it, too. */
export function pointsQuery(filter: PointFilter): ListQuery {
  const { organizationId, exceptAuthor, name, bin, isActive, types, sort, skip, take } = filter
  const chosen = types.filter((type) => selectable.includes(type))
  const chosenQuick = types.filter((type) => quick.includes(type))
  const isOfAllKinds = chosen.length === selectable.length
  const together = [
    ...(isOfAllKinds ? [] : [sql`type in (${sql.join(chosen)})`]),
    // Literals: the planner must see that this is the condition of the partial indexes.
    sql`type not in (${sql.join(quick.map((type) => sql.lit(type)))})`,
  ]
  const oneByOne = (kinds: readonly number[]) => kinds.map((type) => [sql`type = ${type}`])
  const pieces = filter.pieces.flatMap(({ authorId, scope }) => {
    const piece = [sql`scope = ${scope}`, ...(authorId === null ? [] : [sql`author_id = ${authorId}`])]
    // For some types of all authors, each type is an index range of its own.
    const isByKind = authorId === null && !isOfAllKinds && name === '' && bin === null
    const ofChosen = isByKind ? oneByOne(chosen) : chosen.length > 0 ? [together] : []
    return [...ofChosen, ...oneByOne(chosenQuick)].map((kinds) => [...piece, ...kinds])
  })
  const conditions = [
    sql`organization_id = ${organizationId}`,
    ...(exceptAuthor === null ? [] : [sql`author_id <> ${exceptAuthor}`]),
    ...(bin === null ? [] : [sql`bin = ${bin}`]),
    ...(isActive === null ? [] : [sql`is_active = ${isActive}`]),
    ...isNamed(name),
  ]
  return { table: 'points', conditions, pieces, sort, skip, take }
}

const selectable = selectableTypes.map((type) => pointTypes.of(type))
const quick = quickTypes.map((type) => pointTypes.of(type))

/** The points with these ids, of any organisation and in no particular order. */
export function findPointsAmong(db: Db, ids: string[]): Promise<PointRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return wholePoints(db).where('p.id', 'in', ids).modifyEnd(byKey).execute()
}

export function findPoint(db: Db, organizationId: string, pointId: string): Promise<PointRow | undefined> {
  return wholePoints(db)
    .where('p.organizationId', '=', organizationId)
    .where('p.id', '=', pointId)
    .executeTakeFirst()
}

function wholePoints(db: Db) {
  return db
    .selectFrom('points as p')
    .innerJoin('users as u', 'u.id', 'p.authorId')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .leftJoin('groups as g', 'g.id', 'p.groupId')
    .select(['p.id', 'p.organizationId', 'p.authorId', 'u.fullName as authorName', 'p.name', 'p.description'])
    .select(['p.type', 'p.scope', 'p.groupId', 'g.name as groupName', 'p.agreementCondition', 'p.quorum'])
    .select(['p.isEdsPresentationRequired', 'p.bin', 'p.organizationName', 'p.isActive', 'p.version'])
    .select(['p.keyHolder', 'p.keyHolderIin', 'p.signatureForm'])
    .select(['p.createdAt', 'o.bin as ownBin', 'o.shortName as ownName'])
    .select([
      sql<string[]>`coalesce((select jsonb_agg(e.email order by e.place)
        from point_emails e where e.point_id = p.id), '[]')`.as('emails'),
      sql<Participant[]>`coalesce((
        select jsonb_agg(jsonb_build_object('userId', w.id, 'fullName', w.full_name) order by w.full_name, w.id)
        from point_responsible_persons r join users w on w.id = r.user_id where r.point_id = p.id), '[]')`.as(
        'responsiblePersons',
      ),
      sql<Participant[]>`coalesce((
        select jsonb_agg(jsonb_build_object('userId', w.id, 'fullName', w.full_name) order by w.full_name, w.id)
        from group_participants t join users w on w.id = t.user_id where t.group_id = p.group_id), '[]')`.as(
        'participants',
      ),
    ])
}

/** The participants of a group; none of them can leave it before the transaction ends. */
export async function lockGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
): Promise<{ participants: string[] } | null> {
  const group = await tx
    .selectFrom('groups')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', groupId)
    .where('isAudience', '=', false)
    .forKeyShare()
    .executeTakeFirst()
  if (!group) return null
  const participants = await tx
    .selectFrom('groupParticipants')
    .select('userId')
    .where('groupId', '=', groupId)
    .orderBy('userId')
    .forKeyShare()
    .execute()
  return { participants: participants.map(({ userId }) => userId) }
}

type Saved = SavedFields & { name: string; description: string }

export async function addPointRow(
  tx: Tx,
  point: Saved & { id: string; organizationId: string; authorId: string; type: number; createdAt: Date },
): Promise<void> {
  const { emails: _emails, responsiblePersons: _persons, ...row } = point
  await tx.insertInto('points').values(row).execute()
  await addPeople(tx, point.id, point)
}

/** False if the version has changed. */
export async function savePointRow(
  tx: Tx,
  pointId: string,
  seen: number,
  point: Saved & { isActive: boolean },
): Promise<boolean> {
  const { emails: _emails, responsiblePersons: _persons, ...row } = point
  const saved = await tx
    .updateTable('points')
    .set({ ...row, version: seen + 1 })
    .where('id', '=', pointId)
    .where('version', '=', seen)
    .executeTakeFirst()
  if (saved.numUpdatedRows === 0n) return false
  await tx.deleteFrom('pointEmails').where('pointId', '=', pointId).execute()
  await tx.deleteFrom('pointResponsiblePersons').where('pointId', '=', pointId).execute()
  await addPeople(tx, pointId, point)
  return true
}

async function addPeople(
  tx: Tx,
  pointId: string,
  { emails, responsiblePersons, groupId }: SavedFields,
): Promise<void> {
  if (emails.length > 0) {
    const rows = emails.map((email, place) => ({ pointId, email, place }))
    await tx.insertInto('pointEmails').values(rows).execute()
  }
  if (groupId !== null && responsiblePersons.length > 0) {
    const rows = [...new Set(responsiblePersons)].map((userId) => ({ pointId, groupId, userId }))
    await tx.insertInto('pointResponsiblePersons').values(rows).execute()
  }
}

/** Fails while anything refers to the point. */
export async function deletePointRow(tx: Tx, pointId: string): Promise<void> {
  await tx.deleteFrom('points').where('id', '=', pointId).execute()
}
