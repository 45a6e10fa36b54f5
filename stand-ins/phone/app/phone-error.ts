/** An error that the app shows to the person. */
export type PhoneErrorCode =
  // about the code that was read
  | 'not-a-code'
  | 'no-word'
  | 'unknown-host'
  | 'not-https'
  // about the other side
  | 'unreachable'
  | 'refused'
  | 'not-json'
  | 'malformed'
  | 'expired'
  | 'unknown-auth'
  | 'no-token'
  | 'unknown-method'
  // about the key
  | 'key-needed'
  | 'unreadable'
  | 'wrong-password'
  | 'no-key'
  | 'not-for-signing'
  | 'not-for-login'
  | 'not-in-time'
  // about the signature
  | 'no-timestamp'
  | 'not-signable'

export class PhoneError extends Error {
  readonly code: PhoneErrorCode
  /** The message of the other side, or the wrong field of its response. */
  readonly detail: string | null

  constructor(code: PhoneErrorCode, detail: string | null = null) {
    super(detail === null ? code : `${code}: ${detail}`)
    this.name = 'PhoneError'
    this.code = code
    this.detail = detail
  }
}
