/**
 * Registration: the person's details, and the e-mail. The password is chosen after opening the link, see confirm.ts.
 */
import { findAccountByEmail, normalEmail } from '../accounts/account-queries.ts'
import { takeAtLeast } from '../http/minimum-duration.ts'
import { emailFlaw, fullNameFlaw, tidyName } from '../accounts/form-checks.ts'
import { findProof } from '../accounts/challenge-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, type Html } from '../http/html.ts'
import { currentInteraction } from '../methods/interaction.ts'
import { emailOf } from '../http/emails.ts'
import { continuePath, interactionParameter, interactionUid, paths, withInteraction } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import { issueConfirmToken } from '../accounts/token-queries.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { button, field, form, hidden } from '../markup/fields.ts'
import { layout, messagePage } from '../markup/layout.ts'

type SubmittedFields = { fullName: string; email: string }
type Flaws = { fullName: ReturnType<typeof fullNameFlaw>; email: ReturnType<typeof emailFlaw> }

/** `uid` is in the address of a person who presented a digital signature; their name is then filled in. */
export const showRegister: Handler = async (visit, context, parameter) => {
  const uid = interactionUid(parameter || visit.url.searchParams.get(interactionParameter))
  const interaction = parameter && (await currentInteraction(visit, context, parameter))
  const proof = interaction ? await findProof(context.database.db, parameter, visit.now) : null
  const typed = { fullName: proof?.fullName ?? '', email: proof?.email ?? '' }
  return { status: 200, page: registerPage(visit, uid, typed, null) }
}

export const register: Handler = async (visit, context) => {
  const fields = await readForm(visit.request)
  const uid = interactionUid(fields.get(interactionParameter))
  const typed = { fullName: tidyName(fields.get('fullName')), email: normalEmail(fields.get('email')) }
  const flaws: Flaws = { fullName: fullNameFlaw(typed.fullName), email: emailFlaw(typed.email) }
  if (flaws.fullName || flaws.email) {
    return { status: 422, page: registerPage(visit, uid, typed, flaws) }
  }
  if (!(await context.limits.mayAskFrom(visit.address))) throw new Refused('too-many', 429)
  await takeAtLeast(sendConfirmation(visit, context, typed, uid))
  return {
    status: 200,
    page: checkMailPage(visit, 'confirm', typed.email, withInteraction(paths.register, uid)),
  }
}

/** A new address gets a link; one with an account is told so by e-mail, not on the page. */
async function sendConfirmation(
  visit: Visit,
  context: Context,
  typed: SubmittedFields,
  uid: string | null,
): Promise<void> {
  const { now, language, address } = visit
  const { database, queueMail, publicUrl, limits } = context
  if (!(await limits.mayWrite('register', typed.email, address))) return
  await database.write(async (tx) => {
    const account = await findAccountByEmail(tx, typed.email)
    if (account) {
      await queueMail(tx, emailOf('exists', account, new URL(paths.start, publicUrl)))
      return
    }
    const registration = { ...typed, language }
    const token = await issueConfirmToken(tx, { registration, interactionUid: uid }, now)
    const link = new URL(`${paths.confirm}?token=${token}`, publicUrl)
    await queueMail(tx, emailOf('confirm', registration, link))
  })
}

function registerPage(visit: Visit, uid: string | null, typed: SubmittedFields, flaws: Flaws | null): Html {
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
