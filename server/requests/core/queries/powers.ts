/** Powers of attorney, as the rules of signing need them. */
import { byKey, type Db } from '@kelisim/db/db.ts'
import type { Power } from '@kelisim/domain/powers-of-attorney/power.ts'

export type HeldPower = Power & { holderName: string; requestId: string }

/** The powers of attorney that this person holds, newest first, including those that have ended. */
export function findPowersOfHolder(db: Db, iin: string): Promise<HeldPower[]> {
  return db
    .selectFrom('powersOfAttorney')
    .select(['id', 'number', 'bin', 'holderIin', 'holderName', 'direction', 'counterparties'])
    .select(['validFrom', 'validUntil', 'revokedAt', 'requestId'])
    .where('holderIin', '=', iin)
    .orderBy('registeredAt', 'desc')
    .orderBy('id', 'desc')
    .modifyEnd(byKey)
    .execute()
}
