/**
 * The digital signature made by the mobile app: the page shows a QR code, the app fetches the challenge and responds.
 * Then the person types here the code that the phone has shown, so that nobody signs in by a QR code that they showed
 * to somebody else (docs/decisions/023-signing-in-by-phone.md).
 */
import { codeLifetime, placeOf } from '@kelisim/domain/signatures/phone-sign-in.ts'
import { findChallenge, issueChallenge, type Challenge } from '../accounts/challenge-queries.ts'
import { presentCode, type PresentedCode } from '../accounts/reading-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { interactionPath } from '../http/paths.ts'
import { Refused, SignInEnded } from '../http/refused.ts'
import type { Visit } from '../http/visit.ts'
import { currentInteraction } from './interaction.ts'
import { entrance, refused } from './signature.ts'
import type { Failure, SignInMethod } from './method.ts'
import { codePage, phonePage } from '../markup/phone.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'

export const phone: SignInMethod = {
  name: 'phone',
  render: () => null,

  /** The page's script, or the person, reports that the phone has responded; only the stored state decides. */
  async attempt(fields, visit, context, uid) {
    const challenge = await findChallenge(context.database.db, fields.get('challenge'), uid)
    if (!challenge) throw new SignInEnded()
    const again = { location: `${interactionPath(uid)}/phone?challenge=${challenge.id}` }
    switch (shownState(challenge, visit.now)) {
      case 'expired':
        return failure(visit.t('signature.stale'))
      case 'proved':
      case 'signed': {
        const presented = { code: fields.get('code'), returnSecret: fields.get('return') }
        const isNothing = presented.code.trim() === '' && presented.returnSecret === ''
        return isNothing ? again : enterByCode(challenge, presented, visit, context, uid)
      }
      case 'refused':
        return refused(visit, (challenge.faults ?? []) as Fault[])
      case 'canceled':
        return failure(visit.t('signature.canceledOnPhone'))
      case 'mismatched':
        return failure(visit.t('signature.codeMismatched'))
      case 'new':
      case 'opened':
      case 'fetched':
        return again
    }
  },
}

async function enterByCode(
  challenge: Challenge,
  presented: PresentedCode,
  visit: Visit,
  context: Context,
  uid: string,
): ReturnType<SignInMethod['attempt']> {
  const result = await context.database.write((tx) => presentCode(tx, challenge.id, presented))
  switch (result) {
    case 'right':
      return entrance(challenge.proof!, visit, context, uid)
    case 'wrong': {
      const error = visit.t('signature.codeWrong')
      return { status: 422, page: codePage(visit, uid, challenge, { error }) }
    }
    case 'mismatched':
      return failure(visit.t('signature.codeMismatched'))
    case 'over':
      return failure(visit.t('signature.stale'))
  }
}

function failure(message: string): Failure {
  return { status: 401, email: '', method: 'signature', message }
}

/** The phone has some minutes to sign; then the person has some minutes to type the code. */
function shownState({ state, expiresAt, usedAt }: Challenge, now: Date): Challenge['state'] | 'expired' {
  switch (state) {
    case 'signed': {
      const until = (usedAt?.getTime() ?? 0) + codeLifetime
      return until > now.getTime() ? state : 'expired'
    }
    case 'new':
    case 'opened':
    case 'fetched':
      return expiresAt > now ? state : 'expired'
    case 'proved':
    case 'refused':
    case 'canceled':
    case 'mismatched':
      return state
  }
}

export const beginPhone: Handler = async (visit, context, uid) => {
  if (!context.checkSignature || !(await currentInteraction(visit, context, uid))) {
    throw new SignInEnded()
  }
  const place = placeOf(visit.request.headers['user-agent'] ?? '', visit.address)
  const issued = await context.database.write((tx) =>
    issueChallenge(tx, { interactionUid: uid, via: 'phone', place }, visit.now),
  )
  if (!issued) throw new Refused('too-many', 429)
  return { location: `${interactionPath(uid)}/phone?challenge=${issued.id}` }
}

export const showPhone: Handler = async (visit, context, uid) => {
  const challenge = await challengeOf(visit, context, uid)
  const returnSecret = visit.url.searchParams.get('return') ?? ''
  const page =
    shownState(challenge, visit.now) === 'signed'
      ? codePage(visit, uid, challenge, { returnSecret })
      : phonePage(visit, context, uid, challenge)
  return { status: 200, page }
}

/** Tells the page's script how far the phone is. */
export const phoneState: Handler = async (visit, context, uid) => {
  if (!(await currentInteraction(visit, context, uid))) return { status: 200, json: { state: 'expired' } }
  const challenge = await challengeOf(visit, context, uid)
  return { status: 200, json: { state: shownState(challenge, visit.now) } }
}

async function challengeOf(visit: Visit, context: Context, uid: string): Promise<Challenge> {
  if (!(await currentInteraction(visit, context, uid))) throw new SignInEnded()
  const id = visit.url.searchParams.get('challenge') ?? ''
  const challenge = await findChallenge(context.database.db, id, uid)
  if (challenge?.via !== 'phone') throw new Refused('not-found', 404)
  return challenge
}
