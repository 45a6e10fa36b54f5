/**
 * The whole product in one process: configuration → database → sign-in service → server → jobs.
 * Any number of such processes may run on one PostgreSQL; nothing in memory decides what two could disagree on.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded, type EmbeddedServer } from '@kelisim/db/embedded.ts'
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { migrate } from '@kelisim/db/migrate.ts'
import { seedDocuments } from '@kelisim/demo/documents.ts'
import { keyPassword } from '@kelisim/demo/keys.ts'
import { seedDeadLetters } from '@kelisim/demo/operator.ts'
import { demoAccounts, demoOperator, seedDemo } from '@kelisim/demo/seed.ts'
import { createApp, type AppOptions } from '@kelisim/server/app.ts'
import type { CheckingOutside } from '@kelisim/server/verify/handlers.ts'
import { callerAddress } from '@kelisim/server/http/caller-address.ts'
import { openFileChecks } from '@kelisim/server/documents/check/check.ts'
import { folderStorage } from '@kelisim/server/documents/storage/folder.ts'
import { s3Storage } from '@kelisim/server/documents/storage/s3.ts'
import { sweepFiles } from '@kelisim/server/documents/sweep.ts'
import { onceReachable } from '@kelisim/server/http/waiting-room.ts'
import { ConfigError, readConfig, type Config } from '@kelisim/server/config.ts'
import { claimInstallation } from '@kelisim/server/installation.ts'
import { sweepIdentity } from '@kelisim/server/identity/queries.ts'
import { sweepTransactions } from '@kelisim/server/landing/following.ts'
import { sweepCaptchas } from '@kelisim/server/landing/captcha.ts'
import { startQueue } from '@kelisim/server/jobs/queue.ts'
import { openPost } from '@kelisim/server/mail/outbox.ts'
import { sendDigests } from '@kelisim/server/notifications/digest.ts'
import { remindByClock } from '@kelisim/server/notifications/reminders.ts'
import { keepTelling, tell, tellNext, type TellingOutside } from '@kelisim/server/notifications/telling.ts'
import { openUnsubscribing } from '@kelisim/server/notifications/unsubscribing.ts'
import { makersOf } from '@kelisim/server/outputs/makers.ts'
import { makeOutput } from '@kelisim/server/outputs/making.ts'
import { openPrinting } from '@kelisim/server/outputs/printable/printing.ts'
import { openReports } from '@kelisim/server/outputs/report/reports.ts'
import { sweepOutputs } from '@kelisim/server/outputs/sweep.ts'
import { stampSignature } from '@kelisim/server/outputs/core/durable-stamping.ts'
import { openDirectory } from '@kelisim/server/points/contractors.ts'
import { sweepMobileSignings } from '@kelisim/server/requests/phone/phone-signings.ts'
import { sweepActKeys } from '@kelisim/server/requests/core/perform.ts'
import { recheckSignatures } from '@kelisim/server/requests/judging/rechecks.ts'
import { settleRequestsOf } from '@kelisim/server/requests/judging/settling.ts'
import { examineCrl } from '@kelisim/server/signatures/answer-from-centre.ts'
import { openSignatureChecks, type SignatureChecks } from '@kelisim/server/signatures/check.ts'
import { loginCheck } from '@kelisim/server/signatures/login-check.ts'
import { createOutsideCaller } from '@kelisim/server/signatures/outbound/call.ts'
import { knownServices, openCentre, type Centre } from '@kelisim/server/signatures/outbound/centre.ts'
import { readTrust } from '@kelisim/server/signatures/trust.ts'
import { tellTurns } from '@kelisim/server/subscriptions/turns.ts'
import { signHead } from '@kelisim/server/transparency/heads.ts'
import { logKeyIn } from '@kelisim/server/transparency/key.ts'
import { createSignIn, embeddedIssuer } from '@kelisim/sign-in/service.ts'
import { sweep as sweepSignIn } from '@kelisim/sign-in/sweep.ts'
import { pino } from 'pino'
import packageJson from './package.json' with { type: 'json' }

const config = readConfigOrExit()
process.on('uncaughtException', explainAndExit)
const log = pino({ level: config.logLevel })
const clock = () => new Date()
/** Where the two halves of this process reach each other, whatever stands in front of the public address. */
const loopback = new URL(`http://127.0.0.1:${config.port}`)

