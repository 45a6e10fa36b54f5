/** Who is signed in at a browser that opens a page of their own account. */
import { findAccountById } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import { paths } from '../http/paths.ts'
import type { Visit } from '../http/visit.ts'

export async function signedIn({ request, response }: Visit, { provider, database }: Context) {
  const session = await provider.Session.get(provider.createContext(request, response))
  const account = session.accountId && (await findAccountById(database.db, session.accountId))
  if (!account) return null
  return { account, sessionUid: session.uid, isBySignature: session.amr?.includes('swk') ?? false }
}

/** The application starts sign-ins; afterwards it redirects the person to the page, a path of the same site. */
export function signInFirst({ publicUrl }: Context, page: string): { location: string } {
  const here = new URL(page, publicUrl).href
  return { location: `${paths.start}?returnApp=${encodeURIComponent(here)}` }
}
