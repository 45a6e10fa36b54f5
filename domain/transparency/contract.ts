/**
 * The public calls of the transparency log: its newest signed head, and the proof that an earlier one is a prefix of
 * it.
 */
import * as z from 'zod/mini'
import { day, second } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { Moment } from '../fields.ts'

const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))

export const LogHead = z.object({
  size: z.int(),
  root: Hash,
  at: Moment,
  /** SHA-256 of the public key, which identifies the log. */
  log: Hash,
  /** Ed25519 over the four fields above as canonical JSON with `version` 1, in base64. */
  signature: z.string(),
})

export const getLogHead = endpoint({
  method: 'GET',
  path: '/api/Log/head',
  access: 'anyone',
  summary: 'How large the transparency log is and what its root is, signed',
  input: z.object({}),
  result: z.extend(LogHead, {
    /** SubjectPublicKeyInfo in base64. */
    publicKey: z.string(),
  }),
  refusals: [],
  perMinute: 60,
})

/**
 * At a fixed address, so that after years the holder of a bundle can find the keys of the installation that made it.
 */
export const getLogKeys = endpoint({
  method: 'GET',
  path: '/.well-known/kelisim-log-keys.json',
  access: 'anyone',
  summary: 'The public keys that sign the transparency log and the evidence bundles of this installation',
  input: z.object({}),
  result: z.object({
    /** SubjectPublicKeyInfo in base64. */
    keys: z.array(z.string()),
    /** The keys of the witnesses that co-sign the log, as name+id+base64; `quorum`: how many of them must co-sign. */
    witnesses: z.array(z.string()),
    quorum: z.int(),
  }),
  refusals: [],
  perMinute: 60,
  cacheSeconds: day / second,
})

const Size = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

export const getLogConsistency = endpoint({
  method: 'GET',
  path: '/api/Log/consistency/:first/:second',
  access: 'anyone',
  summary: 'Proof that the log of the first size is the beginning of the log of the second (RFC 9162, 2.1.4)',
  input: z.object({ first: Size, second: Size }),
  result: z.object({ proof: z.array(Hash) }),
  refusals: ['log-has-no-such-size'],
  perMinute: 60,
})

/** Why a witness did not co-sign the last head. */
export const witnessFailures = [
  'unreachable',
  'bad-answer',
  'knows-no-such-log',
  /** The witness has seen a larger tree than the log has: the log was reset to an earlier state. */
  'knows-more',
  /** The witness has seen a different tree: the log was rewritten, or the witness means another log. */
  'contradicts',
] as const

export const getLogState = endpoint({
  method: 'GET',
  path: '/api/Log/state',
  access: 'anyone',
  summary: 'The transparency log as everybody may know it: its key, its newest head, and its witnesses',
  input: z.object({}),
  result: z.object({
    /** The key of the log in the form in which witnesses get it: name+id+base64. */
    key: z.string(),
    head: z.object({ size: z.int(), at: Moment, root: Hash }),
    /** The newest head that a quorum of witnesses has co-signed; null: there is none. */
    witnessed: z.nullable(z.object({ size: z.int(), at: Moment })),
    quorum: z.int(),
    witnesses: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        /** The last head that the witness co-signed; null: none yet. */
        last: z.nullable(z.object({ size: z.int(), at: Moment })),
        failure: z.nullable(z.enum(witnessFailures)),
      }),
    ),
  }),
  refusals: [],
  perMinute: 60,
})
