/**
 * The archive: every accepted signature is proved by a nightly timestamp, and proofs are renewed before anything
 * ends.
 */
import { expect, test } from 'vitest'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { examineRecord } from '@kelisim/signature/evidence-records/examine.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation, settingIn } from '@kelisim/signature/testing/nation.ts'
import { serviceOf } from '@kelisim/signature/testing/records.ts'
import { day } from '@kelisim/domain/durations.ts'
import { keyOf } from '../../documents/storage/storage.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { durableSignatures, findKeptSignatures } from '../core/durable.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { archiveNight } from './archiving.ts'
import { archiveHash } from './hashes.ts'
import { findArchiveState } from './queries.ts'
import { findProofLife, findRecord } from './records.ts'
import { takeFrom } from './services.ts'
import { answersOf, timestampChecksIn } from './testing-timestamps.ts'

const testApp = await startOutputsApp()
const { nation, database, archive, time, contract, stampAll } = testApp
const { db } = database
const started = time.now.getUTCFullYear()
const services = [
  await serviceOf(nation, started - 1, started + 2),
  await serviceOf(nation, started + 1, started + 6),
] as const
const checkTimestamp = timestampChecksIn(nation)

const serviceNamed = (name: string, by: CmsSigner) => ({ name, ask: answersOf(by, () => time.now) })
const dependencies = (by: CmsSigner = services[0]) => ({
  database,
  storage: archive.storage,
  takeTimestamp: takeFrom([serviceNamed('a', by)], checkTimestamp, () => time.now),
  clock: () => time.now,
  hasTimestamps: true,
})
const travel = (days: number) => testApp.travel(new Date(Number(time.now) + days * day))

async function provedOf(requestId: string) {
  const signatures = await durableSignatures(db, await testApp.load(requestId), 'signing')
  const found = []
  for (const { id, cms } of signatures) {
    const record = await findRecord(db, id)
    const files = [goodPdf, cms].map((bytes, i) => ({ name: `${i}`, pieces: () => [bytes] }))
    found.push(record && (await examineRecord(record, files, settingIn(nation, { at: time.now }))))
  }
  return found
}

/** The number of timestamps in each archived signature. */
async function timestampsOf(requestId: string): Promise<number[]> {
  return (await findKeptSignatures(db, requestId)).map(({ archivedCms }) => {
    const { unsignedAttributes } = readSignedData(new Uint8Array(archivedCms!)).signers[0]!
    return embeddedEvidence(unsignedAttributes).timestamps.length
  })
}

test('a nightly run puts all new signatures under one timestamp, and the next run adds nothing', async () => {
  const { id } = await contract()
  await stampAll()
  await archiveNight(dependencies())
  expect([await provedOf(id), await findProofLife(db, id)]).toEqual([[null, null], null])
  await travel(1)
  const before = await findArchiveState(db)
  await archiveNight(dependencies())
  const after = await findArchiveState(db)
  expect(after.timestamps).toBe(before.timestamps + 1)
  expect(after).toMatchObject({ unproved: 0, waiting: 0, hash: 'sha-256', service: 'a' })
  for (const proof of await provedOf(id))
    expect(proof).toMatchObject({ findings: [], existedAt: time.now, others: 0 })
  await archiveNight(dependencies())
  expect(await findArchiveState(db)).toEqual(after)
})

test('the archived bytes stay the same when more evidence becomes known', async () => {
  const { id } = await contract()
  await stampAll()
  await travel(1)
  await archiveNight(dependencies())
  const [one] = await findKeptSignatures(db, id)
  const [shown] = await durableSignatures(db, await testApp.load(id), 'signing')
  expect(Buffer.from(shown!.cms)).toEqual(one!.archivedCms)
})

test('a signature waits some days for its own timestamp before it is archived without one', async () => {
  const [late, never] = [await contract(), await contract()]
  const neverStamped = testApp.toStamp.splice(2)
  await travel(1)
  const { archived } = await findArchiveState(db)
  await archiveNight(dependencies())
  expect(await findArchiveState(db)).toMatchObject({ archived, waiting: 4 })

  await stampAll()
  await archiveNight(dependencies())
  expect(await findArchiveState(db)).toMatchObject({ archived: archived + 2, waiting: 2 })
  expect(await timestampsOf(late.id)).toEqual([1, 1])
  for (const proof of await provedOf(late.id)) expect(proof).toMatchObject({ findings: [] })

  await travel(3)
  await archiveNight(dependencies())
  expect(await findArchiveState(db)).toMatchObject({ archived: archived + 4, waiting: 0 })
  expect([neverStamped.length, await timestampsOf(never.id)]).toEqual([2, [0, 0]])
})

test('without a timestamp service no signature waits for its own timestamp', async () => {
  await contract()
  testApp.toStamp.splice(0)
  await travel(1)
  await archiveNight({ ...dependencies(), hasTimestamps: false })
  expect(await findArchiveState(db)).toMatchObject({ waiting: 0, unproved: 0 })
})

