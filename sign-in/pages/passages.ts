/** The addresses at which applications start and end sign-ins; only configured applications may use them. */
import type { Context, Handler } from '../http/context.ts'
import { Refused } from '../http/refused.ts'
import { returnPlace, type ReturnPlace } from '../provider/return-app.ts'
import type { Visit } from '../http/visit.ts'

/** The application itself starts the sign-in: only it can remember where the person wanted to be. */
export const autologin: Handler = async (visit, context) => {
  const { application, path } = placeOf(visit, context)
  const target = new URL('/api-user/autologin', application.origin)
  // without a place to return to, the application opens its own start page
  if (visit.url.searchParams.has('returnApp')) target.searchParams.set('returnApp', path)
  return { location: target.href }
}

export const signout: Handler = async (visit, context) => {
  const { application, path } = placeOf(visit, context)
  const isHome = path === '/'
  const query = new URLSearchParams({
    client_id: application.clientId,
    post_logout_redirect_uri: new URL(isHome ? '/' : '/api-user/signed-out', application.origin).href,
    ...(!isHome && { state: path }),
  })
  return { location: `/connect/session/end?${query.toString()}` }
}

function placeOf({ url }: Visit, { applications, publicUrl }: Context): ReturnPlace {
  const asked = url.searchParams.getAll('returnApp')
  const place = asked.length > 1 ? null : returnPlace(asked[0] ?? publicUrl.origin, applications)
  if (!place) throw new Refused('bad-return', 400)
  return place
}
