/** Refuses to send a document that could not be printed with its signatures. Each file is tried once, and the result is stored. */
import type { Database } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { RefuseUnprintable } from '../../requests/sending/sending.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { Printing } from './printing.ts'
import { findPrintability, savePrintability } from './queries.ts'

/** Raise it when a change affects which PDFs can be printed. */
const version = 1

export function openPrintability(
  database: Database,
  { faultOf }: Pick<Printing, 'faultOf'>,
  clock: () => Date,
): RefuseUnprintable {
  return async ({ fileId, format }, path) => {
    // Other formats have no printable document.
    if (format !== 'pdf') return
    const known = await findPrintability(database.db, fileId, version)
    const fault = known ? known.fault : await tryPrinting(fileId, path)
    if (fault !== null) refuse('document-not-printable', { reason: fault })
  }

  async function tryPrinting(fileId: string, path: string): Promise<PrintFault | null> {
    const fault = await faultOf(path)
    // It may have timed out because the machine was busy, so the result is not stored.
    if (fault === 'too-much') return fault
    const row = { fileId, version, fault, checkedAt: clock() }
    await database.write((tx) => savePrintability(tx, row))
    return fault
  }
}
