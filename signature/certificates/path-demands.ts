import type { KeyUse } from './certificate.ts'
import type { PolicyDemands } from './policies.ts'

export type PathProblem =
  /** No certificate with that name, or with that name and key, is known. */
  | 'no-issuer'
  | 'expired'
  | 'not-yet-valid'
  | 'issuer-expired'
  | 'issuer-not-yet-valid'
  /** The root itself is outside its validity, though it is trusted. */
  | 'anchor-expired'
  | 'anchor-not-yet-valid'
  | 'wrong-signature'
  | 'weak-algorithm'
  | 'bad-key'
  | 'unknown-algorithm'
  | 'not-an-authority'
  | 'path-too-long'
  | 'key-usage'
  | 'name-constraints'
  | 'policy'
  | 'unknown-critical-extension'
  | 'malformed-extension'
  /** More or longer paths than honest certificates have. */
  | 'too-complex'

export type PathDemands = {
  at: Date
  purpose?: Purpose
  policies?: PolicyDemands
}

/** What the leaf's key is used for; an absent extension forbids nothing. */
export type Purpose = {
  /** At least one of these. */
  keyUsage?: readonly KeyUse[]
  extendedKeyUsage?: string
}
