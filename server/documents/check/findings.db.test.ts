/** The same bytes are checked once, whoever sends them and whatever was found. */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { startTestApp } from '../../testing.ts'
import { PoolError } from '../../workers/pool.ts'
import { refuseIfBusy } from '../../workers/busy.ts'
import { goodPdf } from '../testing-corpus.ts'
import { uploader } from '../testing-uploads.ts'
import { folderStorage } from '../storage/folder.ts'
import type { FileChecks } from './check.ts'
import type { CheckResult } from './check-job.ts'
import { openFindings } from './findings.ts'
import { sweepFindings } from './queries.ts'

const { database } = await testDatabase()
const time = { now: new Date('2026-11-15T06:00:00Z') }
const findings = openFindings(database, () => time.now)
const among = ['bad', 'too-much'] as const

let number = 0
/** A file that was not checked before. */
function someFile(version = 1) {
  const sha256 = createHash('sha256').update(String(number++)).digest()
  return { sha256, kind: 'check pdf', version, among }
}

function lookOut(found: 'bad' | 'too-much' | null) {
  const looks = { count: 0 }
  return { looks, look: async () => (looks.count++, found) }
}

test.each(['bad', null] as const)('the result of a check (%s) is kept for 90 days', async (found) => {
  const file = someFile()
  const { look, looks } = lookOut(found)
  expect([await findings(file, look), await findings(file, look)]).toEqual([found, found])
  expect(looks.count).toBe(1)
  time.now = new Date(time.now.getTime() + 90 * day)
  await findings(file, look)
  expect(looks.count).toBe(2)
})

test('the result that a file takes too much is kept for a day', async () => {
  const file = someFile()
  const { look, looks } = lookOut('too-much')
  await findings(file, look)
  time.now = new Date(time.now.getTime() + day - 1)
  expect(await findings(file, look)).toBe('too-much')
  expect(looks.count).toBe(1)
  time.now = new Date(time.now.getTime() + 1)
  await findings(file, look)
  expect(looks.count).toBe(2)
})

test('another version of the code checks again, and so does another kind of check', async () => {
  const file = someFile()
  const { look, looks } = lookOut(null)
  await findings(file, look)
  await findings({ ...file, version: 2 }, look)
  await findings({ ...file, kind: 'print' }, look)
  expect(looks.count).toBe(3)
})

test('simultaneous calls check a file once, and a call refused by the queue does not decide for the others', async () => {
  const file = someFile()
  const { look, looks } = lookOut('bad')
  const refused = findings(file, async () => refuse('files-queue-full', { seconds: 1 }))
  const all = [refused.catch(() => 'no turn'), findings(file, look), findings(file, look)]
  expect(await Promise.all(all)).toEqual(['no turn', 'bad', 'bad'])
  expect(looks.count).toBeLessThanOrEqual(2)
})

test('the sweep removes expired results', async () => {
  const file = someFile()
  await findings(file, lookOut('too-much').look)
  const count = () =>
    database.db.selectFrom('fileFindings').select('kind').where('sha256', '=', file.sha256).execute()
  await database.write((tx) => sweepFindings(tx, time.now))
  expect(await count()).toHaveLength(1)
  await database.write((tx) => sweepFindings(tx, new Date(time.now.getTime() + day)))
  expect(await count()).toHaveLength(0)
})

async function appWith(faultOf: FileChecks['faultOf']) {
  const storage = await folderStorage(mkdtempSync(join(tmpdir(), 'kelisim-files-')))
  const checks: FileChecks = { faultOf, refuseIfBusy: () => {}, close: async () => {} }
  const context = await startTestApp({ archive: { storage, checks } })
  const upload = uploader(context)
  return async () => {
    const owner = await context.make.person()
    return upload(owner, await context.make.organization(owner), { bytes: goodPdf })
  }
}

test('a zip bomb is opened once, whichever organisation sends it', async () => {
  let opened = 0
  const uploadBySomebody = await appWith(async (): Promise<CheckResult> => (opened++, 'bomb'))
  for (const _ of ['one', 'other']) {
    const { error } = await uploadBySomebody()
    expect(error.ExceptionData.Alias).toBe('file-unpacks-too-large')
  }
  expect(opened).toBe(1)
})

test.each([
  ['queue-timeout', 503, 'files-queue-full'],
  ['full', 503, 'files-queue-full'],
  ['own-queue-full', 429, 'own-files-queue-full'],
] as const)(
  'a worker queue that fails with %s answers %i with the time to try again',
  async (reason, status, alias) => {
    const uploadBySomebody = await appWith(async () => {
      refuseIfBusy(new PoolError(reason))
      return null
    })
    const response = await uploadBySomebody()
    expect([response.status, response.error.ExceptionData.Alias]).toEqual([status, alias])
    expect(response.headers['retry-after']).toBe('15')
    expect(response.error.Message).toContain('15')
  },
)

test('a check that failed because of a full disk is repeated', async () => {
  let isFull = true
  const uploadBySomebody = await appWith(async () => {
    if (isFull) refuseIfBusy(new PoolError('out-of-space'))
    return null
  })
  const response = await uploadBySomebody()
  expect([response.status, response.error.ExceptionData.Alias]).toEqual([503, 'service-unavailable'])
  isFull = false
  expect((await uploadBySomebody()).status).toBe(200)
})
