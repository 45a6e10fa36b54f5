/**
 * The calls of the national mobile app: it learns who asks (API 1), fetches the document and sends the signature (API 2).
 * There is no session: the address is known from the code, the token from the first call. The app shows the `message` of a
 * refusal to the person, so it is in their language.
 */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { shownDate } from '@kelisim/domain/calendar.ts'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { Refusal, refuse, statusOf } from '@kelisim/domain/errors.ts'
import {
  documentToSign,
  introduction,
  phoneSuccess,
  readPhoneResponse,
  type InThreeLanguages,
} from '@kelisim/domain/signatures/phone-protocol.ts'
import { refusalOfCode } from '@kelisim/domain/requests/signer.ts'
import type { FaultCode } from '@kelisim/domain/signatures/verdict.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { getFile } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Borrowed, Storage } from '../../documents/storage/storage.ts'
import { refusalOf } from '../../http/errors.ts'
import { languageOf } from '../../http/language.ts'
import { decodeSignature } from '../../identity/confirmation/presented-signature.ts'
import { newSignatureId, type Judging } from '../judging/judging.ts'
import { isShownByPhone, signatureOf } from './handlers.ts'
import {
  hashOf,
  isAnswered,
  isOver,
  isTokenOf,
  partyBehind,
  saveProgress,
  saveResult,
} from './phone-signings.ts'
import { findMobileSigning, lockMobileSigning, type MobileSigning } from './queries.ts'
import { visibleRequest, type Party } from '../core/party.ts'
import { refuseUnless } from '../core/perform.ts'
import { signAtPoint, signedFile } from '../judging/signing.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { terminatingFileName, terminatingTitle } from '../core/terminating-name.ts'

type PhoneDependencies = {
  database: Database
  storage: Storage
  judging: Judging
  publicUrl: URL
  clock: () => Date
}

/** A detached signature, in base64. */
export const longestSignature = 256 * 1024
/** An app whose user cancels sends the document back, in base64 inside of JSON. */
export const bodyLimit = Math.ceil((sizeLimits.pdf * 4) / 3) + longestSignature

type PhoneRequest = { Params: { id: string } }

/** A refusal that only the app gets, with its own text. */
export class PhoneRefusal extends Error {
  readonly status: number
  readonly why: 'unknown' | 'over' | 'used' | 'malformed'
  constructor(status: number, why: PhoneRefusal['why']) {
    super(why)
    this.status = status
    this.why = why
  }
}

