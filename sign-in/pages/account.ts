/** A person's own account: their details, a new password, ending all sessions. */
import type { Account } from '../accounts/account-queries.ts'
import { replacePassword, unlinkIin } from '../accounts/account-queries.ts'
import { attemptSucceeded, beginAttempt } from '../accounts/attempt-queries.ts'
import { endSecondStepsOf } from '../accounts/second-factor-queries.ts'
import { newPasswordFlaw } from '../accounts/form-checks.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, type Html } from '../http/html.ts'
import { emailOf } from '../http/emails.ts'
import { hashPassword, isPasswordRight } from '../accounts/password-hash.ts'
import { paths } from '../http/paths.ts'
import { endAllSessions } from '../provider/session-queries.ts'
import { revokeResets } from '../accounts/token-queries.ts'
import { minutesUntil, readForm, type Visit } from '../http/visit.ts'
import { button, buttonLink, field, form, knownUsername } from '../markup/fields.ts'
import { layout } from '../markup/layout.ts'
import { signedIn, signInFirst } from './signed-in.ts'

type Failure = { message?: string; current?: string; next?: string }

export const showAccount: Handler = async (visit, context) => {
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.account)
  const isChanged = visit.url.searchParams.has('changed')
  return { status: 200, page: accountPage(visit, person.account, { isChanged, failure: null }) }
}

export const changePassword: Handler = async (visit, context) => {
  const { database, queueMail, publicUrl, clock, tellApplications } = context
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.account)
  const { account, sessionUid } = person
  const next = fields.get('newPassword')
  const refused = await whyNotChanged(visit, context, account, fields.get('currentPassword'), next)
  if (refused) {
    const { status, failure } = refused
    return { status, page: accountPage(visit, account, { isChanged: false, failure }) }
  }
  const passwordHash = await hashPassword(next)
  const isDone = await database.write(async (tx) => {
    if (!(await replacePassword(tx, account, passwordHash))) return false
    await endSecondStepsOf(tx, account.id)
    await unlinkIin(tx, account.id)
    await revokeResets(tx, account.id)
    await endAllSessions(tx, account.id, clock, sessionUid)
    await queueMail(tx, emailOf('changed', account, new URL(paths.forgot, publicUrl)))
    return true
  })
  if (!isDone) return signInFirst(context, paths.account)
  await tellApplications()
  return { location: `${paths.account}?changed` }
}

export const signOutEverywhere: Handler = async (visit, context) => {
  await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.account)
  const { provider, database, clock, tellApplications } = context
  await database.write((tx) => endAllSessions(tx, person.account.id, clock))
  await tellApplications()
  provider
    .createContext(visit.request, visit.response)
    .cookies.set(provider.cookieName('session'), null, { path: '/', signed: true })
  return { location: paths.signedOut }
}

/**
 * The current password can be guessed here as on the login page, so attempts are counted together with those there.
 */
async function whyNotChanged(
  { t, address, now }: Visit,
  { database }: Context,
  account: Account,
  current: string,
  next: string,
): Promise<{ status: number; failure: Failure } | null> {
  const flaw = newPasswordFlaw(next, account.email)
  const failure = {
    ...(current === '' && { current: t('flaw.password-missing') }),
    ...(flaw && { next: t(`flaw.${flaw}`) }),
  }
  if (Object.keys(failure).length > 0) return { status: 422, failure }

  const guess = { email: account.email, address }
  const begun = await database.write((tx) => beginAttempt(tx, guess, now))
  if (begun.blockedUntil) {
    const message = t('login.blocked', { count: minutesUntil(begun.blockedUntil, now) })
    return { status: 429, failure: { message } }
  }
  if (!(await isPasswordRight(current, account.passwordHash))) {
    return { status: 422, failure: { current: t('flaw.password-wrong') } }
  }
  await database.write((tx) => attemptSucceeded(tx, begun.attempt))
  return null
}

function accountPage(
  visit: Visit,
  { fullName, email, passwordHash }: Account,
  { isChanged, failure }: { isChanged: boolean; failure: Failure | null },
): Html {
  const { t } = visit
  return layout(visit, {
    title: t('account.title'),
    at: paths.account,
    content: html`<h1>${t('account.title')}</h1>
      <dl class="facts">
        <dt>${t('account.name')}</dt>
        <dd>${fullName}</dd>
        <dt>${t('account.email')}</dt>
        <dd>${email}</dd>
      </dl>
      <p class="aside"><a href="/">${t('account.back')}</a></p>
      ${passwordHash !== null && passwordSection(visit, email, isChanged, failure)}
      ${
        passwordHash !== null &&
        html`<section class="part" aria-labelledby="second">
          <h2 id="second">${t('secondFactor.title')}</h2>
          <p class="lead">${t('secondFactor.lead')}</p>
          ${buttonLink(t('secondFactor.open'), paths.secondFactor, 'quiet')}
        </section>`
      }
      <section class="part" aria-labelledby="passkeys">
        <h2 id="passkeys">${t('passkeys.title')}</h2>
        <p class="lead">${t('passkeys.lead')}</p>
        ${buttonLink(t('passkeys.open'), paths.passkeys, 'quiet')}
      </section>
      <section class="part" aria-labelledby="everywhere">
        <h2 id="everywhere">${t('account.everywhereTitle')}</h2>
        <p class="lead">${t('account.everywhereLead')}</p>
        ${form(paths.signOutEverywhere, button(t('account.everywhereSubmit'), 'quiet'))}
      </section>`,
  })
}

function passwordSection({ t }: Visit, email: string, isChanged: boolean, failure: Failure | null): Html {
  return html`<section class="part" aria-labelledby="change">
    <h2 id="change">${t('account.passwordTitle')}</h2>
    <p class="lead">${t('account.passwordLead')}</p>
    ${isChanged && html`<p class="notice" role="status">${t('account.passwordDone')}</p>`}
    ${failure?.message && html`<p class="alert" role="alert">${failure.message}</p>`}
    ${form(
      paths.changePassword,
      html`${knownUsername(email)}
      ${field({
        name: 'currentPassword',
        label: t('field.currentPassword'),
        type: 'password',
        autocomplete: 'current-password',
        error: failure?.current,
      })}
      ${field({
        name: 'newPassword',
        label: t('field.newPassword'),
        type: 'password',
        autocomplete: 'new-password',
        help: t('passwordRules'),
        error: failure?.next,
      })}
      ${button(t('account.passwordSubmit'))}`,
    )}
  </section>`
}
