/** Changing the ways to sign in requires a fresh proof, so that nobody does it at an unattended computer. */
import type { Tx } from '@kelisim/db/db.ts'
import type { Account } from '../accounts/account-queries.ts'
import { attemptSucceeded, beginAttempt } from '../accounts/attempt-queries.ts'
import { isPasswordRight } from '../accounts/password-hash.ts'
import type { Context } from '../http/context.ts'
import type { Html } from '../http/html.ts'
import { minutesUntil, type Texts, type Visit } from '../http/visit.ts'
import { field } from '../markup/fields.ts'

export type ProofFailure = { message?: string; password?: string; code?: string }

/**
 * The password and the code can be guessed here as at a sign-in, so attempts are counted together with those there.
 */
export async function proving(
  { t, address, now }: Visit,
  { database }: Context,
  { email, passwordHash }: Account,
  password: string,
  further: (tx: Tx) => Promise<ProofFailure | null>,
): Promise<{ status: number; failure: ProofFailure } | null> {
  if (password === '') return { status: 422, failure: { password: t('flaw.password-missing') } }
  const begun = await database.write((tx) => beginAttempt(tx, { email, address }, now))
  if (begun.blockedUntil) {
    const message = t('login.blocked', { count: minutesUntil(begun.blockedUntil, now) })
    return { status: 429, failure: { message } }
  }
  if (!(await isPasswordRight(password, passwordHash)))
    return { status: 422, failure: { password: t('flaw.password-wrong') } }
  const failure = await database.write(async (tx) => {
    const refused = await further(tx)
    if (!refused) await attemptSucceeded(tx, begun.attempt)
    return refused
  })
  return failure && { status: 422, failure }
}

export function passwordField(t: Texts, { password }: ProofFailure): Html {
  return field({
    name: 'password',
    label: t('field.currentPassword'),
    type: 'password',
    autocomplete: 'current-password',
    error: password,
  })
}

export function codeField(t: Texts, { code }: ProofFailure): Html {
  return field({
    name: 'code',
    label: t('secondFactor.code'),
    type: 'text',
    autocomplete: 'one-time-code',
    help: t('secondFactor.codeHelp'),
    error: code,
  })
}
