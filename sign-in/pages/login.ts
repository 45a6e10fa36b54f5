/** The login page: all methods, one below the other; the first that succeeds ends the sign-in. */
import { findProof } from '../accounts/challenge-queries.ts'
import type { Handler } from '../http/context.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { chosenWay, currentInteraction, finish } from '../methods/interaction.ts'
import type { LoginPage, SignInMethod } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import { beginPhone } from '../methods/phone.ts'
import { signature } from '../methods/signature.ts'
import { interactionPath } from '../http/paths.ts'
import { SignInEnded } from '../http/refused.ts'
import { readForm } from '../http/visit.ts'
import { layout } from '../markup/layout.ts'

export const showLogin: Handler = async (visit, context, uid) => {
  const interaction = await currentInteraction(visit, context, uid)
  if (interaction) {
    // a signature was presented in this sign-in and the person has not decided yet how to go on: they may come from
    // an e-mail
    const isAnother = visit.url.searchParams.has('another')
    const proof = isAnother ? null : await findProof(context.database.db, uid, visit.now)
    if (proof) return { location: `${interactionPath(uid)}/unknown` }
    const way = isAnother ? null : chosenWay(interaction)
    if (way === 'phone' && context.checkSignature) return beginPhone(visit, context, uid)
    const { login_hint: hint } = interaction.params
    const emailHint = typeof hint === 'string' ? hint : ''
    return { status: 200, page: loginPage({ visit, context, uid, failure: null, emailHint, way }) }
  }
  throw new SignInEnded()
}

/** Makes the handler of the form of one method. */
export function signInBy(method: SignInMethod): Handler {
  return async (visit, context, uid) => {
    const interaction = await currentInteraction(visit, context, uid)
    if (!interaction) throw new SignInEnded()
    const form = await readForm(visit.request, method.formLimit)
    const result = await method.attempt(form, visit, context, uid)
    if ('location' in result || 'page' in result) return result
    if ('account' in result) {
      await finish(result, interaction, visit, context)
      return null
    }
    const way = chosenWay(interaction)
    const page = loginPage({ visit, context, uid, failure: result, emailHint: '', way })
    return { status: result.status, page }
  }
}

function loginPage(page: LoginPage): Html {
  const { t } = page.visit
  const isForDocument = page.way !== null && page.context.checkSignature !== undefined
  // The method that was tried and failed stays visible.
  const isOtherWay = page.failure !== null && page.failure.method !== 'signature'
  const title = t(isForDocument ? 'login.documentTitle' : 'login.title')
  return layout(page.visit, {
    title,
    at: interactionPath(page.uid),
    content: html`<h1>${title}</h1>
      ${
        isForDocument
          ? html`${signature.render(page)}
              <details class="other" ${isOtherWay && trusted('open')}>
                <summary>${t('login.withAccount')}</summary>
                ${methods.filter((method) => method !== signature).map((method) => method.render(page))}
              </details>`
          : html`<p class="lead">${t('login.lead')}</p>
              ${methods.map((method) => method.render(page))}`
      }`,
  })
}
