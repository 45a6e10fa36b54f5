/** The forgotten password: request a link, and set a new one with it. */
import {
  findAccountByEmail,
  findAccountById,
  markEmailConfirmed,
  normalEmail,
  setPassword,
  unlinkIin,
} from '../accounts/account-queries.ts'
import { takeAtLeast } from '../http/minimum-duration.ts'
import { rememberSuccess } from '../accounts/attempt-queries.ts'
import { emailFlaw, newPasswordFlaw } from '../accounts/form-checks.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, type Html } from '../http/html.ts'
import { emailOf } from '../http/emails.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { continuePath, interactionParameter, interactionUid, paths, withInteraction } from '../http/paths.ts'
import { endFreshSecondFactor, endSecondStepsOf } from '../accounts/second-factor-queries.ts'
import { deletePasskeysOf } from '../passkeys/passkey-queries.ts'
import { Refused } from '../http/refused.ts'
import { endAllSessions } from '../provider/session-queries.ts'
import { findReset, issueResetToken, revokeResets, useToken } from '../accounts/token-queries.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { button, buttonLink, field, form, hidden, knownUsername } from '../markup/fields.ts'
import { layout, messagePage } from '../markup/layout.ts'
import { checkMailPage } from './register.ts'

export const showForgot: Handler = async (visit) => {
  const uid = interactionUid(visit.url.searchParams.get(interactionParameter))
  return { status: 200, page: forgotPage(visit, uid, '', null) }
}

export const forgot: Handler = async (visit, context) => {
  const fields = await readForm(visit.request)
  const uid = interactionUid(fields.get(interactionParameter))
  const email = normalEmail(fields.get('email'))
  const flaw = emailFlaw(email)
  if (flaw) return { status: 422, page: forgotPage(visit, uid, email, flaw) }
  if (!(await context.limits.mayAskFrom(visit.address))) throw new Refused('too-many', 429)
  await takeAtLeast(sendLink(visit, context, email, uid))
  return { status: 200, page: checkMailPage(visit, 'reset', email, withInteraction(paths.forgot, uid)) }
}

async function sendLink(
  { now, address }: Visit,
  context: Context,
  email: string,
  uid: string | null,
): Promise<void> {
  const { database, queueMail, publicUrl, limits } = context
  if (!(await limits.mayWrite('forgot', email, address))) return
  await database.write(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    if (!account) return
    const token = await issueResetToken(tx, { accountId: account.id, interactionUid: uid }, now)
    await queueMail(tx, emailOf('reset', account, new URL(`${paths.reset}?token=${token}`, publicUrl)))
  })
}

export const showReset: Handler = async (visit, { database }) => {
  const token = visit.url.searchParams.get('token') ?? ''
  const found = await findReset(database.db, token, visit.now)
  const account = found && (await findAccountById(database.db, found.accountId))
  if (!account) return deadReset(visit)
  return { status: 200, page: resetPage(visit, token, account.email, null) }
}

export const reset: Handler = async (visit, context) => {
  const { database, queueMail, publicUrl, clock, tellApplications } = context
  const { t, now } = visit
  const fields = await readForm(visit.request)
  const [token, password] = [fields.get('token'), fields.get('password')]
  const found = await findReset(database.db, token, now)
  const account = found && (await findAccountById(database.db, found.accountId))
  if (!account) return deadReset(visit)
  const flaw = newPasswordFlaw(password, account.email)
  if (flaw) return { status: 422, page: resetPage(visit, token, account.email, flaw) }

  const passwordHash = await hashPassword(password)
  const isDone = await database.write(async (tx) => {
    if (!(await useToken(tx, token, now))) return false
    await setPassword(tx, account.id, passwordHash)
    await endSecondStepsOf(tx, account.id)
    await deletePasskeysOf(tx, account.id)
    await unlinkIin(tx, account.id)
    if (await endFreshSecondFactor(tx, account.id, now))
      await queueMail(tx, emailOf('secondOff', account, new URL(paths.secondFactor, publicUrl)))
    await markEmailConfirmed(tx, account.id, now)
    await revokeResets(tx, account.id)
    await endAllSessions(tx, account.id, clock)
    await rememberSuccess(tx, { email: account.email, address: visit.address }, now)
    await queueMail(tx, emailOf('changed', account, new URL(paths.forgot, publicUrl)))
    return true
  })
  if (!isDone) return deadReset(visit)
  await tellApplications()
  const page = messagePage(visit, {
    kind: 'good',
    title: t('reset.doneTitle'),
    lead: t('reset.done'),
    action: buttonLink(t('confirm.continue'), continuePath(found.interactionUid)),
    at: paths.reset,
  })
  return { status: 200, page }
}

function deadReset(visit: Visit) {
  const { t } = visit
  const page = messagePage(visit, {
    kind: 'bad',
    title: t('deadLink.title'),
    lead: t('deadLink.reset'),
    action: buttonLink(t('deadLink.resetAction'), paths.forgot),
    at: paths.reset,
  })
  return { status: 410, page }
}

function forgotPage(
  visit: Visit,
  uid: string | null,
  email: string,
  flaw: ReturnType<typeof emailFlaw>,
): Html {
  const { t } = visit
  return layout(visit, {
    title: t('forgot.title'),
    at: withInteraction(paths.forgot, uid),
    content: html`<h1>${t('forgot.title')}</h1>
      <p class="lead">${t('forgot.lead')}</p>
      ${form(
        paths.forgot,
        html`${uid && hidden(interactionParameter, uid)}
        ${field({
          name: 'email',
          label: t('field.email'),
          type: 'email',
          autocomplete: 'username',
          value: email,
          error: flaw ? t(`flaw.${flaw}`) : undefined,
          isFirst: true,
        })}
        ${button(t('forgot.submit'))}`,
      )}
      <p class="aside"><a href="${continuePath(uid)}">${t('forgot.back')}</a></p>`,
  })
}

function resetPage(
  visit: Visit,
  token: string,
  email: string,
  flaw: ReturnType<typeof newPasswordFlaw>,
): Html {
  const { t } = visit
  return layout(visit, {
    title: t('reset.title'),
    at: `${paths.reset}?token=${encodeURIComponent(token)}`,
    content: html`<h1>${t('reset.title')}</h1>
      <p class="lead">${t('reset.lead', { email })}</p>
      ${form(
        paths.reset,
        html`${hidden('token', token)}${knownUsername(email)}
        ${field({
          name: 'password',
          label: t('field.newPassword'),
          type: 'password',
          autocomplete: 'new-password',
          help: t('passwordRules'),
          error: flaw ? t(`flaw.${flaw}`) : undefined,
          isFirst: true,
        })}
        ${button(t('reset.submit'))}`,
      )}`,
  })
}
