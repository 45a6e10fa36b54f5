/** SQL of the mappings from groups of the sign-in service to roles and groups of organisations. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Mapping } from '@kelisim/domain/directory/mapping.ts'

/** `savedBy` is null if it is not known who saved the mapping, or if the mapping is empty. */
export type StoredMapping = { isOn: boolean; claim: string; mappings: Mapping[]; savedBy: string | null }

export async function findGroupMapping(db: Db, organizationId: string): Promise<StoredMapping | undefined> {
  const found = await db
    .selectFrom('groupMappings')
    .select(['isOn', 'claim'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!found) return undefined
  const rows = await db
    .selectFrom('groupMappingRows')
    .select(['providerGroup', 'groupId', 'role', 'savedBy'])
    .where('organizationId', '=', organizationId)
    .orderBy('position')
    .execute()
  const mappings = rows.map(({ savedBy: _, ...mapping }) => mapping)
  return { ...found, mappings, savedBy: rows[0]?.savedBy ?? null }
}

export async function storeGroupMapping(
  tx: Tx,
  organizationId: string,
  { isOn, claim, mappings, savedBy }: StoredMapping,
): Promise<void> {
  await tx
    .insertInto('groupMappings')
    .values({ organizationId, isOn, claim })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ isOn, claim }))
    .execute()
  await tx.deleteFrom('groupMappingRows').where('organizationId', '=', organizationId).execute()
  if (mappings.length === 0) return
  await tx
    .insertInto('groupMappingRows')
    .values(mappings.map((mapping, position) => ({ organizationId, position, savedBy, ...mapping })))
    .execute()
}

export async function switchOffGroupMapping(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .updateTable('groupMappings')
    .set({ isOn: false })
    .where('organizationId', '=', organizationId)
    .execute()
}

/**
 * The person's organisations with a mapping that is on, always in the same order, because they are locked one by one.
 */
export async function findMappedOrganizations(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('groupMappings as g', 'g.organizationId', 'm.organizationId')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select('m.organizationId')
    .where('m.userId', '=', userId)
    .where('g.isOn', '=', true)
    .where('o.livesAt', 'is', null)
    .orderBy('m.organizationId')
    .execute()
  return rows.map(({ organizationId }) => organizationId)
}
