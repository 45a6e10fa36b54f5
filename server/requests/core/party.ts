/** The caller of a request: a member acting for an organisation, or a person acting for their own numbers. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { StoredActor } from '@kelisim/db/schema/requests.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { powerState } from '@kelisim/domain/powers-of-attorney/power.ts'
import { mayKeepRegisters } from '@kelisim/domain/registers/permissions.ts'
import { maySee, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Member, Outsider } from '../../http/session.ts'
import { findPowersOfHolder } from './queries/powers.ts'
import { getPersonWithAbsent } from './queries/people.ts'
import { findRequest, lockedRequest } from './state.ts'
import type { LoadedRequest } from './loaded.ts'

export type Party = {
  viewer: Viewer
  /** As recorded in the history. */
  actor: StoredActor
}

/** What identifies the caller; the session does not matter. */
export type CallerIdentity =
  | Pick<Outsider, 'outsiderId' | 'iin' | 'bin' | 'fullName' | 'givenKey'>
  | {
      userId: string
      member: (Pick<Member, 'organizationId' | 'roles'> & Partial<Pick<Member, 'isAppointed'>>) | null
      /** The program that acts in their name. */
      program?: { name: string }
    }

export async function partyOf(db: Db, who: CallerIdentity, now: Date): Promise<Party> {
  if ('outsiderId' in who) {
    const { outsiderId: id, iin, bin, fullName, givenKey: given } = who
    const held = await findPowersOfHolder(db, iin)
    const powers = held.filter((power) => powerState(power, now) === 'valid')
    return {
      viewer: {
        id,
        numbers: bin === null ? [iin] : [iin, bin],
        organizationId: null,
        isOwner: false,
        key: { iin, given, powers },
      },
      actor: { id, fullName, iin, bin },
    }
  }
  const { userId: id, member } = who
  const organizationId = member?.organizationId ?? null
  const { fullName, iin, signingIin, absent } = await getPersonWithAbsent(db, id, organizationId, now)
  return {
    viewer: {
      id,
      // A member who acts for an organisation does not act for their own number. Only a proved number counts.
      numbers: member || iin === null ? [] : [iin],
      organizationId,
      isOwner: member !== null && isOwner(member.roles),
      keepsRegisters:
        member !== null &&
        mayKeepRegisters({ roles: member.roles, isAppointed: member.isAppointed ?? false }),
      iin: iin ?? signingIin,
      ...(member && { standsInFor: { organizationId: member.organizationId, people: absent } }),
    },
    actor: {
      id,
      fullName,
      iin: iin ?? signingIin,
      ...(who.program && { program: who.program.name }),
    },
  }
}

/** A request that the caller may not see is refused like one that does not exist. */
export async function visibleRequest(db: Db, requestId: string, party: Party): Promise<LoadedRequest> {
  return seen(await findRequest(db, requestId), party)
}

export async function lockVisibleRequest(tx: Tx, requestId: string, party: Party): Promise<LoadedRequest> {
  return seen(await lockedRequest(tx, requestId), party)
}

function seen(loaded: LoadedRequest | undefined, { viewer }: Party): LoadedRequest {
  if (loaded && maySee(seenOf(loaded.row, loaded.request), viewer)) return loaded
  // Without an organisation the caller followed a link, perhaps with the wrong key: this refusal says how to get in.
  return refuse(
    viewer.organizationId === null ? 'signing-request-access-failure' : 'signing-request-not-found',
  )
}
