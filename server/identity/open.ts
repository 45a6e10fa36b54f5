import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import {
  confirmationHandlers,
  type CountForNumber,
  type EndGroupMapping,
  type EndTokensOf,
} from './confirmation/handlers.ts'
import { joinRequestHandlers } from './confirmation/join-request-handlers.ts'
import { identityHandlers } from './handlers.ts'
import { signInRoutes, type AfterSignIn, type SignInClient } from './sign-in/sign-in.ts'

type IdentityParts = {
  signIn: SignInClient
  afterSignIn: AfterSignIn
  queueMail: QueueMail
  checkSignature: SignatureChecks['check'] | undefined
  countForNumber: CountForNumber
  endTokensOf: EndTokensOf
  endGroupMapping: EndGroupMapping
}

/** People and their organisations: signing in, the profile, and proving a number by a digital signature. */
export function openIdentity(http: Http, { signIn, afterSignIn, ...parts }: IdentityParts): void {
  const { app, serve, database, sessions, clock, publicUrl } = http
  signInRoutes(app, serve, { client: signIn, afterSignIn, publicUrl, database, sessions, clock })
  identityHandlers(serve, sessions)
  joinRequestHandlers(serve, { queueMail: parts.queueMail, publicUrl })
  confirmationHandlers(serve, { ...parts, publicUrl })
}
