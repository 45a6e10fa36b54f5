import type { Generated, JSONColumnType } from 'kysely'
import type { Language } from '@kelisim/texts/languages.ts'

/** What a person entered on the registration page; becomes an account when the e-mail is confirmed. */
export type Registration = { email: string; fullName: string; language: Language }

/** The owner of the signature according to the certificate, and the certificate. */
export type SignatureProof = {
  iin: string
  bin: string | null
  fullName: string
  organization: string | null
  email: string | null
  /** Missing in proofs that were saved before keys were told apart. */
  givenKey?: 'head' | 'signingRight' | 'employee' | 'individual'
  /** DER in base64. */
  certificate: string
}

/** Where a sign-in began, as far as it is known. */
export type StoredPlace = { browser: string | null; system: string | null; network: string | null }

export type SignInTables = {
  signInAccounts: {
    /** The OpenID `sub`. */
    id: string
    email: string
    fullName: string
    /** An argon2id PHC string; null: this person signs in another way. */
    passwordHash: string | null
    language: Language
    emailConfirmedAt: Date | null
    iin: string | null
    /** When the IIN was linked to the existing account; null: the account was created with it, or has none. */
    iinLinkedAt: Date | null
    createdAt: Date
    /** Logins before this second are invalid; null: all are valid. */
    sessionsValidFrom: Date | null
  }
  signInTokens: {
    sha256: Buffer
    kind: 'confirm-email' | 'reset-password'
    accountId: string | null
    registration: JSONColumnType<Registration, string | null, string | null> | null
    interactionUid: string | null
    createdAt: Date
    expiresAt: Date
    usedAt: Date | null
    /** Replaced by a newer registration of the same address. */
    replacedAt: Date | null
  }
  signInChallenges: {
    id: string
    interactionUid: string
    via: 'desktop' | 'phone'
    /** The text that the desktop program signs; each reading by a phone has a text of its own. */
    content: Buffer | null
    /** The place of the browser that began the sign-in; only for sign-in by phone. */
    place: JSONColumnType<StoredPlace, string | null, string | null> | null
    state: 'new' | 'opened' | 'fetched' | 'signed' | 'proved' | 'refused' | 'canceled' | 'mismatched'
    faults: JSONColumnType<string[], string | null, string | null> | null
    proof: JSONColumnType<SignatureProof, string | null, string | null> | null
    /** The reading that was answered, and the hash of the answer. */
    readingId: string | null
    answerHash: Buffer | null
    codeTries: Generated<number>
    createdAt: Date
    expiresAt: Date
    usedAt: Date | null
  }
  signInSecondFactors: {
    accountId: string
    secret: Buffer
    /** Null: the first code was not typed yet. */
    confirmedAt: Date | null
    /** The time step (30 seconds) of the newest code that was used. */
    lastStep: number
    createdAt: Date
  }
  signInRecoveryCodes: { accountId: string; sha256: Buffer }
  /** A sign-in whose password was right and whose code is awaited. */
  signInSecondSteps: {
    interactionUid: string
    accountId: string
    /** The proved number that the account gets when the code is right. */
    iin: string | null
    expiresAt: Date
  }
  signInPasskeys: {
    /** The credential id that the authenticator chose, in base64url. */
    id: string
    accountId: string
    /** COSE. */
    publicKey: Buffer
    /** The authenticator's use counter; always 0 for authenticators that do not count. */
    counter: number
    name: string
    createdAt: Date
    lastUsedAt: Date | null
  }
  signInPasskeyChallenges: {
    id: string
    purpose: 'add' | 'enter'
    /** The session of the person who adds a passkey, or the sign-in in progress of a browser. */
    boundTo: string
    /** Who adds a passkey. */
    accountId: string | null
    challenge: string
    createdAt: Date
    expiresAt: Date
  }
  /** One phone that read the QR code of a sign-in. */
  signInReadings: {
    id: string
    challengeId: string
    token: string
    code: string
    content: Buffer
    /** For a link on the same phone: brings the browser back without typing the code. */
    returnSecret: string | null
    createdAt: Date
  }
  signInOutsiders: {
    id: string
    iin: string
    bin: string | null
    fullName: string
    organization: string | null
    givenKey: Generated<'head' | 'signingRight' | 'employee' | 'individual'>
    certificate: Buffer
    language: Language
    createdAt: Date
    lastCameAt: Date
  }
  signInPayloads: {
    model: string
    id: string
    payload: JSONColumnType<Record<string, unknown>>
    uid: string | null
    userCode: string | null
    grantId: string | null
    accountId: string | null
    expiresAt: Date | null
    consumedAt: Date | null
  }
  signInPendingLogouts: {
    id: Generated<number>
    clientId: string
    accountId: string
    sid: string
    createdAt: Date
    attempts: number
    nextAttemptAt: Date
  }
  signInKeys: {
    name: string
    value: JSONColumnType<object>
    createdAt: Date
  }
  signInFailures: {
    key: string
    failures: number
    lastFailedAt: Date
    blockedUntil: Date | null
    /** Only for the pair account + address. */
    lastSucceededAt: Date | null
  }
  rateLimits: {
    key: string
    points: Generated<number>
    /** Milliseconds since 1970. */
    expire: number | null
  }
}
