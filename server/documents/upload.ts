/**
 * The upload of a document:
 *
 *   stream → temporary file, hashed and measured → checked by a worker → stored → row
 *
 * There is no document before the last step; a failure leaves nothing behind.
 */
import type { Readable } from 'node:stream'
import { newId } from '@kelisim/db/id.ts'
import type { Tx } from '@kelisim/db/db.ts'
import { cleanFileName, shownFileName } from '@kelisim/domain/documents/file-name.ts'
import {
  formatNames,
  formatOfName,
  sizeLimits,
  acceptedFormats,
  type DocumentFormat,
  type UploadOptions,
} from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import { refuseFaulty, type FileChecks } from './check/check.ts'
import { discardAfterRollback, NothingSaved } from './keep-bytes.ts'
import { addDocument, findDocument, type DocumentRow } from './queries.ts'
import { receiveUpload } from './receive-upload.ts'
import type { StorageQuota } from './storage-quota.ts'
import { keyOf, type Storage } from './storage/storage.ts'
import { reached } from './storage/verified.ts'

export type Upload = {
  organizationId: string
  authorId: string
  documentId: string | undefined
  name: string
  description: string
  visibility: Visibility
  /** The options of the organisation. */
  options: UploadOptions
  file: Readable
  /** As declared by the client. */
  size: number | null
  now: Date
}

export type Archive = {
  storage: Storage
  checks: FileChecks
  /** Undefined: there is no quota. */
  refuseIfFull?: StorageQuota
}

export async function upload(
  { storage, checks, refuseIfFull = async () => {} }: Archive,
  write: (work: (tx: Tx) => Promise<DocumentRow>) => Promise<DocumentRow>,
  input: Upload,
): Promise<DocumentRow> {
  const format = formatOf(input)
  const { organizationId, authorId } = input
  const claimant = { organization: organizationId, person: authorId }
  checks.refuseIfBusy(claimant)
  // Checked before the bytes are received and again afterwards, because other files may have come meanwhile.
  await refuseIfFull(organizationId, input.size ?? 0)
  const received = await receiveUpload(input, storage, sizeLimits[format])
  try {
    if (received.size === 0) refuse('file-empty')
    await refuseIfFull(organizationId, received.size)
    const { path, sha256, size } = received
    await refuseFaulty(checks, { path, size, format, sha256 }, claimant)
    const { description, visibility, now } = input
    const fileId = newId()
    await reached(storage.keep(keyOf(organizationId, fileId), received))
    const document = {
      id: input.documentId ?? newId(),
      organizationId,
      authorId,
      fileId,
      format,
      size,
      sha256,
      name: shownFileName(input.name),
      description,
      visibility,
      createdAt: now,
    }
    try {
      return await write(async (tx) => {
        const added = await addDocument(tx, document)
        if (!added) throw new AlreadyThere()
        return added
      })
    } catch (error) {
      await discardAfterRollback(storage, { id: fileId, organizationId }, error)
      if (!(error instanceof AlreadyThere)) throw error
      return await write((tx) => sameDocument(tx, document))
    }
  } finally {
    await received.discard()
  }
}

class AlreadyThere extends NothingSaved {}

/** A repeated call: the first document is returned if it is the same file of the same person. */
async function sameDocument(
  tx: Tx,
  again: { id: string; organizationId: string; authorId: string; sha256: Buffer },
): Promise<DocumentRow> {
  const first = await findDocument(tx, again.organizationId, again.id)
  return first?.authorId === again.authorId && first.sha256.equals(again.sha256)
    ? first
    : refuse('document-not-found')
}

function formatOf({ name, options }: Upload): DocumentFormat {
  const accepted = acceptedFormats(options)
  const format = formatOfName(name, accepted) ?? formatOfName(cleanFileName(name), accepted)
  if (options.documentsUploadPdfOnly && format !== 'pdf') refuse('only-pdf-allowed')
  return format ?? refuse('file-format-not-supported', { formats: formatNames(accepted) })
}
