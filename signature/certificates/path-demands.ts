import type { KeyUse } from './certificate.ts'
import type { PolicyDemands } from './policies.ts'

export type PathProblem =
  /** Nobody of that name is known, or nobody of that name and key. */
  | 'no-issuer'
  | 'expired'
  | 'not-yet-valid'
  | 'issuer-expired'
  | 'issuer-not-yet-valid'
  /** The root itself is out of its time, though it is trusted. */
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
  /** More ways, or longer ones, than anything honest has. */
  | 'too-complex'

export type PathDemands = {
  at: Date
  purpose?: Purpose
  policies?: PolicyDemands
}

/** What the leaf's key is to be used for; an extension that is not there forbids nothing. */
export type Purpose = {
  /** Any of these. */
  keyUsage?: readonly KeyUse[]
  extendedKeyUsage?: string
}
