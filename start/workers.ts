/** Separate processes for work that could take long or crash on a file: reading, printing, assembling. */
import { openFileChecks } from '@kelisim/server/documents/check/check.ts'
import { openPrinting } from '@kelisim/server/outputs/printable/printing.ts'
import { openReports } from '@kelisim/server/outputs/report/reports.ts'
import { openRevisions } from '@kelisim/server/requests/signed-pdf/revisions.ts'
import type { Shutdown } from './shutdown.ts'

export function openWorkers(shutdown: Shutdown) {
  const checks = openFileChecks()
  shutdown.add('file checks', () => checks.close())
  const printing = openPrinting()
  shutdown.add('printing', () => printing.close())
  const revisions = openRevisions()
  shutdown.add('revisions', () => revisions.close())
  const reports = openReports()
  shutdown.add('reports', () => reports.close())
  return { checks, printing, revisions, reports }
}
