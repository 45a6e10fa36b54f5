/**
 * The link in the e-mail: here the password is chosen and the account created. The registration form asks for no
 * password, so registering somebody else's address gives no access. Whoever has chosen a password is signed in.
 */
import { createConfirmedAccount, findAccountByEmail, setIin } from '../accounts/account-queries.ts'
import type { PageResponse } from '../http/page-response.ts'
import { rememberSuccess } from '../accounts/attempt-queries.ts'
import { findProof } from '../accounts/challenge-queries.ts'
import { newPasswordFlaw } from '../accounts/form-checks.ts'
import type { Context, Handler } from '../http/context.ts'
import { html } from '../http/html.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { confirmPath, paths } from '../http/paths.ts'
import { beginSession, currentInteraction, finish } from '../methods/interaction.ts'
import { confirmedAddress, findConfirmation, useToken, type Confirmation } from '../accounts/token-queries.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { button, buttonLink, field, form, hidden, knownUsername } from '../markup/fields.ts'
import { layout, messagePage } from '../markup/layout.ts'
import { signedIn } from './signed-in.ts'

/** A GET changes nothing: mail scanners open every link. */
export const showConfirm: Handler = async (visit, context) => {
  const token = visit.url.searchParams.get('token') ?? ''
  const found = await openConfirmation(visit, context, token)
  return 'answer' in found ? found.answer : passwordPage(visit, token, found.confirmation, null)
}

/** `uid` is in the address if the registration began in a sign-in; any other browser is not part of that sign-in. */
export const confirm: Handler = async (visit, context, uid) => {
  const { now, address } = visit
  const fields = await readForm(visit.request)
  const [token, password] = [fields.get('token'), fields.get('password')]
  const found = await openConfirmation(visit, context, token)
  if ('answer' in found) return found.answer
  const { registration } = found.confirmation
  const flaw = newPasswordFlaw(password, registration.email)
  if (flaw) return passwordPage(visit, token, found.confirmation, flaw)

  const interaction = uid === '' ? null : await currentInteraction(visit, context, uid)
  const proof = interaction && (await findProof(context.database.db, uid, now))
  const passwordHash = await hashPassword(password)
  const outcome = await context.database.write(async (tx) => {
    if (!(await useToken(tx, token, now))) return 'dead'
    const id = await createConfirmedAccount(tx, registration, passwordHash, now)
    if (id === null) return 'exists'
    await rememberSuccess(tx, { email: registration.email, address }, now)
    const isNumberLinked = proof !== null && (await setIin(tx, id, proof.iin))
    return { id, amr: isNumberLinked ? ['swk', 'pwd'] : ['pwd'] }
  })
  if (outcome === 'dead') return deadLink(visit, 'confirm')
  if (outcome === 'exists') return alreadyThere(visit, registration.email)
  const created = { account: { id: outcome.id, sessionsValidFrom: null }, amr: outcome.amr }
  if (interaction) {
    await finish(created, interaction, visit, context)
    return null
  }
  await beginSession(created, visit, context)
  return { location: paths.start }
}

/** Finds the registration of a link, or returns the page that says why there is none. */
async function openConfirmation(
  visit: Visit,
  context: Context,
  token: string,
): Promise<{ confirmation: Confirmation } | { answer: PageResponse }> {
  const { database } = context
  const confirmation = await findConfirmation(database.db, token, visit.now)
  if (confirmation === null) {
    // the link that created the account was opened again: it is used up, so its owner is led on
    const person = await signedIn(visit, context)
    const isOwn = person && person.account.email === (await confirmedAddress(database.db, token))
    return { answer: isOwn ? { location: paths.start } : deadLink(visit, 'confirm') }
  }
  if (confirmation === 'replaced') return { answer: deadLink(visit, 'replaced') }
  const { email } = confirmation.registration
  if (await findAccountByEmail(database.db, email)) return { answer: alreadyThere(visit, email) }
  return { confirmation }
}

function passwordPage(
  visit: Visit,
  token: string,
  { registration: { email }, interactionUid }: Confirmation,
  flaw: ReturnType<typeof newPasswordFlaw>,
): PageResponse {
  const { t } = visit
  const page = layout(visit, {
    title: t('confirm.title'),
    at: `${paths.confirm}?token=${encodeURIComponent(token)}`,
    content: html`<h1>${t('confirm.title')}</h1>
      <p class="lead">${t('confirm.lead', { email })}</p>
      ${form(
        confirmPath(interactionUid),
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
