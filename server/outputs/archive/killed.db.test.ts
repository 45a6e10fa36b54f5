/**
 * The nightly chore of the archive is killed at each of its steps: the next night leaves everything proved once, and
 * nothing half done.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { day } from '@kelisim/domain/durations.ts'
import { examineRecord } from '@kelisim/signature/evidence-records/examine.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { serviceOf } from '@kelisim/signature/testing/records.ts'
import { testWorkers } from '../../testing-workers.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { durableSignatures } from '../core/durable.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { archiveNight } from './archiving.ts'
import { findArchiveState } from './queries.ts'
import { findRecord } from './records.ts'
import { takeFrom } from './services.ts'
import type { KilledNight } from './testing-killed-night.ts'
import { answersOf, timestampChecksIn } from './testing-timestamps.ts'

const { database, connection } = await testDatabase()
const { db } = database
const folder = mkdtempSync(join(tmpdir(), 'kelisim-files-'))
const storage = await folderStorage(folder)
const testApp = await startOutputsApp('gost-kz-512', {
  database,
  archive: { storage, checks: testWorkers.checks },
})
const { nation, time, contract, stampAll } = testApp
const started = time.now.getUTCFullYear()
const service = await serviceOf(nation, started - 1, started + 6)
const answer = answersOf(service, () => time.now)
const server = createServer((request, response) => {
  void buffer(request)
    .then((bytes) => answer(bytes))
    .then((bytes) => response.end(bytes))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

const checkTimestamp = timestampChecksIn(nation)
const trusted = { roots: [nation.root.der], centres: [nation.centre.der] }
const clock = () => time.now
const dependencies = {
  database,
  storage,
  takeTimestamp: takeFrom([{ name: 'parent', ask: answer }], checkTimestamp, clock),
  hasTimestamps: true,
  clock,
}
const hashEnd = () => new Date(Number(time.now) + 100 * day)

async function killedAt(dieAt: number): Promise<boolean> {
  const texts = (all: readonly Uint8Array[]) => all.map((der) => Buffer.from(der).toString('base64'))
  const settings: KilledNight = {
    connection,
    folder,
    now: time.now.toISOString(),
    hashEnd: hashEnd().toISOString(),
    service: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trusted: { roots: texts(trusted.roots), centres: texts(trusted.centres) },
    dieAt,
  }
  const child = fork(new URL('./testing-killed-night.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: [],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal === null) expect(code).toBe(0)
  return signal === 'SIGKILL'
}

/** The hashes of the request's proofs, the oldest first; expects everything about the proofs to be right. */
async function provedBy(requestId: string): Promise<string[][]> {
  const found: string[][] = []
  for (const { id, cms } of await durableSignatures(db, await testApp.load(requestId), 'signing')) {
    const files = [goodPdf, cms].map((bytes, i) => ({ name: `${i}`, pieces: () => [bytes] }))
    const record = await findRecord(db, id)
    const proof = await examineRecord(record!, files, settingIn(nation, { at: time.now }))
    expect(proof.findings).toEqual([])
    found.push(proof.timestamps.map(({ hash }) => hash))
  }
  return found
}

test('an archiving run killed at any step is completed by the next one', { timeout: 180_000 }, async () => {
  let dieAt = 0
  for (let isKilled = true; isKilled;) {
    const old = await contract()
    await stampAll()
    await testApp.travel(new Date(Number(time.now) + day))
    await archiveNight(dependencies)
    const fresh = await contract()
    await stampAll()
    await testApp.travel(new Date(Number(time.now) + day))

    isKilled = await killedAt(++dieAt)
    await archiveNight({ ...dependencies, hashEnds: { 'sha-256': hashEnd() } })
    expect(await findArchiveState(db), `${dieAt}`).toMatchObject({ waiting: 0, unproved: 0 })
    const twice = ['sha-256', 'sha-512']
    expect([await provedBy(old.id), await provedBy(fresh.id)], `${dieAt}`).toEqual([
      [twice, twice],
      [['sha-512'], ['sha-512']],
    ])
  }
  // Storing the new signatures, proving them, and proving the old ones by another hash take eight steps.
  expect(dieAt).toBe(9)
})
