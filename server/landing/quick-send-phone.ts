/** Signing with the national mobile app when a document is sent without an account. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Tx } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { mayPassLater, Refusal, refuse } from '@kelisim/domain/errors.ts'
import { askPhoneForTransaction } from '@kelisim/domain/landing/quick-send-contract.ts'
import { mobileSigningMinutes } from '@kelisim/domain/requests/phone-contract.ts'
import {
  introduction,
  launchLink,
  phoneCode,
  phoneSuccess,
  readPhoneResponse,
} from '@kelisim/domain/signatures/phone-protocol.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import { languageOf } from '../http/language.ts'
import type { Serve } from '../http/serve.ts'
import { decodeSignature } from '../identity/confirmation/presented-signature.ts'
import { qrPath, withCode } from '../requests/phone/handlers.ts'
import { bodyLimit, fewLargeAtOnce, longestSignature, takeAnswers } from '../requests/phone/answer-body.ts'
import { documentStream, hashOfAnswer, inAllLanguages, sendPhoneError } from '../requests/phone/app-routes.ts'
import { PhoneRefusal } from '../requests/phone/phone-refusal.ts'
import { commit, type CommitDependencies } from './quick-send-commit.ts'
import { findByPhone, updatePhoneState, updateTransaction } from './queries.ts'
import { findBegun, assertBegun, lockBegun, pendingFile, type BegunTransaction } from './transactions.ts'

type PhoneState = NonNullable<BegunTransaction['phoneState']>
const answered: readonly (PhoneState | null)[] = ['done', 'canceled', 'fail']

export function phoneStateOf(
  { phoneState, phoneExpiresAt }: Pick<BegunTransaction, 'phoneState' | 'phoneExpiresAt'>,
  now: Date,
): PhoneState | 'expired' | null {
  const isOver = phoneExpiresAt !== null && phoneExpiresAt <= now && !answered.includes(phoneState)
  return isOver ? 'expired' : phoneState
}

type PhoneCodeDependencies = { isChecked: boolean; phoneUrl: URL | null; publicUrl: URL }

export function quickSendPhoneHandlers(
  serve: Serve,
  { isChecked, phoneUrl, publicUrl }: PhoneCodeDependencies,
): void {
  serve(askPhoneForTransaction, async ({ input, db, write, now }) => {
    if (!isChecked) refuse('signature-not-checked', { code: '' })
    const { id, format, requestId } = await findBegun(db, input.transactionId, now)
    if (requestId !== null) refuse('transaction-not-found')
    if (format !== 'pdf') refuse('mobile-pdf-only')
    const phoneId = randomBytes(24).toString('base64url')
    const expiresAt = new Date(now.getTime() + mobileSigningMinutes * minute)
    await write(async (tx) => {
      await lockBegun(tx, id, now)
      await updateTransaction(tx, id, {
        phoneId,
        phoneToken: phoneToken(),
        phoneState: 'new',
        phoneExpiresAt: expiresAt,
        phoneRefusal: null,
        phoneAnswerHash: null,
      })
    })
    const entry = new URL(`/api/q/${phoneId}/mgovSign`, publicUrl).href
    const code = phoneCode(entry)
    return {
      expiresAt: expiresAt.toISOString(),
      code,
      qr: qrPath(code),
      links: {
        eGovMobile: launchLink('mobileSign', entry),
        eGovBusiness: launchLink('businessSign', entry),
      },
      standInUrl: phoneUrl && withCode(phoneUrl, code),
    }
  })
}

function phoneToken(): string {
  return randomBytes(32).toString('base64url')
}

type PhoneRequest = { Params: { id: string } }

export function quickSendPhoneRoutes(
  app: FastifyInstance,
  dependencies: CommitDependencies,
  operatorBin: string,
): void {
  const { database, storage, publicUrl, clock } = dependencies
  const { db, write } = database
  const options: RouteShorthandOptions = { config: { access: 'anyone' }, errorHandler: sendPhoneError }

  app.get<PhoneRequest>('/api/q/:id/mgovSign', options, async (request) => {
    const transaction = await findTransaction(request)
    refuseUnlessOpen(transaction, clock())
    await write((tx) => savePhoneState(tx, transaction, 'meta'))
    return introduction({
      description: textsOf(languageOf(request), 'requests-phone')('signing'),
      expiresAt: transaction.phoneExpiresAt!,
      organisation: { ...inAllLanguages('Келісім'), bin: operatorBin },
      documentsAt: new URL(`/api/q/${transaction.phoneId}/documents`, publicUrl).href,
      token: transaction.phoneToken!,
    })
  })

  app.get<PhoneRequest>('/api/q/:id/documents', options, async (request, reply) => {
    const transaction = await withToken(request)
    refuseUnlessOpen(transaction, clock())
    const borrowed = await borrowVerified(storage, pendingFile(transaction))
    await write((tx) => savePhoneState(tx, transaction, 'data'))
    const t = textsOf(languageOf(request), 'requests-phone')
    const shown = {
      ...inAllLanguages(transaction.fileName),
      meta: [
        { name: t('file'), value: transaction.fileName },
        { name: t('recipient'), value: transaction.recipientName || transaction.recipientBin },
        { name: t('senderEmail'), value: transaction.senderEmail },
      ],
    }
    return reply.type('application/json').send(documentStream([{ shown, borrowed }]))
  })

  // The body is read only if the token is right, and the code was answered (the answer may be repeated) or is open.
  const admit = async (request: FastifyRequest<PhoneRequest>) => {
    const transaction = await withToken(request)
    if (transaction.phoneAnswerHash === null) refuseUnlessOpen(transaction, clock(), 409)
  }
  const reading = { bodyLimit, onRequest: [admit, fewLargeAtOnce()] }
  takeAnswers(app, (scope) => {
    scope.put<PhoneRequest>('/api/q/:id/documents', { ...options, ...reading }, answerOf)
  })

  async function answerOf(request: FastifyRequest<PhoneRequest>) {
    const transaction = await withToken(request)
    const answer = readPhoneResponse(request.body)
    const answerHash = hashOfAnswer(answer)
    if (transaction.phoneAnswerHash?.equals(answerHash)) return repeatedResult(transaction)
    refuseUnlessOpen(transaction, clock(), 409)
    if (answer === null) throw new PhoneRefusal(400, 'malformed')
    if (answer === 'canceled') {
      await write((tx) => saveAnswer(tx, transaction, 'canceled', answerHash))
      return phoneSuccess
    }
    const [signature = ''] = answer.data
    if (signature.length > longestSignature) refuse('body-too-large')
    const cms = decodeSignature(signature)
    if (cms === null) throw new PhoneRefusal(400, 'malformed')
    try {
      await commit(dependencies, transaction, { cms, address: request.ip, language: languageOf(request) })
    } catch (error) {
      // A refusal that may pass later is not saved as the answer, because the app tries again.
      if (error instanceof Refusal && !mayPassLater(error.alias)) {
        await write((tx) => saveAnswer(tx, transaction, 'fail', answerHash, error))
      }
      throw error
    }
    await write((tx) => saveAnswer(tx, transaction, 'done', answerHash))
    return phoneSuccess
  }

  async function findTransaction(request: FastifyRequest<PhoneRequest>): Promise<BegunTransaction> {
    const transaction = await findByPhone(db, request.params.id)
    if (!transaction) throw new PhoneRefusal(404, 'unknown')
    try {
      return assertBegun(transaction, clock())
    } catch {
      throw new PhoneRefusal(410, 'over')
    }
  }

  async function withToken(request: FastifyRequest<PhoneRequest>): Promise<BegunTransaction> {
    const one = await findTransaction(request)
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const digest = (text: string) => createHash('sha256').update(text).digest()
    if (!timingSafeEqual(digest(one.phoneToken!), digest(token))) throw new PhoneRefusal(401, 'unknown')
    return one
  }
}

/** The response to a repeated answer: the app submits its answer again if it got no response. */
function repeatedResult({ phoneRefusal }: BegunTransaction): typeof phoneSuccess {
  if (phoneRefusal === null) return phoneSuccess
  throw new Refusal(phoneRefusal.alias as Refusal['alias'], phoneRefusal.parameters)
}

/** `usedStatus`: 409 for an answer that differs from the first, because this is a conflict. */
function refuseUnlessOpen(transaction: BegunTransaction, now: Date, usedStatus: 409 | 410 = 410): void {
  if (transaction.requestId !== null || answered.includes(transaction.phoneState))
    throw new PhoneRefusal(usedStatus, 'used')
  if (phoneStateOf(transaction, now) === 'expired') throw new PhoneRefusal(410, 'over')
}

function savePhoneState(tx: Tx, transaction: BegunTransaction, phoneState: 'meta' | 'data'): Promise<void> {
  return updatePhoneState(tx, transaction, { phoneState })
}

function saveAnswer(
  tx: Tx,
  transaction: BegunTransaction,
  phoneState: 'canceled' | 'fail' | 'done',
  phoneAnswerHash: Buffer,
  refusal: Refusal | null = null,
): Promise<void> {
  return updatePhoneState(tx, transaction, {
    phoneState,
    phoneAnswerHash,
    phoneRefusal: refusal && JSON.stringify({ alias: refusal.alias, parameters: refusal.parameters }),
  })
}
