/**
 * The keys of our transparency log that this browser has seen (docs/product/verify.md). A key that is no longer
 * published is kept, so that evidence bundles signed with it can still be judged, and so that a change is noticed.
 */
import { createHash } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { readVerifierKey, type VerifierKey } from '@kelisim/signature/transparency/note.ts'

/** `key`: SubjectPublicKeyInfo in base64. */
export type SeenKey = { key: string; firstSeenAt: Date; lastSeenAt: Date }

export type LogKey = {
  spki: Uint8Array
  fingerprint: string
  firstSeenAt: Date
  lastSeenAt: Date
  /** Whether the service publishes it now. */
  isPublished: boolean
}

export type LogKeys = {
  keys: readonly LogKey[]
  /** False: the service could not be asked, and only keys seen before are known. */
  isReachable: boolean
  /** The witnesses of our log that the service names now; empty while it cannot be asked. */
  witnesses: readonly VerifierKey[]
}

/** Adds the keys that are published now to those seen before; no key is ever removed. */
export function withPublished(seen: readonly SeenKey[], published: readonly string[], now: Date): SeenKey[] {
  const known = seen.map((one) => (published.includes(one.key) ? { ...one, lastSeenAt: now } : one))
  const added = published
    .filter((key) => isBase64(key) && !seen.some((one) => one.key === key))
    .map((key) => ({ key, firstSeenAt: now, lastSeenAt: now }))
  return [...known, ...added]
}

function isBase64(text: string): boolean {
  return text.length < 1000 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** `published` is null if the service could not be asked. */
export function logKeysOf(
  seen: readonly SeenKey[],
  published: readonly string[] | null,
  witnesses: readonly string[] = [],
): LogKeys {
  return {
    witnesses: witnesses.map(readVerifierKey).filter((key) => key !== null),
    isReachable: published !== null,
    keys: seen.map(({ key, firstSeenAt, lastSeenAt }) => {
      const spki = Uint8Array.from(atob(key), (sign) => sign.charCodeAt(0))
      return {
        spki,
        fingerprint: toHex(createHash('sha-256').update(spki).digest()),
        firstSeenAt,
        lastSeenAt,
        isPublished: published?.includes(key) ?? false,
      }
    }),
  }
}

/** What is known about the key of a bundle. */
export type LogKeyState =
  /** The service publishes the key, and this browser has seen no earlier one. */
  | { state: 'published' }
  /** The service publishes the key, and published another one until about `formerSeenAt`. */
  | { state: 'replacing'; formerSeenAt: Date }
  /** The browser has seen the key before, but the service publishes another one now. */
  | { state: 'former'; firstSeenAt: Date; lastSeenAt: Date }
  /** The browser has seen the key before, and the service cannot be asked now. */
  | { state: 'remembered'; lastSeenAt: Date }
  | { state: 'other' }
  | { state: 'unknown' }

export function stateOfKey(fingerprint: string, { keys, isReachable }: LogKeys): LogKeyState {
  const key = keys.find((one) => one.fingerprint === fingerprint)
  if (!key) return { state: isReachable && keys.length > 0 ? 'other' : 'unknown' }
  const { firstSeenAt, lastSeenAt } = key
  if (!isReachable) return { state: 'remembered', lastSeenAt }
  if (!key.isPublished) return { state: 'former', firstSeenAt, lastSeenAt }
  const former = keys
    .filter((one) => !one.isPublished && one.firstSeenAt < firstSeenAt)
    .map((one) => one.lastSeenAt)
    .toSorted((one, other) => other.getTime() - one.getTime())[0]
  return former ? { state: 'replacing', formerSeenAt: former } : { state: 'published' }
}
