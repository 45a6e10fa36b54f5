/** Tokens by which programs act for an organisation (docs/decisions/031-who-acts-for-a-program.md). */
import { day } from '../durations.ts'
import type { Alias, Parameters } from '../errors.ts'
import type { Scope } from '../scopes.ts'
import { isAddressAllowed } from './addresses.ts'

/** The prefix lets people and secret scanners recognise a leaked token. */
export const tokenPrefix = 'kls_'
/** 256 random bits in base64url. */
const tokenPattern = /^kls_[A-Za-z0-9_-]{43}$/

/** More tokens than this suggest that somebody makes one for each call. */
export const mostTokens = 50
/** Every token expires, so that one that nobody renews stops working. */
export const longestTokenLife = 366 * day

export const tokenStates = ['valid', 'expired', 'revoked', 'member-left'] as const
export type TokenState = (typeof tokenStates)[number]

/** The token in an Authorization header; null: there is none, or it cannot be one of ours. */
export function bearerOf(header: string | undefined): string | null {
  const given = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  return given !== undefined && tokenPattern.test(given) ? given : null
}

export type TokenFacts = {
  expiresAt: Date
  revokedAt: Date | null
  /** Whether the person in whose name it acts still belongs to the organisation. */
  isMemberThere: boolean
}

export function tokenState({ expiresAt, revokedAt, isMemberThere }: TokenFacts, now: Date): TokenState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt <= now) return 'expired'
  return isMemberThere ? 'valid' : 'member-left'
}

export type RefusedCall = { alias: Alias; parameters: Parameters }

/** Why a call with this token is not admitted; null: it is. The caller holds the token, so it is told the reason. */
export function whyNotAdmit(
  token: TokenFacts & { scopes: readonly Scope[]; addresses: readonly string[] },
  call: { scope: Scope | null; address: string; now: Date },
): RefusedCall | null {
  const state = tokenState(token, call.now)
  if (state !== 'valid') return { alias: 'token-not-accepted', parameters: { reason: state } }
  if (!isAddressAllowed(token.addresses, call.address)) {
    return { alias: 'token-address-not-allowed', parameters: { address: call.address } }
  }
  if (call.scope !== null && !token.scopes.includes(call.scope)) {
    return { alias: 'token-scope-missing', parameters: { scope: call.scope } }
  }
  return null
}

/**
 * Why an owner may not make such a token. Tokens for submitting signatures must act in the maker's own name:
 * otherwise an owner could make their own key count as that of a colleague who does not know of it.
 */
export function whyNotMake(
  token: { scopes: readonly Scope[]; actsAs: string; expiresAt: Date },
  maker: { userId: string; tokens: number; now: Date },
): Alias | null {
  if (maker.tokens >= mostTokens) return 'too-many-tokens'
  const life = token.expiresAt.getTime() - maker.now.getTime()
  if (life <= 0 || life > longestTokenLife) return 'token-term-not-allowed'
  if (token.scopes.includes('requests.sign') && token.actsAs !== maker.userId)
    return 'token-signs-for-another'
  return null
}
