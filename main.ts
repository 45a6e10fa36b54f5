/**
 * The whole product in one process: configuration → database → sign-in service → server → jobs. Any number of such
 * processes may run on one PostgreSQL: nothing that two of them could decide differently is decided from memory.
 */
import { join } from 'node:path'
import { demoOperator, seedDemo } from '@kelisim/demo/seed.ts'
import { createApp } from '@kelisim/server/app.ts'
import type { AppParts } from '@kelisim/server/app-parts.ts'
import { openWebhookCaller } from '@kelisim/server/integration/webhooks/caller.ts'
import { startQueue } from '@kelisim/server/jobs/queue.ts'
import { openMailer } from '@kelisim/server/mail/outbox.ts'
import { openSignedLinks } from '@kelisim/server/mail/signed-links.ts'
import { openContractorDirectory } from '@kelisim/server/points/contractors.ts'
import { originAt } from '@kelisim/server/transparency/checkpoints.ts'
import { submitTo, witnessHead } from '@kelisim/server/transparency/witnesses.ts'
import { logKeyIn } from '@kelisim/server/transparency/key.ts'
import { embeddedIssuer } from '@kelisim/sign-in/service.ts'
import packageJson from './package.json' with { type: 'json' }
import { scheduleChores } from './start/chores.ts'
import { httpSettingsOf, readConfigOrExit } from './start/config.ts'
import { onceAvailable, openDatabaseServer, openProductDatabase } from './start/database.ts'
import { seedNewDemo } from './start/demo.ts'
import { greeting } from './start/greeting.ts'
import { notifyOfNextEvent, queuesOf, startJobs } from './start/jobs.ts'
import { listenOr } from './start/listen.ts'
import { openLog } from './start/log.ts'
import { explainCrashes, openShutdown } from './start/shutdown.ts'
import { openSignIn } from './start/sign-in.ts'
import { openSignatures } from './start/signatures.ts'
import { pageConfigOf, readBuild } from './start/site.ts'
import { openStorage } from './start/storage.ts'
import { openTracing } from './start/tracing.ts'
import { openWorkers } from './start/workers.ts'

const config = readConfigOrExit()
const { isDemo, publicUrl } = config
const log = openLog(config.logLevel)
const shutdown = openShutdown(log)
let isStarted = false
explainCrashes(log, () => (isStarted ? undefined : shutdown.stop(1)))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void shutdown.stop())
const clock = () => new Date()

const { version } = packageJson
const tracing = await openTracing(config, version, log)
shutdown.add('traces', () => tracing.stop())
const databaseServer = await openDatabaseServer(config, log)
shutdown.add('database server', () => databaseServer.stop())
const { connection } = databaseServer
const database = await openProductDatabase(connection, config, log)
shutdown.add('database', () => database.close())
const warnOfQueue = (error: Error) => log.warn({ reason: error.message }, 'the job queue met an error')
const queue = await onceAvailable(() => startQueue(connection, warnOfQueue), config, log)
shutdown.add('queue', () => queue.stop())
const mustEncrypt = !isDemo
const mailer = openMailer({
  queue,
  database,
  publicUrl,
  smtpUrl: config.smtpUrl,
  from: config.mailFrom,
  mustEncrypt,
  clock,
})
shutdown.add('mailer', () => mailer.close())
const signatures = openSignatures(config, clock, log)
shutdown.add('signatures', () => signatures?.close())
const signIn = await openSignIn(config, { database, queueMail: mailer.queueMail, signatures, clock, log })
shutdown.add('sign-in', () => signIn.stop())

const { checks, ...workers } = openWorkers(shutdown)
const archive = { storage: await openStorage(config, log), checks }
const logKey = logKeyIn(config.logKeyFile)
const transparencyLog = { key: logKey, origin: config.logOrigin ?? originAt(publicUrl) }
const witnessing = { ...config.witnesses, submit: submitTo }
const hasTimestamps = signatures !== undefined && config.pki.tspUrl !== undefined
const siteFolder = join(import.meta.dirname, 'web', 'dist')

const webhookCaller = openWebhookCaller({ privateHosts: config.webhookPrivateHosts })

const parts = {
  database,
  clock,
  publicUrl,
  release: { version, build: readBuild(siteFolder) },
  http: { ...httpSettingsOf(config), mounts: signIn.mounts, recovery: databaseServer.recovery },
  archive,
  organizationStorageBytes: config.organizationStorageBytes,
  queues: queuesOf(queue, mailer, hasTimestamps),
  signIn: signIn.client,
  signatures: { ...signatures, signer: config.signer },
  about: { isDemo, supportEmail: config.supportEmail, operator: config.operator },
  logKey,
  logOrigin: config.logOrigin,
  witnessing,
  ...workers,
  contractorDirectory: config.contractorDirectory && openContractorDirectory(config.contractorDirectory),
  webhookCaller,
  operator: {
    smtpUrl: config.smtpUrl,
    pki: config.pki,
    trustRootsDir: config.trustRootsDir,
    dataDir: config.dataDir,
    mustEncrypt,
    operators: isDemo && config.operators.length === 0 ? [demoOperator] : config.operators,
    queue,
  },
  metricsToken: config.metricsToken,
  site: { folder: siteFolder, pageConfig: pageConfigOf(config, version, signIn.pages) },
} satisfies AppParts
const notifying = {
  database,
  queueMail: mailer.queueMail,
  publicUrl,
  signedLinks: openSignedLinks(database, clock),
  clock,
}
if (isDemo && signIn.isEmbedded && (await seedDemo(database, embeddedIssuer, clock()))) {
  await seedNewDemo(parts, config, async (ofDemo) => {
    while (await notifyOfNextEvent(queue, { ...notifying, clock: ofDemo }, log));
  })
}

const app = await createApp(parts)
shutdown.add('server', () => app.close())
await listenOr(shutdown.stop, app, config)
const jobs = await startJobs(queue, { ...parts, mailer, signatures, notifying, log })
shutdown.add('jobs', () => jobs.stop())
await scheduleChores(queue, {
  storage: archive.storage,
  transparencyLog,
  witnessing,
  headsTo: config.headsTo,
  signatures,
  hasTimestamps,
  hasOwnSignIn: signIn.isEmbedded,
  notifying,
})
// Witnessing does not wait for the next scheduled run: events from before the start should be witnessed soon.
witnessHead(database, transparencyLog, witnessing, clock()).catch((error: unknown) =>
  log.warn({ err: error }, 'no witness could be asked for now'),
)
isStarted = true
process.stdout.write(greeting(config, version))
