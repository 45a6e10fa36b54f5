/** Tokens of programs in the Administrative Portal (docs/product/integration.md#w-02). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, line, listOf, Moment, OfOrganization, Page, requiredDay, requiredLine } from '../fields.ts'
import { scopes } from '../scopes.ts'
import { isNetwork } from './addresses.ts'
import { tokenStates } from './token.ts'

export const longestTokenName = 100
export const mostNetworks = 20

export const TokenView = z.object({
  id: Id,
  name: z.string(),
  /** The last characters of the token; the token itself is shown only once, when it is made. */
  ending: z.string(),
  actsAs: z.object({ id: Id, fullName: z.string() }),
  scopes: z.array(z.enum(scopes)),
  addresses: z.array(z.string()),
  state: z.enum(tokenStates),
  /** The last day in Almaty on which it is accepted. */
  validUntil: z.iso.date(),
  madeBy: z.string(),
  madeAt: Moment,
  /** Updated at most once a minute. */
  lastUsedAt: z.nullable(Moment),
  lastUsedAddress: z.nullable(z.string()),
  revokedAt: z.nullable(Moment),
})

export const getTokens = endpoint({
  method: 'GET',
  path: '/api/Integration/:organizationId/tokens/:skip/:take',
  access: 'owner',
  summary: 'The tokens by which programs act for the organisation, the newest first',
  input: z.extend(OfOrganization, { ...Page.shape, name: z.optional(line(250)) }),
  result: listOf(TokenView),
  refusals: [],
})

export const addToken = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/tokens',
  access: 'owner',
  summary: 'Make a token; the response is the only one that contains it',
  perMinute: 10,
  input: z.extend(OfOrganization, {
    name: requiredLine(longestTokenName),
    /** The member in whose name the program acts. */
    actsAs: z.uuid('required').check(z.toLowerCase()),
    scopes: z.array(z.enum(scopes)).check(z.minLength(1, 'scopes-not-chosen'), z.maxLength(scopes.length)),
    /** Addresses or blocks; none: from anywhere. */
    addresses: z._default(
      z
        .array(z.string().check(z.trim(), z.maxLength(45), z.refine(isNetwork, 'network-incorrect')))
        .check(z.maxLength(mostNetworks, 'too-many-networks')),
      [],
    ),
    validUntil: requiredDay(),
  }),
  result: z.object({ token: TokenView, secret: z.string() }),
  refusals: ['user-not-found', 'too-many-tokens', 'token-term-not-allowed', 'token-signs-for-another'],
})

export const revokeToken = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/tokens/:tokenId/revoke',
  access: 'owner',
  summary: 'Revoke a token: the next call with it is refused',
  takesAway: true,
  input: z.extend(OfOrganization, { tokenId: Id }),
  result: TokenView,
  refusals: ['token-not-found'],
})
