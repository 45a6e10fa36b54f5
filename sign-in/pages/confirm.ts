/**
 * The link in the e-mail: here the password is chosen and the account created. The registration form asks for no
 * password, so registering somebody else's address gives no access.
 */
import { createConfirmedAccount, findAccountByEmail } from '../accounts/account-queries.ts'
import type { PageResponse } from '../http/page-response.ts'
import { rememberSuccess } from '../accounts/attempt-queries.ts'
import { newPasswordFlaw } from '../accounts/form-checks.ts'
import type { Context, Handler } from '../http/context.ts'
import { html } from '../http/html.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { continuePath, paths } from '../http/paths.ts'
import { findConfirmation, useToken, type Confirmation } from '../accounts/token-queries.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { button, buttonLink, field, form, hidden, knownUsername } from '../markup/fields.ts'
import { layout, messagePage } from '../markup/layout.ts'

/** A GET changes nothing: mail scanners open every link. */
export const showConfirm: Handler = async (visit, context) => {
  const token = visit.url.searchParams.get('token') ?? ''
  const found = await openConfirmation(visit, context, token)
  return 'answer' in found ? found.answer : passwordPage(visit, token, found.confirmation, null)
}

export const confirm: Handler = async (visit, context) => {
  const { t, now, address } = visit
  const fields = await readForm(visit.request)
  const [token, password] = [fields.get('token'), fields.get('password')]
  const found = await openConfirmation(visit, context, token)
  if ('answer' in found) return found.answer
  const { registration, interactionUid } = found.confirmation
  const flaw = newPasswordFlaw(password, registration.email)
  if (flaw) return passwordPage(visit, token, found.confirmation, flaw)

  const passwordHash = await hashPassword(password)
  const outcome = await context.database.write(async (tx) => {
    if (!(await useToken(tx, token, now))) return 'dead'
    if ((await createConfirmedAccount(tx, registration, passwordHash, now)) === null) return 'exists'
    await rememberSuccess(tx, { email: registration.email, address }, now)
    return 'created'
  })
  if (outcome === 'dead') return deadLink(visit, 'confirm')
  if (outcome === 'exists') return alreadyThere(visit, registration.email)
  const page = messagePage(visit, {
    kind: 'good',
    title: t('confirm.doneTitle'),
    lead: t('confirm.done'),
    action: buttonLink(t('confirm.continue'), continuePath(interactionUid)),
    at: paths.confirm,
  })
  return { status: 200, page }
}

/** The registration of a link, or the page that says why there is none. */
async function openConfirmation(
  visit: Visit,
  { database }: Context,
  token: string,
): Promise<{ confirmation: Confirmation } | { answer: PageResponse }> {
  const confirmation = await findConfirmation(database.db, token, visit.now)
  if (confirmation === null) return { answer: deadLink(visit, 'confirm') }
  if (confirmation === 'replaced') return { answer: deadLink(visit, 'replaced') }
  const { email } = confirmation.registration
  if (await findAccountByEmail(database.db, email)) return { answer: alreadyThere(visit, email) }
  return { confirmation }
}

function passwordPage(
  visit: Visit,
  token: string,
  { registration: { email } }: Confirmation,
  flaw: ReturnType<typeof newPasswordFlaw>,
): PageResponse {
  const { t } = visit
  const page = layout(visit, {
    title: t('confirm.title'),
    at: `${paths.confirm}?token=${encodeURIComponent(token)}`,
    content: html`<h1>${t('confirm.title')}</h1>
      <p class="lead">${t('confirm.lead', { email })}</p>
      ${form(
        paths.confirm,
        html`${hidden('token', token)}${knownUsername(email)}
        ${field({
          name: 'password',
          label: t('field.password'),
          type: 'password',
          autocomplete: 'new-password',
          help: t('passwordRules'),
          error: flaw ? t(`flaw.${flaw}`) : undefined,
          isFirst: true,
        })}
        ${button(t('confirm.submit'))}`,
      )}`,
  })
  return { status: flaw ? 422 : 200, page }
}

function alreadyThere(visit: Visit, email: string): PageResponse {
  const { t } = visit
  const page = messagePage(visit, {
    kind: 'bad',
    title: t('confirm.existsTitle'),
    lead: t('confirm.exists', { email }),
    action: html`<div class="stack">
      ${buttonLink(t('confirm.continue'), paths.start)}${buttonLink(t('login.forgotten'), paths.forgot, 'quiet')}
    </div>`,
    at: paths.confirm,
  })
  return { status: 409, page }
}

function deadLink(visit: Visit, why: 'confirm' | 'replaced'): PageResponse {
  const { t } = visit
  const page = messagePage(visit, {
    kind: 'bad',
    title: t('deadLink.title'),
    lead: t(`deadLink.${why}`),
    action: html`<div class="stack">
      ${buttonLink(t('deadLink.login'), paths.start)}${buttonLink(t('login.register'), paths.register, 'quiet')}
    </div>`,
    at: paths.confirm,
  })
  return { status: 410, page }
}
