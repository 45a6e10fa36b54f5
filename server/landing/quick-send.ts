/** Sending a document without an account: the calls of the landing, in the order in which they are made. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import {
  formatNames,
  formatOfName,
  landingFormats,
  sizeLimits,
  type LandingFormat,
} from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isPersonNumber } from '@kelisim/domain/numbers.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import {
  commitTransaction,
  getQuickContractor,
  getQuickSend,
  getTransaction,
  getTransactionToken,
  initTransaction,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { tokenLife, transactionLife } from '@kelisim/domain/landing/quick-send.ts'
import { whyNotSendTo } from '@kelisim/domain/points/point.ts'
import { refuseFaulty, type FileChecks } from '../documents/check/check.ts'
import { discardAfterRollback } from '../documents/keep-bytes.ts'
import { receiveUpload } from '../documents/receive-upload.ts'
import type { Received } from '../documents/storage/receive.ts'
import { keyOf } from '../documents/storage/storage.ts'
import { reached } from '../documents/storage/verified.ts'
import type { Files } from '../http/files.ts'
import type { Serve } from '../http/serve.ts'
import type { Signer } from '../http/site/site.ts'
import { decodeSignature, refuseSignature } from '../identity/confirmation/presented-signature.ts'
import { lookUpContractor, type ContractorDirectory } from '../points/contractors.ts'
import { findReceiver } from '../points/receiver-queries.ts'
import type { RefuseUnprintable } from '../requests/sending/sendable.ts'
import type { Claimant } from '../workers/turns.ts'
import type { Captcha } from './captcha.ts'
import { sentResult, commit, type CommitDependencies } from './quick-send-commit.ts'
import { phoneStateOf } from './quick-send-phone.ts'
import { addTransaction, findByToken, lockByToken, updateTransaction, type Transaction } from './queries.ts'
import {
  findBegun,
  hashOf,
  holdWithin,
  networkHash,
  pendingPlace,
  refuseOver,
  type BegunColumn,
} from './transactions.ts'
import { findContractorName } from '../points/contractor-queries.ts'

export type QuickSendDependencies = Omit<CommitDependencies, 'check' | 'judging'> & {
  captcha: Captcha
  checks: FileChecks
  refuseUnprintable: RefuseUnprintable
  directory: ContractorDirectory | undefined
  signer: Signer | undefined
  /** Undefined if signatures cannot be checked here: then nothing can be sent without an account. */
  signing: Pick<CommitDependencies, 'check' | 'judging'> | undefined
}