const { connection, embedded } = await findDatabase(config)
await onceReachable(() => migrate(connection), {
  port: config.port,
  host: config.host,
  onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
})
const database = openDatabase(connection, (error) =>
  log.warn({ reason: error.message }, 'a database connection broke'),
)
await claimInstallation(database, config.isDemo ? 'demo' : 'production')
const queue = await startQueue(connection, (error) =>
  log.warn({ reason: error.message }, 'the job queue met an error'),
)
const post = openPost({
  queue,
  database,
  publicUrl: config.publicUrl,
  smtpUrl: config.smtpUrl,
  from: config.mailFrom,
  mustEncrypt: !config.isDemo,
  clock,
})
const unsubscribing = openUnsubscribing(database, clock)

const checks = config.trustRootsDir === undefined ? undefined : openChecks(config, config.trustRootsDir)
if (!checks) log.warn('TRUST_ROOTS_DIR is not set: digital signatures cannot be checked')

const signIn = config.oidc
  ? undefined
  : await createSignIn({
      database,
      publicUrl: config.publicUrl,
      ...(checks && { checkSignature: loginCheck(checks, clock) }),
      desktopSigner: config.signer,
      operatorBin: config.operatorBin,
      queueMail: post.queueMail,
      clock,
      log,
      applicationReachedAt: loopback,
      addressOf: (request) => callerAddress(request, config.trustProxy),
      ...(config.isDemo && { demoAccounts }),
    })
const isNewDemo = config.isDemo && signIn ? await seedDemo(database, embeddedIssuer, clock()) : false

const files = join(config.dataDir, 'files')
const archive = {
  storage: config.s3 ? await s3Storage(config.s3, join(files, 'incoming')) : await folderStorage(files),
  checks: openFileChecks(),
}
if (isNewDemo) {
  await seedDocuments(database, archive, clock())
  await seedDeadLetters(database, clock())
}

const printing = openPrinting()
const reports = openReports()
const logKey = logKeyIn(config.logKeyFile)
const folder = join(import.meta.dirname, 'web', 'dist')
const appOptions: AppOptions = {
  printing,
  database,
  queueMail: post.queueMail,
  queueSettling: async (tx, groupIds) => {
    for (const groupId of groupIds) await queue.add(tx, 'settle-requests', { groupId })
  },
  ...(checks &&
    config.pki.tspUrl && {
      queueStamping: (tx, signatureId) => queue.add(tx, 'stamp-signature', { signatureId }),
    }),
  queueOutput: (tx, outputId) => queue.add(tx, 'make-output', { outputId }),
  archive,
  signIn: config.oidc ?? {
    issuer: signIn!.issuer,
    keptAs: embeddedIssuer,
    clientId: signIn!.client.id,
    clientSecret: signIn!.client.secret,
    reachedAt: loopback,
  },
  ...(checks && { checkSignature: checks.check, checking: checks.forCheckPage }),
  signer: config.signer,
  contractorDirectory: config.contractorDirectory && openDirectory(config.contractorDirectory),
  logKey,
  publicUrl: config.publicUrl,
  metricsToken: config.metricsToken,
  operatorBin: config.operatorBin,
  supportEmail: config.supportEmail,
  operator: {
    smtpUrl: config.smtpUrl,
    mustEncrypt: !config.isDemo,
    pki: config.pki,
    trustRootsDir: config.trustRootsDir,
    dataDir: config.dataDir,
    operators: config.isDemo && config.operators.length === 0 ? [demoOperator] : config.operators,
    queue,
  },
  isDemo: config.isDemo,
  trustProxy: config.trustProxy,
  callsPerMinute: config.callsPerMinute,
  clock,
  version: packageJson.version,
  build: buildOf(folder),
  logLevel: config.logLevel,
  site: {
    folder,
    pageConfig: {
      version: packageJson.version,
      isDemo: config.isDemo,
      supportEmail: config.supportEmail,
      adminPortalUrl: config.adminPortalUrl?.href.replace(/\/$/, ''),
      accountUrl: signIn && '/connect/account',
      registerUrl: signIn && '/connect/register',
    },
  },
  ...(signIn && { mounts: { '/connect': signIn.handle } }),
}
if (isNewDemo) {
  const { seedRequests } = await import('@kelisim/demo/requests.ts')
  await seedRequests({
    database,
    openApp: (ofDemo) => createApp({ ...appOptions, clock: ofDemo }),
    tell: async (ofDemo) => {
      while (await tellOne(ofDemo));
    },
    publicUrl: config.publicUrl,
    keysFolder: join(config.dataDir, 'keys'),
  })
}
const app = await createApp(appOptions)

