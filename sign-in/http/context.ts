import type { Provider } from 'oidc-provider'
import type { Database, Tx } from '@kelisim/db/db.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { PageResponse } from './page-response.ts'
import type { KnownApplication } from '../provider/clients.ts'
import type { Limits } from './limits.ts'
import type { CheckSignature } from './signature-check.ts'
import type { Visit } from './visit.ts'

/** The program on the person's computer that signs. */
export type DesktopSigner = {
  url: URL
  /** Whether keys of centres other than the national one may be chosen: in the demo there are no others. */
  acceptsAnyChain: boolean
  /** Where the demo's stand-in shows its window. */
  windowUrl: URL | null
  /** The demo's stand-in of the mobile app. */
  phoneUrl: URL | null
}

export type DemoAccount = { email: string; fullName: string; note: Record<Language, string> }

/** What the pages work with. */
export type Context = {
  database: Database
  publicUrl: URL
  provider: Provider
  clock: () => Date
  /** Tells the applications which sessions have ended; after the commit, so that one that asks back finds them gone. */
  tellApplications: () => Promise<void>
  limits: Limits
  queueMail: (tx: Tx, email: Email) => Promise<void>
  /** null: there is nothing to check digital signatures with, so they are not offered. */
  checkSignature: CheckSignature | null
  desktopSigner: DesktopSigner
  /** Of whoever runs this service: the mobile app shows it. */
  operatorBin: string
  demoAccounts: readonly DemoAccount[]
  applications: readonly KnownApplication[]
}

export type Handler = (visit: Visit, context: Context, parameter: string) => Promise<PageResponse>
