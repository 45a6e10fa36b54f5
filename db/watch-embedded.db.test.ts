/** The embedded database dies under the process that uses it. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { killPostgres } from './testing-kill.ts'
import { stopDatabaseAfterUs } from './testing-after-us.ts'
import { watchEmbedded } from './watch-embedded.ts'

const folder = temporaryFolder()
const data = join(folder, 'postgres')
const callOff = stopDatabaseAfterUs(data, folder)
const server = await startEmbedded(data)
const said: string[] = []
const watch = watchEmbedded(
  data,
  server,
  {
    onDeath: () => void said.push('died'),
    onFailure: () => void said.push('failed'),
    onReturn: () => void said.push('back'),
  },
  500,
)

afterAll(async () => {
  await watch.stop()
  server.stop()
  rmSync(folder, { recursive: true, force: true })
  callOff()
})

const patient = { timeout: 50_000, interval: 20 }
const postmaster = () => readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]!

async function answers(): Promise<boolean> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

test('an embedded database killed with all its processes is restarted', async () => {
  await expect.poll(isWatched, patient).toBe(true)
  const before = postmaster()
  killPostgres(data)
  await expect.poll(() => said, patient).toEqual(['died', 'back'])
  expect(await answers()).toBe(true)
  expect(postmaster()).not.toBe(before)
  expect(watch.recovery()).toBeNull()
})

test('a failing restart is repeated and reported, and no new database is created in its place', async () => {
  said.length = 0
  const aside = join(folder, 'aside')
  killPostgres(data)
  renameSync(data, aside)
  await expect.poll(() => watch.recovery()?.attempts ?? 0, patient).toBeGreaterThan(1)
  expect(existsSync(join(data, 'PG_VERSION'))).toBe(false)
  expect(said.slice(0, 2)).toEqual(['died', 'failed'])
  rmSync(data, { recursive: true, force: true })
  renameSync(aside, data)
  await expect.poll(() => watch.recovery(), patient).toBeNull()
  expect(said.at(-1)).toBe('back')
  expect(await answers()).toBe(true)
})

test('after the end of the watch a stopped embedded database is not restarted', async () => {
  await watch.stop()
  server.stop()
  expect(readdirSync(data)).not.toContain('postmaster.pid')
  expect(await answers()).toBe(false)
})

/** Whether the watch has connected, so that the test kills the server only afterwards. */
async function isWatched(): Promise<boolean> {
  const client = new pg.Client(server.connection)
  await client.connect()
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity where application_name = 'kelisim-watch'`,
  )
  await client.end()
  return rowCount === 1
}
