import type { Generated, JSONColumnType } from 'kysely'
import type { Language } from '@kelisim/texts/languages.ts'

/** What a person typed on the registration page; becomes an account when the letter is confirmed. */
export type Registration = { email: string; fullName: string; passwordHash: string; language: Language }

export type SignInTables = {
  signInAccounts: {
    /** The OpenID `sub`. */
    id: string
    email: string
    fullName: string
    /** An argon2id PHC string; null: this person signs in some other way. */
    passwordHash: string | null
    language: Language
    emailConfirmedAt: Date | null
    iin: string | null
    createdAt: Date
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
  }
  rateLimits: {
    key: string
    points: Generated<number>
    /** Milliseconds since 1970. */
    expire: number | null
  }
}
