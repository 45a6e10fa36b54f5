/** What the app cannot do for the person, and shows in place of it. */
export type PhoneErrorCode =
  // the code that was read
  | 'not-a-code'
  | 'no-word'
  | 'unknown-host'
  | 'not-https'
  // the other side
  | 'unreachable'
  | 'refused'
  | 'not-json'
  | 'malformed'
  | 'expired'
  | 'unknown-auth'
  | 'no-token'
  | 'unknown-method'
  // the key
  | 'key-needed'
  | 'unreadable'
  | 'wrong-password'
  | 'no-key'
  | 'not-for-signing'
  | 'not-for-login'
  | 'not-in-time'
  // the signature
  | 'no-timestamp'
  | 'not-signable'

export class PhoneError extends Error {
  readonly code: PhoneErrorCode
  /** What the other side says to it, or which field of its answer is wrong. */
  readonly detail: string | null

  constructor(code: PhoneErrorCode, detail: string | null = null) {
    super(detail === null ? code : `${code}: ${detail}`)
    this.name = 'PhoneError'
    this.code = code
    this.detail = detail
  }
}
