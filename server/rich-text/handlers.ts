/** Document templates, and documents that are written in the editor and printed to PDF. */
import { Readable } from 'node:stream'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import {
  addTemplate,
  copyTemplate,
  deleteTemplate,
  getTemplate,
  getTemplates,
  getWrittenText,
  previewDocument,
  saveTemplate,
  writeDocument,
  type TemplatePath,
} from '@kelisim/domain/rich-text/contract.ts'
import {
  allowedWithTemplate,
  maySeeTemplate,
  whyNotEditTemplate,
  type TemplateViewer,
} from '@kelisim/domain/rich-text/permissions.ts'
import { scopeOf, visibilityOf } from '@kelisim/domain/visibility.ts'
import { keepDeleted } from '../deletions/queries.ts'
import { documentView } from '../documents/handlers.ts'
import { findDocument } from '../documents/queries.ts'
import { reached } from '../documents/storage/verified.ts'
import { upload, type Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import type { Caller, Serve } from '../http/serve.ts'
import type { Claimant } from '../workers/turns.ts'
import { findTemplates, type Piece } from './list-queries.ts'
import {
  addTemplateRow,
  deleteTemplateRow,
  findTemplate,
  findWrittenText,
  keepWrittenText,
  lockTemplate,
  saveTemplateRow,
  type TemplateLine,
  type TemplateRow,
} from './queries.ts'
import type { RichText } from './rich-text.ts'

type RichTextParts = { archive: Archive; richText: RichText }

export function openRichText({ serve, files }: Http, { archive, richText }: RichTextParts): void {
  templateHandlers(serve, richText)

  serve(writeDocument, async ({ input, who, now, write, db }) => {
    const { organizationId, options } = who.member
    const templateId = input.templateId ?? null
    if (templateId !== null) seen(await findTemplate(db, organizationId, templateId), who)
    const name = withEnding(input.fileName)
    const { html, pdf } = await richText.print(input.htmlContent, titleOf(name), {
      mustBeFilled: true,
      claimant: claimantOf(who),
    })
    const document = await upload(
      archive,
      // The text is saved in the transaction that adds the document.
      (work) =>
        write(async (tx) => {
          const made = await work(tx)
          // The template may have been deleted in the meantime; then the document has none.
          const template =
            templateId === null ? undefined : await lockTemplate(tx, organizationId, templateId)
          const from = { documentId: made.id, organizationId, templateId: template?.id ?? null }
          await keepWrittenText(tx, { ...from, html })
          return made
        }),
      {
        organizationId,
        authorId: who.userId,
        documentId: input.documentId,
        name,
        description: input.description,
        visibility: visibilityOf(input.visibilityScope),
        options,
        now,
        file: Readable.from([pdf]),
        size: pdf.length,
      },
    )
    return documentView({ ...document, isWritten: true }, who, false)
  })

  serve(getWrittenText, async ({ input: { documentId }, who, db }) => {
    const { organizationId } = who.member
    const document = await findDocument(db, organizationId, documentId)
    if (!document || !maySee({ ...document, isInLiveRequest: false }, who)) refuse('document-not-found')
    const written = await findWrittenText(db, organizationId, documentId)
    if (!written) refuse('document-not-found')
    return { htmlContent: written.html, templateId: written.templateId }
  })

  files.give(previewDocument, async ({ input, who }) => {
    const name = withEnding(input.fileName)
    const { pdf } = await richText.print(input.htmlContent, titleOf(name), {
      mustBeFilled: false,
      claimant: claimantOf(who),
    })
    const received = await reached(archive.storage.receive(Readable.from([pdf]), pdf.length))
    const { path, size, discard } = received
    return { path, size, name, mediaType: mediaTypes.pdf, release: discard }
  })
}

function claimantOf({ userId, member }: Caller<'member'>): Claimant {
  return { organization: member.organizationId, person: userId }
}

function templateHandlers(serve: Serve, richText: RichText): void {
  serve(getTemplates, async ({ input: { path, name = '', ...page }, who, db }) => {
    const { organizationId } = who.member
    const pieces = piecesOf(path, who)
    const { items, totalCount } = await findTemplates(db, { ...page, organizationId, pieces, name })
    return { items: items.map((row) => lineView(row, who)), totalCount }
  })

  serve(getTemplate, async ({ input: { templateId }, who, db }) =>
    templateView(seen(await findTemplate(db, who.member.organizationId, templateId), who), who),
  )

  serve(addTemplate, async ({ input, who, now, write }) => {
    const { name, description, language } = input
    const template = await richText.clean(input.template, claimantOf(who))
    const visibility = visibilityOf(input.visibilityScope)
    const fields = { name, description, language, template, visibility }
    return write((tx) => addedView(tx, fields, who, now))
  })

  serve(saveTemplate, async ({ input, who, write, db }) => {
    const { organizationId } = who.member
    const { templateId, name, description, currentVersion } = input
    // Checked before the slow parsing of the text, and again when it is saved.
    mayEdit(await findTemplate(db, organizationId, templateId), who)
    const template = await richText.clean(input.template, claimantOf(who))
    return write(async (tx) => {
      const before = mayEdit(await lockTemplate(tx, organizationId, templateId), who)
      if (currentVersion !== undefined && currentVersion !== before.version) refuse('request-changed')
      const visibility = input.visibilityScope ? visibilityOf(input.visibilityScope) : before.visibility
      const language = input.language ?? before.language
      await saveTemplateRow(tx, before, { name, description, template, language, visibility })
      return templateView((await findTemplate(tx, organizationId, templateId))!, who)
    })
  })

  serve(copyTemplate, ({ input: { templateId, name }, who, now, write }) =>
    write(async (tx) => {
      const original = seen(await findTemplate(tx, who.member.organizationId, templateId), who)
      const { description, language, template } = original
      return addedView(tx, { name, description, language, template, visibility: 'private' }, who, now)
    }),
  )

  serve(deleteTemplate, ({ input: { templateId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      mayEdit(await lockTemplate(tx, organizationId, templateId), who)
      const deletionId = await keepDeleted(tx, {
        kind: 'documentTemplate',
        id: templateId,
        organizationId,
        by: who.userId,
        at: now,
      })
      await deleteTemplateRow(tx, templateId)
      return { deletionId }
    }),
  )
}

/** The index ranges of templates that the viewer may see and asked for. */
export function piecesOf(
  path: TemplatePath,
  who: Pick<Caller<'member'>, 'userId'> & { member: { roles: number } },
): Piece[] {
  const common: Piece = { authorId: null, visibility: 'public' }
  const mine: Piece = { authorId: who.userId, visibility: 'private' }
  switch (path) {
    case 'public':
      return [common]
    case 'my':
      return [mine, { authorId: who.userId, visibility: 'public' }]
    case 'all':
      return isOwner(who.member.roles) ? [common, { authorId: null, visibility: 'private' }] : [common, mine]
  }
}

/** A private template of somebody else is refused like a missing one. */
function seen(template: TemplateRow | undefined, viewer: TemplateViewer): TemplateRow {
  return template && maySeeTemplate(template, viewer) ? template : refuse('document-template-not-found')
}

function mayEdit(template: TemplateRow | undefined, viewer: TemplateViewer): TemplateRow {
  const found = template ?? refuse('document-template-not-found')
  const why = whyNotEditTemplate(found, viewer)
  return why ? refuse(why) : found
}

async function addedView(
  tx: Tx,
  fields: Pick<TemplateRow, 'name' | 'description' | 'language' | 'template' | 'visibility'>,
  who: Caller<'member'>,
  now: Date,
) {
  const id = newId(now.getTime())
  const { organizationId } = who.member
  await addTemplateRow(tx, { id, organizationId, authorId: who.userId, createdAt: now, ...fields })
  return templateView((await findTemplate(tx, organizationId, id))!, who)
}

function lineView(row: TemplateLine, viewer: TemplateViewer) {
  const { id, name, description, language } = row
  return {
    id,
    name,
    description,
    language,
    visibilityScope: scopeOf(row.visibility),
    author: { id: row.authorId, fullName: row.authorName },
    createdAt: row.createdAt.toISOString(),
    currentVersion: row.version,
    allowed: allowedWithTemplate(row, viewer),
  }
}

function templateView(row: TemplateRow, viewer: TemplateViewer) {
  return { ...lineView(row, viewer), template: row.template }
}

function withEnding(fileName: string): string {
  return /\.pdf$/i.test(fileName) ? fileName : `${fileName || 'document'}.pdf`
}

function titleOf(name: string): string {
  return name.replace(/\.pdf$/i, '')
}
