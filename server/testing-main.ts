/**
 * For tests: the product as in production, `main.ts` in a process of its own. The test provides only its
 * surroundings: the database, the data folder, and the services of a small nation whose keys are derived from a seed.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { freePorts } from '@kelisim/db/testing-ports.ts'
import { makeCrl } from '@kelisim/signature/signer/issue.ts'
import { answerOcsp, readOcspRequest } from '@kelisim/signature/signer/ocsp-responder.ts'
import type { Nation } from '@kelisim/signature/testing/nation.ts'
import { publicUrl } from './testing.ts'

const root = join(import.meta.dirname, '..')
const hour = 60 * 60 * 1000

export type MainSettings = {
  /** Undefined: the embedded database, in the data folder. */
  connection?: { host: string; user: string; database: string } | undefined
  dataDir: string
  /** How many milliseconds are added to the clock of the process. */
  clockOffset: number
  centre: CentreServices
}

export type Main = { child: ChildProcess; address: string }

export async function startMain({ connection, dataDir, clockOffset, centre }: MainSettings): Promise<Main> {
  const port = await freePorts(1)
  const clock = join(import.meta.dirname, 'testing-clock.ts')
  const parent = join(import.meta.dirname, 'testing-parent.ts')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `--import=${clock}`, `--import=${parent}`, 'main.ts'],
    {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        MODE: 'production',
        SUPPORT_EMAIL: 'help@example.kz',
        MAIL_FROM: 'no-reply@example.kz',
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: publicUrl.origin,
        ...(connection && { DATABASE_URL: addressOf(connection) }),
        DATA_DIR: dataDir,
        TRUST_ROOTS_DIR: centre.trustRootsDir,
        PKI_OCSP_URL: `${centre.address}/ocsp`,
        PKI_CRL_URLS: `${centre.address}/root.crl`,
        PKI_TSP_URL: `${centre.address}/tsp`,
        PKI_PRIVATE_HOSTS: new URL(centre.address).host,
        // No mail server listens here, so e-mails stay queued.
        SMTP_URL: 'smtp://127.0.0.1:9',
        OIDC_ISSUER: 'http://localhost:9',
        OIDC_CLIENT_ID: 'kelisim',
        OIDC_CLIENT_SECRET: 'secret',
        CALLS_PER_MINUTE: '1000000',
        LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
        TEST_CLOCK_OFFSET: String(clockOffset),
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      },
    },
  )
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (words: Buffer) => {
      said = `${said}${words.toString()}`.slice(-2000)
      if (said.includes('is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`main.ts ended with ${code} before it was ready: ${said}`)))
  })
  // If the process is killed before it reads this, writing fails with a broken pipe, which does not matter.
  child.stdin.on('error', () => {}).write('ready')
  return { child, address: `http://127.0.0.1:${port}` }
}

function addressOf({ host, user, database }: NonNullable<MainSettings['connection']>): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

/** Builds the site unless it is built already, because the server does not start without its pages. */
export function needSite(): void {
  if (existsSync(join(root, 'web', 'dist', 'index.html'))) return
  spawnSync(process.execPath, ['scripts/build/build.ts'], { cwd: root, stdio: 'inherit' })
}

export type CentreServices = { address: string; trustRootsDir: string }

/** Serves OCSP for people's certificates and the root's CRL for the centre over HTTP, by the clock of the test. */
export async function startCentre(
  { root: rootCertificate, centre, centreParty, rootParty }: Nation,
  clock: () => Date,
  folder: string,
): Promise<CentreServices> {
  const trustRootsDir = join(folder, 'trusted')
  mkdirSync(trustRootsDir, { recursive: true })
  writeFileSync(join(trustRootsDir, 'root.der'), rootCertificate.der)
  writeFileSync(join(trustRootsDir, 'centre.der'), centre.der)
  const server = createServer((request, response) => {
    void answer(request).then(
      (bytes) => response.writeHead(200, { 'content-type': typeOf(request) }).end(bytes),
      () => response.writeHead(500).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const typeOf = ({ url }: IncomingMessage) =>
    url === '/ocsp' ? 'application/ocsp-response' : 'application/pkix-crl'

  async function answer(request: IncomingMessage): Promise<Uint8Array> {
    const now = clock()
    if (request.url === '/root.crl') {
      const nextUpdate = new Date(now.getTime() + 24 * hour)
      const thisUpdate = new Date(now.getTime() - hour)
      return makeCrl({ issuer: rootParty, thisUpdate, nextUpdate, entries: [], number: 1 })
    }
    if (request.url !== '/ocsp') throw new Error('there is no such service')
    const { questions, nonce } = readOcspRequest(await buffer(request))
    return answerOcsp({
      responder: centreParty,
      producedAt: now,
      nonce,
      answers: questions.map(({ der }) => ({ question: der, status: 'good' as const, thisUpdate: now })),
    })
  }

  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, trustRootsDir }
}
