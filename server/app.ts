/** The whole server as one value: given its outside, ready to listen or to be called by tests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { randomUUID, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Database } from '@kelisim/db/db.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { checkingHandlers, type CheckingOutside } from './verify/handlers.ts'
import { documentHandlers, type BusyAmong } from './documents/handlers.ts'
import type { Archive } from './documents/upload.ts'
import { helpRoutes } from './help/help-routes.ts'
import { captchaHandlers, openCaptcha } from './landing/captcha.ts'
import { feedbackHandlers } from './landing/feedback.ts'
import { followingHandlers, stoppingHandlers } from './landing/following.ts'
import { quickSendHandlers } from './landing/quick-send.ts'
import { quickSendPhoneHandlers, quickSendPhoneRoutes } from './landing/quick-send-phone.ts'
import { openSecrets } from './landing/transactions.ts'
import { classifierHandlers } from './classifiers/handlers.ts'
import { callerAddress } from './http/caller-address.ts'
import { answerErrors, answerUnreadable } from './http/errors.ts'
import { filesOn } from './http/files.ts'
import { streamsOn } from './http/streams.ts'
import { guard } from './http/guard.ts'
import { healthRoutes } from './http/health.ts'
import { limitsIn } from './http/limits.ts'
import { openApi } from './http/openapi.ts'
import { serveOn } from './http/serve.ts'
import { sessionsIn } from './http/session.ts'
import { siteRoutes, type Signer } from './http/site.ts'
import { confirmationHandlers } from './identity/confirmation/handlers.ts'
import type { GroupsLeft } from './portal/group-handlers.ts'
import { identityHandlers } from './identity/handlers.ts'
import { joinRequestHandlers } from './identity/confirmation/join-request-handlers.ts'
import { optionsHandlers } from './options/handlers.ts'
import { portalHandlers } from './portal/handlers.ts'
import { signInRoutes, type SignInClient } from './identity/sign-in/sign-in.ts'
import { openMetrics } from './operator/metrics.ts'
import { operatorHandlers, type OperatorOutside } from './operator/handlers.ts'
import { mailboxHandlers } from './mail/mailbox.ts'
import type { QueueMail } from './mail/outbox.ts'
import { liveStreams, noticeHandlers, subscriptionLinkHandlers } from './notifications/handlers.ts'
import { letterHandlers } from './notifications/email-handlers.ts'
import { openUnsubscribing } from './notifications/unsubscribing.ts'
import type { QueueOutput } from './outputs/core/asking.ts'
import { electronicHandlers } from './outputs/electronic.ts'
import { outputHandlers } from './outputs/handlers.ts'
import type { ContractorDirectory } from './points/contractors.ts'
import { openPrintability } from './outputs/printable/printability.ts'
import { openPrinting, type Printing } from './outputs/printable/printing.ts'
import { pointHandlers } from './points/handlers.ts'
import { richTextHandlers } from './rich-text/handlers.ts'
import { openRichText } from './rich-text/rich-text.ts'
import { refuseWhileAwaited } from './requests/core/awaited-groups.ts'
import { changeStreams, openChanges } from './requests/core/changes.ts'
import { requestHandlers } from './requests/acting/handlers.ts'
import { holderHandlers } from './requests/holder/handlers.ts'
import { keepJudging, openJudging, type QueueStamping } from './requests/judging/judging.ts'
import { mobileHandlers } from './requests/phone/handlers.ts'
import { phoneRoutes } from './requests/phone/app-routes.ts'
import { documentsInUse, routesInUse } from './requests/core/perform.ts'
import { requestArchiveHandlers } from './requests/reading/archive.ts'
import { signedSetHandlers } from './requests/reading/signed-set.ts'
import { requestReadingHandlers } from './requests/reading/handlers.ts'
import { terminationHandlers } from './requests/termination/handlers.ts'
import { routeHandlers, type RoutesInUse } from './routes/handlers.ts'
import { findCommonUsesOfPoint, findUsesOfPoint } from './routes/queries.ts'
import type { SignatureChecks } from './signatures/check.ts'
import { subscriptionHandlers } from './subscriptions/handlers.ts'
import { substitutionHandlers } from './substitutions/handlers.ts'
import { logHandlers } from './transparency/handlers.ts'

export type AppOptions = {
  database: Database
  queueMail: QueueMail
  /** Work for after the commit: requests that waited only for those who left these groups. */
  queueSettling: GroupsLeft
  /** The same: a timestamp for a signature that came without one. Undefined: nobody gives any. */
  queueStamping?: QueueStamping | undefined
  /** And what is made of a request for somebody who asked for it. */
  queueOutput: QueueOutput
  signIn: SignInClient
  /** Undefined: digital signatures cannot be checked here, and nothing that needs them is offered. */
  checkSignature?: SignatureChecks['check']
  /** Behind the public check page; undefined: there is nobody to trust. */
  checking?: CheckingOutside | undefined
  /** The program on people's computers that signs, for the pages that ask it to. */
  signer?: Signer
  /** Where documents are kept, and who looks into them when they come. */
  archive: Archive
  /** Makes printable documents; undefined: the application opens one of its own. */
  printing?: Printing
  /** Which documents and routes requests still rest on; asked of the requests unless said otherwise. */
  busyAmong?: BusyAmong
  routesInUse?: RoutesInUse
  /** Undefined: nobody knows whose a number is that is not confirmed here. */
  contractorDirectory?: ContractorDirectory | undefined
  /** Undefined: nobody runs this from a page. */
  operator?: OperatorOutside
  /** Where people write to us. */
  supportEmail?: string
  /** Who runs this, for the app that people sign with. */
  operatorBin?: string
  /** What Prometheus brings; undefined: there are no metrics. */
  metricsToken?: string | undefined
  /** Signs heads of the transparency log. */
  logKey: KeyObject
  publicUrl: URL
  isDemo: boolean
  /** How many proxies in front may be believed about the caller's address. */
  trustProxy: number
  clock: () => Date
  version: string
  /** Changes with every build of the site: the browser offers to reload when it sees another one. */
  build: string
  logLevel: string
  /** Standard output, unless said otherwise. */
  logTo?: { write: (line: string) => void }
  /** Undefined in tests of the API alone. */
  site?: { folder: string; pageConfig: object }
  callsPerMinute?: number
  /** Services that share our address (the embedded sign-in service), by the first part of the path. */
  mounts?: Record<string, Mount>
}

