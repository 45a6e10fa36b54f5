import { chmodSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from '@kelisim/tools/machine.ts'

/** E2E_PORT chooses another port when this one is taken. */
const port = Number(process.env['E2E_PORT'] ?? 3257)
/** Every worker reads this file, but only the first reading makes the folder. */
const dataDir = (process.env['E2E_DATA_DIR'] ??= openFolder())

/** Makes a folder that is open to the user as whom root runs the embedded database. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelisim-e2e-'))
  chmodSync(folder, 0o755)
  return folder
}

const browser = findBrowser() ?? '/usr/bin/chromium'

/** The journeys that use the window of the signing program: they take turns, because a computer has only one. */
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
  // `npm test` names the journeys that needed a retry at its end.
  retries: 1,
  // Timeouts only end journeys that hang: on a busy machine a slow journey is not a failed one.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'ru-RU',
    timezoneId: 'Asia/Almaty',
    viewport: { width: 1440, height: 900 },
    // Tracing every step makes each journey a third longer; to look for a fault, use --trace on.
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
        // A new tab that moves to its own process while the driver attaches to it is sometimes never reported as
        // loaded.
        '--renderer-process-limit=1',
      ],
    },
  },
  // With E2E_RUNNING=1 a running cluster serves the port already.
  ...(process.env['E2E_RUNNING'] !== '1' && {
    webServer: {
      command: 'node scripts/test/start-for-tests.ts',
      cwd: join(import.meta.dirname, '..'),
      url: `http://localhost:${port}/health/ready`,
      env: { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', MODE: 'demo' },
      // Warnings of the product are shown beside the journeys in which they happened.
      stdout: 'pipe',
      gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
      timeout: 120_000,
    },
  }),
})
