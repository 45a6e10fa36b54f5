/**
 * Places of seals are checked on the document itself: a seal on a page that does not exist could never be shown
 * (decision 089).
 */
import { refuse } from '@kelisim/domain/errors.ts'
import { whyNotPages, type SealPlace } from '@kelisim/domain/requests/places/place.ts'
import type { DocumentRow } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Claimant } from '../../workers/turns.ts'
import type { Sender } from './sender.ts'

/** Counts the pages of a PDF that can be printed. */
export type CountPages = (path: string, claimant: Claimant) => Promise<number>

export async function refusePlacesBeyond(
  { storage, countPages }: { storage: Storage; countPages: CountPages },
  sender: Sender,
  document: DocumentRow,
  places: readonly SealPlace[],
): Promise<void> {
  // Most documents have none, and their pages need not be counted.
  if (places.length === 0) return
  const fault = whyNotPages(places, document.format === 'pdf' ? await pagesOf() : null)
  if (fault) refuse(fault.alias, fault.parameters)

  async function pagesOf(): Promise<number> {
    const { fileId: id, organizationId, sha256, size } = document
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
    try {
      return await countPages(borrowed.path, { organization: sender.organizationId, person: sender.userId })
    } finally {
      await borrowed.release()
    }
  }
}