/**
 * Slow senders are cut off, yet 20 MB may take their time on a poor line; idle connections outlive those that a proxy in
 * front keeps.
 */
const timeouts = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000 }

export type Mount = (request: IncomingMessage, response: ServerResponse) => void

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { database, publicUrl, clock } = options
  const limits = limitsIn(database, options.callsPerMinute ?? 1200)
  const isWithinLimit = (request: IncomingMessage) => {
    try {
      limits.overall(callerAddress(request, options.trustProxy))
      return true
    } catch {
      return false
    }
  }
  const app = Fastify<Server>({
    logger: {
      level: options.logLevel,
      serializers: { req: requestLine, err: errorLine },
      ...(options.logTo && { stream: options.logTo }),
    },
    genReqId: () => randomUUID(),
    frameworkErrors: answerUnreadable,
    trustProxy: options.trustProxy > 0 ? (_, hop) => hop < options.trustProxy : false,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
    serverFactory: (handler) =>
      createServer(timeouts, withMounts(handler, options.mounts ?? {}, isWithinLimit)),
  })
  const sessions = sessionsIn(database, publicUrl, options.operator?.operators)
  const served: Endpoint[] = []

  await app.register(cookie)
  app.removeContentTypeParser('text/plain') // a form of another site can send it without asking
  answerErrors(app)
  guard(app, { publicUrl, limits, build: options.build })
  healthRoutes(app, database)
  const metrics = options.metricsToken === undefined ? undefined : openMetrics(app, options.metricsToken)
  const { checkSignature: bareCheck } = options
  const checkSignature = bareCheck && metrics ? metrics.watchCheck(bareCheck) : bareCheck

  const inside = { database, sessions, limits, clock, served }
  const serve = serveOn(app, inside)
  signInRoutes(app, serve, { client: options.signIn, publicUrl, database, sessions, clock })
  identityHandlers(serve, sessions)
  portalHandlers(serve, {
    queueMail: options.queueMail,
    publicUrl,
    groupsLeft: options.queueSettling,
    refuseWhileAwaited,
  })
  joinRequestHandlers(serve, { queueMail: options.queueMail, publicUrl })
  logHandlers(serve, database, options.logKey)
  substitutionHandlers(serve, { queueMail: options.queueMail, publicUrl })
  confirmationHandlers(serve, {
    queueMail: options.queueMail,
    publicUrl,
    checkSignature,
  })
  optionsHandlers(serve)
  subscriptionHandlers(serve)
  const files = filesOn(app, inside)
  documentHandlers(serve, files, { ...options.archive, busyAmong: options.busyAmong ?? documentsInUse })
  const richText = openRichText()
  app.addHook('onClose', () => richText.close())
  richTextHandlers(serve, files, { archive: options.archive, richText })
  classifierHandlers(serve)
  pointHandlers(serve, {
    directory: options.contractorDirectory,
    usesOf: findUsesOfPoint,
    commonUsesOf: findCommonUsesOfPoint,
  })
  routeHandlers(serve, { routesInUse: options.routesInUse ?? routesInUse })
  const { storage } = options.archive
  const onError = (error: unknown) => app.log.warn({ err: error }, 'a signature could not be judged for now')
  const { queueStamping } = options
  const judging =
    checkSignature && openJudging({ database, storage, check: checkSignature, clock, queueStamping, onError })
  if (judging) {
    // Every process that listens judges; one that is only called by tests does so when it is told to.
    let kept: ReturnType<typeof keepJudging> | undefined
    app.addHook('onListen', async () => void (kept = keepJudging(judging, { onError })))
    app.addHook('onClose', () => kept?.stop())
  }
  const printing = options.printing ?? openPrinting()
  if (!options.printing) app.addHook('onClose', () => printing.close())
  requestHandlers(serve, {
    storage,
    judging,
    refuseUnprintable: openPrintability(database, printing, clock),
  })
  requestReadingHandlers(serve, files, storage)
  requestArchiveHandlers(files, storage)
  signedSetHandlers(files, storage)
  electronicHandlers(files, storage)
  outputHandlers(serve, files, { storage, queueOutput: options.queueOutput })
  holderHandlers(serve, files, { storage, publicUrl })
  checkingHandlers(serve, { outside: options.checking, isDemo: options.isDemo, clock })
  const captcha = openCaptcha(database, clock)
  captchaHandlers(serve, captcha)
  const supportEmail = options.supportEmail ?? 'support@kelisim.kz'
  feedbackHandlers(serve, { captcha, queueMail: options.queueMail, supportEmail })
  terminationHandlers(serve, { storage, richText })
  mobileHandlers(serve, {
    publicUrl,
    isChecked: judging !== undefined,
    phoneUrl: options.signer?.phoneUrl ?? null,
  })
  if (judging) phoneRoutes(app, { database, storage, judging, publicUrl, clock })
  const changes = openChanges(database, (error) =>
    app.log.warn({ reason: error.message }, 'changes of requests are not heard for a moment'),
  )
  const streams = streamsOn(app, inside)
  changeStreams(streams, changes)
  noticeHandlers(serve)
  liveStreams(streams, changes, database)
  const unsubscribing = openUnsubscribing(database, clock)
  const quickSend = {
    database,
    storage,
    captcha,
    publicUrl,
    clock,
    unsubscribing,
    printing,
    queueMail: options.queueMail,
    checks: options.archive.checks,
    directory: options.contractorDirectory,
    signer: options.signer,
    secrets: openSecrets(database, clock),
    signing: checkSignature && judging && { check: checkSignature, judging },
  }
  quickSendHandlers(serve, files, quickSend)
  const phoneUrl = options.signer?.phoneUrl ?? null
  quickSendPhoneHandlers(serve, { publicUrl, phoneUrl, isChecked: judging !== undefined })
  const { signing } = quickSend
  if (signing) quickSendPhoneRoutes(app, { ...quickSend, ...signing }, options.operatorBin ?? '')
  followingHandlers(serve, files, { storage, publicUrl })
  stoppingHandlers(app, serve, { database, unsubscribing, clock })
  subscriptionLinkHandlers(app, serve, { database, unsubscribing })
  letterHandlers(serve, { database, queueMail: options.queueMail, publicUrl, unsubscribing, clock })
  const { version, build } = options
  metrics?.serve({ database, storage, openLines: streams.countOpen, version, clock })
  if (options.operator) {
    operatorHandlers(serve, { ...options.operator, database, storage, version, build, startedAt: clock() })
  }
  if (options.isDemo) mailboxHandlers(app, serve, database)

  app.get('/api/openapi.json', { config: { access: 'anyone' } }, () =>
    openApi(served, options.version, publicUrl),
  )
  if (options.site) {
    // Without a check there is nothing to sign for.
    const signer = checkSignature && options.signer
    helpRoutes(app, join(options.site.folder, 'files'), inside)
    await siteRoutes(app, { ...options.site, signer, supportEmail, publicUrl, isDemo: options.isDemo })
  }
  return app
}

function withMounts(
  handler: Mount,
  mounts: Record<string, Mount>,
  isWithinLimit: (request: IncomingMessage) => boolean,
): Mount {
  return (request, response) => {
    const first = /^\/[^/?]*/.exec(request.url ?? '')?.[0] ?? ''
    const mounted = mounts[first]
    if (!mounted) handler(request, response)
    else if (isWithinLimit(request)) mounted(request, response)
    else response.writeHead(429, { 'retry-after': '60', connection: 'close' }).end()
  }
}

/** The log names no person: no address, no cookie, no query (it may carry a code or a token). */
function requestLine(request: { method: string; url: string }): Record<string, unknown> {
  return {
    method: request.method,
    path: request.url
      .split('?')[0]
      ?.replace(
        /(invitations\/|\/api\/e\/|\/api\/q\/|quick\/stop\/|unsubscribe\/|unauth\/notifications\/)[^/]+/i,
        '$1…',
      ),
  }
}

function errorLine(error: Error): { type: string; message: string; stack: string } {
  return { type: error.name, message: error.message, stack: error.stack ?? '' }
}
