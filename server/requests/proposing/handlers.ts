/**
 * The other side returns the document with a proposed file; the author keeps it for a correction, or declines it
 * (decision 088).
 */
import { createReadStream } from 'node:fs'
import { newId } from '@kelisim/db/id.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import {
  formatNames,
  formatOfName,
  mediaTypes,
  sizeLimits,
  uploadFormats,
} from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import {
  declineProposal,
  downloadProposal,
  keepProposal,
  mostProposals,
  proposeFile,
} from '@kelisim/domain/requests/proposing/contract.ts'
import { speaksForSender } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { refuseFaulty } from '../../documents/check/check.ts'
import { documentView } from '../../documents/handlers.ts'
import { discardAfterRollback, discardBytes } from '../../documents/keep-bytes.ts'
import { addFile } from '../../documents/queries.ts'
import { receiveUpload } from '../../documents/receive-upload.ts'
import { keyOf } from '../../documents/storage/storage.ts'
import { borrowVerified, reached } from '../../documents/storage/verified.ts'
import { upload, type Archive } from '../../documents/upload.ts'
import type { Files } from '../../http/files.ts'
import type { Serve } from '../../http/serve.ts'
import { partyOf, visibleRequest } from '../core/party.ts'
import { perform, refuseUnless } from '../core/perform.ts'
import { visibleProposals } from '../core/proposals.ts'
import { addProposal, findProposals, type ProposalRow } from '../core/queries/proposals.ts'
import { findRequest } from '../core/state.ts'
import { requestView } from '../core/views.ts'

export function proposingHandlers(serve: Serve, files: Files, archive: Archive): void {
  const { storage, checks, refuseIfFull = async () => {} } = archive

  files.take(proposeFile, async ({ input, who, db, write, now, address, file, size }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, pointId, comment, revision, key } = input
    const seen = await visibleRequest(db, requestId, party)
    const command = { type: 'propose', pointId, by: party.viewer, over: revision } as const
    // Checked before the bytes are received, and again when they are saved; a repeated call is answered like the
    // first.
    if (key === undefined) refuseUnless(seen, command, now)
    const format =
      formatOfName(input.name, uploadFormats) ?? formatOfName(cleanFileName(input.name), uploadFormats)
    if (!format) return refuse('file-format-not-supported', { formats: formatNames(uploadFormats) })
    // A person who acts for their own number has no storage here, so the file is stored for the sender.
    const organizationId = party.viewer.organizationId ?? seen.row.organizationId
    const claimant =
      party.viewer.organizationId === null
        ? { network: networkOf(address) }
        : { organization: organizationId, person: party.actor.id }
    checks.refuseIfBusy(claimant)
    await refuseIfFull(organizationId, size ?? 0)
    const received = await receiveUpload({ file, size }, storage, sizeLimits[format])
    try {
      if (received.size === 0) refuse('file-empty')
      const { path, sha256 } = received
      await refuseIfFull(organizationId, received.size)
      await refuseFaulty(checks, { path, size: received.size, format, sha256 }, claimant)
      const kept = { id: newId(), organizationId, sha256, size: received.size }
      await reached(storage.keep(keyOf(organizationId, kept.id), received))
      let isUsed = false
      try {
        const view = await write(async (tx) => {
          const act = { requestId, party, currentVersion: undefined, key, comment, address }
          await perform(tx, act, command, now, async ({ row }) => {
            if (sha256.equals(row.sha256)) refuse('correction-changes-nothing')
            const before = await findProposals(tx, row.id)
            if (before.length >= mostProposals) refuse('too-many-proposals', { most: mostProposals })
            const fileName = cleanFileName(input.name)
            await addFile(tx, kept, now)
            const number = row.eventsCount + 1
            await addProposal(tx, { requestId, number, pointId, fileId: kept.id, fileName, format })
            isUsed = true
            return { data: { document: sha256.toString('hex'), fileName } }
          })
          return requestView(tx, (await findRequest(tx, requestId))!, party, now)
        })
        // The same act was done by an earlier call, with a file of its own.
        if (!isUsed) await discardBytes(storage, kept)
        return view
      } catch (error) {
        await discardAfterRollback(storage, kept, error)
        throw error
      }
    } finally {
      await received.discard()
    }
  })

  serve(declineProposal, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, pointId, comment, currentVersion, key } = input
    const command = { type: 'decline-proposal', pointId, by: party.viewer } as const
    return write(async (tx) => {
      const act = { requestId, party, currentVersion, key, comment, address }
      await perform(tx, act, command, now, async ({ row }) => {
        if (!speaksForSender(row, party.viewer)) refuse('not-enough-permissions')
      })
      return requestView(tx, (await findRequest(tx, requestId))!, party, now)
    })
  })

  files.give(downloadProposal, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const proposals = await visibleProposals(db, loaded, party.viewer)
    const found = proposals.find(({ number }) => number === input.number) ?? refuse('proposal-not-found')
    const borrowed = await borrowVerified(storage, fileOf(found))
    const { size, fileName: name, format } = found
    return { ...borrowed, size, name, mediaType: mediaTypes[format] }
  })

  serve(keepProposal, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    const { row, request, signing } = await visibleRequest(db, input.signingRequestId, party)
    const isOpen = signing.some(({ proposal }) => proposal === input.number)
    const isAuthor = speaksForSender(row, party.viewer) && request.authorId === party.actor.id
    if (!isOpen || !isAuthor) refuse('proposal-not-found')
    const found = (await findProposals(db, row.id)).find(({ number }) => number === input.number)!
    const { organizationId } = who.member
    const borrowed = await borrowVerified(storage, fileOf(found))
    try {
      const document = await upload(archive, write, {
        organizationId,
        authorId: who.userId,
        documentId: undefined,
        name: found.fileName,
        description: '',
        visibility: 'private',
        options: who.member.options,
        file: createReadStream(borrowed.path),
        size: found.size,
        now,
      })
      return documentView(document, who, false)
    } finally {
      await borrowed.release()
    }
  })
}

function fileOf({ fileId: id, organizationId, sha256, size, destroyedAt }: ProposalRow) {
  return { id, organizationId, sha256, size, destroyedAt }
}
