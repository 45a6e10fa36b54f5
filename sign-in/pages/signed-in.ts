/** Who is signed in at a browser that opens a page of their own account. */
import { minute, second } from '@kelisim/domain/durations.ts'
import { findAccountById } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import { paths } from '../http/paths.ts'
import type { Visit } from '../http/visit.ts'

/** How long a sign-in proves that the person themselves is at the computer. */
const freshness = 15 * minute

export async function signedIn({ request, response, now }: Visit, { provider, database }: Context) {
  const session = await provider.Session.get(provider.createContext(request, response))
  const account = session.accountId && (await findAccountById(database.db, session.accountId))
  if (!account) return null
  const isBySignature = session.amr?.includes('swk') ?? false
  const isFresh = (session.loginTs ?? 0) * second > now.getTime() - freshness
  return { account, sessionUid: session.uid, isBySignature, isFreshSignature: isBySignature && isFresh }
}

export type SignedIn = NonNullable<Awaited<ReturnType<typeof signedIn>>>

/** The application starts sign-ins; afterwards it redirects the person to the page, a path of the same site. */
export function signInFirst({ publicUrl }: Context, page: string): { location: string } {
  const here = new URL(page, publicUrl).href
  return { location: `${paths.start}?returnApp=${encodeURIComponent(here)}` }
}
