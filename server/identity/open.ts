import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { confirmationHandlers, type CountForNumber } from './confirmation/handlers.ts'
import { joinRequestHandlers } from './confirmation/join-request-handlers.ts'
import { identityHandlers } from './handlers.ts'
import { signInRoutes, type SignInClient } from './sign-in/sign-in.ts'

type IdentityParts = {
  signIn: SignInClient
  queueMail: QueueMail
  checkSignature: SignatureChecks['check'] | undefined
  countForNumber: CountForNumber
}

/** People and their organisations: signing in, the profile, and proving a number by a digital signature. */
export function openIdentity(
  http: Http,
  { signIn, queueMail, checkSignature, countForNumber }: IdentityParts,
): void {
  const { app, serve, database, sessions, clock, publicUrl } = http
  signInRoutes(app, serve, { client: signIn, publicUrl, database, sessions, clock })
  identityHandlers(serve, sessions)
  joinRequestHandlers(serve, { queueMail, publicUrl })
  confirmationHandlers(serve, { queueMail, publicUrl, checkSignature, countForNumber })
}
