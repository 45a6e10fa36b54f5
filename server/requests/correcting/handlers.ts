/** Correcting a running request: another document takes the place of the one that people were asked about (decision 076). */
import type { Tx } from '@kelisim/db/db.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isFormFor, type SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import {
  correctRequest,
  downloadRevision,
  mostRevisions,
} from '@kelisim/domain/requests/correcting/contract.ts'
import { whyNotReplace } from '@kelisim/domain/requests/correcting/correction.ts'
import { speaksForSender } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import { holdDocument, type DocumentRow } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Files } from '../../http/files.ts'
import type { Serve } from '../../http/serve.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { partyOf, visibleRequest } from '../core/party.ts'
import { perform, refuseUnless } from '../core/perform.ts'
import { addRevisions } from '../core/queries/revisions.ts'
import { visibleRevision } from '../core/revisions.ts'
import type { ActDetails } from '../core/saving.ts'
import { findRequest } from '../core/state.ts'
import { requestView } from '../core/views.ts'
import { sendableDocument, type SendingDependencies } from '../sending/sendable.ts'

export function correctingHandlers(serve: Serve, files: Files, sending: SendingDependencies): void {
  serve(correctRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, currentVersion, key, comment } = input
    const command = { type: 'correct', by: party.viewer } as const
    const { organizationId } = who.member
    const seen = await visibleRequest(db, requestId, party)
    // Checked before the slow work, and again when it is saved; a repeated call is answered like the first.
    if (key === undefined) refuseUnless(seen, command, now)
    const sender = { organizationId, userId: who.userId, member: who.member }
    const form = formOf(seen)
    const document = await sendableDocument(db, sending, sender, input.documentId, form)
    if (!isFormFor(form, document.format)) refuse('signature-form-unfit', { form, format: document.format })
    return write(async (tx) => {
      const act = { requestId, party, currentVersion, key, comment, address }
      await perform(tx, act, command, now, async (loaded) => {
        if (!speaksForSender(loaded.row, party.viewer)) refuse('not-enough-permissions')
        if (!(await holdDocument(tx, organizationId, document.id))) refuse('document-not-found')
        return replaceDocument(tx, loaded, document)
      })
      return requestView(tx, (await findRequest(tx, requestId))!, party, now)
    })
  })

  files.give(downloadRevision, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const found = await visibleRevision(db, loaded, party.viewer, input.revision)
    const { fileId: id, organizationId, sha256, size, destroyedAt, fileName, format } = found
    const file = { id, organizationId, sha256, size, destroyedAt }
    const borrowed = await borrowVerified(sending.storage, file)
    return { ...borrowed, size, name: fileName, mediaType: mediaTypes[format] }
  })
}

function formOf({ signing }: LoadedRequest): SignatureForm {
  return signing.find(({ signatureForm }) => signatureForm !== 'cms')?.signatureForm ?? 'cms'
}

/** Keeps the previous document as a revision and returns what the act changes. */
async function replaceDocument(
  tx: Tx,
  { row }: LoadedRequest,
  document: DocumentRow,
): Promise<Pick<ActDetails, 'data' | 'document'>> {
  const alias = whyNotReplace(row.conditions as StoredConditions | null)
  if (alias) refuse(alias)
  if (document.sha256.equals(row.sha256)) refuse('correction-changes-nothing')
  if (row.revision >= mostRevisions) refuse('too-many-corrections', { most: mostRevisions })
  const { fileId, format } = document
  const fileName = cleanFileName(document.name)
  const revision = row.revision + 1
  const first = { fileId: row.fileId, fileName: row.fileName, format: row.format, fromEvent: 1 }
  await addRevisions(tx, [
    ...(row.revision === 1 ? [{ requestId: row.id, revision: 1, ...first }] : []),
    { requestId: row.id, revision, fileId, fileName, format, fromEvent: row.eventsCount + 1 },
  ])
  return {
    data: {
      revision,
      document: document.sha256.toString('hex'),
      // The file name is left out: the log tells everybody of every correction, also of documents they do not see.
      before: row.sha256.toString('hex'),
    },
    document: { documentId: document.id, fileId, fileName, format },
  }
}
