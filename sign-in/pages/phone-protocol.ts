/**
 * The addresses that the mobile app calls: it gets the introduction and the challenge, and submits the signature. The
 * app shows the `message` of a refusal to the person, so it is in their language.
 */
import {
  documentsToSign,
  introduction,
  phoneSuccess,
  readPhoneResponse,
} from '@kelisim/domain/signatures/phone-protocol.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { PageResponse } from '../http/page-response.ts'
import {
  challengeText,
  saveResult,
  type Challenge,
  type SignatureResult,
} from '../accounts/challenge-queries.ts'
import {
  addReading,
  answerChallenge,
  findPhoneChallenge,
  findReading,
  hashOf,
  isTokenOf,
  saveProgress,
  type Reading,
} from '../accounts/reading-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { decoded } from '../methods/signature.ts'
import { placeText } from '../markup/place.ts'
import { interactionPath } from '../http/paths.ts'
import { proofOf } from '../http/signature-check.ts'
import { readText, textsIn, type Texts, type Visit } from '../http/visit.ts'

const bodyLimit = 256 * 1024

/** API 1: who requests what, until when, and where to fetch it. Each reading of the QR code gets its own response. */
export const introduceToPhone: Handler = (visit, context, id) => introduce(visit, context, id, false)

/** The same for a link on the phone itself: the app also learns which page to return to. */
export const introduceToSamePhone: Handler = (visit, context, id) => introduce(visit, context, id, true)

async function introduce(
  visit: Visit,
  { database, publicUrl, operatorBin }: Context,
  id: string,
  isOnSamePhone: boolean,
): Promise<PageResponse> {
  const challenge = await findPhoneChallenge(database.db, id)
  if (!challenge) return refused(visit, 404, 'unknown')
  if (isOver(challenge, visit.now)) return refused(visit, 410, 'over')
  const { t } = visit
  const contentFor = (code: string) =>
    challengeText(
      [
        t('signature.challenge'),
        publicUrl.origin,
        `${t('signature.onPhone.code')}: ${code}`,
        `${t('signature.onPhone.place')}: ${placeText(challenge, t)}`,
        t('signature.onPhone.rule', { code }),
      ],
      visit.now,
    )
  const reading = await database.write((tx) => addReading(tx, id, { contentFor, isOnSamePhone }, visit.now))
  if (!reading) return refused(visit, 429, 'over')
  const { code, token } = reading
  return {
    status: 200,
    json: introduction({
      description: t('signature.onPhone.description', { host: publicUrl.host, code }),
      expiresAt: challenge.expiresAt,
      organisation: { ...inEachLanguage((texts) => texts('product')), bin: operatorBin },
      documentsAt: new URL(`/connect/e/${reading.id}/documents`, publicUrl).href,
      token,
    }),
  }
}

/** API 2, read: the only document is the challenge, as a text that the app shows. */
export const documentsForPhone: Handler = async (visit, context, id) => {
  const found = await findOwnReading(visit, context, id)
  if ('answer' in found) return found.answer
  const { reading, challenge } = found
  if (isOver(challenge, visit.now)) return refused(visit, 410, 'over')
  await context.database.write((tx) => saveProgress(tx, challenge.id, 'fetched'))
  const { t } = visit
  const { code } = reading
  return {
    status: 200,
    json: documentsToSign([
      {
        ...inEachLanguage((texts) => texts('signature.onPhone.document', { code })),
        meta: [
          { name: t('signature.onPhone.code'), value: code },
          { name: t('signature.onPhone.place'), value: placeText(challenge, t) },
          { name: t('signature.onPhone.important'), value: t('signature.onPhone.rule', { code }) },
        ],
        mime: 'text/plain',
        data: reading.content.toString('base64'),
      },
    ]),
  }
}

