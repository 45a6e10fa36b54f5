/** E-mail and password. The response and its time are the same for an unknown e-mail and a wrong password. */
import { findAccountByEmail, lockAccount, normalEmail } from '../accounts/account-queries.ts'
import { attemptSucceeded, beginAttempt } from '../accounts/attempt-queries.ts'
import { beginSecondStep, findSecondFactor } from '../accounts/second-factor-queries.ts'
import { html } from '../http/html.ts'
import { alert, button, field, form } from '../markup/fields.ts'
import { isPasswordRight } from '../accounts/password-hash.ts'
import { interactionPath, paths, secondStepPath, withInteraction } from '../http/paths.ts'
import { minutesUntil, type Visit } from '../http/visit.ts'
import type { Failure, SignInMethod } from './method.ts'

export const password: SignInMethod = {
  name: 'password',

  render({ visit: { t }, uid, failure, emailHint }) {
    const { flaws } = failure ?? {}
    const email = failure?.email ?? emailHint
    const forgotten = html`<a href="${withInteraction(paths.forgot, uid)}">${t('login.forgotten')}</a>`
    return html`${!failure?.method && alert(failure?.message)}
      ${form(
        `${interactionPath(uid)}/${password.name}`,
        html`${field({
          name: 'email',
          label: t('field.email'),
          type: 'email',
          autocomplete: 'username',
          value: email,
          error: flaws?.email,
          isFirst: email === '' && !flaws?.password,
        })}
        ${field({
          name: 'password',
          label: t('field.password'),
          type: 'password',
          autocomplete: 'current-password',
          error: flaws?.password,
          link: forgotten,
          isFirst: email !== '' && !flaws?.email,
        })}
        ${button(t('login.submit'))}`,
      )}
      <p class="aside">
        ${t('login.noAccount')} <a href="${withInteraction(paths.register, uid)}">${t('login.register')}</a>
      </p>`
  },

  async attempt(fields, visit, { database }, uid) {
    const typed = { email: fields.get('email').trim(), password: fields.get('password') }
    const incomplete = whatIsMissing(typed, visit)
    if (incomplete) return incomplete

    const guess = { email: normalEmail(typed.email), address: visit.address }
    const begun = await database.write((tx) => beginAttempt(tx, guess, visit.now))
    if (begun.blockedUntil) {
      const message = visit.t('login.blocked', { count: minutesUntil(begun.blockedUntil, visit.now) })
      return { status: 429, email: typed.email, message }
    }
    const account = await findAccountByEmail(database.db, guess.email)
    const hash = account?.emailConfirmedAt ? account.passwordHash : null
    const wrong = { status: 401, email: typed.email, message: visit.t('login.wrong') }
    if (!(await isPasswordRight(typed.password, hash)) || !account) return wrong
    const proved = await database.write(async (tx) => {
      const current = await lockAccount(tx, account.id)
      // The password was changed while it was being checked.
      if (current?.passwordHash !== hash) return null
      const isCodeNeeded = (await findSecondFactor(tx, account.id))?.confirmedAt
      if (!isCodeNeeded) {
        await attemptSucceeded(tx, begun.attempt)
        return { account: current, amr: ['pwd'] }
      }
      // The attempt counts as failed until the code is right, or whoever knows the password could guess codes for ever.
      await beginSecondStep(tx, { interactionUid: uid, accountId: account.id }, visit.now)
      return { location: secondStepPath(uid) }
    })
    return proved ?? wrong
  },
}

function whatIsMissing(typed: { email: string; password: string }, { t }: Visit): Failure | null {
  const flaws = {
    ...(typed.email === '' && { email: t('flaw.email-missing') }),
    ...(typed.password === '' && { password: t('flaw.password-missing') }),
  }
  return Object.keys(flaws).length > 0 ? { status: 422, email: typed.email, flaws } : null
}
