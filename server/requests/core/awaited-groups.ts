/**
 * What a change of a group does to the requests that wait for it. Deleting a group would leave documents waiting for
 * nobody. Sending and deleting a group both lock points first and then their groups, so that each sees what the other
 * did.
 */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Use } from '@kelisim/domain/uses/contract.ts'
import {
  findGroupEffects,
  findRequestsAwaitingGroup,
  lockGroupWithPoints,
  type GroupEffects,
} from './queries/groups.ts'

const mostListed = 5

/** Refuses while somebody of the group is asked, or will be. The caller is an owner of the organisation. */
async function refuseWhileAwaited(tx: Tx, organizationId: string, groupId: string): Promise<void> {
  await lockGroupWithPoints(tx, groupId)
  const requests = await findRequestsAwaitingGroup(tx, { organizationId, groupId, limit: mostListed })
  const [first] = requests
  if (!first) return
  const uses = requests.flatMap(({ id, name, status }): Use[] =>
    name === null ? [] : [{ kind: 'request', id, name, status }],
  )
  refuse('group-is-awaited', { uses, more: first.count - uses.length })
}

/** What happens if these people become the participants of the groups, and a fingerprint of all of it. */
async function effectsOn(
  db: Db,
  organizationId: string,
  changes: readonly { groupId: string; participants: readonly string[] }[],
  page: { skip: number; take: number },
): Promise<Omit<GroupEffects, 'all'> & { fingerprint: string }> {
  const { totalCount, items, all } = await findGroupEffects(db, organizationId, changes, page)
  return { totalCount, items, fingerprint: createHash('sha256').update(all).digest('hex') }
}

/** What the portal asks about the groups that requests wait for. */
export const groupsInRequests = { refuseWhileAwaited, effectsOn }
