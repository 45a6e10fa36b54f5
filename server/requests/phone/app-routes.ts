/**
 * The calls of the national mobile app: it learns who asks (API 1), fetches the document and sends the signature (API
 * 2). There is no session: the app knows the address from the code, and the token from the first call. The app shows
 * the `message` of a refusal to the person, so it is in their language.
 */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { shownDate } from '@kelisim/domain/calendar.ts'
import { Refusal, refuse, statusOf } from '@kelisim/domain/errors.ts'
import {
  documentsToSign,
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
import { bodyLimit, fewLargeAtOnce, longestSignature, takeAnswers } from './answer-body.ts'
import { isShownByPhone, signatureOf } from './handlers.ts'
import { PhoneRefusal } from './phone-refusal.ts'
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
import { refuseUnless, type Act } from '../core/perform.ts'
import type { StoredFurtherSigning } from '@kelisim/db/schema/requests.ts'
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

type PhoneRequest = { Params: { id: string } }
type SignedByPhone = StoredFurtherSigning

export function phoneRoutes(
  app: FastifyInstance,
  { database, storage, judging, publicUrl, clock }: PhoneDependencies,
): void {
  const { db, write } = database
  const options: RouteShorthandOptions = { config: { access: 'anyone' }, errorHandler: sendPhoneError }

  app.get<PhoneRequest>('/api/e/:id/mgovSign', options, async (request) => {
    const signing = open((await findMobileSigning(db, request.params.id)) ?? unknown(), clock())
    const [{ row, request: state }] = await stillSignable(signing)
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
    const signable = await stillSignable(signing)
    const { actor } = await partyBehind(db, signing, clock())
    const documents: StreamedDocument[] = []
    try {
      for (const loaded of signable) {
        const borrowed = await borrowVerified(storage, await fileOf(loaded))
        documents.push({ borrowed, shown: shownDocument(loaded, actor.fullName, languageOf(request)) })
      }
      await write((tx) => saveProgress(tx, signing.id, 'data'))
    } catch (error) {
      for (const { borrowed } of documents) await borrowed.release()
      throw error
    }
    return reply.type('application/json').send(documentStream(documents))
  })

  // The body is read only if the token is right, and the code was answered (the answer may be repeated) or is open.
  const admit = async (request: FastifyRequest<PhoneRequest>) => {
    const signing = await withToken(request)
    if (!isAnswered(signing)) open(signing, clock())
  }
  const reading = { bodyLimit, onRequest: [admit, fewLargeAtOnce()] }
  takeAnswers(app, (scope) => {
    scope.put<PhoneRequest>('/api/e/:id/documents', { ...options, ...reading }, answerOf)
  })

  async function answerOf(request: FastifyRequest<PhoneRequest>) {
    const signing = await withToken(request)
    const answer = readPhoneResponse(request.body, documentsOf(signing).length)
    if (isAnswered(signing)) return resultOf(signing, hashOfAnswer(answer), languageOf(request))
    open(signing, clock())
    if (answer === null) throw new PhoneRefusal(400, 'malformed')
    if (answer === 'canceled') {
      await write((tx) => saveResult(tx, signing, 'canceled', hashOfAnswer(answer)))
    } else {
      if (answer.data.some(({ length }) => length > longestSignature)) refuse('body-too-large')
      const cms = answer.data.map((signature) => decodeSignature(signature) ?? malformed())
      await receive(signing, cms, hashOfAnswer(answer), request.ip)
    }
    const answered = (await findMobileSigning(db, signing.id)) ?? unknown()
    return resultOf(answered, hashOfAnswer(answer), languageOf(request))
  }

  async function withToken(request: FastifyRequest<PhoneRequest>): Promise<MobileSigning> {
    const signing = (await findMobileSigning(db, request.params.id)) ?? unknown()
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!isTokenOf(signing, token)) throw new PhoneRefusal(401, 'unknown')
    return signing
  }

  /** The documents are sent, and signed, only while the person who asked for the code may sign them all. */
  async function stillSignable(signing: MobileSigning): Promise<[LoadedRequest, ...LoadedRequest[]]> {
    const party = await partyBehind(db, signing, clock())
    const [first, ...further] = documentsOf(signing)
    const signable = async (one: SignedByPhone) => {
      const loaded = await visibleRequest(db, one.requestId, party)
      const command = { type: 'sign', pointId: one.pointId, by: party.viewer, signatureId: '' } as const
      refuseUnless(loaded, command, clock())
      demandSameProcess(loaded, one)
      return loaded
    }
    return [await signable(first), ...(await Promise.all(further.map(signable)))]
  }

  /** The signatures are saved and the code used up in one transaction; a refusal uses it up too. */
  async function receive(signing: MobileSigning, cms: Buffer[], answerHash: Buffer, address: string) {
    const now = clock()
    const signatureIds = cms.map(() => newSignatureId(now))
    try {
      const party = await partyBehind(db, signing, now)
      await write(async (tx) => {
        const locked = await lockMobileSigning(tx, signing.id)
        if (!locked || isAnswered(locked)) return
        const documents = documentsOf(locked).map((one, i) => ({
          ...one,
          cms: cms[i]!,
          signatureId: signatureIds[i]!,
        }))
        const together = documents.map(({ requestId, pointId }) => ({ requestId, pointId }))
        // Always in the same order, so that two calls for the same documents wait for each other instead of both failing.
        for (const one of documents.toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1)))
          await sign(tx, one, party, { together, comment: locked.comment, address, now })
        await saveResult(tx, locked, { signatureIds }, answerHash)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await write((tx) => saveResult(tx, signing, { refusal: error }, answerHash))
      throw error
    }
  }

  /** Waits for the verdict, but no longer than the app waits for a response. */
  async function judged(signatureId: string): Promise<void> {
    await judging.judgeSoon(signatureId)
  }

  async function sign(
    tx: Parameters<typeof signAtPoint>[0],
    { requestId, pointId, attempt, cms, signatureId }: SignedByPhone & { cms: Buffer; signatureId: string },
    party: Party,
    { now, ...said }: Pick<Act, 'comment' | 'address' | 'together'> & { now: Date },
  ): Promise<void> {
    const { row } = await visibleRequest(tx, requestId, party)
    // The app sends one signature, which contains its timestamp.
    const timestampedCms = row.isTimestampRequired ? cms : null
    const act = { requestId, party, ...said, currentVersion: undefined, key: undefined }
    await signAtPoint(tx, act, { pointId, signatureId, cms, timestampedCms }, now, (loaded) =>
      demandSameProcess(loaded, { attempt }),
    )
  }

  /** The result; an app that repeats the same answer because it got no response gets it again. */
  async function resultOf(signing: MobileSigning, answerHash: Buffer, language: Language) {
    if (!signing.answerHash?.equals(answerHash)) throw new PhoneRefusal(409, 'used')
    const { refusal, backTo } = signing
    if (refusal) throw new Refusal(refusal.alias as Refusal['alias'], refusal.parameters)
    const documents = documentsOf(signing)
    // The same answer may come again while the first one is still being judged.
    await Promise.all(
      documents.flatMap(({ signatureId }) => (signatureId === null ? [] : judged(signatureId))),
    )
    const signatures = await Promise.all(documents.map((one) => signatureOf(db, one)))
    const refused = signatures.find((signature) => signature?.state === 'refused')
    if (refused) {
      const code = refused.code as FaultCode
      refuse(refusalOfCode(code), { code, reason: textsOf(language, 'signatures')(`codes.${code}`) })
    }
    // The centre cannot be reached: the signature is kept, and nothing is known about it yet.
    const isOpen = signatures.some((signature) => signature?.state === 'checking')
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

/** All documents that the code signs, the first one first. */
function documentsOf({
  requestId,
  pointId,
  attempt,
  signatureId,
  also,
}: MobileSigning): [SignedByPhone, ...SignedByPhone[]] {
  return [{ requestId, pointId, attempt, signatureId }, ...(also ?? [])]
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
function demandSameProcess(loaded: LoadedRequest, { attempt }: Pick<SignedByPhone, 'attempt'>): void {
  const current = loaded.request.termination === null ? 0 : loaded.row.attempt
  if (current !== attempt || !isShownByPhone(loaded)) {
    refuse('wrong-request-status', { status: loaded.request.status })
  }
}

/** White space in base64 does not make a different answer. */
export function hashOfAnswer(answer: ReturnType<typeof readPhoneResponse>): Buffer {
  if (answer === null || answer === 'canceled') return hashOf(String(answer))
  return hashOf(answer.data.map((one) => one.replaceAll(/\s/g, '')).join('\n'))
}

type ShownDocument = InThreeLanguages & { meta: { name: string; value: string }[] }

/**
 * `askedBy` is the person who got the code: whoever scans it from somebody else's screen sees whose act it would be.
 */
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

type StreamedDocument = { shown: ShownDocument; borrowed: Borrowed }

/** The JSON with the documents for the app, streamed, so that no document is held in memory whole. */
export function documentStream(documents: readonly StreamedDocument[]): Readable {
  const data = '\0'
  const whole = documentsToSign(documents.map(({ shown }) => ({ ...shown, mime: 'application/pdf', data })))
  const [before = '', ...between] = JSON.stringify(whole).split(JSON.stringify(data))
  return Readable.from(
    (async function* () {
      try {
        yield before
        for (const [i, { borrowed }] of documents.entries()) {
          yield '"'
          yield* asBase64(createReadStream(borrowed.path))
          yield `"${between[i]}`
        }
      } finally {
        for (const { borrowed } of documents) await borrowed.release()
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
