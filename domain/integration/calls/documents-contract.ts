/**
 * Documents of programs: uploaded as bytes or as base64, read back byte for byte (docs/product/integration.md#w-05).
 */
import * as z from 'zod/mini'
import { fileRefusals } from '../../documents/contract.ts'
import { documentFormats } from '../../documents/formats.ts'
import { endpoint } from '../../endpoint.ts'
import { Id, Moment, Nothing, paragraphs } from '../../fields.ts'

/**
 * `base64`: the body is text, in which line breaks and a byte order mark are allowed, as accounting software writes.
 */
export const bodyEncodings = ['binary', 'base64'] as const

export const ProgramDocument = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  format: z.enum(documentFormats),
  size: z.int(),
  /** SHA-256 of the bytes in hexadecimal: what is signed is what was uploaded. */
  sha256: z.string(),
  createdAt: Moment,
})

export const uploadProgramDocument = endpoint({
  method: 'POST',
  path: '/api/v1/documents',
  access: 'program',
  scope: 'documents.write',
  summary: 'Upload a document: the body is the file, all the rest stands in the query',
  takesFile: true,
  input: z.object({
    name: z.string().check(z.minLength(1, 'required'), z.maxLength(1000, 'too-long')),
    description: z._default(paragraphs(1000), ''),
    /** Whether all members see the document, or only the owners and the member in whose name the program acts. */
    visibility: z._default(z.enum(['private', 'public']), 'private'),
    encoding: z._default(z.enum(bodyEncodings), 'binary'),
  }),
  result: ProgramDocument,
  refusals: [...fileRefusals, 'base64-broken'],
})

const OfDocument = z.object({ documentId: Id })

export const getProgramDocument = endpoint({
  method: 'GET',
  path: '/api/v1/documents/:documentId',
  access: 'program',
  scope: 'documents.read',
  summary: 'One document, without its bytes',
  input: OfDocument,
  result: ProgramDocument,
  refusals: ['document-not-found'],
})

export const downloadProgramDocument = endpoint({
  method: 'GET',
  path: '/api/v1/documents/:documentId/content',
  access: 'program',
  scope: 'documents.read',
  summary: 'The bytes as they were uploaded, compared with what was hashed then',
  givesFile: true,
  input: OfDocument,
  result: Nothing,
  refusals: ['document-not-found', 'file-not-found', 'outdated-document', 'file-storage-error'],
})
