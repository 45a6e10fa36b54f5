/** The login page: whatever methods there are, one under the other; the first that proves somebody ends it. */
import { findProof } from '../accounts/challenge-queries.ts'
import type { Handler } from '../http/context.ts'
import { html, type Html } from '../http/html.ts'
import { currentInteraction, finish } from '../methods/interaction.ts'
import type { LoginPage, SignInMethod } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import { interactionPath, paths } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import { readForm } from '../http/visit.ts'
import { layout } from '../markup/layout.ts'

export const showLogin: Handler = async (visit, context, uid) => {
  const interaction = await currentInteraction(visit, context, uid)
  if (interaction) {
    // somebody has shown a signature here and has not decided yet how to go on: perhaps they come from a letter
    const isAnother = visit.url.searchParams.has('another')
    const proof = isAnother ? null : await findProof(context.database.db, uid, visit.now)
    if (proof) return { location: `${interactionPath(uid)}/unknown` }
    const { login_hint: hint } = interaction.params
    const emailHint = typeof hint === 'string' ? hint : ''
    return { status: 200, page: loginPage({ visit, context, uid, failure: null, emailHint }) }
  }
  // Come back from a letter opened elsewhere: this browser has no sign-in to go on with, so it gets a new one.
  if (visit.url.searchParams.get('otherwise') === 'start') return { location: paths.start }
  throw new Refused('stale', 400)
}

/** The answer to the form of one method. */
export function signInBy(method: SignInMethod): Handler {
  return async (visit, context, uid) => {
    const interaction = await currentInteraction(visit, context, uid)
    if (!interaction) throw new Refused('stale', 400)
    const form = await readForm(visit.request, method.formLimit)
    const result = await method.attempt(form, visit, context, uid)
    if ('location' in result) return result
    if ('account' in result) {
      await finish(result, interaction, visit, context)
      return null
    }
    return { status: result.status, page: loginPage({ visit, context, uid, failure: result, emailHint: '' }) }
  }
}

function loginPage(page: LoginPage): Html {
  const { t } = page.visit
  return layout(page.visit, {
    title: t('login.title'),
    at: interactionPath(page.uid),
    content: html`<h1>${t('login.title')}</h1>
      <p class="lead">${t('login.lead')}</p>
      ${methods.map((method) => method.render(page))}`,
  })
}
