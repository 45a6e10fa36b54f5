/** An error of the program: its code and message. */
export type ErrorCode =
  | 'WRONG_KEYSTORE_PASSWORD'
  | 'BLOCKED_KEYSTORE_PASSWORD'
  | 'CERTIFICATE_DATE_NOT_VALID'
  | 'CERTPATH_BUILDING_FAILURE'
  | 'CMS_NO_ENCAPSULATED_DATA'
  | 'TIMESTAMP_CREATION_FAILURE'
  | 'UNKNOWN_ALGORITHM'
  | 'KEY_NOT_FOUND'
  | 'KEYSTORE_LOADING_FAILURE'
  | 'IllegalArgumentException'
  | 'file.not_found'

export class ProgramError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string = code) {
    super(message)
    this.name = 'ProgramError'
    this.code = code
  }
}
