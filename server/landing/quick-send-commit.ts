/**
 * The last step of sending without an account: the signature is checked, then organisation, document and request are added
 * in one transaction, with the signature at the first point. From there on it is a request like any other.
 */
import { createReadStream } from 'node:fs'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { isFresh, mostTries, requestName, senderNumber } from '@kelisim/domain/landing/quick-send.ts'
import { keyRuleOf } from '@kelisim/domain/points/key-holder.ts'
import { whyNotSendTo } from '@kelisim/domain/points/point.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { headFaults, isOfOrganization, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { discardBytes, keepStream } from '../documents/keep-bytes.ts'
import { addDocument, findDocument, hasFile } from '../documents/queries.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../documents/storage/verified.ts'
import { refuseSignature } from '../identity/confirmation/presented-signature.ts'
import { trackingPage } from '@kelisim/domain/pages.ts'
import { addUnclaimedOrganization, lockOrganizationNumber } from '../identity/core/unclaimed-queries.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { isStopped, stopAddress } from '../mail/stopped-emails.ts'
import { entryAddress, type SignedLinks } from '../mail/signed-links.ts'
import { findReceiver, provedName } from '../points/receiver-queries.ts'
import { isSignatureKnown, saveValueDigests } from '../requests/judging/queries.ts'
import { documentPolicy } from '../requests/judging/examining.ts'
import { newSignatureId, type Judging } from '../requests/judging/judging.ts'
import type { Party } from '../requests/core/party.ts'
import { findRequest } from '../requests/core/state.ts'
import { addRequest } from '../requests/sending/sending.ts'
import type { SentPoint } from '../requests/sending/sent-points.ts'
import { signAtPoint } from '../requests/judging/signing.ts'
import type { CheckedSigner } from '../signatures/check-job.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { PoolError } from '../workers/pool.ts'
import { countTry, findById, updateTransaction } from './queries.ts'
import { authorOf, personName, sendingOrganization, type SendingOrganization } from './quick-send-sender.ts'
import {
  assertBegun,
  hashOf,
  holdWithin,
  lockBegun,
  pendingFile,
  pendingPlace,
  type BegunTransaction,
  type Secrets,
} from './transactions.ts'

export type CommitDependencies = {
  database: Database
  storage: Storage
  check: SignatureChecks['check']
  judging: Judging
  queueMail: QueueMail
  publicUrl: URL
  signedLinks: () => Promise<SignedLinks>
  secrets: Secrets
  clock: () => Date
}

export type SentResult = {
  signingRequestId: string
  followUrl: string
  recipientUrl: string
  recipientEmail: string
  isMailed: boolean
}

type SubmittedSignature = { cms: Buffer; address: string; language: Language }

export async function commit(
  dependencies: CommitDependencies,
  transaction: BegunTransaction,
  submitted: SubmittedSignature,
): Promise<SentResult> {
  const { storage, judging } = dependencies
  if (transaction.requestId === null) {
    const signatureId = await send(dependencies, transaction, submitted)
    if (signatureId !== null) await judging.judgeSoon(signatureId)
    // If this fails, the sweep of orphans removes the file later.
    await storage.remove(keyOf(pendingPlace, transaction.fileId)).catch(() => {})
  }
  return (await sentResult(dependencies, transaction.id))!
}

/** The result of the transaction; null if its document is not sent yet. */
export async function sentResult(
  {
    database,
    publicUrl,
    secrets,
    signedLinks,
    clock,
  }: Pick<CommitDependencies, 'database' | 'publicUrl' | 'secrets' | 'signedLinks' | 'clock'>,
  id: string,
): Promise<SentResult | null> {
  const { requestId, recipientBin, recipientEmail } = assertBegun(await findById(database.db, id), clock())
  if (requestId === null) return null
  const { row } = (await findRequest(database.db, requestId))!
  return {
    signingRequestId: requestId,
    followUrl: trackingAddress(await secrets.follow(id), publicUrl),
    recipientUrl: entryAddress(
      { requestId, number: recipientBin },
      { publicUrl, signedLinks: await signedLinks() },
    ),
    recipientEmail,
    isMailed: !(await isStopped(database.db, recipientEmail, row.organizationId)),
  }
}

export function trackingAddress(follow: string, publicUrl: URL): string {
  return new URL(trackingPage(follow), publicUrl).href
}

