import type { Provider } from 'oidc-provider'
import type { Database, Tx } from '@kelisim/db/db.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { PageResponse } from './page-response.ts'
import type { KnownApplication } from '../provider/clients.ts'
import type { Limits } from './limits.ts'
import type { CheckSignature } from './signature-check.ts'
import type { Visit } from './visit.ts'

/** The signing program on the user's computer. */
export type DesktopSigner = {
  url: URL
  /** Whether keys of centres other than the national one may be chosen: the demo has only others. */
  acceptsAnyChain: boolean
  /** The page with the window of the demo's stand-in. */
  windowUrl: URL | null
  /** The demo's stand-in of the mobile app. */
  phoneUrl: URL | null
}

export type DemoAccount = { email: string; fullName: string; note: Record<Language, string> }

/** The dependencies of the pages. */
export type Context = {
  database: Database
  publicUrl: URL
  provider: Provider
  clock: () => Date
  /**
   * Notifies the applications of ended sessions; after the commit, so that an application that asks back finds them
   * ended.
   */
  tellApplications: () => Promise<void>
  limits: Limits
  queueMail: (tx: Tx, email: Email) => Promise<void>
  /** null: signatures cannot be checked, so signing in by signature is not offered. */
  checkSignature: CheckSignature | null
  desktopSigner: DesktopSigner
  /** The operator's BIN: the mobile app shows it. */
  operatorBin: string
  demoAccounts: readonly DemoAccount[]
  applications: readonly KnownApplication[]
}

export type Handler = (visit: Visit, context: Context, parameter: string) => Promise<PageResponse>
