/** Several documents in one package: sending them at once, and acting on them at once (decision 093). */
import { isUniqueViolation, type Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { formOfAll } from '@kelisim/domain/points/signature-form.ts'
import { actOnPackage, createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import type { Serve } from '../../http/serve.ts'
import { decodeSignature, refuseSignature } from '../../identity/confirmation/presented-signature.ts'
import { requestsOf } from '../core/packages.ts'
import { partyOf, visibleRequest, type Party } from '../core/party.ts'
import { perform } from '../core/perform.ts'
import { addPackageRow, findPackageRow } from '../core/queries/packages.ts'
import { getOrganization } from '../core/queries/people.ts'
import { requestView } from '../core/views.ts'
import { newSignatureId, type Judging } from '../judging/judging.ts'
import { signAtPoint } from '../judging/signing.ts'
import { formOfRoute, routeToSend, sendableDocument, type SendingDependencies } from '../sending/sendable.ts'
import type { Sender } from '../sending/sender.ts'
import { addRequest } from '../sending/sending.ts'
import {
  digestOfSending,
  holdExistingDocument,
  refuseOtherSending,
  requestFields,
  senderFacts,
  senderOf,
} from '../sending/sent-fields.ts'

type PackageDependencies = SendingDependencies & { judging: Judging | undefined }

export function packageHandlers(serve: Serve, { judging, ...sending }: PackageDependencies): void {
  serve(createPackage, async (call) => {
    const { input, db, write, now } = call
    const sender = senderOf(call.who)
    const party = await partyOf(db, call.who, now)
    const packageId = input.packageId ?? newId(now.getTime())
    const sentBefore = async () => {
      if (!(await isSentBefore(db, packageId, sender))) return undefined
      const requests = await requestsOf(db, packageId)
      for (const { row } of requests) refuseOtherSending(row, input)
      return sentPackage(db, packageId, party, now)
    }
    const there = await sentBefore()
    if (there) return there
    const sentDigest = digestOfSending(input)
    const documents = await Promise.all(
      input.documents.map(async ({ documentId, ...named }, i) => {
        const form = await formOfRoute(db, sender, { ...input, ...named, documentId })
        // Signatures inside a PDF are prepared one document at a time, so such a package cannot be answered for at
        // once.
        if (input.isTogether && form === 'pades') refuse('package-signed-inside')
        return {
          document: await sendableDocument(db, sending, sender, documentId, form),
          form,
          fields: requestFields({ ...call, input: { ...input, ...named } }),
          inPackage: { id: packageId, position: i + 1, count: input.documents.length },
        }
      }),
    )
    try {
      await write(async (tx) => {
        const { name, isTogether } = input
        const { organizationId, userId: authorId } = sender
        await addPackageRow(tx, { id: packageId, organizationId, authorId, name, isTogether, createdAt: now })
        const facts = senderFacts(await getOrganization(tx, organizationId))
        for (const { document, form, fields, inPackage } of documents) {
          const { kindId } = fields
          const about = { ...input, documentId: document.id, kindId }
          const { route, points, conditions } = await routeToSend(tx, sender, about)
          if (formOfAll(points) !== form) refuse('outdated-route', { currentVersion: route.version })
          await holdExistingDocument(tx, sender, document.id)
          const one = { ...fields, sentDigest, inPackage, sender: facts, document, route, points, conditions }
          await addRequest(tx, sender, party, { ...one, isQuick: false }, now)
        }
      })
    } catch (error) {
      if (!isUniqueViolation(error, 'packages_pkey')) throw error
      return (await sentBefore())!
    }
    return sentPackage(db, packageId, party, now)
  })

  serve(actOnPackage, async ({ input, who, db, write, now, address, language }) => {
    const party = await partyOf(db, who, now)
    const { packageId, action, comment } = input
    // Always in the same order, so that two calls for the same documents wait for each other instead of both failing.
    const documents = input.documents
      .map((document) => ({ ...document, signatureId: newSignatureId(now) }))
      .toSorted((one, other) => (one.signingRequestId < other.signingRequestId ? -1 : 1))
    const together = documents.map(({ signingRequestId: requestId, pointId }) => ({ requestId, pointId }))
    for (const { requestId } of together) {
      const { row } = await visibleRequest(db, requestId, party)
      if (row.packageId !== packageId) refuse('package-not-found')
    }
    const decoded = (text: string) => decodeSignature(text) ?? refuseSignature(['not-a-signature'], language)
    const isSigned = action !== 'reject' && documents.some(({ signature }) => signature !== undefined)
    await write(async (tx) => {
      const isNew: boolean[] = []
      for (const document of documents) {
        const { signingRequestId: requestId, pointId, revision: over, key, signatureId } = document
        const act = { requestId, party, currentVersion: undefined, over, key, together, comment, address }
        if (!isSigned) {
          if (action === 'sign') refuse('signature-needed')
          isNew.push(await perform(tx, act, { type: action, pointId, by: party.viewer, over }, now))
          continue
        }
        const { signature, timestampedSignature: stamped } = document
        const cms = decoded(signature ?? refuse('signature-needed'))
        const timestampedCms = stamped === undefined ? null : decoded(stamped)
        const submitted = { pointId, signatureId, cms, timestampedCms }
        isNew.push(await signAtPoint(tx, act, submitted, now, () => {}))
      }
      // If some keys were used before and others not, a document would be left out of this joint answer.
      if (new Set(isNew).size > 1) refuse('wrong-request-configuration')
    })
    // The signatures are saved, so they will be judged even if this call fails now.
    if (isSigned && judging)
      await Promise.all(documents.map(({ signatureId }) => judging.judgeSoon(signatureId)))
    return { requests: await views(db, input.documents, party, now) }
  })
}

/** Whether this sender has sent the package; an id that belongs to somebody else's package is refused. */
async function isSentBefore(db: Db, packageId: string, { organizationId, userId }: Sender): Promise<boolean> {
  const found = await findPackageRow(db, packageId)
  const isTheirs = found?.organizationId === organizationId && found.authorId === userId
  if (found && !isTheirs) refuse('package-not-found')
  return found !== undefined
}

async function sentPackage(db: Db, packageId: string, party: Party, now: Date) {
  const requests = await requestsOf(db, packageId)
  return {
    packageId,
    requests: await Promise.all(requests.map((loaded) => requestView(db, loaded, party, now))),
  }
}

function views(db: Db, documents: readonly { signingRequestId: string }[], party: Party, now: Date) {
  return Promise.all(
    documents.map(async ({ signingRequestId }) =>
      requestView(db, await visibleRequest(db, signingRequestId, party), party, now),
    ),
  )
}
