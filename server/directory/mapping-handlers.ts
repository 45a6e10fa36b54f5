/** Owners say what the groups of the sign-in service mean in their organisation. */
import type { Db } from '@kelisim/db/db.ts'
import { getGroupMapping, saveGroupMapping, usualClaim } from '@kelisim/domain/directory/mapping-contract.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Serve } from '../http/serve.ts'
import { addEvent } from '../identity/core/queries.ts'
import { findGroupNames } from '../portal/group-queries.ts'
import { findGroupMapping, storeGroupMapping, type StoredMapping } from './mapping-queries.ts'

const nothing: StoredMapping = { isOn: false, claim: usualClaim, mappings: [] }

/** `isOffered`: people sign in at a service that may tell groups. */
export function mappingHandlers(serve: Serve, isOffered: boolean): void {
  const viewIn = async (db: Db, organizationId: string) => ({
    ...((await findGroupMapping(db, organizationId)) ?? nothing),
    isOffered,
    groups: await findGroupNames(db, organizationId),
  })

  serve(getGroupMapping, ({ who, db }) => viewIn(db, who.member.organizationId))

  serve(saveGroupMapping, async ({ input, who, now, write }) => {
    if (!isOffered) refuse('group-mapping-not-offered')
    const { organizationId } = who.member
    const { isOn, claim, mappings } = input
    return write(async (tx) => {
      const own = new Set((await findGroupNames(tx, organizationId)).map(({ id }) => id))
      const isForeign = mappings.some(({ groupId }) => groupId !== null && !own.has(groupId))
      if (isForeign) refuse('group-not-in-organization')
      await storeGroupMapping(tx, organizationId, { isOn, claim, mappings })
      const details = { isOn, claim, mappings }
      const event = { type: 'options-changed', subject: 'groupMapping', details } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return viewIn(tx, organizationId)
    })
  })
}
