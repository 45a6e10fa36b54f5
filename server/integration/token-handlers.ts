/** Owners make tokens for programs and revoke them (docs/product/integration.md#w-02). */
import { hash, randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty, endOfDayInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { addToken, getTokens, revokeToken, type TokenView } from '@kelisim/domain/integration/contract.ts'
import { tokenPrefix, tokenState, whyNotMake } from '@kelisim/domain/integration/token.ts'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Scope } from '@kelisim/domain/scopes.ts'
import type { Serve } from '../http/serve.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { findMember, lockOwners } from '../identity/core/membership-queries.ts'
import { addEvent } from '../identity/core/queries.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { tokenMail } from './token-mail.ts'
import {
  addTokenRow,
  countValidTokens,
  findTokenRow,
  findTokens,
  findAddressesOf,
  findProgramsOf,
  revokeTokenRow,
  type TokenRow,
} from './token-queries.ts'

export function tokenHandlers(serve: Serve, queueMail: QueueMail): void {
  serve(getTokens, async ({ input, who, db, now }) => {
    const { items, totalCount } = await findTokens(db, who.member.organizationId, input)
    return { totalCount, items: items.map((row) => tokenView(row, now)) }
  })

  serve(addToken, ({ input, who, now, write }) =>
    write(async (tx) => {
      const { name, actsAs, addresses } = input
      const { organizationId } = who.member
      const scopes = [...new Set(input.scopes)]
      const expiresAt = endOfDayInAlmaty(input.validUntil)
      const member = (await findMember(tx, organizationId, actsAs)) ?? refuse('user-not-found')
      // Another owner may have taken this right away while this transaction waited for the lock.
      if (!(await lockOwners(tx, organizationId)).includes(who.userId)) refuse('not-enough-permissions')
      const tokens = await countValidTokens(tx, organizationId, now)
      const why = whyNotMake({ scopes, actsAs, expiresAt }, { userId: who.userId, tokens, now })
      if (why) refuse(why)
      const secret = tokenPrefix + randomBytes(32).toString('base64url')
      const id = newId(now.getTime())
      await addTokenRow(tx, {
        id,
        organizationId,
        name,
        tokenHash: hash('sha256', secret, 'buffer'),
        ending: secret.slice(-4),
        actsAs,
        scopes,
        addresses: [...new Set(addresses)],
        expiresAt,
        madeBy: who.userId,
        madeAt: now,
        lastUsedAt: null,
        lastUsedAddress: null,
        revokedBy: null,
        revokedAt: null,
      })
      const details = { id, actsAs, scopes, addresses, validUntil: input.validUntil }
      const event = { type: 'token-made', subject: name, details } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      if (actsAs !== who.userId && member.email !== '') {
        const { fullName: by } = (await findMember(tx, organizationId, who.userId))!
        const { shortName: organization, confirmedAt } = await findCard(tx, organizationId)
        const { validUntil } = input
        const typed = confirmedAt === null ? null : { organization, program: name }
        await queueMail(tx, tokenMail(member, { by, typed, validUntil }))
      }
      return { token: tokenView((await findTokenRow(tx, organizationId, id))!, now), secret }
    }),
  )

  serve(revokeToken, ({ input: { tokenId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const row = (await findTokenRow(tx, organizationId, tokenId)) ?? refuse('token-not-found')
      await endToken(tx, row, { revokedBy: who.userId, revokedAt: now })
      return tokenView((await findTokenRow(tx, organizationId, tokenId))!, now)
    }),
  )
}

/**
 * What stops working when this person is no longer an owner: tokens, which end at once, and webhooks, which the next
 * message ends.
 */
export async function programsOf(
  db: Db,
  organizationId: string,
  madeBy: string,
  now: Date,
): Promise<string[]> {
  const tokens = await findProgramsOf(db, organizationId, madeBy, now)
  const addresses = await findAddressesOf(db, organizationId, madeBy)
  return [...tokens.map(({ name }) => name), ...addresses.map((url) => new URL(url).host)]
}

/**
 * Ends the tokens that this person made, because they have seen the secrets and could go on acting in the
 * organisation.
 */
export async function endTokensOf(
  tx: Tx,
  organizationId: string,
  madeBy: string,
  { userId: revokedBy, now }: { userId: string; now: Date },
): Promise<void> {
  for (const { id, name } of await findProgramsOf(tx, organizationId, madeBy, now)) {
    await endToken(tx, { id, name, organizationId }, { revokedBy, revokedAt: now })
  }
}

async function endToken(
  tx: Tx,
  { id, name, organizationId }: { id: string; name: string; organizationId: string },
  revoked: { revokedBy: string; revokedAt: Date },
): Promise<void> {
  if (!(await revokeTokenRow(tx, id, revoked))) return
  const event = { type: 'token-revoked', subject: name, details: { id } } as const
  await addEvent(tx, { organizationId, by: revoked.revokedBy, at: revoked.revokedAt, ...event })
}

function tokenView(row: TokenRow, now: Date): z.input<typeof TokenView> {
  return {
    id: row.id,
    name: row.name,
    ending: row.ending,
    actsAs: { id: row.actsAs, fullName: row.actsAsName },
    scopes: row.scopes as Scope[],
    addresses: row.addresses,
    state: tokenState(row, now),
    // The token expires when the next day begins, so the last valid day is the one before.
    validUntil: dateInAlmaty(new Date(row.expiresAt.getTime() - 1)),
    madeBy: row.madeByName,
    madeAt: row.madeAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress: row.lastUsedAddress,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  }
}
