/**
 * A cache of the tokens that call this process. Each call asks the database whether the cached facts still hold, so
 * nothing here outlives a revocation or a change of roles (docs/decisions/036-what-a-call-costs.md).
 */
import { askTogether } from '@kelisim/db/ask-together.ts'
import type { Database } from '@kelisim/db/db.ts'
import { agreementVersion } from '@kelisim/domain/identity/contract.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import type { Scope } from '@kelisim/domain/scopes.ts'
import { isAppointed, isMoved, optionsOf } from './option-queries.ts'
import { findToken, findTokenVersions, type TokenRow } from './queries.ts'

export type KnownToken = {
  id: string
  name: string
  scopes: readonly Scope[]
  addresses: readonly string[]
  expiresAt: Date
  revokedAt: Date | null
  lastUsedAt: Date | null
  userId: string
  memberName: string
  hasAgreed: boolean
  organization: { name: string; bin: string; isConfirmed: boolean }
  /** Null: the person in whose name the token acts no longer belongs to the organisation. */
  member: {
    organizationId: string
    roles: number
    isAppointed: boolean
    isMoved: boolean
    options: OrganizationOptions
  } | null
}

/** If more tokens are known, those that were read longest ago are forgotten and read again. */
export const rememberedTokens = 10_000

export function knownTokensIn(database: Database): (tokenHash: Buffer) => Promise<KnownToken | null> {
  const known = new Map<string, { version: string; token: KnownToken }>()
  const findVersion = askTogether((tokenHashes: readonly Buffer[]) =>
    findTokenVersions(database, tokenHashes),
  )
  return async (tokenHash) => {
    const key = tokenHash.toString('latin1')
    const before = known.get(key)
    if (before && (await findVersion(tokenHash)) === before.version) return before.token
    const row = await findToken(database, tokenHash)
    if (!row) return null
    const token = tokenOf(row)
    known.delete(key)
    known.set(key, { version: row.version, token })
    if (known.size > rememberedTokens) known.delete(known.keys().next().value!)
    return token
  }
}

function tokenOf(row: TokenRow): KnownToken {
  const { roles, organization: organizationId } = row
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    addresses: row.addresses,
    expiresAt: row.expires,
    revokedAt: row.revoked,
    lastUsedAt: row.used,
    userId: row.user,
    memberName: row.member,
    hasAgreed: row.agreement === agreementVersion,
    organization: { name: row.organization_name, bin: row.bin, isConfirmed: row.confirmed },
    member:
      roles === null
        ? null
        : {
            organizationId,
            roles,
            isAppointed: isAppointed(row),
            isMoved: isMoved(row),
            options: optionsOf(row),
          },
  }
}