/** API 2, write: the same document with the signature in place of the text, or a refusal. */
export const receiveFromPhone: Handler = async (visit, context, id) => {
  const found = await findOwnReading(visit, context, id)
  if ('answer' in found) return found.answer
  const { reading, challenge } = found
  if (challenge.usedAt === null && isOver(challenge, visit.now)) return refused(visit, 410, 'over')
  const answer = readPhoneResponse(jsonOf(await readText(visit.request, bodyLimit)))
  if (answer === null) return refused(visit, 400, 'malformed')
  const isCanceled = answer === 'canceled'
  const [signature = ''] = isCanceled ? [] : answer.data
  const answerHash = hashOf(isCanceled ? answer : signature.replaceAll(/\s/g, ''))
  const { database } = context
  await database.write((tx) => answerChallenge(tx, reading, answerHash, isCanceled, visit.now))
  const answered = (await findReading(database.db, id))!.challenge
  if (answered.usedAt === null) return refused(visit, 410, 'over')
  // another phone has answered, or this phone has sent a different answer
  if (answered.readingId !== id || !answered.answerHash?.equals(answerHash)) {
    return refused(visit, 409, 'over')
  }
  // A repeated answer is checked again if the first check has no result yet: its process may have ended.
  if (!isCanceled && !isDecided(answered)) {
    const result = await resultOf(visit, context, decoded(signature), reading)
    await database.write((tx) => saveResult(tx, answered, result))
  }
  return resultFor(visit, context, (await findReading(database.db, id))!)
}

async function resultOf(
  { address }: Visit,
  { checkSignature }: Context,
  cms: Uint8Array | null,
  { content }: Reading,
): Promise<SignatureResult> {
  if (!cms || !checkSignature) return { faults: ['not-a-signature'] }
  return proofOf(await checkSignature(cms, content, address))
}

/** The stored result of the phone's answer, so that the app reports the same as the page. */
function resultFor(
  visit: Visit,
  { publicUrl }: Context,
  { reading, challenge }: { reading: Reading; challenge: Challenge },
): PageResponse {
  switch (challenge.state) {
    case 'signed':
    case 'proved':
    case 'canceled':
      return { status: 200, json: { ...phoneSuccess, ...backFor(publicUrl, reading, challenge) } }
    case 'refused':
      return faulty(visit, challenge.faults)
    case 'mismatched':
      return refused(visit, 403, 'mismatched')
    case 'new':
    case 'opened':
    case 'fetched':
      throw new TypeError('The response of the phone was not decided')
  }
}

/** The address that the app opens on the same phone; it works only in the browser that began the sign-in. */
function backFor(
  publicUrl: URL,
  { returnSecret }: Reading,
  { id, interactionUid }: Challenge,
): { backUrl?: string } {
  if (returnSecret === null) return {}
  const back = new URL(`${interactionPath(interactionUid)}/phone`, publicUrl)
  back.searchParams.set('challenge', id)
  back.searchParams.set('return', returnSecret)
  return { backUrl: back.href }
}

async function findOwnReading(
  visit: Visit,
  { database, checkSignature }: Context,
  id: string,
): Promise<{ reading: Reading; challenge: Challenge } | { answer: PageResponse }> {
  const found = checkSignature && (await findReading(database.db, id))
  if (!found) return { answer: refused(visit, 404, 'unknown') }
  const token = /^Bearer (\S+)$/.exec(visit.request.headers.authorization ?? '')?.[1] ?? ''
  return isTokenOf(found.reading, token) ? found : { answer: refused(visit, 401, 'unknown') }
}

function isOver({ usedAt, expiresAt }: Challenge, now: Date): boolean {
  return usedAt !== null || expiresAt <= now
}

function isDecided({ state }: Challenge): boolean {
  return !['new', 'opened', 'fetched'].includes(state)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function faulty(visit: Visit, faults: readonly string[] | null): PageResponse {
  const { code } = judge((faults ?? []) as Fault[])
  const message = code ? textsOf(visit.language, 'signatures')(`codes.${code}`) : visit.t('signature.stale')
  return { status: 403, json: { message } }
}

function refused(
  { t }: Visit,
  status: number,
  why: 'unknown' | 'over' | 'malformed' | 'mismatched',
): PageResponse {
  return { status, json: { message: t(`signature.phoneRefusal.${why}`) } }
}

function inEachLanguage(text: (texts: Texts) => string) {
  return { nameRu: text(textsIn('ru')), nameKz: text(textsIn('kk')), nameEn: text(textsIn('en')) }
}