let isStopping = false
let telling: ReturnType<typeof keepTelling> | undefined
await listenOrExit()
await post.startDelivery()
telling = await startTelling()
await queue.run('settle-requests', ({ groupId }) => settleRequestsOf(groupId, database, clock))
if (checks) {
  const { check, askTimestamp } = checks
  const stamping = { database, storage: archive.storage, check, askTimestamp, clock }
  await queue.run('stamp-signature', ({ signatureId }) => stampSignature(stamping, signatureId))
}
await startMaking()
await scheduleChores()
process.stdout.write(greeting(config))

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())

/** Whoever is to be told of what happened is told at once; what fails is tried again by the queue. */
async function startTelling(): Promise<ReturnType<typeof keepTelling>> {
  await queue.run('tell-events', (untold) => database.write((tx) => tell(tx, untold, tellingAt(clock))))
  return keepTelling(() => tellOne(clock), { onError: notTold })
}

function tellOne(at: () => Date): Promise<boolean> {
  return tellNext(tellingAt(at), (tx, untold) => queue.add(tx, 'tell-events', untold), notTold)
}

function tellingAt(at: () => Date): TellingOutside {
  return { database, queueMail: post.queueMail, publicUrl: config.publicUrl, unsubscribing, clock: at }
}

function notTold(error: unknown): void {
  log.warn({ err: error }, 'somebody could not be told for now')
}

/** What people asked to be made of requests, one at a time in each process. */
async function startMaking(): Promise<void> {
  const makers = makersOf({ database, printing, reports, logKey, publicUrl: config.publicUrl })
  const outside = { database, storage: archive.storage, makers, clock, onFailure: notMade }
  await queue.run('make-output', ({ outputId }, attempt) => makeOutput(outside, outputId, attempt), {
    batch: 1,
  })
}

function notMade(error: unknown): void {
  log.warn({ err: error }, 'something asked for could not be made of a request')
}

/** SIGTERM and SIGINT: take no new calls, finish what is running, then let go of everything in order. */
async function stop(code = 0): Promise<void> {
  if (isStopping) return
  isStopping = true
  const isLate = setTimeout(() => process.exit(1), 30_000)
  isLate.unref()
  await app.close()
  await checks?.close()
  await archive.checks.close()
  await telling?.stop()
  await queue.stop()
  await Promise.all([printing.close(), reports.close()])
  post.close()
  signIn?.stop()
  await database.close()
  await embedded?.stopIfUnused()
  process.exit(code)
}

async function listenOrExit(): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    process.stderr.write(
      `Port ${config.port} is taken by another program: stop it, or set PORT to a free one.\n`,
    )
    await stop(1)
  }
}

/** What stops the start is said in one sentence; the log keeps the rest for whoever wants it. */
function explainAndExit(error: Error): void {
  log.fatal({ err: error }, 'stopped by an error')
  process.stderr.write(`Kelisim stopped: ${error.message}\n`)
  process.exit(1)
}

