/** The embedded database, when the start of the product fails and when the database is killed. */
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { stopDatabaseAfterUs } from '@kelisim/db/testing-after-us.ts'
import { killPostgres } from '@kelisim/db/testing-kill.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { needSite, startCentre, startMain, type MainSettings } from './testing-main.ts'

const dataDir = temporaryFolder()
const data = join(dataDir, 'postgres')
const postmasterFile = join(data, 'postmaster.pid')
stopDatabaseAfterUs(data, dataDir)
let settings: MainSettings

beforeAll(async () => {
  needSite()
  const centre = await startCentre(await foundNation('gost-kz-512'), () => new Date(), dataDir)
  settings = { dataDir, clockOffset: 0, centre }
}, 120_000)

const postmaster = () => readFileSync(postmasterFile, 'utf8').split('\n')[0]!
const slow = { timeout: 180_000 }
const patient = { timeout: 100_000, interval: 50 }

test('a start that fails leaves no database running', slow, async () => {
  const centre = { ...settings.centre, trustRootsDir: join(dataDir, 'nowhere') }
  await expect(startMain({ ...settings, centre })).rejects.toThrow('ended with 1')
  // The database was created, so the start failed only after it was in use.
  expect(existsSync(join(data, 'PG_VERSION'))).toBe(true)
  expect(existsSync(postmasterFile)).toBe(false)
})

test('an embedded database that is killed is restarted, and stops with the product', slow, async () => {
  const { child, address } = await startMain(settings)
  const statuses = new Set<number>()
  const ready = async () => {
    const response = await fetch(`${address}/health/ready`)
    await response.text()
    statuses.add(response.status)
    return response.status
  }
  expect(await ready()).toBe(200)
  const before = postmaster()
  killPostgres(data)
  await expect.poll(() => existsSync(postmasterFile) && postmaster(), patient).not.toBe(before)
  await expect.poll(ready, patient).toBe(200)
  // Calls during the outage got 503, and the product itself was not restarted.
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
  expect(child.exitCode).toBeNull()

  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  expect(existsSync(postmasterFile)).toBe(false)
})
