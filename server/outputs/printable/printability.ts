/** Whether a document could be printed with its signatures. The same bytes are tried once, and the result is kept. */
import { refuse } from '@kelisim/domain/errors.ts'
import { printFaults, type PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { Findings } from '../../documents/check/findings.ts'
import type { RefuseUnprintable } from '../../requests/sending/sendable.ts'
import type { Printing } from './printing.ts'

/** Raise the version when a change affects which PDFs can be printed. */
const version = 1

export function openPrintability(
  findings: Findings,
  { faultOf }: Pick<Printing, 'faultOf'>,
): RefuseUnprintable {
  return async ({ sha256, format }, path, claimant) => {
    // Other formats have no printable document.
    if (format !== 'pdf') return
    const about = { sha256, kind: 'print', version, among: printFaults }
    const fault = await findings<PrintFault>(about, () => faultOf(path, claimant))
    if (fault !== null) refuse('document-not-printable', { reason: fault })
  }
}