/** Checks of signatures, with the roots that are trusted and the services of the centres behind them. */
function openChecks(
  { pki, dataDir, ocspByNumber }: Config,
  trustRootsDir: string,
): SignatureChecks & { forCheckPage: CheckingOutside } & Pick<Centre, 'askTimestamp'> {
  const caller = createOutsideCaller({ known: knownServices(pki), clock })
  const centre = openCentre({ pki, dataDir, caller, examineCrl, clock })
  // Every process has its own lists beside it, so this is no work for one of them alone.
  setInterval(() => void centre.refreshLists().catch(warnOf('revocation lists')), 10 * 60 * 1000).unref()
  const trust = readTrust(trustRootsDir)
  return {
    ...openSignatureChecks({ ...trust, centre }),
    askTimestamp: centre.askTimestamp,
    forCheckPage: { trust, askOcsp: centre.askOcsp, ocspUrl: ocspByNumber },
  }
}

function warnOf(what: string): (error: unknown) => void {
  return (error) => log.warn({ reason: error instanceof Error ? error.message : String(error) }, what)
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`Kelisim cannot start, the environment is wrong:\n${indent(error.message)}\n`)
    process.exit(78) // EX_CONFIG
  }
}

async function findDatabase({
  databaseUrl,
  dataDir,
}: Config): Promise<{ connection: Connection; embedded?: EmbeddedServer }> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl } }
  const embedded = await startEmbedded(join(dataDir, 'postgres'))
  return { connection: embedded.connection, embedded }
}

function buildOf(folder: string): string {
  const file = join(folder, 'build.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : 'dev'
}

/** Work by the clock, done by one process at a time. The minutes differ, so that it does not come all at once. */
async function scheduleChores(): Promise<void> {
  const { write } = database
  await queue.every('sweep-identity', '3 * * * *', () => write((tx) => sweepIdentity(tx, clock())))
  if (signIn) await queue.every('sweep-sign-in', '8 * * * *', () => write((tx) => sweepSignIn(tx, clock())))
  await queue.every('sweep-act-keys', '13 * * * *', () => write((tx) => sweepActKeys(tx, clock())))
  await queue.every('sweep-mobile-signings', '18 * * * *', () =>
    write((tx) => sweepMobileSignings(tx, clock())),
  )
  await queue.every('sweep-captchas', '33 * * * *', () => write((tx) => sweepCaptchas(tx, clock())))
  await queue.every('sweep-quick-sends', '38 * * * *', () =>
    sweepTransactions(database, archive.storage, clock()),
  )
  await queue.every('sweep-outputs', '28 3 * * *', () => write((tx) => sweepOutputs(tx, clock())))
  await queue.every('sweep-files', '23 * * * *', () => sweepFiles(database, archive.storage, clock()))
  await queue.every(
    'sign-log-head',
    '*/10 * * * *',
    async () => void (await signHead(database, logKey, clock())),
  )
  const letters = { database, queueMail: post.queueMail, publicUrl: config.publicUrl, clock }
  await queue.every('tell-subscription-turns', '30 8 * * *', () => tellTurns(letters))
  await queue.every('remind-of-requests', '50 8 * * *', () => remindByClock(tellingAt(clock)))
  await queue.every('send-digests', '0 9 * * *', () => sendDigests(tellingAt(clock)))
  if (checks) {
    await queue.every('recheck-signatures', '*/10 * * * *', () =>
      recheckSignatures({ ...letters, check: checks.check }),
    )
  }
}

function greeting({ publicUrl, isDemo, signer }: Config): string {
  const address = publicUrl.href.replace(/\/$/, '')
  if (!isDemo) return `\nKelisim ${packageJson.version} is ready at ${address}\n\n`
  const people = demoAccounts.map((a) => `    ${a.fullName} — ${a.note.ru}`).join('\n')
  return (
    `\nKelisim ${packageJson.version} (demo) is ready: open ${address}/signingRequests/incomings\n` +
    `and choose on the sign-in page who you are, with one click:\n${people}\n` +
    `Letters that the product sends: ${address}/mailbox\n` +
    signingHint(signer)
  )
}

function signingHint({ windowUrl, phoneUrl }: Config['signer']): string {
  if (!windowUrl || !phoneUrl) return '\n'
  return (
    `Sign with the stand-ins of NCALayer (${windowUrl.href}) and of the phone (${phoneUrl.href});\n` +
    `the password of every demo key is ${keyPassword}\n\n`
  )
}

function indent(text: string): string {
  return text.replace(/^/gm, '  - ')
}