export function quickSendHandlers(serve: Serve, files: Files, dependencies: QuickSendDependencies): void {
  const { captcha, secrets, signer, signing, storage, checks } = dependencies

  serve(getQuickSend, async () => ({
    signer:
      signing && signer
        ? { ...signer, url: signer.url.href, windowUrl: signer.windowUrl?.href ?? null }
        : null,
  }))

  serve(getQuickContractor, async ({ input: { bin }, db, write, now }) => {
    const { name } = await lookUpContractor({ db, write, now, directory: dependencies.directory }, bin)
    return { bin, name }
  })

  serve(getTransactionToken, async ({ input, address, write, now }) => {
    if (!signing) refuse('service-unavailable')
    const token = await secrets.token(input.key)
    const expiresAt = new Date(now.getTime() + tokenLife)
    const tokenHash = hashOf(token)
    const checkProof = await captcha.check(input.captcha)
    return write(async (tx) => {
      const before = await lockByToken(tx, tokenHash)
      if (before) {
        if (before.tokenExpiresAt <= now) refuse('transaction-token-not-found')
        return { token, expiresAt: before.tokenExpiresAt.toISOString() }
      }
      const network = networkHash(address)
      await checkProof(tx)
      await holdWithin(tx, [{ limit: 'network', of: network }], now)
      await addTransaction(tx, {
        ...emptyColumns,
        id: newId(now.getTime()),
        tokenHash,
        network,
        createdAt: now,
        tokenExpiresAt: expiresAt,
      })
      return { token, expiresAt: expiresAt.toISOString() }
    })
  })

  files.take(initTransaction, async ({ input, file, size, address, db, write, now }) => {
    if (!signing) refuse('service-unavailable')
    const claimant = { network: networkOf(address) }
    checks.refuseIfBusy(claimant)
    const { token, recipientBin, recipientEmail, senderEmail } = input
    const tokenHash = hashOf(token)
    // The body is read only if the token is right.
    assertOpen(await findByToken(db, tokenHash), now)
    await refuseOver(db, { limit: 'recipient', of: recipientEmail }, now)
    await refuseOver(db, { limit: 'senderEmail', of: senderEmail }, now)
    const receiver = await findReceiver(db, recipientBin)
    const reason = whyNotSendTo('external', receiver, '')
    if (reason) refuse(reason)
    // The sender sees this name; an IIN does not reveal its owner.
    const recipientName = isPersonNumber(recipientBin)
      ? ''
      : (receiver?.name ?? (await findContractorName(db, recipientBin, now))?.name ?? '')
    const format = formatOf(input.fileName)
    const received = await receiveUpload({ file, size }, storage, sizeLimits[format])
    try {
      await checkFile(received, format, claimant)
      const transactionId = await secrets.transactionId(token)
      const fileId = newId()
      const row = {
        recipientBin,
        recipientEmail,
        recipientName,
        senderEmail,
        senderPhone: input.senderPhone,
        language: input.language,
        fileName: cleanFileName(input.fileName),
        format,
        fileId,
        sha256: received.sha256,
        size: received.size,
        transactionHash: hashOf(transactionId),
      }
      const key = keyOf(pendingPlace, fileId)
      await reached(storage.keep(key, received))
      const kept = await write((tx) => begin(tx, tokenHash, row, now)).catch(async (error: unknown) => {
        await discardAfterRollback(storage, { id: fileId, organizationId: pendingPlace }, error)
        throw error
      })
      if (kept.fileId !== fileId) await storage.remove(key).catch(() => {})
      const { fileName, sha256 } = row
      return {
        transactionId,
        document: { fileName, format, size: row.size, sha256: sha256.toString('hex') },
        expiresAt: new Date(kept.begunAt.getTime() + transactionLife).toISOString(),
      }
    } finally {
      await received.discard()
    }
  })

  serve(commitTransaction, async ({ input, address, language, db, now }) => {
    if (!signing) refuse('service-unavailable')
    const transaction = await findBegun(db, input.transactionId, now)
    const cms = decodeSignature(input.signature) ?? refuseSignature(['not-a-signature'], language)
    return commit({ ...dependencies, ...signing }, transaction, { cms, address, language })
  })

  serve(getTransaction, async ({ input: { transactionId }, db, now }) => {
    const transaction = await findBegun(db, transactionId, now)
    return {
      phone: phoneStateOf(transaction, now),
      refusal: transaction.phoneRefusal,
      sent: await sentResult(dependencies, transaction.id),
    }
  })

  async function checkFile(
    { path, size, sha256 }: Received,
    format: LandingFormat,
    claimant: Claimant,
  ): Promise<void> {
    if (size === 0) refuse('file-empty')
    await refuseFaulty(checks, { path, size, format, sha256 }, claimant)
    await dependencies.refuseUnprintable({ sha256, format }, path, claimant)
  }
}

const emptyColumns = {
  transactionHash: null,
  begunAt: null,
  senderEmail: null,
  senderPhone: null,
  recipientBin: null,
  recipientName: null,
  recipientEmail: null,
  language: null,
  fileId: null,
  fileName: null,
  format: null,
  sha256: null,
  size: null,
  phoneId: null,
  phoneToken: null,
  phoneState: null,
  phoneRefusal: null,
  phoneExpiresAt: null,
  followHash: null,
  senderNumber: null,
  requestId: null,
  committedAt: null,
} as const

/** A transaction that has begun may be begun again with the same input by a client that got no response. */
function assertOpen(transaction: Transaction | undefined, now: Date): Transaction {
  const isOpen = transaction && transaction.tokenExpiresAt > now && transaction.committedAt === null
  return isOpen ? transaction : refuse('transaction-token-not-found')
}

type BegunValues = { [K in Exclude<BegunColumn, 'begunAt'>]: NonNullable<Transaction[K]> }

const comparedColumns = ['senderEmail', 'senderPhone', 'recipientBin', 'recipientEmail', 'fileName'] as const

/** Of two calls with one token one begins the transaction; the other gets the same response if its input is the same. */
async function begin(
  tx: Tx,
  tokenHash: Buffer,
  row: BegunValues,
  now: Date,
): Promise<{ fileId: string; begunAt: Date }> {
  const before = assertOpen(await lockByToken(tx, tokenHash), now)
  if (before.begunAt !== null && before.fileId !== null) {
    const isSame =
      comparedColumns.every((name) => before[name] === row[name]) && before.sha256?.equals(row.sha256)
    return isSame ? { fileId: before.fileId, begunAt: before.begunAt } : refuse('transaction-token-not-found')
  }
  await updateTransaction(tx, before.id, { ...row, begunAt: now })
  return { fileId: row.fileId, begunAt: now }
}

function formatOf(fileName: string): LandingFormat {
  return (
    formatOfName(fileName, landingFormats) ??
    formatOfName(cleanFileName(fileName), landingFormats) ??
    refuse('file-format-not-supported', { formats: formatNames(landingFormats) })
  )
}
