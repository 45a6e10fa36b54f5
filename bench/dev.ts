/**
 * `npm run dev`. `devReady`: from the command on existing data to the line that says ready. `devReload`: from saving a
 * changed component to the change on the screen, in a page that keeps what was typed into it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from './parts/browser.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { root, temporaryData } from './parts/product.ts'

const port = 3280
const address = `http://localhost:${port}`
const readyLimitMs = 10_000
const reloadLimitMs = 1000

export async function devReady(): Promise<Measure> {
  return withDataOf(async (dataDir) => {
    await (await startDev(dataDir)).stop()
    const second = await startDev(dataDir)
    await second.stop()
    return limited('devReady', second.readyInMs, readyLimitMs)
  })
}

export async function devReload(): Promise<Measure> {
  return withDataOf(async (dataDir) => {
    const dev = await startDev(dataDir)
    try {
      return limited('devReload', await reloadMs(), reloadLimitMs)
    } finally {
      await dev.stop()
    }
  })
}

/** The best of several: at the first change Vite also reads the file for the first time. */
async function reloadMs(): Promise<number> {
  const file = join(root, 'web', 'ui', 'look', 'demo-ribbon.tsx')
  const source = readFileSync(file, 'utf8')
  const element = '<section '
  if (!source.includes(element)) throw new Error(`${file} has no ${element}to mark`)
  const browser = await launchBrowser()
  try {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await page.goto(`${address}/signingRequests/incomings`)
    await page.getByRole('button', { name: 'Айгерім Серікова' }).click()
    await page.waitForURL(/organizationId=/)
    await page.goto(`${address}/points/add`)
    const field = page.getByRole('main').getByRole('textbox').first()
    await field.fill('typed before the change')
    const times: number[] = []
    for (let i = 1; i <= 3; i++) {
      const mark = `changed-${i}`
      const began = performance.now()
      writeFileSync(file, source.replace(element, `${element}data-mark="${mark}" `))
      await page.locator(`[data-mark="${mark}"]`).waitFor({ timeout: 20_000 })
      times.push(performance.now() - began)
    }
    if ((await field.inputValue()) !== 'typed before the change') throw new Error('the page lost its state')
    return Math.min(...times)
  } finally {
    writeFileSync(file, source)
    await browser.close()
  }
}

async function startDev(dataDir: string): Promise<{ readyInMs: number; stop: () => Promise<void> }> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/dev.ts'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await readyLine(child)
  const readyInMs = performance.now() - began
  return {
    readyInMs,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function readyLine(child: ChildProcess): Promise<void> {
  for await (const chunk of child.stdout!) {
    if (!String(chunk).includes('Ready')) continue
    child.stdout!.resume()
    return
  }
  throw new Error('the workbench did not start')
}

async function withDataOf(measure: (dataDir: string) => Promise<Measure>): Promise<Measure> {
  const dataDir = temporaryData()
  try {
    return await measure(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function limited(name: string, ms: number, limit: number): Measure {
  return {
    name,
    value: Math.round(ms),
    anchor: limit,
    ratio: rounded(ms / limit),
    goal: `<= ${limit} ms`,
    ok: ms <= limit,
  }
}
