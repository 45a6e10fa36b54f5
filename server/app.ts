/** The whole server, built from its parts, ready to listen or to be called by tests. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openShared } from './app-shared.ts'
import type { AppParts } from './app-parts.ts'
import { openBulk } from './bulk/handlers.ts'
import { openCampaigns } from './campaigns/handlers.ts'
import { openClassifiers } from './classifiers/handlers.ts'
import { openComments } from './comments/handlers.ts'
import { openComparison } from './comparison/handlers.ts'
import { openDirectory } from './directory/open.ts'
import { openDocuments } from './documents/handlers.ts'
import { openHelp } from './help/help-routes.ts'
import { openHttp } from './http/open.ts'
import { openSite } from './http/site/site.ts'
import { openIdentity } from './identity/open.ts'
import { openIntegration } from './integration/open.ts'
import { openWebhookCaller } from './integration/webhooks/caller.ts'
import { webhookHandlers } from './integration/webhooks/handlers.ts'
import { openInsight } from './insight/handlers.ts'
import { openLanding } from './landing/open.ts'
import { openMailbox } from './mail/mailbox.ts'
import { openStopping } from './mail/stop-handlers.ts'
import { openNotifications } from './notifications/open.ts'
import { openOperator } from './operator/handlers.ts'
import { openMetrics } from './operator/metrics.ts'
import { openOptions } from './options/handlers.ts'
import { openOutputs } from './outputs/open.ts'
import { openPoints } from './points/handlers.ts'
import { openMemberImport } from './member-import/handlers.ts'
import { openPersonalData } from './personal-data/handlers.ts'
import { openPortal } from './portal/open.ts'
import { openPowersOfAttorney } from './powers-of-attorney/handlers.ts'
import { openRequests } from './requests/open.ts'
import { openRegisters } from './registers/handlers.ts'
import { openRetention } from './retention/handlers.ts'
import { openRichText } from './rich-text/handlers.ts'
import { openRoutes } from './routes/handlers.ts'
import { openSearch } from './search/handlers.ts'
import { openSubscriptions } from './subscriptions/handlers.ts'
import { openSubstitutions } from './substitutions/handlers.ts'
import { openToday } from './today/handlers.ts'
import { originAt } from './transparency/checkpoints.ts'
import { namesOf, noWitnesses } from './transparency/witnesses.ts'
import { openTransparency } from './transparency/handlers.ts'
import { openVerify } from './verify/handlers.ts'
import { openDeletions } from './deletions/handlers.ts'
import { openUses } from './uses/handlers.ts'

/** Opens what several slices use, then the slices: one that is given what another returns comes after it. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { queues, signatures, about, contractorDirectory: directory } = parts
  const http = await openHttp({ ...parts, operators: parts.operator?.operators ?? [] })
  const { archive, mail, people, papers, uses, close } = openShared(parts)
  const { storage } = archive
  const metrics = parts.metricsToken === undefined ? undefined : openMetrics(http.app, parts.metricsToken)
  const checkSignature = metrics && signatures.check ? metrics.watchCheck(signatures.check) : signatures.check
  // Without signature checks, signing is not offered.
  const signer = checkSignature && signatures.signer
  const log = { key: parts.logKey, origin: parts.logOrigin ?? originAt(parts.publicUrl) }
  const { takeTimestamp, verdictTimeout } = signatures

  openIdentity(http, { ...people, ...mail, signIn: parts.signIn, checkSignature })
  openTransparency(http, log, parts.witnessing ?? noWitnesses)
  openSubstitutions(http, mail)
  openStopping(http, mail)
  openPortal(http, { ...people, ...mail })
  openPowersOfAttorney(http)
  openOptions(http)
  openSubscriptions(http)
  openDeletions(http)
  openDocuments(http, { ...archive, ...uses.documents })
  openRichText(http, { ...papers, archive })
  openClassifiers(http)
  openPoints(http, { ...uses.points, directory })
  openRoutes(http, uses.routes)
  const phoneUrl = signatures.signer?.phoneUrl ?? null
  const signing = { checkSignature, queueStamping: queues.queueStamping, verdictTimeout, phoneUrl }
  const { judging, changes } = openRequests(http, { ...papers, ...mail, ...signing, storage, archive })
  openRegisters(http)
  openBulk(http, { ...papers, archive })
  openCampaigns(http, { ...papers, storage })
  openMemberImport(http, { ...queues, storage })
  openOutputs(http, { ...queues, ...papers, storage, takeTimestamp })
  openPersonalData(http)
  const { logKey, logOrigin, witnessing, publicUrl } = parts
  openRetention(http, {
    ...papers,
    storage,
    database: http.database,
    logKey,
    logOrigin,
    witnessing,
    publicUrl,
  })
  openVerify(http, { services: signatures.verify, isDemo: about.isDemo })
  openNotifications(http, { ...mail, changes })
  openComments(http, mail)
  openUses(http)
  openToday(http)
  openInsight(http)
  const { supportEmail, operator } = about
  const ours = { supportEmail, operatorBin: operator.bin, signer: signatures.signer }
  openLanding(http, { ...papers, ...mail, ...ours, archive, directory, checkSignature, judging })
  openSearch(http)
  openComparison(http, storage)
  openIntegration(http, archive, mail.queueMail)
  await openDirectory(http, { tellsGroups: parts.signIn.keptAs === undefined })
  webhookHandlers(http, parts.webhookCaller ?? openWebhookCaller())
  if (parts.operator) openOperator(http, { ...parts.operator, storage })
  metrics?.serve(http, storage, namesOf(parts.witnessing ?? noWitnesses))
  if (about.isDemo) openMailbox(http)
  if (parts.site) {
    openHelp(http, join(parts.site.folder, 'files'))
    const hasArchiveTimestamps = takeTimestamp !== undefined
    await openSite(http, { ...parts.site, ...about, signer, hasArchiveTimestamps })
  }
  http.app.addHook('onClose', close)
  return http.app
}
