import type { Account } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import type { Html } from '../http/html.ts'
import type { Form, Visit } from '../http/visit.ts'

/** How the last attempt went wrong, and what had been typed. */
export type Failure = {
  status: number
  email: string
  /** Whose failure it is, where not of the form with the e-mail. */
  method?: 'signature'
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
}

/** Who it is; `amr` says how it was proved (RFC 8176). */
export type Proof = { account: Pick<Account, 'id' | 'sessionsValidFrom'>; amr: string[] }

/** Proved, and something is to be decided first. */
type Elsewhere = { location: string }

/** One way to prove who you are: a part of the login page, and the answer to its form. */
export type SignInMethod = {
  /** The last part of the form's address. */
  name: string
  /** Octets that its form may have, where more than a password needs. */
  formLimit?: number
  /** null: not offered here. */
  render: (page: LoginPage) => Html | null
  attempt: (form: Form, visit: Visit, context: Context, uid: string) => Promise<Proof | Failure | Elsewhere>
}
