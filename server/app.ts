/** The whole server, built from its parts, ready to listen or to be called by tests. */
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import { openBulk } from './bulk/handlers.ts'
import { openCampaigns } from './campaigns/handlers.ts'
import { openClassifiers } from './classifiers/handlers.ts'
import { openComments } from './comments/handlers.ts'
import { openComparison } from './comparison/handlers.ts'
import { withFindings } from './documents/check/check.ts'
import { openFindings } from './documents/check/findings.ts'
import { applyGroupMappings } from './directory/applying.ts'
import { openDirectory } from './directory/open.ts'
import { openDocuments, type BusyAmong } from './documents/handlers.ts'
import { openStorageQuota } from './documents/storage-quota.ts'
import type { Archive } from './documents/upload.ts'
import { openHelp } from './help/help-routes.ts'
import { openHttp, type HttpSettings, type Release } from './http/open.ts'
import type { Operator } from './http/site/operator.ts'
import { openSite, type Signer } from './http/site/site.ts'
import { openIdentity } from './identity/open.ts'
import { openIntegration } from './integration/open.ts'
import { endTokensOf, programsOf } from './integration/token-handlers.ts'
import { openWebhookCaller, type WebhookCaller } from './integration/webhooks/caller.ts'
import { webhookHandlers } from './integration/webhooks/handlers.ts'
import type { SignInClient } from './identity/sign-in/sign-in.ts'
import { openInsight } from './insight/handlers.ts'
import { openLanding } from './landing/open.ts'
import { openMailbox } from './mail/mailbox.ts'
import type { QueueMail } from './mail/outbox.ts'
import { openStopping } from './mail/stop-handlers.ts'
import { openSignedLinks } from './mail/signed-links.ts'
import { openNotifications } from './notifications/open.ts'
import { openOperator, type OperatorParts } from './operator/handlers.ts'
import { openMetrics } from './operator/metrics.ts'
import { openOptions } from './options/handlers.ts'
import type { TakeTimestamp } from './outputs/archive/services.ts'
import type { QueueOutput } from './outputs/core/asking.ts'
import { openOutputs } from './outputs/open.ts'
import { openRevisions, type Revisions } from './requests/signed-pdf/revisions.ts'
import { openSignability } from './requests/signed-pdf/signability.ts'
import { openPrintability } from './outputs/printable/printability.ts'
import { openPrinting, type Printing } from './outputs/printable/printing.ts'
import type { ContractorDirectory } from './points/contractors.ts'
import { openPoints } from './points/handlers.ts'
import type { GroupsLeft } from './portal/group-handlers.ts'
import { openMemberImport } from './member-import/handlers.ts'
import type { QueueImport } from './member-import/inviting.ts'
import { openPersonalData } from './personal-data/handlers.ts'
import { openPortal } from './portal/open.ts'
import { openPowersOfAttorney } from './powers-of-attorney/handlers.ts'
import { groupsInRequests } from './requests/core/awaited-groups.ts'
import type { QueueStamping } from './requests/judging/judging.ts'
import { openRequests } from './requests/open.ts'
import { openRegisters } from './registers/handlers.ts'
import { openRetention } from './retention/handlers.ts'
import { openRichText } from './rich-text/handlers.ts'
import { openRichTextWorkers, type RichText } from './rich-text/rich-text.ts'
import { openRoutes, type RoutesInUse } from './routes/handlers.ts'
import { openSearch } from './search/handlers.ts'
import type { SignatureChecks } from './signatures/check.ts'
import { openSubscriptions } from './subscriptions/handlers.ts'
import { countForNumber } from './subscriptions/quota.ts'
import { openSubstitutions } from './substitutions/handlers.ts'
import { openToday } from './today/handlers.ts'
import { originAt } from './transparency/checkpoints.ts'
import { noWitnesses, type Witnessing } from './transparency/witnesses.ts'
import { openTransparency } from './transparency/handlers.ts'
import { openVerify, type VerifyServices } from './verify/handlers.ts'
import { documentsInUse, routesInUse } from './requests/core/queries/requests.ts'
import { openDeletions } from './deletions/handlers.ts'
import { openUses } from './uses/handlers.ts'
import { commonUsesOfPoint, usesOf } from './uses/uses.ts'

