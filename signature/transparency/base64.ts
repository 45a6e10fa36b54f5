/**
 * Base64 (RFC 4648, section 4) in its only form: a value that could be written in two ways could be signed in one and
 * shown in the other.
 */
import { latin1 } from '../asn1/values.ts'

/** Null: the text is not base64, or not the only form of these bytes. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  // The unused bits of the last digit have to be zero.
  return toBase64(bytes) === text ? bytes : null
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(latin1(bytes))
}
