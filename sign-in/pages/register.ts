/** Registration: the form, the letter, and the confirmation that makes the account. */
import { createConfirmedAccount, findAccountByEmail, normalEmail } from '../accounts.ts'
import { atLeast } from '../at-least.ts'
import { emailFlaw, fullNameFlaw, newPasswordFlaw, tidyName } from '../checks.ts'
import type { Context, Handler } from '../context.ts'
import { html, type Html } from '../html.ts'
import { letter } from '../letters.ts'
import { hashPassword } from '../password-hash.ts'
import { continuePath, interactionParameter, interactionUid, paths, withInteraction } from '../paths.ts'
import { Refused } from '../refused.ts'
import { findConfirmation, issueConfirmToken, useToken } from '../tokens.ts'
import { readForm, type Visit } from '../visit.ts'
import { button, buttonLink, field, form, hidden } from './fields.ts'
import { layout, messagePage } from './layout.ts'

type Typed = { fullName: string; email: string; password: string }
type Flaws = {
  fullName: ReturnType<typeof fullNameFlaw>
  email: ReturnType<typeof emailFlaw>
  password: ReturnType<typeof newPasswordFlaw>
}

export const showRegister: Handler = async (visit) => {
  const uid = interactionUid(visit.url.searchParams.get(interactionParameter))
  return { status: 200, page: registerPage(visit, uid, { fullName: '', email: '' }, null) }
}

export const register: Handler = async (visit, context) => {
  const fields = await readForm(visit.request)
  const uid = interactionUid(fields.get(interactionParameter))
  const typed = {
    fullName: tidyName(fields.get('fullName')),
    email: normalEmail(fields.get('email')),
    password: fields.get('password'),
  }
  const flaws: Flaws = {
    fullName: fullNameFlaw(typed.fullName),
    email: emailFlaw(typed.email),
    password: newPasswordFlaw(typed.password, typed.email),
  }
  if (flaws.fullName || flaws.email || flaws.password) {
    return { status: 422, page: registerPage(visit, uid, typed, flaws) }
  }
  if (!(await context.limits.mayAskFrom(visit.address))) throw new Refused('too-many', 429)
  await atLeast(sendLetter(visit, context, typed, uid))
  return {
    status: 200,
    page: checkMailPage(visit, 'confirm', typed.email, withInteraction(paths.register, uid)),
  }
}

/** A new address gets a link; one with an account is told so, by letter and not on the page. */
async function sendLetter(visit: Visit, context: Context, typed: Typed, uid: string | null): Promise<void> {
  const { now, language } = visit
  const { database, queueMail, publicUrl, limits } = context
  const { email, fullName } = typed
  const passwordHash = await hashPassword(typed.password)
  if (!(await limits.mayWriteTo(email))) return
  await database.write(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    if (account) {
      await queueMail(tx, letter('exists', account, new URL(paths.start, publicUrl)))
      return
    }
    const registration = { email, fullName, passwordHash, language }
    const token = await issueConfirmToken(tx, { registration, interactionUid: uid }, now)
    const link = new URL(`${paths.confirm}?token=${token}`, publicUrl)
    await queueMail(tx, letter('confirm', registration, link))
  })
}

/** A GET changes nothing: programs that look into letters open every link. */
export const showConfirm: Handler = async (visit, { database }) => {
  const token = visit.url.searchParams.get('token') ?? ''
  const confirmation = await findConfirmation(database.db, token, visit.now)
  if (!confirmation) return deadConfirmation(visit)
  const { t } = visit
  const content = html`<h1>${t('confirm.title')}</h1>
    <p class="lead">${t('confirm.lead', { email: confirmation.registration.email })}</p>
    ${form(paths.confirm, [hidden('token', token), button(t('confirm.submit'))])}`
  return { status: 200, page: layout(visit, { title: t('confirm.title'), content }) }
}

export const confirm: Handler = async (visit, { database }) => {
  const { t, now } = visit
  const token = (await readForm(visit.request)).get('token')
  const confirmed = await database.write(async (tx) => {
    const confirmation = await findConfirmation(tx, token, now)
    if (!confirmation || !(await useToken(tx, token, now))) return null
    await createConfirmedAccount(tx, confirmation.registration, now)
    return confirmation
  })
  if (!confirmed) return deadConfirmation(visit)
  const page = messagePage(visit, {
    kind: 'good',
    title: t('confirm.doneTitle'),
    lead: t('confirm.done'),
    action: buttonLink(t('confirm.continue'), continuePath(confirmed.interactionUid)),
  })
  return { status: 200, page }
}

function deadConfirmation(visit: Visit) {
  const { t } = visit
  const page = messagePage(visit, {
    kind: 'bad',
    title: t('deadLink.title'),
    lead: t('deadLink.confirm'),
    action: html`<div class="stack">
      ${buttonLink(t('deadLink.login'), paths.start)}${buttonLink(t('login.register'), paths.register, 'quiet')}
    </div>`,
    at: paths.confirm,
  })
  return { status: 410, page }
}

function registerPage(
  visit: Visit,
  uid: string | null,
  typed: Pick<Typed, 'fullName' | 'email'>,
  flaws: Flaws | null,
): Html {
  const { t } = visit
  const text = (flaw: Flaws[keyof Flaws] | undefined) => (flaw ? t(`flaw.${flaw}`) : undefined)
  return layout(visit, {
    title: t('register.title'),
    at: withInteraction(paths.register, uid),
    content: html`<h1>${t('register.title')}</h1>
      <p class="lead">${t('register.lead')}</p>
      ${form(
        paths.register,
        html`${uid && hidden(interactionParameter, uid)}
        ${field({
          name: 'fullName',
          label: t('field.fullName'),
          type: 'text',
          autocomplete: 'name',
          value: typed.fullName,
          error: text(flaws?.fullName),
          isFirst: flaws === null,
        })}
        ${field({
          name: 'email',
          label: t('field.email'),
          type: 'email',
          autocomplete: 'email',
          value: typed.email,
          error: text(flaws?.email),
        })}
        ${field({
          name: 'password',
          label: t('field.password'),
          type: 'password',
          autocomplete: 'new-password',
          error: text(flaws?.password),
          help: t('passwordRules'),
        })}
        ${button(t('register.submit'))}`,
      )}
      <p class="aside">
        ${t('register.haveAccount')} <a href="${continuePath(uid)}">${t('register.login')}</a>
      </p>`,
  })
}

export function checkMailPage(visit: Visit, kind: 'confirm' | 'reset', email: string, again: string): Html {
  const { t } = visit
  return messagePage(visit, {
    kind: 'mail',
    title: t('checkMail.title'),
    lead: t(`checkMail.${kind}`, { email }),
    action: html`<p>${t('checkMail.nothing')} <a href="${again}">${t('checkMail.again')}</a>.</p>`,
    at: again,
  })
}