/** The id of the signature; null if another call has sent the document. */
async function send(
  dependencies: CommitDependencies,
  transaction: BegunTransaction,
  submitted: SubmittedSignature,
): Promise<string | null> {
  const { database, storage, clock } = dependencies
  const { owner, actDigest } = await checkSignature(dependencies, transaction, submitted)
  const number = senderNumber(owner) ?? refuse('empty-bin-or-iin')
  if (number === transaction.recipientBin) refuse('recipient-is-own')
  // The file is stored under the organisation, which must be known first; if it changes before the commit, all is
  // repeated.
  for (let attempt = 0; ; attempt++) {
    const organization = await sendingOrganization(database.db, owner, number)
    if (!organization.isQuickRequestAllowed) refuse('quick-send-not-allowed')
    if (organization.documentsUploadPdfOnly && transaction.format !== 'pdf') refuse('only-pdf-allowed')
    const file = await keepFor(storage, transaction, organization.id)
    let isUsed = false
    try {
      const signatureId = await database.write(async (tx) => {
        const locked = await lockBegun(tx, transaction.id, clock())
        if (locked.requestId !== null) return null
        await lockOrganizationNumber(tx, number)
        const now = await sendingOrganization(tx, owner, number)
        if (organization.isNew ? !now.isNew : now.id !== organization.id) throw new OrganizationChanged()
        return saveRequest(tx, dependencies, {
          transaction: locked,
          organization,
          owner,
          number,
          actDigest,
          file,
          submitted,
        })
      })
      isUsed = signatureId !== null
      return signatureId
    } catch (error) {
      if (!(error instanceof OrganizationChanged) || attempt > 2) throw error
    } finally {
      // After a lost connection the commit may have succeeded, so the bytes are removed only if there is no row.
      if (!isUsed) await discardUnlessKept(dependencies, file)
    }
  }
}

class OrganizationChanged extends Error {}

async function discardUnlessKept({ database, storage }: CommitDependencies, file: KeptFile): Promise<void> {
  const isReferredTo = await hasFile(database.db, file.id).catch(() => true)
  if (!isReferredTo) await discardBytes(storage, file).catch(() => {})
}

async function keepFor(
  storage: Storage,
  transaction: BegunTransaction,
  organizationId: string,
): Promise<KeptFile> {
  const borrowed = await borrowVerified(storage, pendingFile(transaction))
  try {
    return await keepStream(storage, organizationId, createReadStream(borrowed.path), transaction.size)
  } finally {
    await borrowed.release()
  }
}

type CheckedSignature = { owner: CertificateOwner; actDigest: string }

/** Checks as strictly as every signature of a document, and also that it was made for this transaction. */
async function checkSignature(
  dependencies: CommitDependencies,
  transaction: BegunTransaction,
  { cms, address, language }: SubmittedSignature,
): Promise<CheckedSignature> {
  const { storage, clock, database } = dependencies
  if (transaction.tries >= mostTries) refuse('too-many-refused-signatures', { minutes: null })
  const borrowed = await borrowVerified(storage, pendingFile(transaction))
  const now = clock()
  try {
    const { faults, signers } = await dependencies.check(
      { signature: cms, document: { path: borrowed.path }, at: now, policy: documentPolicy },
      { network: networkOf(address) },
    )
    const [signer, ...others] = signers
    const found: Fault[] = [
      ...faults,
      ...signers.flatMap((one) => one.faults),
      ...(others.length > 0 ? (['too-much'] as const) : []),
    ]
    if (found.length > 0) refuseSignature(found, language)
    return assertFresh(signer, transaction, now, language)
  } catch (error) {
    if (error instanceof PoolError) refuse('service-unavailable')
    // An outage of the certification centre does not count as a try.
    if (!(error instanceof Refusal) || error.alias === 'signature-not-checked') throw error
    await database.write((tx) => countTry(tx, transaction.id))
    throw error
  } finally {
    await borrowed.release()
  }
}

function assertFresh(
  signer: CheckedSigner | undefined,
  { begunAt }: BegunTransaction,
  now: Date,
  language: Language,
): CheckedSignature {
  if (!signer?.owner) return refuseSignature(['certificate-missing'], language)
  const unentitled = isOfOrganization(signer.owner) ? headFaults(signer.owner) : []
  if (unentitled.length > 0) refuseSignature(unentitled, language)
  if (!isFresh(signer, { begunAt, now })) refuse('signature-not-fresh')
  return { owner: signer.owner, actDigest: signer.actDigest }
}

type Sending = {
  transaction: BegunTransaction
  organization: SendingOrganization
  owner: CertificateOwner
  number: string
  actDigest: string
  file: KeptFile
  submitted: SubmittedSignature
}

