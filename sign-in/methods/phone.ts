/**
 * The digital signature made by the mobile app: the page shows a QR code, the app fetches the challenge and responds.
 */
import { findChallenge, issueChallenge, type Challenge } from '../accounts/challenge-queries.ts'
import type { Handler } from '../http/context.ts'
import { interactionPath } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import { currentInteraction } from './interaction.ts'
import { entrance, refused } from './signature.ts'
import type { Failure, SignInMethod } from './method.ts'
import { phonePage } from '../markup/phone.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'

export const phone: SignInMethod = {
  name: 'phone',
  render: () => null,

  /** The page's script, or the person, reports that the phone has responded; only our stored state counts. */
  async attempt(fields, visit, context, uid) {
    const challenge = await findChallenge(context.database.db, fields.get('challenge'), uid)
    if (!challenge) throw new Refused('stale', 400)
    const again = { location: `${interactionPath(uid)}/phone?challenge=${challenge.id}` }
    switch (challenge.state) {
      case 'proved':
        return challenge.proof ? entrance(challenge.proof, context, uid) : again
      case 'refused':
        return refused(visit, (challenge.faults ?? []) as Fault[])
      case 'canceled':
        return said(visit.t('signature.canceledOnPhone'))
      case 'new':
      case 'opened':
      case 'fetched':
        return challenge.expiresAt > visit.now ? again : said(visit.t('signature.stale'))
    }
  },
}

function said(message: string): Failure {
  return { status: 401, email: '', method: 'signature', message }
}

export const beginPhone: Handler = async (visit, context, uid) => {
  if (!context.checkSignature || !(await currentInteraction(visit, context, uid))) {
    throw new Refused('stale', 400)
  }
  const { publicUrl, database } = context
  const title = visit.t('signature.challenge')
  const issued = await database.write((tx) =>
    issueChallenge(tx, { interactionUid: uid, via: 'phone', title, origin: publicUrl.origin }, visit.now),
  )
  if (!issued) throw new Refused('too-many', 429)
  return { location: `${interactionPath(uid)}/phone?challenge=${issued.id}` }
}

export const showPhone: Handler = async (visit, context, uid) => {
  const challenge = await challengeOf(visit.url, context, uid, visit)
  return { status: 200, page: phonePage(visit, context, uid, challenge) }
}

/** For the page's script. */
export const phoneState: Handler = async (visit, context, uid) => {
  const { state, expiresAt } = await challengeOf(visit.url, context, uid, visit)
  const isOver = expiresAt <= visit.now && !['proved', 'refused', 'canceled'].includes(state)
  return { status: 200, json: { state: isOver ? 'expired' : state } }
}

async function challengeOf(
  url: URL,
  context: Parameters<Handler>[1],
  uid: string,
  visit: Parameters<Handler>[0],
): Promise<Challenge> {
  if (!(await currentInteraction(visit, context, uid))) throw new Refused('stale', 400)
  const id = url.searchParams.get('challenge') ?? ''
  const challenge = await findChallenge(context.database.db, id, uid)
  if (challenge?.via !== 'phone') throw new Refused('not-found', 404)
  return challenge
}