export type AppParts = {
  database: Database
  clock: () => Date
  publicUrl: URL
  release: Release
  http: HttpSettings
  /** The document storage and the checks of uploaded files. */
  archive: Archive
  /** What the files of one organisation may have; undefined: any number. */
  organizationStorageBytes?: number | undefined
  queues: Queues
  signIn: SignInClient
  signatures: SignatureParts
  about: About
  /** Signs heads of the transparency log. */
  logKey: KeyObject
  /** Which log it is, for witnesses; undefined: by the address of the installation. */
  logOrigin?: string | undefined
  /** Undefined: nobody witnesses the log. */
  witnessing?: Witnessing | undefined
  /** Makes printable documents; undefined: the application opens its own. */
  printing?: Printing
  revisions?: Revisions
  richText?: RichText
  /** Undefined: names of organisations that are not confirmed here cannot be looked up. */
  contractorDirectory?: ContractorDirectory | undefined
  /** Calls the addresses of programs; undefined: only those of the internet. */
  webhookCaller?: WebhookCaller
  /** Which documents and routes are in use; by default the requests slice is asked. */
  inUse?: { documents?: BusyAmong; routes?: RoutesInUse }
  /** Undefined: no operator's pages. */
  operator?: OperatorParts
  /** The token Prometheus sends; undefined: no metrics. */
  metricsToken?: string | undefined
  /** The built site; undefined in tests of the API alone. */
  site?: { folder: string; pageConfig: object }
}

/** Jobs that are queued in a transaction and run after it is committed. */
export type Queues = {
  queueMail: QueueMail
  /** For requests that waited only for people who left these groups. */
  queueSettling: GroupsLeft
  /** A timestamp for a signature that came without one; undefined: no timestamp service is configured. */
  queueStamping?: QueueStamping | undefined
  /** For a file that somebody requested. */
  queueOutput: QueueOutput
  /** For rows of an import of members that are to be invited. */
  queueImport: QueueImport
}

export type SignatureParts = {
  /** Undefined: digital signatures cannot be checked here, and nothing that needs them is offered. */
  check?: SignatureChecks['check'] | undefined
  /** How long somebody waits for the first check of their signature; undefined: the usual time. */
  patience?: (() => Promise<void>) | undefined
  /** For the public check page; undefined: no trusted centres. */
  verify?: VerifyServices | undefined
  /** For the archive; undefined: no timestamp service is configured. */
  takeTimestamp?: TakeTimestamp | undefined
  /** The signing program on the user's computer. */
  signer?: Signer | undefined
}

/** The operator of this installation. */
export type About = { isDemo: boolean; supportEmail: string; operator: Operator }

