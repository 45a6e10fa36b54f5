/**
 * What the national mobile app calls: it is told who asks (API 1), is handed the document and brings its signature (API 2).
 * Nobody is signed in here: the address is known to whoever was shown the code, the token to whoever opened it. The app
 * shows the `message` of a refusal to the person, so it is in their language.
 */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { shownDate } from '@kelisim/domain/calendar.ts'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { Refusal, refuse, statusOf } from '@kelisim/domain/errors.ts'
import {
  documentToSign,
  introduction,
  phoneSuccess,
  readPhoneAnswer,
  type InThreeLanguages,
} from '@kelisim/domain/signatures/phone-protocol.ts'
import { refusalOfCode } from '@kelisim/domain/requests/signer.ts'
import type { FaultCode } from '@kelisim/domain/signatures/verdict.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Borrowed, Storage } from '../../documents/storage/storage.ts'
import { refusalOf } from '../../http/errors.ts'
import { languageOf } from '../../http/language.ts'
import { decodeSignature } from '../../identity/confirmation/shown-signature.ts'
import { newSignatureId, type Judging } from '../judging/judging.ts'
import { isShownByPhone, signatureOf } from './handlers.ts'
import {
  findMobileSigning,
  hashOf,
  isAnswered,
  isOver,
  isTokenOf,
  lockMobileSigning,
  noteOutcome,
  noteProgress,
  partyBehind,
  type MobileSigning,
} from './phone-signings.ts'
import { seenRequest, type Party } from '../core/party.ts'
import { refuseUnless } from '../core/perform.ts'
import { signAtPoint, signedFile } from '../judging/signing.ts'
import type { Loaded } from '../core/loaded.ts'

type Outside = { database: Database; storage: Storage; judging: Judging; publicUrl: URL; clock: () => Date }

/** A signature without its document. */
export const longestSignature = 256 * 1024
/** Who says no sends the document back as it came, in letters of base64, with the words around it. */
export const bodyLimit = Math.ceil((sizeLimits.pdf * 4) / 3) + longestSignature
/** The app waits for half a minute; what takes longer is judged all the same, and the page tells of it. */
const judgingPatience = 20_000

type Called = { Params: { id: string } }

/** What the app is told instead of what it asked for. */
export class Told extends Error {
  readonly status: number
  readonly why: 'unknown' | 'over' | 'used' | 'malformed'
  constructor(status: number, why: Told['why']) {
    super(why)
    this.status = status
    this.why = why
  }
}

