/**
 * The storage quota of an organisation. Files that come at the same moment may exceed it together; the next one is
 * refused.
 */
import type { Database } from '@kelisim/db/db.ts'
import { refuseOverQuota } from '@kelisim/domain/documents/storage-quota.ts'
import { countBytes } from './queries.ts'

export type StorageQuota = (organizationId: string, moreBytes: number) => Promise<void>

/** `quotaBytes` undefined: there is no quota, and nothing is queried. */
export function openStorageQuota({ db }: Database, quotaBytes: number | undefined): StorageQuota {
  if (quotaBytes === undefined) return async () => {}
  return async (organizationId, moreBytes) =>
    refuseOverQuota(await countBytes(db, organizationId), moreBytes, quotaBytes)
}
