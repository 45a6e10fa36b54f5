/** The login page: whatever methods there are, one under the other; the first that proves somebody ends it. */
import { errors, type Provider } from 'oidc-provider'
import type { Context, Handler } from '../context.ts'
import { html, type Html } from '../html.ts'
import { loginSecond } from '../login-time.ts'
import type { LoginPage, Proof, SignInMethod } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import { interactionPath, paths } from '../paths.ts'
import { Refused } from '../refused.ts'
import { endSession } from '../sessions.ts'
import { readForm, type Visit } from '../visit.ts'
import { layout } from './layout.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export const showLogin: Handler = async (visit, context, uid) => {
  const interaction = await currentInteraction(visit, context, uid)
  if (interaction) {
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
    const result = await method.attempt(await readForm(visit.request), visit, context)
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

async function finish({ account, amr }: Proof, interaction: Interaction, visit: Visit, context: Context) {
  const { provider, database, tellApplications } = context
  const accountId = account.id
  const { session } = interaction
  if (session && session.accountId !== accountId) {
    // Another person takes over this browser. Left to itself the library would end the old session by a page
    // that sends itself, by script.
    await database.write((tx) => endSession(tx, session.uid, visit.now))
    await tellApplications()
    delete interaction.session
    await interaction.persist()
  }
  const ts = loginSecond(account.sessionsValidFrom, visit.now)
  await provider.interactionFinished(visit.request, visit.response, { login: { accountId, amr, ts } })
}

/** The sign-in this browser is in the middle of, if it is the one in the address. */
async function currentInteraction(
  { request, response }: Visit,
  { provider }: Context,
  uid: string,
): Promise<Interaction | null> {
  try {
    const interaction = await provider.interactionDetails(request, response)
    return interaction.uid === uid ? interaction : null
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null
    throw error
  }
}
