import type { SignInWay } from '@kelisim/domain/identity/sign-in-ways.ts'
import type { Account } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import type { Html } from '../http/html.ts'
import type { Form, Visit } from '../http/visit.ts'

/** Why the last attempt failed, and what had been typed. */
export type Failure = {
  status: number
  email: string
  /** The method that failed, if not the form with the e-mail. */
  method?: 'signature' | 'passkey'
  /** About the attempt as a whole. */
  message?: string
  flaws?: { email?: string; password?: string }
}

export type LoginPage = {
  visit: Visit
  context: Context
  uid: string
  failure: Failure | null
  emailHint: string
  /** The way to sign in that was chosen in the application. */
  way: SignInWay | null
}

/** The proved person; `amr` says how it was proved (RFC 8176). */
export type Proof = { account: Pick<Account, 'id' | 'sessionsValidFrom'>; amr: string[] }

/** The attempt did not fail, but the person must do something else first, on another page or on this one. */
type Elsewhere = { location: string } | { status: number; page: Html }

/** One way to prove one's identity: a part of the login page, and the handler of its form. */
export type SignInMethod = {
  /** The method's name, which is the last segment of the form's address. */
  name: string
  /** The largest form in bytes, if it is larger than a password needs. */
  formLimit?: number
  /** null: not offered here. */
  render: (page: LoginPage) => Html | null
  attempt: (form: Form, visit: Visit, context: Context, uid: string) => Promise<Proof | Failure | Elsewhere>
}
