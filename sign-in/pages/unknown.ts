/**
 * A person proved their identity but has no account: they enter as an outsider, create an account, or link an existing
 * one.
 */
import type { SignatureProof } from '@kelisim/db/schema/sign-in.ts'
import { haveSessionsEnded, lockAccount } from '../accounts/account-queries.ts'
import { findProof } from '../accounts/challenge-queries.ts'
import { linkAfterSecondStep } from '../accounts/second-factor-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, type Html } from '../http/html.ts'
import { linkNumber } from './linked-number.ts'
import { currentInteraction, finish, type Interaction } from '../methods/interaction.ts'
import type { Failure } from '../methods/method.ts'
import { password } from '../methods/password.ts'
import { outsiderProof } from '../methods/signature.ts'
import { anotherWay, interactionPath } from '../http/paths.ts'
import { SignInEnded } from '../http/refused.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { alert, button, buttonLink, field, form } from '../markup/fields.ts'
import { layout } from '../markup/layout.ts'

export const showUnknown: Handler = async (visit, context, uid) => {
  const { proof } = await proved(visit, context, uid)
  return { status: 200, page: unknownPage(visit, uid, proof, null) }
}

export const enterAsOutsider: Handler = async (visit, context, uid) => {
  const { proof, interaction } = await proved(visit, context, uid)
  await finish(await outsiderProof(proof, visit, context), interaction, visit, context)
  return null
}

/** Links the IIN to this account, so that the signature signs in to it from now on. */
export const linkAccount: Handler = async (visit, context, uid) => {
  const { proof, interaction } = await proved(visit, context, uid)
  const result = await password.attempt(await readForm(visit.request), visit, context, uid)
  if ('location' in result) await context.database.write((tx) => linkAfterSecondStep(tx, uid, proof.iin))
  if ('location' in result || 'page' in result) return result
  if (!('account' in result)) return { status: result.status, page: unknownPage(visit, uid, proof, result) }
  const { account } = result
  const isLinked = await context.database.write(async (tx) => {
    const current = await lockAccount(tx, account.id)
    // The password may have been changed since it was checked.
    if (!current || haveSessionsEnded(account, current)) throw new SignInEnded()
    return linkNumber(tx, context, current, proof.iin, visit.now)
  })
  if (!isLinked) {
    const failure = { status: 409, email: '', message: visit.t('unknown.taken') }
    return { status: 409, page: unknownPage(visit, uid, proof, failure) }
  }
  await finish({ account, amr: ['swk', 'pwd'] }, interaction, visit, context)
  return null
}

async function proved(
  visit: Visit,
  context: Context,
  uid: string,
): Promise<{ proof: SignatureProof; interaction: Interaction }> {
  const interaction = await currentInteraction(visit, context, uid)
  const proof = interaction && (await findProof(context.database.db, uid, visit.now))
  if (!proof) throw new SignInEnded()
  return { proof, interaction }
}

function unknownPage(visit: Visit, uid: string, proof: SignatureProof, failure: Failure | null): Html {
  const { t } = visit
  const at = interactionPath(uid)
  const numbers = [
    [t('unknown.iin'), proof.iin],
    ...(proof.bin === null ? [] : [[t('unknown.bin'), proof.bin]]),
    ...(proof.organization === null ? [] : [[t('unknown.organization'), proof.organization]]),
  ]
  return layout(visit, {
    title: t('unknown.title'),
    at: `${at}/unknown`,
    content: html`<h1>${proof.fullName}</h1>
      <p class="lead">${t('unknown.lead')}</p>
      <dl class="facts">
        ${numbers.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      <section aria-labelledby="outsider-title">
        <h2 id="outsider-title">${t('unknown.outsiderTitle')}</h2>
        <p>${t('unknown.outsiderLead')}</p>
        ${form(`${at}/outsider`, button(t('unknown.outsider')))}
      </section>
      <section aria-labelledby="register-title">
        <h2 id="register-title">${t('unknown.registerTitle')}</h2>
        <p>${t('unknown.registerLead')}</p>
        ${buttonLink(t('unknown.register'), `${at}/register`, 'quiet')}
      </section>
      <section aria-labelledby="link-title">
        <h2 id="link-title">${t('unknown.linkTitle')}</h2>
        <p>${t('unknown.linkLead')}</p>
        ${alert(failure?.message)}
        ${form(
          `${at}/link`,
          html`${field({
            name: 'email',
            label: t('field.email'),
            type: 'email',
            autocomplete: 'username',
            value: failure?.email ?? '',
            error: failure?.flaws?.email,
          })}
          ${field({
            name: 'password',
            label: t('field.password'),
            type: 'password',
            autocomplete: 'current-password',
            error: failure?.flaws?.password,
          })}
          ${button(t('unknown.link'), 'quiet')}`,
        )}
      </section>
      <p class="aside"><a href="${anotherWay(uid)}">${t('signature.back')}</a></p>`,
  })
}
