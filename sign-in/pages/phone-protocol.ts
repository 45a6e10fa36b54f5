/**
 * What the mobile app calls: it gets the introduction and the challenge, and submits the signature. The app shows the
 * `message` of a refusal to the person, so it is in their language.
 */
import {
  documentToSign,
  introduction,
  phoneSuccess,
  readPhoneResponse,
} from '@kelisim/domain/signatures/phone-protocol.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { PageResponse } from '../http/page-response.ts'
import {
  findPhoneChallenge,
  isTokenOf,
  saveResult,
  saveProgress,
  takeChallenge,
  type Challenge,
} from '../accounts/challenge-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { decoded, resultOf } from '../methods/signature.ts'
import { interactionPath } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import { readText, textsIn, type Visit } from '../http/visit.ts'

const bodyLimit = 256 * 1024

/** API 1: who requests what, until when, and where to fetch it. */
export const introduceToPhone: Handler = async (visit, context, id) => {
  const challenge = await findPhoneChallenge(context.database.db, id)
  if (!challenge) return refused(visit, 404, 'unknown')
  if (challenge.usedAt || challenge.expiresAt <= visit.now) return refused(visit, 410, 'over')
  await context.database.write((tx) => saveProgress(tx, id, 'opened'))
  const { host } = context.publicUrl
  return {
    status: 200,
    json: introduction({
      description: `${visit.t('signature.challenge')}: ${host}`,
      expiresAt: challenge.expiresAt,
      organisation: { ...inEachLanguage((texts) => texts('product')), bin: context.operatorBin },
      documentsAt: new URL(`/connect/e/${id}/documents`, context.publicUrl).href,
      token: challenge.token!,
    }),
  }
}

/** API 2, read: the only document is the challenge, as a text that the app shows. */
export const documentsForPhone: Handler = async (visit, context, id) => {
  const found = await openChallenge(visit, context, id)
  if ('answer' in found) return found.answer
  await context.database.write((tx) => saveProgress(tx, id, 'fetched'))
  const data = found.challenge.content.toString('base64')
  return {
    status: 200,
    json: documentToSign({
      ...inEachLanguage((texts) => texts('signature.challenge')),
      meta: [],
      mime: 'text/plain',
      data,
    }),
  }
}

/** API 2, write: the same document with the signature in place of the text, or a refusal. */
export const receiveFromPhone: Handler = async (visit, context, id) => {
  const known = await findPhoneChallenge(context.database.db, id)
  const isMine = known && isTokenOf(known, bearerOf(visit))
  // our response was lost and the app repeats its request: it gets the same response
  if (known?.usedAt && isMine)
    return known.state === 'refused' ? faulty(visit, known.faults) : accepted(context, known)
  const found = await openChallenge(visit, context, id)
  if ('answer' in found) return found.answer
  const answer = readPhoneResponse(jsonOf(await readText(visit.request, bodyLimit)))
  if (answer === null) return refused(visit, 400, 'malformed')
  const cms = answer === 'canceled' ? null : decoded(answer.data)

  const challenge = await context.database.write((tx) => takeChallenge(tx, id, 'phone', visit.now))
  if (!challenge) return refused(visit, 409, 'over')
  const outcome =
    answer === 'canceled'
      ? 'canceled'
      : cms
        ? await resultOf(context.checkSignature!, cms, challenge)
        : { faults: ['not-a-signature' as const] }
  await context.database.write((tx) => saveResult(tx, id, outcome))
  return outcome !== 'canceled' && 'faults' in outcome
    ? faulty(visit, outcome.faults)
    : accepted(context, challenge)
}

async function openChallenge(
  visit: Visit,
  context: Context,
  id: string,
): Promise<{ challenge: Challenge } | { answer: PageResponse }> {
  const challenge = await findPhoneChallenge(context.database.db, id)
  if (!challenge || !context.checkSignature) return { answer: refused(visit, 404, 'unknown') }
  if (challenge.usedAt || challenge.expiresAt <= visit.now) return { answer: refused(visit, 410, 'over') }
  if (!isTokenOf(challenge, bearerOf(visit))) return { answer: refused(visit, 401, 'unknown') }
  return { challenge }
}

function bearerOf({ request }: Visit): string {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('bad-request', 400)
  }
}

function accepted({ publicUrl }: Context, { id, interactionUid }: Challenge): PageResponse {
  const back = new URL(`${interactionPath(interactionUid)}/phone?challenge=${id}`, publicUrl)
  return { status: 200, json: { ...phoneSuccess, backUrl: back.href } }
}

function faulty(visit: Visit, faults: readonly string[] | null): PageResponse {
  const { code } = judge((faults ?? []) as Fault[])
  const message = code ? textsOf(visit.language, 'signatures')(`codes.${code}`) : visit.t('signature.stale')
  return { status: 403, json: { message } }
}

function refused({ t }: Visit, status: number, why: 'unknown' | 'over' | 'malformed'): PageResponse {
  return { status, json: { message: t(`signature.phoneRefusal.${why}`) } }
}

function inEachLanguage(text: (texts: ReturnType<typeof textsIn>) => string) {
  return { nameRu: text(textsIn('ru')), nameKz: text(textsIn('kk')), nameEn: text(textsIn('en')) }
}
