import { chmodSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from '@kelisim/tools/machine.ts'

/** Another one where somebody else is on this one. */
const port = Number(process.env['E2E_PORT'] ?? 3257)
/** The config is read by every worker; only the first reading makes the folder. */
const dataDir = (process.env['E2E_DATA_DIR'] ??= openFolder())

/** Open to the user as whom root runs the embedded database. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-e2e-'))
  chmodSync(folder, 0o755)
  return folder
}

const browser = findBrowser() ?? '/usr/bin/chromium'

/** Those at the window of the signing program, of which a computer has one: people take turns. */
const atTheWindow = readdirSync(import.meta.dirname).filter(
  (name) =>
    name.endsWith('.e2e.ts') &&
    /signAtTheWindow|signOnPage/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
)

/** Journeys in a real browser against the whole product in demo mode, on data of its own. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  projects: [
    { name: 'signing', testMatch: atTheWindow, workers: 1, fullyParallel: false },
    { name: 'journeys', testIgnore: atTheWindow },
  ],
  // The same for everybody; a journey that needed it is named at the end of `npm test`.
  retries: 1,
  // There to end what hangs: a busy machine is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'ru-RU',
    timezoneId: 'Asia/Almaty',
    viewport: { width: 1440, height: 900 },
    // Tracing every step makes each journey a third longer; who looks for a fault asks for it by --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        '--disable-sync',
        // A new tab that moves to a process of its own while the driver attaches to it is at times never known to be loaded.
        '--renderer-process-limit=1',
      ],
    },
  },
  // Where a cluster is already there, its people's door is on the port.
  ...(process.env['E2E_RUNNING'] !== '1' && {
    webServer: {
      command: 'node scripts/test/start-for-tests.ts',
      cwd: join(import.meta.dirname, '..'),
      url: `http://localhost:${port}/health/ready`,
      env: { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', MODE: 'demo' },
      // What the product warns of is shown with the journeys that they happened in.
      stdout: 'pipe',
      gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
      timeout: 120_000,
    },
  }),
})
