/** The sign-in in progress of a browser, and its end. */
import { errors, type Provider } from 'oidc-provider'
import { wayIn, type SignInWay } from '@kelisim/domain/identity/sign-in-ways.ts'
import type { Context } from '../http/context.ts'
import { idleLimit, sessionCookie } from '../provider/provider.ts'
import { loginSecond } from '../provider/login-time.ts'
import type { Proof } from './method.ts'
import { endSession } from '../provider/session-queries.ts'
import type { Visit } from '../http/visit.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export async function finish(
  { account, amr }: Proof,
  interaction: Interaction,
  visit: Visit,
  context: Context,
) {
  const { provider, database, tellApplications } = context
  const accountId = account.id
  const { session } = interaction
  if (session && session.accountId !== accountId) {
    // Another person signs in at this browser. The library itself would end the old session by a page that submits
    // itself by script.
    await database.write((tx) => endSession(tx, session.uid, visit.now))
    await tellApplications()
    delete interaction.session
    await interaction.persist()
  }
  const ts = loginSecond(account.sessionsValidFrom, visit.now)
  await provider.interactionFinished(visit.request, visit.response, { login: { accountId, amr, ts } })
}

/**
 * Creates a session without a sign-in in progress: the next sign-in that an application begins succeeds at once. A
 * person who was signed in in this browser is signed out.
 */
export async function beginSession({ account, amr }: Proof, visit: Visit, context: Context): Promise<void> {
  const { provider, database, tellApplications } = context
  const koa = provider.createContext(visit.request, visit.response)
  const before = await provider.Session.get(koa)
  if (before.accountId) {
    await database.write((tx) => endSession(tx, before.uid, visit.now))
    await tellApplications()
  }
  const session = new provider.Session()
  session.loginAccount({
    accountId: account.id,
    amr,
    loginTs: loginSecond(account.sessionsValidFrom, visit.now),
  })
  await session.save(idleLimit)
  koa.cookies.set(provider.cookieName('session'), session.jti, sessionCookie(koa.secure))
}

/** The sign-in in progress of this browser, if it is the one named in the address. */
export async function currentInteraction(
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

/** The way to sign in that was chosen at the application: people who came to a document are not asked to register. */
export function chosenWay({ params }: Interaction): SignInWay | null {
  return wayIn(params['acr_values'])
}