export function phoneRoutes(
  app: FastifyInstance,
  { database, storage, judging, publicUrl, clock }: PhoneDependencies,
): void {
  const { db, write } = database
  const options: RouteShorthandOptions = { config: { access: 'anyone' }, errorHandler: sendPhoneError }

  app.get<PhoneRequest>('/api/e/:id/mgovSign', options, async (request) => {
    const signing = open((await findMobileSigning(db, request.params.id)) ?? unknown(), clock())
    const { row, request: state } = await stillSignable(signing)
    await write((tx) => saveProgress(tx, signing.id, 'meta'))
    const process = state.termination === null ? 'signing' : 'terminating'
    return introduction({
      description: textsOf(languageOf(request), 'requests-phone')(process),
      expiresAt: signing.expiresAt,
      organisation: { ...inAllLanguages(row.senderName), bin: row.senderBin },
      documentsAt: new URL(`/api/e/${signing.id}/documents`, publicUrl).href,
      token: signing.token,
    })
  })

  app.get<PhoneRequest>('/api/e/:id/documents', options, async (request, reply) => {
    const signing = open(await withToken(request), clock())
    const loaded = await stillSignable(signing)
    const { actor } = await partyBehind(db, signing, clock())
    const borrowed = await borrowVerified(storage, await fileOf(loaded))
    try {
      await write((tx) => saveProgress(tx, signing.id, 'data'))
    } catch (error) {
      await borrowed.release()
      throw error
    }
    const shown = shownDocument(loaded, actor.fullName, languageOf(request))
    return reply.type('application/json').send(documentStream(shown, borrowed))
  })

  // The body is read only if the token is right.
  const onRequest = async (request: FastifyRequest<PhoneRequest>) => void (await withToken(request))
  app.put<PhoneRequest>('/api/e/:id/documents', { ...options, bodyLimit, onRequest }, async (request) => {
    const signing = await withToken(request)
    const answer = readPhoneResponse(request.body)
    if (isAnswered(signing)) return resultOf(signing, hashOfAnswer(answer), languageOf(request))
    open(signing, clock())
    if (answer === null) throw new PhoneRefusal(400, 'malformed')
    if (answer === 'canceled') {
      await write((tx) => saveResult(tx, signing.id, 'canceled', hashOfAnswer(answer)))
    } else {
      if (answer.data.length > longestSignature) refuse('body-too-large')
      const cms = decodeSignature(answer.data) ?? malformed()
      await receive(signing, cms, hashOfAnswer(answer), request.ip)
    }
    const answered = (await findMobileSigning(db, signing.id)) ?? unknown()
    return resultOf(answered, hashOfAnswer(answer), languageOf(request))
  })

  async function withToken(request: FastifyRequest<PhoneRequest>): Promise<MobileSigning> {
    const signing = (await findMobileSigning(db, request.params.id)) ?? unknown()
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!isTokenOf(signing, token)) throw new PhoneRefusal(401, 'unknown')
    return signing
  }

  /** The document is sent, and signed, only while the person who asked for the code may sign it. */
  async function stillSignable(signing: MobileSigning): Promise<LoadedRequest> {
    const { viewer, ...party } = await partyBehind(db, signing, clock())
    const loaded = await visibleRequest(db, signing.requestId, { ...party, viewer })
    const command = { type: 'sign', pointId: signing.pointId, by: viewer, signatureId: '' } as const
    refuseUnless(loaded, command, clock())
    demandSameProcess(loaded, signing)
    return loaded
  }

  /** The signature is saved and the code used up in one transaction; a refusal uses it up too. */
  async function receive(signing: MobileSigning, cms: Buffer, answerHash: Buffer, address: string) {
    const now = clock()
    const signatureId = newSignatureId(now)
    try {
      const party = await partyBehind(db, signing, now)
      await write(async (tx) => {
        const locked = await lockMobileSigning(tx, signing.id)
        if (!locked || isAnswered(locked)) return
        await sign(tx, locked, party, { cms, signatureId, address, now })
        await saveResult(tx, signing.id, { signatureId }, answerHash)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await write((tx) => saveResult(tx, signing.id, { refusal: error }, answerHash))
      throw error
    }
  }

  /** Waits for the verdict, as long as the app waits for us. */
  async function judged(signatureId: string): Promise<void> {
    await judging.judgeSoon(signatureId)
  }

  async function sign(
    tx: Parameters<typeof signAtPoint>[0],
    signing: MobileSigning,
    party: Party,
    { cms, signatureId, address, now }: { cms: Buffer; signatureId: string; address: string; now: Date },
  ): Promise<void> {
    const { requestId, pointId, comment } = signing
    const { row } = await visibleRequest(tx, requestId, party)
    // The app sends one signature, which contains its timestamp.
    const timestampedCms = row.isTimestampRequired ? cms : null
    const act = { requestId, party, comment, address, currentVersion: undefined, key: undefined }
    await signAtPoint(tx, act, { pointId, signatureId, cms, timestampedCms }, now, (loaded) =>
      demandSameProcess(loaded, signing),
    )
  }

  /** The result, also for an app that repeats the same answer because it got no response. */
  async function resultOf(signing: MobileSigning, answerHash: Buffer, language: Language) {
    if (!signing.answerHash?.equals(answerHash)) throw new PhoneRefusal(409, 'used')
    const { refusal, backTo, signatureId } = signing
    if (refusal) throw new Refusal(refusal.alias as Refusal['alias'], refusal.parameters)
    // The same answer may come again while the first one is still being judged.
    if (signatureId !== null) await judged(signatureId)
    const signature = await signatureOf(db, signing)
    if (signature?.state === 'refused') {
      const code = signature.code as FaultCode
      refuse(refusalOfCode(code), { code, reason: textsOf(language, 'signatures')(`codes.${code}`) })
    }
    // The centre cannot be reached: the signature is kept, and nothing is known about it yet.
    const isOpen = signature?.state === 'checking'
    const message = isOpen ? textsOf(language, 'requests-phone')('beingChecked') : phoneSuccess.message
    return {
      ...phoneSuccess,
      message,
      ...(backTo !== null && { backUrl: new URL(backTo, publicUrl).href }),
    }
  }

  async function fileOf(loaded: LoadedRequest) {
    const { fileId } = await signedFile(db, loaded)
    return getFile(db, fileId)
  }
}

function unknown(): never {
  throw new PhoneRefusal(404, 'unknown')
}

function malformed(): never {
  throw new PhoneRefusal(400, 'malformed')
}

function open(signing: MobileSigning, now: Date): MobileSigning {
  if (isAnswered(signing)) throw new PhoneRefusal(410, 'used')
  if (isOver(signing, now)) throw new PhoneRefusal(410, 'over')
  return signing
}

/** A code is valid for one process only: the signing, or one attempt to terminate. */
function demandSameProcess(loaded: LoadedRequest, { attempt }: MobileSigning): void {
  const current = loaded.request.termination === null ? 0 : loaded.row.attempt
  if (current !== attempt || !isShownByPhone(loaded)) {
    refuse('wrong-request-status', { status: loaded.request.status })
  }
}

/** White space in base64 makes no other answer. */
export function hashOfAnswer(answer: ReturnType<typeof readPhoneResponse>): Buffer {
  return hashOf(answer !== null && answer !== 'canceled' ? answer.data.replaceAll(/\s/g, '') : String(answer))
}

type ShownDocument = InThreeLanguages & { meta: { name: string; value: string }[] }

/** `askedBy` got the code: who scans it from the screen of somebody else sees whose act it would be. */
function shownDocument({ row, request }: LoadedRequest, askedBy: string, language: Language): ShownDocument {
  const t = textsOf(language, 'requests-phone')
  const isTermination = request.termination !== null
  const name = isTermination ? terminatingTitle(row, row.attempt) : row.name
  return {
    ...inAllLanguages(name),
    meta: [
      { name: t('sender'), value: row.senderName },
      { name: t('date'), value: shownDate(row.signingDate) },
      { name: t('file'), value: isTermination ? terminatingFileName(row, row.attempt) : row.fileName },
      { name: t('askedBy'), value: askedBy },
    ],
  }
}

/** The document in the JSON of the app, streamed: it is never held in memory whole. */
export function documentStream(shown: ShownDocument, borrowed: Borrowed): Readable {
  const placeholder = '\0'
  const whole = JSON.stringify(documentToSign({ ...shown, mime: 'application/pdf', data: placeholder }))
  const [before = '', after = ''] = whole.split(JSON.stringify(placeholder))
  return Readable.from(
    (async function* () {
      try {
        yield `${before}"`
        yield* asBase64(createReadStream(borrowed.path))
        yield `"${after}`
      } finally {
        await borrowed.release()
      }
    })(),
    { objectMode: false },
  )
}

/** Three bytes become four characters; the rest of a chunk is encoded with the next one. */
async function* asBase64(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % 3)
    yield all.toString('base64', 0, whole)
    rest = all.subarray(whole)
  }
  yield rest.toString('base64')
}

export function inAllLanguages(name: string): InThreeLanguages {
  return { nameRu: name, nameKz: name, nameEn: name }
}

/** The app expects 403 for a signature that is not accepted; everything else has its usual status. */
export function sendPhoneError(
  this: FastifyInstance,
  error: Parameters<typeof refusalOf>[0],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const language = languageOf(request)
  if (error instanceof PhoneRefusal) {
    void reply
      .status(error.status)
      .send({ message: textsOf(language, 'requests-phone')(`refusal.${error.why}`) })
    return
  }
  const { alias, parameters } = refusalOf(error, request)
  const isSignature = alias === 'signature-refused' || alias === 'empty-bin-or-iin'
  const message = isSignature
    ? String(parameters['reason'])
    : textsOf(language, 'errors')(`${alias}.text`, { ...parameters })
  void reply.status(isSignature ? 403 : statusOf(alias)).send({ message })
}
