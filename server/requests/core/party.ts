/** Who stands before a request: in the name of an organisation, or for nobody but themselves. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { KeptActor } from '@kelisim/db/schema/requests.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { maySee, type Viewer } from '@kelisim/domain/requests/permissions.ts'
import type { Member, Outsider } from '../../http/session.ts'
import { absentOf } from '../../substitutions/queries.ts'
import { findRequest, lockedRequest } from './state.ts'
import type { Tx } from '@kelisim/db/db.ts'
import type { Loaded } from './loaded.ts'

export type Party = {
  viewer: Viewer
  /** As they are written down. */
  actor: KeptActor
}

/** All that counts of who calls: the session it is said in does not. */
export type Speaker =
  | Pick<Outsider, 'outsiderId' | 'iin' | 'bin' | 'fullName'>
  | { userId: string; member: Pick<Member, 'organizationId' | 'roles'> | null }

export async function partyOf(db: Db, who: Speaker, now: Date): Promise<Party> {
  if ('outsiderId' in who) {
    const { outsiderId: id, iin, bin, fullName } = who
    const numbers = bin === null ? [iin] : [iin, bin]
    return {
      viewer: { id, numbers, organizationId: null, isOwner: false },
      actor: { id, fullName, iin, bin },
    }
  }
  const { userId: id, member } = who
  const { fullName, iin, absent } = await db
    .selectFrom('users')
    .select(['fullName', 'iin'])
    .select(
      member
        ? sql<string[]>`array(${absentOf(db, { ...member, userId: id }, now)})`.as('absent')
        : sql<string[]>`'{}'::uuid[]`.as('absent'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    viewer: {
      id,
      // Speaking for an organisation, one does not speak for oneself.
      numbers: member || iin === null ? [] : [iin],
      organizationId: member?.organizationId ?? null,
      isOwner: member !== null && isOwner(member.roles),
      ...(member && { standsInFor: { organizationId: member.organizationId, people: absent } }),
    },
    actor: { id, fullName, iin },
  }
}

/** Somebody else's request and one that does not exist answer alike. */
export async function seenRequest(db: Db, requestId: string, party: Party): Promise<Loaded> {
  return seen(await findRequest(db, requestId), party)
}

export async function lockSeenRequest(tx: Tx, requestId: string, party: Party): Promise<Loaded> {
  return seen(await lockedRequest(tx, requestId), party)
}

function seen(loaded: Loaded | undefined, { viewer }: Party): Loaded {
  if (loaded && maySee({ ...loaded.row, points: loaded.request.points }, viewer)) return loaded
  // Whoever came by a link without an organisation may have come with the wrong key: they are told how to come.
  return refuse(
    viewer.organizationId === null ? 'signing-request-access-failure' : 'signing-request-not-found',
  )
}
