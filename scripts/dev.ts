/**
 * `npm run dev`: the demo for development, on http://localhost:3000.
 *
 *   browser ──▶ Vite (PORT): pages and modules from source, replaced in the open page on save
 *                 └─ calls ──▶ main.ts (PORT + 10) under `node --watch`: starts again on save
 *                                └──▶ PostgreSQL and the stand-ins, started once and kept
 *
 * The landing and the help are shown as they were last built: `npm run build` makes them anew.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createServer, type Plugin, type ProxyOptions } from 'vite'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { readBuild } from '../start/site.ts'
import { buildSite } from './build/build.ts'
import { startStandIns } from './start-stand-ins.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'web', 'dist')
const port = Number(process.env['PORT'] ?? 3000)
const publicUrl = `http://localhost:${port}`
const backendUrl = `http://localhost:${port + 10}`
const env: Record<string, string | undefined> = {
  ...process.env,
  MODE: 'demo',
  PORT: String(port + 10),
  PUBLIC_URL: publicUrl,
  DATA_DIR: process.env['DATA_DIR'] ?? join(root, 'data', 'dev'),
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
}

/** The sources of the server; a change of the tests beside them restarts it, too, which does no harm. */
const watched = ['main.ts', 'start', 'server', 'domain', 'signature', 'sign-in', 'texts', 'pdf', 'db', 'demo']

/** Pages with an entry of their own; every other page is the application. */
const ownEntries: readonly [path: RegExp, entry: string][] = [
  [/^\/verify(?=$|\?)/, '/verify.html'],
  [/^\/quick(\/[^?]*)?(?=$|\?)/, '/quick.html'],
]

/** Ready pages and files of the last build, and every call. */
const ofBackend = [
  '^/(api|api-user|connect|health|frame|files|assets)/',
  '^/log/(checkpoint|tile/)',
  '^/(ru|kk|en)?/?(\\?.*)?$',
  '^/(robots\\.txt|sitemap\\.xml|share\\.png)$',
]

if (!existsSync(dist)) buildSite()
process.env['BUILD_ID'] = readBuild(dist)

const database = await startEmbedded(resolve(env['DATA_DIR']!, 'postgres'))
// An open connection keeps the server from stopping PostgreSQL whenever it starts again.
const held = new pg.Client(database.connection)
held.on('error', () => {})
await held.connect()
await startStandIns(env)

const backend = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    ...watched.map((path) => `--watch-path=${path}`),
    '--disable-warning=ExperimentalWarning',
    'scripts/dev-server.ts',
  ],
  { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
)
backend.once('exit', () => void stop(1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop())

const vite = await createServer({
  configFile: join(root, 'web', 'vite.config.ts'),
  plugins: [pageConfigOfBackend(), entriesOfPages()],
  server: { port, strictPort: true, host: 'localhost', proxy: proxied() },
  clearScreen: false,
  logLevel: 'warn',
})
await vite.listen()
await untilReady()
console.log(
  `Ready: ${publicUrl}${pages.incomingRequests} follows every change that is saved. Ctrl+C ends it.`,
)

async function stop(code = 0): Promise<void> {
  backend.removeAllListeners('exit')
  const hasEnded = backend.exitCode !== null || new Promise((done) => backend.once('exit', done))
  backend.kill('SIGTERM')
  await hasEnded
  await held.end()
  await database.stopIfUnused()
  process.exit(code)
}

/** Copies what the server writes into its pages from one of these pages. */
function pageConfigOfBackend(): Plugin {
  return {
    name: 'page-config-of-backend',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        await untilReady()
        const page = await (await fetch(`${backendUrl}/portal`)).text()
        const config = /<script type="application\/json" id="page-config">([^<]*)<\/script>/.exec(page)?.[1]
        return html.replace('__CONFIG__', () => config ?? '{}').replaceAll('__NONCE__', '')
      },
    },
  }
}

function entriesOfPages(): Plugin {
  return {
    name: 'entries-of-pages',
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        const found = ownEntries.find(([path]) => path.test(request.url ?? ''))
        if (found) request.url = found[1]
        next()
      })
    },
  }
}

function proxied(): Record<string, ProxyOptions> {
  // Some folders with sources of pages have the same names as calls.
  const bypass: ProxyOptions['bypass'] = ({ url }) => (/\.(tsx?|css)(\?|$)/.test(url ?? '') ? url : undefined)
  return Object.fromEntries(ofBackend.map((path) => [path, { target: backendUrl, bypass }]))
}

async function untilReady(): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${backendUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await pause(50)
  }
}
