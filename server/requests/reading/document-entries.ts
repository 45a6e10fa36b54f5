/** The document in an archive; if it was signed inside, the PDF with its signatures. */
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../../documents/storage/verified.ts'
import type { InsideSignature } from '../signed-pdf/queries.ts'
import { borrowSignedPdf } from '../signed-pdf/signed-pdf.ts'
import type { Entry } from './archive-entry.ts'

export function documentEntries(
  storage: Storage,
  {
    name,
    at,
    file,
    newest,
    hasBeside,
    unique,
  }: {
    name: string
    at: Date
    file: KeptFile
    /** The newest signature inside the document, if there are any. */
    newest: InsideSignature | undefined
    /** Whether there are signatures over the document as it was sent. */
    hasBeside: boolean
    unique: (name: string) => string
  },
): Entry[] {
  const original = (entryName: string): Entry => ({
    name: entryName,
    at,
    open: () => borrowVerified(storage, file),
  })
  if (!newest) return [original(name)]
  const signed = { name, at: newest.receivedAt, open: () => borrowSignedPdf(storage, newest, null) }
  return hasBeside ? [signed, original(unique(name))] : [signed]
}
