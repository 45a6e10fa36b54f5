/** The tables as TypeScript sees them (camelCase); a test compares each with the migrated database. */
import type { ClassifierTables } from './schema/classifiers.ts'
import type { DocumentTables } from './schema/documents.ts'
import type { DurableSignatureTables } from './schema/durable-signatures.ts'
import type { IdentityTables } from './schema/identity.ts'
import type { InstallationTables } from './schema/installation.ts'
import type { LandingTables } from './schema/landing.ts'
import type { MailTables } from './schema/mail.ts'
import type { OperatorTables } from './schema/operator.ts'
import type { NotificationTables } from './schema/notifications.ts'
import type { OutputTables } from './schema/outputs.ts'
import type { PointTables } from './schema/points.ts'
import type { RequestTables } from './schema/requests.ts'
import type { RichTextTables } from './schema/rich-text.ts'
import type { RouteTables } from './schema/routes.ts'
import type { SignInTables } from './schema/sign-in.ts'
import type { SubscriptionTables } from './schema/subscriptions.ts'
import type { SubstitutionTables } from './schema/substitutions.ts'
import type { TransparencyTables } from './schema/transparency.ts'

export type Schema = SignInTables &
  MailTables &
  IdentityTables &
  SubscriptionTables &
  InstallationTables &
  DocumentTables &
  RichTextTables &
  ClassifierTables &
  PointTables &
  RouteTables &
  RequestTables &
  OutputTables &
  LandingTables &
  DurableSignatureTables &
  SubstitutionTables &
  TransparencyTables &
  NotificationTables &
  OperatorTables