export function phoneRoutes(app: FastifyInstance, outside: Outside): void {
  const { database, storage, judging, publicUrl, clock } = outside
  const { db, write } = database
  const options: RouteShorthandOptions = { config: { access: 'anyone' }, errorHandler: tell }

  app.get<Called>('/api/e/:id/mgovSign', options, async (request) => {
    const signing = open((await findMobileSigning(db, request.params.id)) ?? unknown(), clock())
    const { row, request: state } = await stillAsked(signing)
    await write((tx) => noteProgress(tx, signing.id, 'meta'))
    const process = state.termination === null ? 'signing' : 'terminating'
    return introduction({
      description: textsOf(languageOf(request), 'requests-phone')(process),
      expiresAt: signing.expiresAt,
      organisation: { ...same(row.shortName), bin: row.bin },
      documentsAt: new URL(`/api/e/${signing.id}/documents`, publicUrl).href,
      token: signing.token,
    })
  })

  app.get<Called>('/api/e/:id/documents', options, async (request, reply) => {
    const signing = open(await withToken(request), clock())
    const loaded = await stillAsked(signing)
    const borrowed = await borrowVerified(storage, await fileOf(loaded))
    try {
      await write((tx) => noteProgress(tx, signing.id, 'data'))
    } catch (error) {
      await borrowed.giveBack()
      throw error
    }
    return reply.type('application/json').send(documents(loaded, borrowed, languageOf(request)))
  })

  // Nothing of a body is read for whoever has not the token.
  const onRequest = async (request: FastifyRequest<Called>) => void (await withToken(request))
  app.put<Called>('/api/e/:id/documents', { ...options, bodyLimit, onRequest }, async (request) => {
    const signing = await withToken(request)
    const answer = readPhoneAnswer(request.body)
    if (isAnswered(signing)) return again(signing, hashOfAnswer(answer), languageOf(request))
    open(signing, clock())
    if (answer === null) throw new Told(400, 'malformed')
    if (answer === 'canceled') {
      await write((tx) => noteOutcome(tx, signing.id, 'canceled', hashOfAnswer(answer)))
    } else {
      if (answer.data.length > longestSignature) refuse('body-too-large')
      const cms = decodeSignature(answer.data) ?? malformed()
      await take(signing, cms, hashOfAnswer(answer), request.ip)
    }
    const answered = (await findMobileSigning(db, signing.id)) ?? unknown()
    return again(answered, hashOfAnswer(answer), languageOf(request))
  })

  async function withToken(request: FastifyRequest<Called>): Promise<MobileSigning> {
    const signing = (await findMobileSigning(db, request.params.id)) ?? unknown()
    const said = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!isTokenOf(signing, said)) throw new Told(401, 'unknown')
    return signing
  }

  /** The document is handed out, and signed, only while whoever asked may sign it. */
  async function stillAsked(signing: MobileSigning): Promise<Loaded> {
    const { viewer, ...party } = await partyBehind(db, signing, clock())
    const loaded = await seenRequest(db, signing.requestId, { ...party, viewer })
    const command = { type: 'sign', pointId: signing.pointId, by: viewer, signatureId: '' } as const
    refuseUnless(loaded, command, clock())
    demandSameProcess(loaded, signing)
    return loaded
  }

  /** The signature is kept and the way closed in one transaction; a refusal closes it too. */
  async function take(signing: MobileSigning, cms: Buffer, answerHash: Buffer, address: string) {
    const now = clock()
    const signatureId = newSignatureId(now)
    try {
      const party = await partyBehind(db, signing, now)
      await write(async (tx) => {
        const locked = await lockMobileSigning(tx, signing.id)
        if (!locked || isAnswered(locked)) return
        await sign(tx, locked, party, { cms, signatureId, address, now })
        await noteOutcome(tx, signing.id, { signatureId }, answerHash)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await write((tx) => noteOutcome(tx, signing.id, { refusal: error }, answerHash))
      throw error
    }
    await Promise.race([
      judging.judgeSignature(signatureId),
      setTimeout(judgingPatience, undefined, { ref: false }),
    ])
  }

  async function sign(
    tx: Parameters<typeof signAtPoint>[0],
    signing: MobileSigning,
    party: Party,
    { cms, signatureId, address, now }: { cms: Buffer; signatureId: string; address: string; now: Date },
  ): Promise<void> {
    const { requestId, pointId, comment } = signing
    const { row } = await seenRequest(tx, requestId, party)
    // The app signs once and puts its timestamp into the same signature.
    const timestampedCms = row.isTimestampRequired ? cms : null
    const act = { requestId, party, comment, address, currentVersion: undefined, key: undefined }
    await signAtPoint(tx, act, { pointId, signatureId, cms, timestampedCms }, now, (loaded) =>
      demandSameProcess(loaded, signing),
    )
  }

  /** What came of it; told again to an app whose answer got lost, and to nobody who says something else now. */
  async function again(signing: MobileSigning, answerHash: Buffer, language: Language) {
    if (!signing.answerHash?.equals(answerHash)) throw new Told(409, 'used')
    const { refusal, backTo } = signing
    if (refusal) throw new Refusal(refusal.alias as Refusal['alias'], refusal.parameters)
    const signature = await signatureOf(db, signing)
    if (signature?.state === 'refused') {
      const code = signature.code as FaultCode
      refuse(refusalOfCode(code), { code, reason: textsOf(language, 'signatures')(`codes.${code}`) })
    }
    return { ...phoneSuccess, ...(backTo !== null && { backUrl: new URL(backTo, publicUrl).href }) }
  }

  async function fileOf(loaded: Loaded) {
    const { fileId } = await signedFile(db, loaded)
    return db
      .selectFrom('files')
      .select(['id', 'organizationId', 'sha256', 'size'])
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow()
  }
}

function unknown(): never {
  throw new Told(404, 'unknown')
}

function malformed(): never {
  throw new Told(400, 'malformed')
}

function open(signing: MobileSigning, now: Date): MobileSigning {
  if (isAnswered(signing)) throw new Told(410, 'used')
  if (isOver(signing, now)) throw new Told(410, 'over')
  return signing
}

/** A code for the contract does not end it, and one for an attempt to end it does not serve the next. */
function demandSameProcess(loaded: Loaded, { attempt }: MobileSigning): void {
  const current = loaded.request.termination === null ? 0 : loaded.row.attempt
  if (current !== attempt || !isShownByPhone(loaded)) {
    refuse('wrong-request-status', { status: loaded.request.status })
  }
}

function hashOfAnswer(answer: ReturnType<typeof readPhoneAnswer>): Buffer {
  return hashOf(answer !== null && answer !== 'canceled' ? answer.data.replaceAll(/\s/g, '') : String(answer))
}

/** The document as the app wants it, never held whole: what stands before and after its bytes is made around a mark. */
function documents({ row, request }: Loaded, borrowed: Borrowed, language: Language): Readable {
  const t = textsOf(language, 'requests-phone')
  const isTermination = request.termination !== null
  const meta = [
    { name: t('sender'), value: row.shortName },
    { name: t('date'), value: shownDate(row.signingDate) },
    { name: t('file'), value: row.fileName },
  ]
  const names = isTermination
    ? inEachLanguage((texts) => `${texts('terminating')}: ${row.name}`)
    : same(row.name)
  return documentStream({ ...names, meta }, borrowed)
}

export function documentStream(
  shown: InThreeLanguages & { meta: { name: string; value: string }[] },
  borrowed: Borrowed,
): Readable {
  const mark = '\0'
  const whole = JSON.stringify(documentToSign({ ...shown, mime: 'application/pdf', data: mark }))
  const [before = '', after = ''] = whole.split(JSON.stringify(mark))
  return Readable.from(
    (async function* () {
      try {
        yield `${before}"`
        yield* asBase64(createReadStream(borrowed.path))
        yield `"${after}`
      } finally {
        await borrowed.giveBack()
      }
    })(),
    { objectMode: false },
  )
}

/** Three bytes are four letters: what is left over of a piece goes with the next. */
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

export function same(name: string): InThreeLanguages {
  return { nameRu: name, nameKz: name, nameEn: name }
}

type MobileTexts = ReturnType<typeof textsOf<'requests-phone'>>

function inEachLanguage(text: (texts: MobileTexts) => string): InThreeLanguages {
  return {
    nameRu: text(textsOf('ru', 'requests-phone')),
    nameKz: text(textsOf('kk', 'requests-phone')),
    nameEn: text(textsOf('en', 'requests-phone')),
  }
}

/** A signature that is not accepted is forbidden; all else is what it is everywhere. */
export function tell(
  this: FastifyInstance,
  error: Parameters<typeof refusalOf>[0],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const language = languageOf(request)
  if (error instanceof Told) {
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
