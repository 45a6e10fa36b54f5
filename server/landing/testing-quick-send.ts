/** For tests: somebody without an account sends a document from the landing. */
import { randomBytes } from 'node:crypto'
import { inputHeader } from '@kelisim/domain/endpoint.ts'
import { commonRefusals, type ErrorBody } from '@kelisim/domain/errors.ts'
import { getCaptchaQuestion } from '@kelisim/domain/landing/captcha-contract.ts'
import {
  commitTransaction,
  trackRequest,
  getTransactionToken,
  initTransaction,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type * as z from 'zod/mini'
import { goodPdf } from '../documents/testing-corpus.ts'
import { sign, type Signer } from '../identity/testing-signers.ts'
import { deliverNext } from '../notifications/delivery.ts'
import { openSignedLinks } from '../mail/signed-links.ts'
import type { Queues } from '../app-parts.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { publicUrl, someBin, type CallResult } from '../testing.ts'

export type Form = Partial<z.input<typeof initTransaction.input>> & { bytes?: Buffer }
type Begun = CallResult<z.output<typeof initTransaction.result>>

export async function quickSendScene(...around: Parameters<typeof startRequestsApp>) {
  const testApp = await startRequestsApp(...around)
  const { app, call, database, time, emails } = testApp
  const forget = () => database.pool.query('delete from rate_limits')
  const signedLinks = openSignedLinks(database, () => time.now)

  async function captcha() {
    await forget()
    const { question, token } = (await call(null, getCaptchaQuestion, {})).result
    const t = textsOf('ru', 'landing-captcha')
    const numbers = ([2, 3, 4, 5, 6, 7, 8, 9] as const).map((n) => ({ n, word: t(`numbers.${n}`) }))
    const found = question.split(/[^а-яё]+/i).flatMap((word) => numbers.filter((one) => one.word === word))
    return { token, answer: String(found[0]!.n + found[1]!.n) }
  }

  const newKey = () => randomBytes(32).toString('base64url')
  const token = async (key = newKey()) =>
    (await call(null, getTransactionToken, { key, captcha: await captcha() })).result.token

  let recipients = 5000
  async function begin(transactionToken: string, { bytes = goodPdf, ...change }: Form = {}): Promise<Begun> {
    await forget()
    const input = {
      token: transactionToken,
      fileName: 'Договор поставки.pdf',
      senderEmail: 'dina@example.kz',
      senderPhone: '+7 701 000 00 00',
      recipientBin: someBin(recipients),
      consent: true,
      recipientEmail: `buh${recipients}@example.kz`,
      ...change,
    }
    const response = await app.inject({
      method: 'POST',
      url: initTransaction.path,
      payload: bytes,
      headers: {
        origin: publicUrl.origin,
        'content-type': 'application/octet-stream',
        [inputHeader]: Buffer.from(JSON.stringify(input)).toString('base64'),
      },
    })
    const body = response.json<never>()
    const error: ErrorBody = body
    if (response.statusCode >= 400) {
      const alias = error.ExceptionData.Alias
      const isListed = [...initTransaction.refusals, ...commonRefusals].includes(alias)
      if (!isListed)
        throw new Error(`initTransaction refused with ${alias}, which its contract does not list`)
    }
    return { status: response.statusCode, result: body, error, headers: response.headers }
  }

  /** Each transaction has another recipient. */
  async function begun(change: Form = {}) {
    recipients++
    const response = await begin(await token(), change)
    if (response.status !== 200) throw new Error(JSON.stringify(response.error))
    return { ...response.result, recipientBin: change.recipientBin ?? someBin(recipients) }
  }

  let acts = 0
  const signatureOf = async (signer: Signer, content: Uint8Array = goodPdf, at?: Date) => {
    const when = at ?? new Date(time.now.getTime() - ++acts * 1000)
    return Buffer.from(await sign(signer, content, when)).toString('base64')
  }
  async function commit(transactionId: string, signature: string) {
    await forget()
    return call(null, commitTransaction, { transactionId, signature })
  }
  async function sent(signer: Signer, change: Form = {}) {
    const { transactionId, recipientBin } = await begun(change)
    const response = await commit(transactionId, await signatureOf(signer, change.bytes))
    return { ...response, transactionId, recipientBin }
  }
  const secretOf = (followUrl: string) => new URL(followUrl).hash.slice(1)
  async function follow(followUrl: string) {
    await forget()
    return call(null, trackRequest, { follow: secretOf(followUrl) })
  }

  const queueMail: Queues['queueMail'] = async (tx, message) => {
    // Notices refer to the row of the e-mail.
    if (message.id !== undefined) {
      await tx
        .insertInto('mails')
        .values({
          id: message.id,
          recipient: message.to,
          subject: message.subject,
          text: '',
          html: '',
          createdAt: time.now,
          sentAt: null,
          lastError: null,
          unsubscribeUrl: null,
          state: 'kept',
          language: message.language,
          handedOverAt: null,
          replyCode: null,
          replyTo: null,
        })
        .execute()
    }
    emails.push(message)
  }
  async function deliverAll(): Promise<void> {
    const dependencies = { database, queueMail, publicUrl, signedLinks, clock: () => time.now }
    const fail = (error: unknown) => {
      throw error
    }
    while (await deliverNext(dependencies, async () => {}, fail));
  }

  return {
    ...testApp,
    captcha,
    newKey,
    token,
    begin,
    begun,
    signatureOf,
    commit,
    sent,
    secretOf,
    follow,
    deliverAll,
    forget,
  }
}
