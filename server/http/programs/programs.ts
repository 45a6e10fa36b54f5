/**
 * The one place where programs are let in. A program shows a token in the Authorization header; it acts in the name of
 * the member who was appointed when the token was made (docs/decisions/031-who-acts-for-a-program.md).
 */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { bearerOf, whyNotAdmit } from '@kelisim/domain/integration/token.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import type { Scope } from '@kelisim/domain/scopes.ts'
import { openAllowances, type Reserve } from './allowances.ts'
import { knownTokensIn } from './known-tokens.ts'
import { noteUse } from './queries.ts'

/** A member like any caller, and the token by which a program acts in their name. */
export type ProgramCaller = {
  userId: string
  /** The hash of the token, because there is no session. */
  sessionHash: Buffer
  hasAgreed: boolean
  member: {
    organizationId: string
    roles: number
    isAppointed: boolean
    isMoved: boolean
    options: OrganizationOptions
  }
  program: Program
}

export type Program = {
  tokenId: string
  /** The name that its owner gave it. */
  name: string
  scopes: readonly Scope[]
  expiresAt: Date
  /** The organisation for which the program acts. */
  organization: { name: string; bin: string; isConfirmed: boolean }
  memberName: string
  /** The id of whatever the call makes, also when the call is repeated; empty for calls that only read. */
  callId: string
  /**
   * When the first call with the same key came, so that whatever depends on the day is the same in a repeated call.
   */
  begunAt: Date
}

export type Programs = { admit: (e: Endpoint, request: FastifyRequest, now: Date) => Promise<ProgramCaller> }

/** How often the last use is saved. */
const useInterval = minute

export function programsIn(
  database: Database,
  { reserve, limit }: { reserve: Reserve; limit: number },
  clock: () => Date,
): Programs {
  const spend = openAllowances(reserve, limit, clock)
  const knownToken = knownTokensIn(database)
  return {
    async admit({ scope }, request, now) {
      const secret = bearerOf(request.headers.authorization)
      if (secret === null) refuse('token-not-accepted', { reason: 'missing' })
      const tokenHash = hash('sha256', secret, 'buffer')
      const token = await knownToken(tokenHash)
      if (!token) refuse('token-not-accepted', { reason: 'unknown' })
      const { id: tokenId, expiresAt, revokedAt, scopes, addresses, lastUsedAt } = token
      const facts = { expiresAt, revokedAt, isMemberThere: token.member !== null, scopes, addresses }
      const why = whyNotAdmit(facts, { scope: scope ?? null, address: request.ip, now })
      if (why) refuse(why.alias, why.parameters)
      if (!token.hasAgreed) refuse('agreement-needed')
      await spend(tokenId)
      if (lastUsedAt === null || lastUsedAt.getTime() < now.getTime() - useInterval)
        await noteUse(database, tokenId, { lastUsedAt: now, lastUsedAddress: request.ip })
      return {
        userId: token.userId,
        sessionHash: tokenHash,
        hasAgreed: true,
        member: token.member!,
        program: {
          tokenId,
          name: token.name,
          scopes,
          expiresAt,
          callId: '',
          begunAt: now,
          organization: token.organization,
          memberName: token.memberName,
        },
      }
    },
  }
}
