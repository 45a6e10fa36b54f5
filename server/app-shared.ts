/** What several slices use, opened once. */
import { applyGroupMappings } from './directory/applying.ts'
import { endGroupMapping } from './directory/mapping-handlers.ts'
import { withFindings } from './documents/check/check.ts'
import { openFindings } from './documents/check/findings.ts'
import type { DocumentUses } from './documents/handlers.ts'
import { openStorageQuota } from './documents/storage-quota.ts'
import { endTokensOf, programsOf } from './integration/token-handlers.ts'
import { openSignedLinks } from './mail/signed-links.ts'
import { openPrintability } from './outputs/printable/printability.ts'
import { openPrinting } from './outputs/printable/printing.ts'
import type { PointUses } from './points/handlers.ts'
import { groupsInRequests } from './requests/core/awaited-groups.ts'
import { documentsInUse, routesInUse } from './requests/core/queries/requests.ts'
import { openRevisions } from './requests/signed-pdf/revisions.ts'
import { openSignability } from './requests/signed-pdf/signability.ts'
import { openRichTextWorkers } from './rich-text/rich-text.ts'
import type { RouteUses } from './routes/handlers.ts'
import { countForNumber } from './subscriptions/quota.ts'
import { commonUsesOfPoint, usesOf } from './uses/uses.ts'
import type { AppParts } from './app-parts.ts'

export function openShared({ database, clock, queues, inUse, ...parts }: AppParts) {
  const findings = openFindings(database, clock)
  const printing = parts.printing ?? openPrinting()
  const revisions = parts.revisions ?? openRevisions()
  const richText = parts.richText ?? openRichTextWorkers()
  const people = { programsOf, endTokensOf, groupsLeft: queues.queueSettling, ...groupsInRequests }
  return {
    archive: {
      storage: parts.archive.storage,
      checks: withFindings(parts.archive.checks, findings),
      refuseIfFull: openStorageQuota(database, parts.organizationStorageBytes),
    },
    mail: { queueMail: queues.queueMail, signedLinks: openSignedLinks(database, clock) },
    /** The consequences of a change to people, their groups or their programs. */
    people: { ...people, countForNumber, endGroupMapping, afterSignIn: applyGroupMappings(people) },
    /** Making documents, and checking whether a document can be printed and signed. */
    papers: {
      richText,
      revisions,
      countPages: printing.countPages,
      refuseUnprintable: openPrintability(findings, printing),
      refuseUnsignable: openSignability(findings, revisions),
    },
    /** Where documents, points and routes are used. */
    uses: usesIn(inUse),
    close: async () => {
      if (!parts.richText) await richText.close()
      if (!parts.revisions) await revisions.close()
      if (!parts.printing) await printing.close()
    },
  }
}

function usesIn(inUse: AppParts['inUse']): { documents: DocumentUses; points: PointUses; routes: RouteUses } {
  const blocking = { isBlockingOnly: true }
  return {
    documents: {
      busyAmong: inUse?.documents ?? documentsInUse,
      usesOf: (db, caller, id) => usesOf(db, caller, { kind: 'document', id }, blocking),
    },
    points: {
      usesOf: (db, caller, id) => usesOf(db, caller, { kind: 'point', id }),
      commonUsesOf: commonUsesOfPoint,
    },
    routes: {
      routesInUse: inUse?.routes ?? routesInUse,
      usesOf: (db, caller, { kind, id }) =>
        usesOf(db, caller, { kind: kind === 'template' ? 'routeTemplate' : 'route', id }, blocking),
    },
  }
}
