/** Challenges to sign, signatures that were accepted, and organisations by the number that was proved. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Known } from '@kelisim/domain/identity/confirmation.ts'
import { lockOrganizationNumber } from '../core/unclaimed-queries.ts'
import { minute } from '@kelisim/domain/durations.ts'

const challengeLife = 5 * minute

export type Challenge = { id: string; content: Buffer; expiresAt: Date }

/** Makes fresh bytes to sign, which tell the signer what the signature is for, and where. */
export function issueChallenge(
  tx: Tx,
  { sessionHash, title, origin }: { sessionHash: Buffer; title: string; origin: string },
  now: Date,
): Promise<Challenge> {
  const nonce = randomBytes(32).toString('base64url')
  return tx
    .insertInto('organizationChallenges')
    .values({
      id: randomBytes(24).toString('base64url'),
      sessionHash,
      content: Buffer.from([title, origin, now.toISOString(), nonce, ''].join('\n')),
      createdAt: now,
      expiresAt: new Date(now.getTime() + challengeLife),
      usedAt: null,
    })
    .returning(['id', 'content', 'expiresAt'])
    .executeTakeFirstOrThrow()
}

/** The challenge can be taken once, by the session that requested it: the update locks the row. */
export function takeChallenge(
  tx: Tx,
  id: string,
  sessionHash: Buffer,
  now: Date,
): Promise<Challenge | undefined> {
  return tx
    .updateTable('organizationChallenges')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('sessionHash', '=', sessionHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['id', 'content', 'expiresAt'])
    .executeTakeFirst()
}

export type KnownRow = Known & { shortName: string }

/**
 * Locks the organisations with the number, oldest first: no other claim of the number is decided before the
 * transaction ends.
 */
export async function lockKnown(tx: Tx, bin: string, userId: string): Promise<KnownRow[]> {
  await lockOrganizationNumber(tx, bin)
  await tx.selectFrom('organizations').select('id').where('bin', '=', bin).forNoKeyUpdate().execute()
  return tx
    .selectFrom('organizations as o')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.organizationId', '=', 'o.id').on('m.userId', '=', userId),
    )
    .select(['o.id', 'o.shortName', 'm.roles'])
    .select(sql<boolean>`o.confirmed_at is not null`.as('isConfirmed'))
    .where('o.bin', '=', bin)
    .orderBy('o.createdAt')
    .orderBy('o.id')
    .execute()
}

/** The organisation created from a certificate, if nobody has claimed it yet; it counts as claimed from now on. */
export async function takeUnclaimed(tx: Tx, bin: string): Promise<string | null> {
  const taken = await tx
    .updateTable('organizations')
    .set({ isUnclaimed: false })
    .where('bin', '=', bin)
    .where('isUnclaimed', '=', true)
    .returning('id')
    .executeTakeFirst()
  return taken?.id ?? null
}

/** Confirms the organisation and gives it the name in the certificate. */
export async function markConfirmed(
  tx: Tx,
  organizationId: string,
  { name, now }: { name: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set((eb) => ({ shortName: name, confirmedAt: now, version: eb('version', '+', 1) }))
    .where('id', '=', organizationId)
    .execute()
}

export function findMembersRoles(
  db: Db,
  organizationId: string,
): Promise<{ userId: string; fullName: string; roles: number }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.userId', 'u.fullName', 'm.roles'])
    .where('m.organizationId', '=', organizationId)
    .orderBy('u.fullName')
    .execute()
}

export async function keepSignature(
  tx: Tx,
  row: {
    id: string
    organizationId: string
    by: string
    at: Date
    content: Buffer
    cms: Buffer
    verdict: string
    evidence: object
  },
): Promise<void> {
  await tx
    .insertInto('organizationSignatures')
    .values({ ...row, evidence: JSON.stringify(row.evidence) })
    .execute()
}
