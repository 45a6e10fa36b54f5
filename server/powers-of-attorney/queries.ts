/** The register of powers of attorney. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { fullySignedStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'

export type PowerRow = Selectable<Schema['powersOfAttorney']> & { registeredByName: string }

type Search = Page & { name?: string | undefined }

function powers(db: Db) {
  return db
    .selectFrom('powersOfAttorney as p')
    .innerJoin('users as u', 'u.id', 'p.registeredBy')
    .selectAll('p')
    .select('u.fullName as registeredByName')
}

export async function findPowers(
  db: Db,
  organizationId: string,
  { name = '', skip, take }: Search,
): Promise<ListOf<PowerRow>> {
  const pattern = containing(name)
  const isNamed = sql<boolean>`${name === ''} or lower(p.holder_name) like lower(${pattern})
    or lower(p.number) like lower(${pattern}) or p.holder_iin like ${pattern}`
  const items = await powers(db)
    .where('p.organizationId', '=', organizationId)
    .where(sql<boolean>`(${isNamed})`)
    .orderBy('p.registeredAt', 'desc')
    .orderBy('p.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('powersOfAttorney as p')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('p.organizationId', '=', organizationId)
    .where(sql<boolean>`(${isNamed})`)
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export function findPower(db: Db, organizationId: string, id: string): Promise<PowerRow | undefined> {
  return powers(db).where('p.organizationId', '=', organizationId).where('p.id', '=', id).executeTakeFirst()
}

export async function addPowerRow(tx: Tx, row: Insertable<Schema['powersOfAttorney']>): Promise<void> {
  await tx.insertInto('powersOfAttorney').values(row).execute()
}

/** False if it was revoked before. */
export async function revokePowerRow(
  tx: Tx,
  id: string,
  revoked: { revokedBy: string; revokedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('powersOfAttorney')
    .set(revoked)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const signed = statusNumbers(fullySignedStatuses)

/** The condition that signature `s` is accepted and was made with a key of the organisation. */
function isByOwnKey(bin: string) {
  return sql<boolean>`s.state = 'accepted' and s.attempt = 0 and s.owner ->> 'bin' = ${bin}`
}

/** The latest requests of the organisation that its own key has signed. */
export async function findSignedRequests(
  db: Db,
  { organizationId, bin }: { organizationId: string; bin: string },
  { name = '', skip, take }: Search,
): Promise<ListOf<{ signingRequestId: string; name: string; fileName: string; signedAt: Date }>> {
  const found = db
    .selectFrom('signingRequests as r')
    .where('r.organizationId', '=', organizationId)
    .where('r.status', 'in', signed)
    .$if(name !== '', (query) => query.where(sql<boolean>`lower(r.name) like lower(${containing(name)})`))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('requestSignatures as s')
          .select('s.id')
          .whereRef('s.requestId', '=', 'r.id')
          .whereRef('s.revision', '=', 'r.revision')
          .where(isByOwnKey(bin)),
      ),
    )
  const items = await found
    .select(['r.id as signingRequestId', 'r.name', 'r.fileName', 'r.statusChangedAt as signedAt'])
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const counted = found
    .select('r.id')
    .limit(foundCountLimit + 1)
    .as('counted')
  const { count } = await db
    .selectFrom(counted)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

/**
 * The signatures made with keys of the organisation in this request; none if it is not finished. Left out are
 * signatures whose certificate had been revoked before, as the re-check a day later found.
 */
export function findOwnSignatures(
  db: Db,
  { organizationId, bin, requestId }: { organizationId: string; bin: string; requestId: string },
) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('signingRequests as r', 'r.id', 's.requestId')
    .select(['r.fileName', 's.receivedAt', 's.evidence'])
    .where('r.id', '=', requestId)
    .where('r.organizationId', '=', organizationId)
    .where('r.status', 'in', signed)
    .where(isByOwnKey(bin))
    .whereRef('s.revision', '=', 'r.revision')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('signatureRechecks as c')
            .select('c.signatureId')
            .whereRef('c.signatureId', '=', 's.id')
            .where('c.outcome', '=', 'revoked-before'),
        ),
      ),
    )
    .orderBy('s.receivedAt')
    .execute()
}

export async function isRequestOf(db: Db, organizationId: string, requestId: string): Promise<boolean> {
  const found = await db
    .selectFrom('signingRequests')
    .select('id')
    .where('id', '=', requestId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return found !== undefined
}