async function saveRequest(tx: Tx, dependencies: CommitDependencies, sending: Sending): Promise<string> {
  const { transaction, organization, owner, number, actDigest, submitted } = sending
  const now = dependencies.clock()
  const { senderEmail, recipientEmail, language } = transaction
  await holdWithin(
    tx,
    [
      { limit: 'sender', of: number },
      { limit: 'recipient', of: recipientEmail },
      { limit: 'senderEmail', of: senderEmail },
    ],
    now,
  )
  await refuseUsed(tx, actDigest, submitted.cms)
  const receiver = await findReceiver(tx, transaction.recipientBin)
  const reason = whyNotSendTo('external', receiver, organization.id)
  if (reason) refuse(reason)
  if (organization.isNew) {
    const { id, bin, shortName } = organization
    await addUnclaimedOrganization(tx, {
      id,
      bin,
      shortName,
      isIndividual: owner.bin === null,
      email: senderEmail,
      phone: transaction.senderPhone,
      createdAt: now,
    })
  }
  const userId = await authorOf(tx, organization.id, owner, language, now)
  const document = await addDocumentOf(tx, sending, userId, now)
  const points = pointsOf(sending, provedName(transaction.recipientBin, receiver))
  const party = partyOf(sending, userId)
  const name = requestName(transaction.fileName)
  const requestId = newId(now.getTime())
  await addRequest(
    tx,
    { userId, member: { organizationId: organization.id } },
    party,
    {
      id: requestId,
      sender: { name: organization.shortName, bin: number, confirmedAt: now },
      document,
      route: { id: null, name: '' },
      points,
      isQuick: true,
      isFromLanding: true,
      name,
      description: '',
      signingDate: undefined,
      isTimestampRequired: false,
      language,
      additionalComponents: 0,
      accessCodeExpiresOn: null,
      classifierIds: [],
      address: submitted.address,
    },
    now,
  )
  const signatureId = newSignatureId(now)
  await signAtPoint(
    tx,
    {
      requestId,
      party,
      currentVersion: undefined,
      key: undefined,
      comment: '',
      address: submitted.address,
    },
    { pointId: points[0].pointId, signatureId, cms: submitted.cms, timestampedCms: null },
    now,
    () => {},
  )
  // Saved now rather than when the signature is judged, so that the same signature in another CMS is recognised at
  // once.
  await saveValueDigests(tx, signatureId, [actDigest])
  const follow = await dependencies.secrets.follow(transaction.id)
  await updateTransaction(tx, transaction.id, {
    requestId,
    committedAt: now,
    senderNumber: number,
    followHash: hashOf(follow),
  })
  await mailSender(tx, dependencies, { ...transaction, organizationId: organization.id, name, follow })
  return signatureId
}

/**
 * A recipient of a signed document could send it on in the name of its signer, so a signature that was used here
 * before is refused. Concurrent calls with the same signature run one after another, because they lock the same
 * number.
 */
async function refuseUsed(tx: Tx, actDigest: string, cms: Buffer): Promise<void> {
  if (await isSignatureKnown(tx, { actDigest, cms })) refuse('signature-used-before')
}

async function addDocumentOf(
  tx: Tx,
  { transaction, organization, file }: Sending,
  authorId: string,
  now: Date,
) {
  const { format, fileName } = transaction
  const { id: fileId, sha256, size } = file
  const id = newId(now.getTime())
  await addDocument(tx, {
    id,
    organizationId: organization.id,
    authorId,
    fileId,
    format,
    sha256,
    size,
    name: fileName,
    description: '',
    visibility: 'private',
    createdAt: now,
  })
  return (await findDocument(tx, organization.id, id))!
}

/** The sender signs first, then the recipient. The sender has no group: anybody with the number may act. */
function pointsOf(
  { transaction, organization, number }: Sending,
  knownName: string | null,
): [SentPoint, SentPoint] {
  const { recipientBin, recipientEmail, recipientName } = transaction
  const recipient = knownName ?? (recipientName === '' ? recipientBin : recipientName)
  const none = { condition: 'any', quorum: null, isEdsRequired: false, signatureForm: 'cms' } as const
  return [
    {
      pointId: newId(),
      order: 1,
      type: 'QuickCompanyInternalSign',
      name: organization.shortName,
      organizationId: organization.id,
      groupId: null,
      bin: number,
      emails: [],
      responsible: [],
      organizationName: organization.shortName,
      ...none,
      // Sent to others in the name of the organisation, so not every employee's key will do.
      ...keyRuleOf('QuickCompanyInternalSign', number, { keyHolder: 'signingRight' }),
    },
    {
      pointId: newId(),
      order: 2,
      type: 'QuickExternalSign',
      name: recipient,
      organizationId: null,
      groupId: null,
      bin: recipientBin,
      emails: [recipientEmail],
      organizationName: recipient,
      responsible: [],
      ...none,
      ...keyRuleOf('QuickExternalSign', recipientBin),
    },
  ]
}

function partyOf({ owner, number }: Sending, userId: string): Party {
  const { iin, bin } = owner
  return {
    viewer: { id: userId, numbers: [number], organizationId: null, isOwner: false },
    actor: { id: userId, fullName: personName(owner), iin, bin },
  }
}

/** The only e-mail to the sender, because their address was not verified. */
async function mailSender(
  tx: Tx,
  { queueMail, publicUrl, signedLinks }: CommitDependencies,
  sending: BegunTransaction & { organizationId: string; name: string; follow: string },
): Promise<void> {
  const { senderEmail, recipientName, recipientBin, language, organizationId, name, follow } = sending
  if (await isStopped(tx, senderEmail, organizationId)) return
  const t = textsOf(language, 'landing-quick-send')
  const recipient = recipientName === '' ? recipientBin : recipientName
  await queueMail(tx, {
    to: senderEmail,
    language,
    subject: t('email.subject'),
    paragraphs: [t('email.text'), t('email.keep')],
    quotes: [
      { label: t('email.name'), text: name },
      { label: t('email.recipient'), text: recipient },
    ],
    button: { label: t('email.button'), url: trackingAddress(follow, publicUrl) },
    choice: {
      unsubscribeUrl: stopAddress(senderEmail, organizationId, {
        publicUrl,
        signedLinks: await signedLinks(),
      }),
    },
  })
}
