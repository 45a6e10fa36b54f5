import type { Db } from '@kelisim/db/db.ts'
import { visibleRequest, type Party } from './party.ts'
import { requestView } from './views.ts'

/** A request as it is now, for a caller who may see it; others are refused. */
export async function visibleRequestView(db: Db, requestId: string, party: Party, now: Date) {
  return requestView(db, await visibleRequest(db, requestId, party), party, now)
}
