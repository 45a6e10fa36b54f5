import type { Logger } from 'pino'
import type { Database } from '@kelisim/db/db.ts'
import { demoAccounts } from '@kelisim/demo/seed.ts'
import type { Config } from '@kelisim/server/config.ts'
import { callerAddress } from '@kelisim/server/http/caller-address.ts'
import type { Mount } from '@kelisim/server/http/open.ts'
import type { SignInClient } from '@kelisim/server/identity/sign-in/sign-in.ts'
import type { QueueMail } from '@kelisim/server/mail/outbox.ts'
import { loginCheck } from '@kelisim/server/signatures/login-check.ts'
import { createSignIn, embeddedIssuer } from '@kelisim/sign-in/service.ts'
import type { ProductSignatures } from './signatures.ts'

type SignInParts = {
  database: Database
  queueMail: QueueMail
  signatures: ProductSignatures | undefined
  clock: () => Date
  log: Logger
}

type ProductSignIn = {
  isEmbedded: boolean
  client: SignInClient
  /** Served at our own address. */
  mounts: Record<string, Mount>
  /** Its pages that the application links to. */
  pages: { accountUrl?: string; registerUrl?: string }
  stop: () => void
}

/** Another OpenID provider where one is configured, otherwise the embedded one. */
export async function openSignIn(config: Config, parts: SignInParts): Promise<ProductSignIn> {
  if (config.oidc) {
    return { isEmbedded: false, client: config.oidc, mounts: {}, pages: {}, stop: () => {} }
  }
  const { database, queueMail, signatures, clock, log } = parts
  /** Where the two halves of this process reach each other, whatever proxy is in front of the public address. */
  const loopback = new URL(`http://127.0.0.1:${config.port}`)
  const service = await createSignIn({
    database,
    publicUrl: config.publicUrl,
    ...(signatures && { checkSignature: loginCheck(signatures, clock) }),
    desktopSigner: config.signer,
    operatorBin: config.operator.bin,
    queueMail,
    clock,
    log,
    applicationReachedAt: loopback,
    addressOf: (request) => callerAddress(request, config.trustProxy),
    ...(config.isDemo && { demoAccounts }),
  })
  const client = {
    issuer: service.issuer,
    keptAs: embeddedIssuer,
    clientId: service.client.id,
    clientSecret: service.client.secret,
    reachedAt: loopback,
  }
  const pages = { accountUrl: '/connect/account', registerUrl: '/connect/register' }
  return { isEmbedded: true, client, mounts: { '/connect': service.handle }, pages, stop: service.stop }
}
