/** Accepted signatures with an archive timestamp inside. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { beginsAsXml, isOverNewest } from '../../requests/core/queries/signatures.ts'

/**
 * An accepted signature beside its document, with the file that it signs; a signature inside a PDF gets its
 * timestamps there.
 */
export function findSignedFile(db: Db, requestId: string, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .select(['s.pointId', 's.actorId', 'f.id', 'f.organizationId', 'f.sha256', 'f.size', 'f.destroyedAt'])
    .where('s.requestId', '=', requestId)
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'accepted')
    .where('s.gapFrom', 'is', null)
    .where((eb) => eb.not(beginsAsXml))
    .where(isOverNewest('s'))
    .executeTakeFirst()
}

export type LongTermSignature = NonNullable<Awaited<ReturnType<typeof findLongTerm>>>

/** The newest archive timestamp of the signature. */
export function findLongTerm(db: Db, signatureId: string) {
  return db
    .selectFrom('longTermSignatures')
    .select(['number', 'cms', 'time', 'endsAt'])
    .where('signatureId', '=', signatureId)
    .orderBy('number', 'desc')
    .executeTakeFirst()
}

/** If two ask at once, the first row stays. */
export async function addLongTerm(tx: Tx, row: Insertable<Schema['longTermSignatures']>): Promise<void> {
  await tx
    .insertInto('longTermSignatures')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
