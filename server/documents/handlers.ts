/** Uploaded documents: upload, lists, description, download, deletion. */
import type { Db } from '@kelisim/db/db.ts'
import {
  deleteDocument,
  downloadDocument,
  getDocument,
  getDocuments,
  saveDocument,
  uploadDocument,
} from '@kelisim/domain/documents/contract.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import {
  allowedWith,
  maySee,
  whyNotDelete,
  whyNotDescribe,
  type Viewer,
} from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { scopeOf, visibilityOf } from '@kelisim/domain/visibility.ts'
import type { Uses } from '@kelisim/domain/uses/contract.ts'
import { keepDeleted } from '../deletions/queries.ts'
import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import {
  findDocument,
  findDocuments,
  lockDocument,
  removeDocument,
  saveDescription,
  type DocumentRow,
} from './queries.ts'
import { borrowVerified } from './storage/verified.ts'
import { upload, type Archive } from './upload.ts'

/** Which of these documents belong to unfinished requests; implemented by the slice of requests. */
export type BusyAmong = (db: Db, documentIds: readonly string[]) => Promise<ReadonlySet<string>>

/** The unfinished requests with the document, as the caller may see them. */
export type UsesOfDocument = (
  db: Db,
  looking: { who: Caller<'member'>; now: Date },
  documentId: string,
) => Promise<Uses>

export type DocumentUses = { busyAmong: BusyAmong; usesOf: UsesOfDocument }

export function openDocuments(
  { serve, files, health }: Http,
  { busyAmong, usesOf, ...archive }: Archive & DocumentUses,
): void {
  health.watch('storage', () => archive.storage.failures().isFailing)

  files.take(uploadDocument, async ({ input, who, now, write, file, size }) => {
    const { organizationId, options } = who.member
    const { documentId, name, description, visibilityScope } = input
    const visibility = visibilityOf(visibilityScope)
    const values = { organizationId, authorId: who.userId, documentId, name, description, visibility }
    return documentView(await upload(archive, write, { ...values, options, file, size, now }), who, false)
  })

  serve(getDocuments, async ({ input, who, db }) => {
    const { organizationId, roles } = who.member
    if (input.path === 'organization' && !isOwner(roles)) refuse('roles-filter')
    const { items, totalCount } = await findDocuments(db, {
      ...input,
      organizationId,
      userId: who.userId,
      name: input.name ?? '',
    })
    const busy = await busyAmong(
      db,
      items.map(({ id }) => id),
    )
    return { items: items.map((row) => documentView(row, who, busy.has(row.id))), totalCount }
  })

  serve(getDocument, async ({ input, who, db }) => {
    const row = await findDocument(db, who.member.organizationId, input.documentId)
    return seenView(db, row, who)
  })

  serve(saveDocument, ({ input, who, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const row = await lockDocument(tx, organizationId, input.documentId)
      const why = row ? whyNotDescribe(factsOf(row, false), who) : 'document-not-found'
      if (why) refuse(why)
      const { documentId, currentVersion, description } = input
      if (!(await saveDescription(tx, documentId, currentVersion, description))) refuse('request-changed')
      return seenView(tx, await findDocument(tx, organizationId, documentId), who)
    }),
  )

  serve(deleteDocument, ({ input, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const row = await lockDocument(tx, organizationId, input.documentId)
      if (!row) refuse('document-not-found')
      const isBusy = (await busyAmong(tx, [row.id])).has(row.id)
      const why = whyNotDelete(factsOf(row, isBusy), who)
      if (why === 'document-is-busy') refuse(why, await usesOf(tx, { who, now }, row.id))
      if (why) refuse(why)
      const deleted = { kind: 'document', id: row.id, organizationId, by: who.userId, at: now } as const
      const deletionId = await keepDeleted(tx, deleted)
      await removeDocument(tx, row, now)
      return { deletionId }
    }),
  )

  files.give(downloadDocument, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const row = await findDocument(db, organizationId, input.documentId)
    if (!row || !maySee(factsOf(row, false), who)) refuse('document-not-found')
    const { fileId, sha256, size, name, format } = row
    const borrowed = await borrowVerified(archive.storage, { id: fileId, organizationId, sha256, size })
    return { ...borrowed, size, name: cleanFileName(name), mediaType: mediaTypes[format] }
  })

  async function seenView(db: Db, row: DocumentRow | undefined, viewer: Viewer) {
    if (!row || !maySee(factsOf(row, false), viewer)) refuse('document-not-found')
    const busy = await busyAmong(db, [row.id])
    return documentView(row, viewer, busy.has(row.id))
  }
}

function factsOf({ authorId, visibility }: DocumentRow, isInLiveRequest: boolean) {
  return { authorId, visibility, isInLiveRequest }
}

/** A document with what the viewer may do with it. */
export function documentView(row: DocumentRow, viewer: Viewer, isInLiveRequest: boolean) {
  const { id, name, description, format, size, isWritten } = row
  return {
    id,
    name,
    description,
    format,
    size,
    isWritten,
    visibilityScope: scopeOf(row.visibility),
    sha256: row.sha256.toString('hex'),
    author: { id: row.authorId, fullName: row.authorName },
    createdAt: row.createdAt.toISOString(),
    currentVersion: row.version,
    allowed: allowedWith(factsOf(row, isInLiveRequest), viewer),
  }
}
