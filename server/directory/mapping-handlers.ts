/** Owners say what the groups of the sign-in service mean in their organisation. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { getGroupMapping, saveGroupMapping, usualClaim } from '@kelisim/domain/directory/mapping-contract.ts'
import { isInForce } from '@kelisim/domain/directory/mapping.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Serve } from '../http/serve.ts'
import type { EndGroupMapping } from '../identity/confirmation/handlers.ts'
import { findOwners } from '../identity/core/membership-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import { findGroupNames } from '../portal/group-queries.ts'
import {
  findGroupMapping,
  storeGroupMapping,
  switchOffGroupMapping,
  type StoredMapping,
} from './mapping-queries.ts'

const nothing: StoredMapping = { isOn: false, claim: usualClaim, mappings: [], savedBy: null }

/** `isOffered`: people sign in at a service that may report groups. */
export function mappingHandlers(serve: Serve, isOffered: boolean): void {
  const viewIn = async (db: Db, organizationId: string) => {
    const stored = (await findGroupMapping(db, organizationId)) ?? nothing
    const { isOn, claim, mappings } = stored
    return {
      isOn,
      claim,
      mappings,
      isOffered,
      isInForce: isInForce(stored, await findOwners(db, organizationId)),
      groups: await findGroupNames(db, organizationId),
    }
  }

  serve(getGroupMapping, ({ who, db }) => viewIn(db, who.member.organizationId))

  serve(saveGroupMapping, async ({ input, who, now, write }) => {
    if (!isOffered) refuse('group-mapping-not-offered')
    const { organizationId } = who.member
    const { isOn, claim, mappings } = input
    return write(async (tx) => {
      const own = new Set((await findGroupNames(tx, organizationId)).map(({ id }) => id))
      const isForeign = mappings.some(({ groupId }) => groupId !== null && !own.has(groupId))
      if (isForeign) refuse('group-not-in-organization')
      await storeGroupMapping(tx, organizationId, { isOn, claim, mappings, savedBy: who.userId })
      await noteMapping(tx, organizationId, { isOn, claim, mappings }, { userId: who.userId, now })
      return viewIn(tx, organizationId)
    })
  })
}

/** Switches off a mapping that was saved before the number was proved, so that it gives nobody a role afterwards. */
export const endGroupMapping: EndGroupMapping = async (tx, organizationId, by) => {
  const mapping = await findGroupMapping(tx, organizationId)
  if (!mapping?.isOn) return
  const { claim, mappings } = mapping
  await switchOffGroupMapping(tx, organizationId)
  await noteMapping(tx, organizationId, { isOn: false, claim, mappings }, by)
}

async function noteMapping(
  tx: Tx,
  organizationId: string,
  details: Omit<StoredMapping, 'savedBy'>,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const event = { type: 'options-changed', subject: 'groupMapping', details } as const
  await addEvent(tx, { organizationId, by: userId, at: now, ...event })
}
