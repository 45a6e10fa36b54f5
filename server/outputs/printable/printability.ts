/** Refuses to send what could not be printed once it is signed. A file is tried once, and the answer is kept with it. */
import type { Database } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { RefuseUnprintable } from '../../requests/sending/sending.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { Printing } from './printing.ts'

/** To be raised when other PDFs than before can be printed. */
const version = 1

export function openPrintability(
  database: Database,
  { faultOf }: Pick<Printing, 'faultOf'>,
  clock: () => Date,
): RefuseUnprintable {
  return async ({ fileId, format }, path) => {
    // Of the others no printable document is made at all.
    if (format !== 'pdf') return
    const known = await database.db
      .selectFrom('filePrintability')
      .select('fault')
      .where('fileId', '=', fileId)
      .where('version', '=', version)
      .executeTakeFirst()
    const fault = known ? known.fault : await tried(fileId, path)
    if (fault !== null) refuse('document-not-printable', { reason: fault })
  }

  async function tried(fileId: string, path: string): Promise<PrintFault | null> {
    const fault = await faultOf(path)
    // What took too long may have waited for others: the next try may go better.
    if (fault === 'too-much') return fault
    const row = { fileId, version, fault, checkedAt: clock() }
    await database.write((tx) =>
      tx
        .insertInto('filePrintability')
        .values(row)
        .onConflict((conflict) => conflict.column('fileId').doUpdateSet(row))
        .execute(),
    )
    return fault
  }
}
