/** What the server is built from: the process, or a test, opens these. */
import type { KeyObject } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import type { BusyAmong } from './documents/handlers.ts'
import type { Archive } from './documents/upload.ts'
import type { HttpSettings, Release } from './http/open.ts'
import type { Operator } from './http/site/operator.ts'
import type { Signer } from './http/site/site.ts'
import type { SignInClient } from './identity/sign-in/sign-in.ts'
import type { WebhookCaller } from './integration/webhooks/caller.ts'
import type { QueueMail } from './mail/outbox.ts'
import type { QueueImport } from './member-import/inviting.ts'
import type { OperatorParts } from './operator/handlers.ts'
import type { TakeTimestamp } from './outputs/archive/services.ts'
import type { QueueOutput } from './outputs/core/asking.ts'
import type { Printing } from './outputs/printable/printing.ts'
import type { ContractorDirectory } from './points/contractors.ts'
import type { GroupsLeft } from './portal/group-handlers.ts'
import type { QueueStamping } from './requests/judging/judging.ts'
import type { Revisions } from './requests/signed-pdf/revisions.ts'
import type { RichText } from './rich-text/rich-text.ts'
import type { RoutesInUse } from './routes/handlers.ts'
import type { SignatureChecks } from './signatures/check.ts'
import type { Witnessing } from './transparency/witnesses.ts'
import type { VerifyServices } from './verify/handlers.ts'

export type AppParts = {
  database: Database
  clock: () => Date
  publicUrl: URL
  release: Release
  http: HttpSettings
  /** The document storage and the checks of uploaded files. */
  archive: Archive
  /** How many bytes the files of one organisation may take; undefined: any number. */
  organizationStorageBytes?: number | undefined
  queues: Queues
  signIn: SignInClient
  signatures: SignatureParts
  about: About
  /** Signs heads of the transparency log. */
  logKey: KeyObject
  /** The name by which witnesses know the log; undefined: derived from the address of the installation. */
  logOrigin?: string | undefined
  /** Undefined: nobody witnesses the log. */
  witnessing?: Witnessing | undefined
  /** Makes printable documents; undefined: the application opens its own. */
  printing?: Printing
  revisions?: Revisions
  richText?: RichText
  /** Undefined: names of organisations that are not confirmed here cannot be looked up. */
  contractorDirectory?: ContractorDirectory | undefined
  /** Calls webhook addresses; undefined: a caller that reaches only addresses on the internet. */
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
  verdictTimeout?: (() => Promise<void>) | undefined
  /** For the public check page; undefined: no trusted centres. */
  verify?: VerifyServices | undefined
  /** For the archive; undefined: no timestamp service is configured. */
  takeTimestamp?: TakeTimestamp | undefined
  /** The signing program on the user's computer. */
  signer?: Signer | undefined
}

/** The operator of this installation. */
export type About = { isDemo: boolean; supportEmail: string; operator: Operator }
