/** Uploaded documents (docs/product/documents.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  countLimit,
  Id,
  line,
  listOf,
  Moment,
  Deleted,
  Nothing,
  OfOrganization,
  Page,
  paragraphs,
  Version,
} from '../fields.ts'
import { contentRefusals } from './content-refusals.ts'
import { documentFormats } from './formats.ts'
import { visibilityScopes } from '../visibility.ts'

const VisibilityScope = z.union([
  z.literal(visibilityScopes.members.Private),
  z.literal(visibilityScopes.members.Public),
])

export const Document = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  visibilityScope: VisibilityScope,
  format: z.enum(documentFormats),
  size: z.int(),
  /** SHA-256 of the bytes in hexadecimal: what is signed is what was uploaded. */
  sha256: z.string(),
  author: z.object({ id: Id, fullName: z.string() }),
  createdAt: Moment,
  /** The version of the description, the only part that can change. */
  currentVersion: Version,
  /** Written in the editor: its text can be the start of another document. */
  isWritten: z.boolean(),
  allowed: z.object({ delete: z.boolean(), describe: z.boolean(), quickSend: z.boolean() }),
})

const OfDocument = z.extend(OfOrganization, { documentId: Id })
const Description = paragraphs(1000)

/** The refusals of a file that is added to the documents of an organisation. */
export const fileRefusals = [...contentRefusals, 'storage-quota-exceeded', 'only-pdf-allowed'] as const

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/api/Documents/:organizationId',
  access: 'member',
  summary: 'Upload a document: the body is the file, all the rest stands in the query',
  takesFile: true,
  input: z.extend(OfOrganization, {
    name: z.string().check(z.minLength(1, 'required'), z.maxLength(1000, 'too-long')),
    description: z._default(Description, ''),
    visibilityScope: z.pipe(z.coerce.number(), VisibilityScope),
    /** Chosen by the client, so that a repeated call is idempotent and stores the file once. */
    documentId: z.optional(Id),
  }),
  result: Document,
  refusals: [...fileRefusals, 'document-not-found'],
})

export const documentPaths = ['my', 'public', 'organization'] as const
export type DocumentPath = (typeof documentPaths)[number]
/** A leading minus means descending. */
export const documentSorts = ['created', '-created', 'name', '-name'] as const
export const defaultDocumentSort = '-created'

export const getDocuments = endpoint({
  method: 'GET',
  path: '/api/Documents/:organizationId/:skip/:take',
  access: 'member',
  summary: "Documents: one's own, those for all staff, or (for owners) all of the organisation",
  input: z.extend(OfOrganization, {
    ...Page.shape,
    // A longer list is searched rather than paged through.
    skip: Page.shape.skip.check(z.maximum(countLimit)),
    path: z.enum(documentPaths),
    name: z.optional(line(250)),
    sort: z._default(z.enum(documentSorts), defaultDocumentSort),
  }),
  result: listOf(Document),
  refusals: ['roles-filter'],
})

export const getDocument = endpoint({
  method: 'GET',
  path: '/api/Documents/:organizationId/:documentId',
  access: 'member',
  summary: 'One document, without its bytes',
  input: OfDocument,
  result: Document,
  refusals: ['document-not-found'],
})

export const saveDocument = endpoint({
  method: 'PUT',
  path: '/api/Documents/:organizationId/:documentId',
  access: 'member',
  summary: 'Change the description; the bytes, the name and the visibility stay',
  input: z.extend(OfDocument, { description: Description, currentVersion: Version }),
  result: Document,
  refusals: ['document-not-found', 'request-changed'],
})

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/api/Documents/:organizationId/:documentId',
  access: 'member',
  summary: 'Delete a document; only its author may, and not while somebody is to act on it',
  input: OfDocument,
  result: Deleted,
  refusals: ['document-not-found', 'document-is-busy'],
})

export const downloadDocument = endpoint({
  method: 'GET',
  path: '/api/Documents/:organizationId/:documentId/content',
  access: 'member',
  summary: 'The bytes as they were uploaded, compared with what was hashed then',
  givesFile: true,
  input: OfDocument,
  result: Nothing,
  refusals: ['document-not-found', 'file-not-found', 'outdated-document', 'file-storage-error'],
})