test('an unavailable or untrusted service is skipped, and a killed run is completed the next time', async () => {
  const { id } = await contract()
  await stampAll()
  await travel(1)
  const stranger = await foundNation('gost-kz-512', 'Stranger of the archive')
  const away = { name: 'away', ask: () => Promise.reject(new Error('unreachable')) }
  const foreign = serviceNamed('foreign', stranger.clock)
  const clock = () => time.now
  const none = { ...dependencies(), takeTimestamp: takeFrom([away, foreign], checkTimestamp, clock) }
  await expect(archiveNight(none)).rejects.toThrow(/away: unreachable; foreign: timestamp-untrusted/)
  expect(await findArchiveState(db)).toMatchObject({ waiting: 0, unproved: 2 })
  const takeTimestamp = takeFrom([away, foreign, serviceNamed('good', services[0])], checkTimestamp, clock)
  await archiveNight({ ...dependencies(), takeTimestamp })
  expect(await findArchiveState(db)).toMatchObject({ unproved: 0, service: 'good' })
  for (const proof of await provedOf(id)) expect(proof).toMatchObject({ findings: [] })
})

test('a signature that cannot be encoded does not keep others from being archived', async () => {
  const broken = await contract()
  const other = await contract()
  await stampAll()
  await travel(1)
  const change = (cms: Buffer, id: string) =>
    database.pool.query(`update request_signatures set cms = $1, timestamped_cms = null where id = $2`, [
      cms,
      id,
    ])
  const { rows } = await database.pool.query<{ id: string; cms: Buffer }>(
    `select id, cms from request_signatures where request_id = $1 limit 1`,
    [broken.id],
  )
  await database.pool.query('alter table request_signatures disable trigger user')
  await change(Buffer.from('no signature any more'), rows[0]!.id)
  await expect(archiveNight(dependencies())).rejects.toThrow('1 signatures cannot be archived')
  for (const proof of await provedOf(other.id)) expect(proof).toMatchObject({ findings: [] })
  await change(rows[0]!.cms, rows[0]!.id)
  await database.pool.query('alter table request_signatures enable trigger user')
  await archiveNight(dependencies())
})

test('a document that cannot be read does not keep others from being hashed anew', async () => {
  const lost = await contract()
  const other = await contract()
  await stampAll()
  await travel(1)
  await archiveNight(dependencies())
  const { fileId } = await db
    .selectFrom('requestSignatures')
    .select('fileId')
    .where('requestId', '=', lost.id)
    .executeTakeFirstOrThrow()
  const { organizationId } = (await testApp.load(lost.id)).row
  await archive.storage.remove(keyOf(organizationId, fileId))
  const hashEnds = { 'sha-256': new Date(Number(time.now) + 100 * day) }
  const night = archiveNight({ ...dependencies(), hashEnds, batch: 1 })
  await expect(night).rejects.toThrow('2 archived signatures cannot be proved')
  for (const proof of await provedOf(other.id))
    expect(proof).toMatchObject({ findings: [], timestamps: [{ hash: 'sha-256' }, { hash: 'sha-512' }] })

  // A document that was destroyed on purpose is not reported as missing.
  await database.write((tx) =>
    tx.updateTable('files').set({ destroyedAt: time.now }).where('id', '=', fileId).execute(),
  )
  await archiveNight({ ...dependencies(), hashEnds })
})

test('all timestamps are renewed by one before their certificate ends, and hashes before their algorithm ends', async () => {
  const { id } = await contract()
  await stampAll()
  await travel(1)
  await archiveNight(dependencies())
  const first = await findProofLife(db, id)
  const { notAfter } = services[0].certificate
  expect(first).toEqual({ holdsUntil: notAfter, renewedFrom: new Date(Number(notAfter) - 90 * day) })
  await testApp.travel(new Date(Number(first!.holdsUntil) - 30 * day))
  await expect(archiveNight(dependencies(services[0]))).rejects.toThrow('ends too soon')
  const before = await findArchiveState(db)
  const both = [serviceNamed('ending', services[0]), serviceNamed('new', services[1])]
  const takeTimestamp = takeFrom(both, checkTimestamp, () => time.now)
  await archiveNight({ ...dependencies(), takeTimestamp })
  expect(await findArchiveState(db)).toMatchObject({ timestamps: before.timestamps + 1, service: 'new' })
  expect((await findProofLife(db, id))!.holdsUntil).toEqual(services[1].certificate.notAfter)
  await travel(60)
  for (const proof of await provedOf(id))
    expect(proof).toMatchObject({ findings: [], timestamps: { length: 2 } })

  const hashEnds = { 'sha-256': new Date(Number(time.now) + 100 * day) }
  expect(archiveHash(time.now, hashEnds)).toBe('sha-512')
  await archiveNight({ ...dependencies(services[1]), hashEnds, batch: 3 })
  await travel(1)
  const proofs = await provedOf(id)
  expect(proofs).toHaveLength(2)
  for (const proof of proofs) {
    expect(proof).toMatchObject({
      findings: [],
      timestamps: [{ hash: 'sha-256' }, { hash: 'sha-256' }, { hash: 'sha-512' }],
    })
  }
  const settled = await findArchiveState(db)
  await archiveNight({ ...dependencies(services[1]), hashEnds, batch: 3 })
  expect(await findArchiveState(db)).toEqual(settled)
})
