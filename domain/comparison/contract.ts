/** Two documents side by side (docs/product/documents.md). */
import * as z from 'zod/mini'
import { documentFormats } from '../documents/formats.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Moment, OfOrganization } from '../fields.ts'
import { fileOfName } from './compared-file.ts'

/** The name of a file in the form that `nameOfFile` writes. */
const FileName = z.string().check(
  z.refine((name) => {
    const file = fileOfName(name)
    return (
      file !== null && Id.safeParse('documentId' in file ? file.documentId : file.signingRequestId).success
    )
  }, 'required'),
)

const ComparedSide = z.object({
  name: z.string(),
  format: z.enum(documentFormats),
  sha256: z.string(),
  at: Moment,
  /** False: the file has no readable text, for example a scan. */
  hasText: z.boolean(),
})

const Page = z.nullable(z.int())

export const compareDocuments = endpoint({
  method: 'GET',
  path: '/api/Comparisons/:organizationId',
  access: 'party',
  summary: 'What differs in the texts of two documents that the caller may see',
  input: z.extend(OfOrganization, { before: FileName, after: FileName }),
  result: z.object({
    before: ComparedSide,
    after: ComparedSide,
    /** Null: one of them has no text, or comparing them took too long. */
    text: z.nullable(
      z.object({
        /** How many places differ. */
        changes: z.int(),
        /** Only the beginnings were compared, because one of the texts is very long. */
        isCut: z.boolean(),
        rows: z.array(
          z.object({
            pageBefore: Page,
            pageAfter: Page,
            pieces: z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() })),
          }),
        ),
      }),
    ),
  }),
  refusals: [
    'document-not-found',
    'signing-request-not-found',
    'signing-request-access-failure',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})