/** Opens the slices in the order in which they depend on each other. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, queues, signatures, about, contractorDirectory: directory } = parts
  const { queueMail } = queues
  const { storage } = parts.archive
  const findings = openFindings(database, parts.clock)
  const archive = {
    storage,
    checks: withFindings(parts.archive.checks, findings),
    refuseIfFull: openStorageQuota(database, parts.organizationStorageBytes),
  }
  const http = await openHttp({ ...parts, operators: parts.operator?.operators ?? [] })
  const metrics = parts.metricsToken === undefined ? undefined : openMetrics(http.app, parts.metricsToken)
  const checkSignature = metrics && signatures.check ? metrics.watchCheck(signatures.check) : signatures.check
  // Without signature checks, signing is not offered.
  const signer = checkSignature && signatures.signer

  const people = { programsOf, endTokensOf, groupsLeft: queues.queueSettling, ...groupsInRequests }
  openIdentity(http, {
    signIn: parts.signIn,
    afterSignIn: applyGroupMappings(people),
    queueMail,
    checkSignature,
    countForNumber,
    endTokensOf,
  })
  const log = { key: parts.logKey, origin: parts.logOrigin ?? originAt(parts.publicUrl) }
  openTransparency(http, log, parts.witnessing ?? noWitnesses)
  openSubstitutions(http, { queueMail })
  const signedLinks = openSignedLinks(database, parts.clock)
  openStopping(http, { signedLinks })
  openPortal(http, { queueMail, signedLinks, ...people })
  openPowersOfAttorney(http)
  openOptions(http)
  openSubscriptions(http)
  openDeletions(http)
  openDocuments(http, {
    ...archive,
    busyAmong: parts.inUse?.documents ?? documentsInUse,
    usesOf: (db, looking, id) => usesOf(db, looking, { kind: 'document', id }, { inTheWay: true }),
  })
  const richText = parts.richText ?? openRichTextWorkers()
  openRichText(http, { archive, richText })
  openClassifiers(http)
  openPoints(http, {
    directory,
    usesOf: (db, looking, id) => usesOf(db, looking, { kind: 'point', id }),
    commonUsesOf: commonUsesOfPoint,
  })
  openRoutes(http, {
    routesInUse: parts.inUse?.routes ?? routesInUse,
    usesOf: (db, looking, { kind, id }) =>
      usesOf(db, looking, { kind: kind === 'template' ? 'routeTemplate' : 'route', id }, { inTheWay: true }),
  })
  const printing = parts.printing ?? openPrinting()
  const refuseUnprintable = openPrintability(findings, printing)
  const revisions = parts.revisions ?? openRevisions()
  const refuseUnsignable = openSignability(findings, revisions)
  const { judging, changes } = openRequests(http, {
    storage,
    archive,
    richText,
    checkSignature,
    queueStamping: queues.queueStamping,
    patience: signatures.patience,
    refuseUnprintable,
    refuseUnsignable,
    revisions,
    countPages: printing.countPages,
    signedLinks,
    queueMail,
    phoneUrl: signatures.signer?.phoneUrl ?? null,
  })
  openRegisters(http)
  openBulk(http, { archive, richText })
  openCampaigns(http, { storage, refuseUnprintable, refuseUnsignable, richText })
  openMemberImport(http, { storage, queueImport: queues.queueImport })
  const { takeTimestamp } = signatures
  openOutputs(http, { storage, revisions, queueOutput: queues.queueOutput, takeTimestamp })
  openPersonalData(http)
  openRetention(http, {
    richText,
    database,
    storage,
    revisions,
    logKey: parts.logKey,
    logOrigin: parts.logOrigin,
    witnessing: parts.witnessing,
    publicUrl: parts.publicUrl,
  })
  openVerify(http, { services: signatures.verify, isDemo: about.isDemo })
  openNotifications(http, { changes, queueMail, signedLinks })
  openComments(http, { queueMail, signedLinks })
  openUses(http)
  openToday(http)
  openInsight(http)
  openLanding(http, {
    supportEmail: about.supportEmail,
    operatorBin: about.operator.bin,
    archive,
    refuseUnprintable,
    queueMail,
    signedLinks,
    directory,
    signer: signatures.signer,
    checkSignature,
    judging,
  })
  openSearch(http)
  openComparison(http, storage)
  openIntegration(http, archive, queueMail)
  await openDirectory(http, { tellsGroups: parts.signIn.keptAs === undefined })
  webhookHandlers(http, parts.webhookCaller ?? openWebhookCaller())
  if (parts.operator) openOperator(http, { ...parts.operator, storage })
  metrics?.serve(http, storage)
  if (about.isDemo) openMailbox(http)
  if (parts.site) {
    openHelp(http, join(parts.site.folder, 'files'))
    await openSite(http, {
      ...parts.site,
      ...about,
      signer,
      hasArchiveTimestamps: takeTimestamp !== undefined,
    })
  }

  if (!parts.richText) http.app.addHook('onClose', () => richText.close())
  if (!parts.revisions) http.app.addHook('onClose', () => revisions.close())
  if (!parts.printing) http.app.addHook('onClose', () => printing.close())
  return http.app
}
