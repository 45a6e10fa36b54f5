/** Documents written as rich text, and their templates (docs/product/written-documents.md). */
import * as z from 'zod/mini'
import { Document, fileRefusals } from '../documents/contract.ts'
import { endpoint } from '../endpoint.ts'
import {
  countLimit,
  Id,
  Language,
  line,
  listOf,
  Moment,
  Deleted,
  Nothing,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
  Version,
} from '../fields.ts'
import { visibilityScopes } from '../visibility.ts'
import { limits } from './rich-text.ts'

const VisibilityScope = z.union([
  z.literal(visibilityScopes.members.Private),
  z.literal(visibilityScopes.members.Public),
])

/** HTML of the editor or of any other client; the server cleans it. */
const Html = z.string().check(z.maxLength(limits.html, 'too-long'))

/** Refusals that concern a text. */
const textRefusals = ['rich-text-empty', 'rich-text-too-large', 'rich-text-unknown-signs'] as const

export const longestTemplateName = 250
export const longestTemplateDescription = 500

const TemplateLine = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  language: Language,
  visibilityScope: VisibilityScope,
  author: z.object({ id: Id, fullName: z.string() }),
  createdAt: Moment,
  currentVersion: Version,
  allowed: z.object({ edit: z.boolean(), delete: z.boolean() }),
})
export const DocumentTemplate = z.extend(TemplateLine, { template: z.string() })

const OfTemplate = z.extend(OfOrganization, { templateId: Id })

/** all: the person's own and the public templates; for owners all templates of the organisation. */
export const templatePaths = ['all', 'my', 'public'] as const
export type TemplatePath = (typeof templatePaths)[number]

/** A leading minus means descending. */
export const templateSorts = ['created', '-created', 'name', '-name'] as const
export const defaultTemplateSort = '-created'

export const getTemplates = endpoint({
  method: 'GET',
  path: '/api/DocumentTemplates/:organizationId/:skip/:take',
  access: 'member',
  summary: 'Document templates, without their texts',
  input: z.extend(OfOrganization, {
    ...Page.shape,
    // A longer list is searched rather than paged through.
    skip: Page.shape.skip.check(z.maximum(countLimit)),
    path: z._default(z.enum(templatePaths), 'all'),
    name: z.optional(line(longestTemplateName)),
    sort: z._default(z.enum(templateSorts), defaultTemplateSort),
  }),
  result: listOf(TemplateLine),
  refusals: [],
})

export const getTemplate = endpoint({
  method: 'GET',
  path: '/api/DocumentTemplates/:organizationId/:templateId',
  access: 'member',
  summary: 'One document template with its text',
  input: OfTemplate,
  result: DocumentTemplate,
  refusals: ['document-template-not-found'],
})

const templateFields = {
  name: requiredLine(longestTemplateName),
  description: paragraphs(longestTemplateDescription),
  template: Html.check(z.minLength(1, 'required')),
}

export const addTemplate = endpoint({
  method: 'POST',
  path: '/api/DocumentTemplates/:organizationId/:param',
  access: 'member',
  summary: 'Make a document template; the last part of the address is the word new',
  input: z.extend(OfOrganization, {
    param: z.literal('new'),
    ...templateFields,
    description: z._default(templateFields.description, ''),
    language: Language,
    visibilityScope: z._default(VisibilityScope, visibilityScopes.members.Private),
  }),
  result: DocumentTemplate,
  refusals: textRefusals,
})

export const saveTemplate = endpoint({
  method: 'PUT',
  path: '/api/DocumentTemplates/:organizationId/:templateId',
  access: 'member',
  summary: 'Change a document template; what is not given stays as it is',
  input: z
    .extend(OfTemplate, {
      ...templateFields,
      /** May be left out, because the address names the template. */
      id: z.optional(Id),
      language: z.optional(Language),
      visibilityScope: z.optional(VisibilityScope),
      /** If given, the call is refused instead of overwriting later changes of others. */
      currentVersion: z.optional(Version),
    })
    .check(
      z.refine(({ id, templateId }) => id === undefined || id === templateId, {
        path: ['id'],
        error: 'incorrect',
      }),
    ),
  result: DocumentTemplate,
  refusals: ['document-template-not-found', 'request-changed', ...textRefusals],
})

export const copyTemplate = endpoint({
  method: 'POST',
  path: '/api/DocumentTemplates/:organizationId/:templateId/copy',
  access: 'member',
  summary: 'Make a private template of one’s own with the text of another',
  input: z.extend(OfTemplate, { name: templateFields.name }),
  result: DocumentTemplate,
  refusals: ['document-template-not-found'],
})

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/api/DocumentTemplates/:organizationId/:templateId',
  access: 'member',
  summary: 'Delete a document template; documents made from it stay',
  input: OfTemplate,
  result: Deleted,
  refusals: ['document-template-not-found'],
})

export const longestFileName = 250

export const writeDocument = endpoint({
  method: 'POST',
  path: '/api/Documents/:organizationId/fromWYSIWYG',
  access: 'member',
  summary: 'Make a PDF document from rich text',
  input: z.extend(OfOrganization, {
    htmlContent: Html.check(z.minLength(1, 'required')),
    fileName: requiredLine(longestFileName),
    description: z._default(paragraphs(1000), ''),
    visibilityScope: VisibilityScope,
    templateId: z.optional(z.nullable(Id)),
    /** Chosen by the client, so that a repeated call is idempotent and makes one document. */
    documentId: z.optional(Id),
  }),
  result: Document,
  refusals: [
    ...fileRefusals,
    ...textRefusals,
    'variables-not-filled',
    'document-template-not-found',
    'document-not-found',
  ],
  perMinute: 30,
})

export const getWrittenText = endpoint({
  method: 'GET',
  path: '/api/Documents/:organizationId/:documentId/htmlContent',
  access: 'member',
  summary: 'The text that a document was written as; another can be begun with it',
  input: z.extend(OfOrganization, { documentId: Id }),
  result: z.object({ htmlContent: z.string(), templateId: z.nullable(Id) }),
  refusals: ['document-not-found'],
})

export const previewDocument = endpoint({
  method: 'POST',
  path: '/api/Documents/:organizationId/fromWYSIWYG/preview',
  access: 'member',
  summary: 'The PDF as it would be made; nothing is kept, variables without a value are marked',
  givesFile: true,
  input: z.extend(OfOrganization, {
    htmlContent: Html.check(z.minLength(1, 'required')),
    fileName: z._default(line(longestFileName), ''),
  }),
  result: Nothing,
  refusals: [...textRefusals, 'file-storage-error'],
  perMinute: 60,
})
