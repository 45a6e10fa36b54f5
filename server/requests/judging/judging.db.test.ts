/** Each signature is judged once, by any process, and none is lost. */
import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { keyOf, StorageError, type Storage } from '../../documents/storage/storage.ts'
import { testWorkers } from '../../testing-workers.ts'
import { checksIn } from '../../identity/testing-signers.ts'
import type { CheckJob } from '../../signatures/check-job.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { startJudging, openJudging } from './judging.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'

const second = 1000
const hour = 60 * 60 * second

/** The storage of the tests, which a test can make unavailable. */
const folder = await folderStorage(temporaryFolder())
let isStorageAway = false
const storage: Storage = {
  ...folder,
  async borrow(key) {
    if (isStorageAway) throw new StorageError('away')
    return folder.borrow(key)
  },
}

/** Lets a test stop the process that received a signature before this process judges it. */
let inFirstProcess: ((job: Parameters<SignatureChecks['check']>[0]) => Promise<void>) | null = null
const claimants: unknown[] = []
const app = await startRequestsApp(
  { archive: { storage, checks: testWorkers.checks } },
  async (job, check, claimant) => {
    claimants.push(claimant)
    await inFirstProcess?.(job)
    return check(job)
  },
)
const { call, centre, nation, database, time, travel } = app
const { look, signAt } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))

const errors: unknown[] = []
const postponed: unknown[] = []
const another = () =>
  openJudging({
    database,
    storage,
    check: checksIn(nation, centre),
    clock: () => time.now,
    onError: (error) => errors.push(error),
    onPostponed: (one) => postponed.push(one),
  })

const later = (milliseconds: number) => travel(new Date(time.now.getTime() + milliseconds))
const signed = (sent: View) => signAt(employee, sent, 'CompanyInternalSign', company.stamp)
const eventsOf = async ({ id }: View) => {
  const rows = await database.db
    .selectFrom('requestEvents')
    .select('type')
    .where('requestId', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(({ type }) => type)
}

async function sent(): Promise<View> {
  centre.answer = 'good'
  return (await company.send(route)).result
}

/** A request whose signature was received while the centre could not be reached. */
async function waiting(): Promise<View> {
  const request = await sent()
  centre.answer = undefined
  const { result } = await signed(request)
  expect(result.points[0]!.status).toBe(pointStatuses.Validation)
  return result
}

describe('the digests of a document', () => {
  const jobs: CheckJob[] = []
  const watched = async (act: () => Promise<unknown>) => {
    jobs.length = 0
    inFirstProcess = async (job) => void jobs.push(job)
    try {
      await act()
    } finally {
      inFirstProcess = null
    }
    return jobs.map(({ document }) =>
      document !== null && 'path' in document ? document.digests!.map(({ algorithm }) => algorithm) : [],
    )
  }
  const keptDigests = () => database.db.selectFrom('fileDigests').selectAll().execute()

  test('are stored with the first signature, and used for the next one over the same bytes', async () => {
    const [one, other] = [await sent(), await sent()]
    expect(await watched(() => signed(one))).toEqual([['sha-256']])
    expect(await keptDigests()).toMatchObject([{ algorithm: 'streebog-512' }])
    expect(await watched(() => signed(other))).toEqual([['sha-256', 'streebog-512']])
    expect(statusOf((await look(employee, other.id)).result)).toBe('Completed')
  })

  test('are not used for bytes changed in the storage: the signature waits until they are restored', async () => {
    const request = await sent()
    const { fileId, organizationId } = await database.db
      .selectFrom('signingRequests')
      .select(['fileId', 'organizationId'])
      .where('id', '=', request.id)
      .executeTakeFirstOrThrow()
    const borrowed = (await folder.borrow(keyOf(organizationId, fileId)))!
    const bytes = readFileSync(borrowed.path)
    writeFileSync(borrowed.path, Buffer.from(bytes.toString('latin1').replace('PDF', 'PDX'), 'latin1'))
    expect(await watched(() => signed(request))).toEqual([])
    expect(statusOf((await look(employee, request.id)).result)).toBe('InProgress')
    writeFileSync(borrowed.path, bytes)
    await borrowed.release()
    await later(31 * second)
    await another().judgeDue()
    expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')
  })

  test('make the signature refused if they were changed in the database', async () => {
    const request = await sent()
    await database.write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update file_digests set digest = ${Buffer.alloc(64, 7)}`.execute(tx)
    })
    await signed(request)
    expect(statusOf((await look(employee, request.id)).result)).toBe('ValidationFail')
    await database.write((tx) => tx.deleteFrom('fileDigests').execute())
  })
})

describe('while the centre cannot be reached', () => {
  test('a signature waits for its next try, and is accepted when the centre responds', async () => {
    const request = await waiting()
    centre.answer = 'good'
    await another().judgeDue()
    expect(statusOf((await look(employee, request.id)).result)).toBe('InProgress')
    await later(31 * second)
    await another().judgeDue()
    const { result } = await look(employee, request.id)
    expect(statusOf(result)).toBe('Completed')
    expect(result.points[0]!.signatures).toMatchObject([{ state: 'accepted' }])
  })

  test('pauses grow to an hour, after a day the signature is refused with a code, and another can follow', async () => {
    const request = await waiting()
    const pauses: number[] = []
    for (let tries = 0; tries < 60; tries++) {
      const { nextTryAt } = await database.db
        .selectFrom('requestSignatures')
        .select('nextTryAt')
        .where('requestId', '=', request.id)
        .executeTakeFirstOrThrow()
      if (nextTryAt === null) break
      pauses.push((nextTryAt.getTime() - time.now.getTime()) / second)
      await travel(nextTryAt)
      await another().judgeDue()
    }
    expect(postponed).toContainEqual({
      requestId: request.id,
      faults: expect.arrayContaining(['ocsp-unreachable']) as unknown,
    })
    expect(pauses.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    const { result } = await look(employee, request.id)
    expect(statusOf(result)).toBe('ValidationFail')
    expect(result.points[0]).toMatchObject({
      status: pointStatuses.ValidationError,
      statusDescriptionData: {
        alias: 'signature-refused',
        parameters: { code: 'DS-510' },
      },
    })
    centre.answer = 'good'
    expect(statusOf((await signed(result)).result)).toBe('Completed')
  })

  test('a CRL from before the receipt decides nothing; the next one does, also after more than a day', async () => {
    const request = await sent()
    let published = new Date(time.now.getTime() - hour)
    centre.list = () => nation.crl([], published, nation.centreParty, 3 * 24 * hour)
    const { result } = await signed(request)
    expect(result.points[0]!.status).toBe(pointStatuses.Validation)
    const { verdict } = await database.db
      .selectFrom('requestSignatures')
      .select('verdict')
      .where('requestId', '=', request.id)
      .executeTakeFirstOrThrow()
    expect(verdict).toMatchObject({ verdict: 'INDETERMINATE', subIndication: 'TRY_LATER', code: 'DS-511' })
    for (let hours = 0; hours < 26; hours++) {
      await later(hour)
      await another().judgeDue()
    }
    expect(statusOf((await look(employee, request.id)).result)).toBe('InProgress')
    published = time.now
    await later(2 * hour)
    await another().judgeDue()
    expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')
    delete centre.list
  })

  test('the author cannot withdraw what somebody has signed until the signature is judged', async () => {
    const request = await waiting()
    const withdraw = () =>
      call(employee.id, revokeRequest, {
        organizationId: employee.organizationId,
        signingRequestId: request.id,
        comment: 'Не нужно',
      })
    expect((await withdraw()).error.ExceptionData.Alias).toBe('signature-being-checked')
    centre.answer = 'good'
    await later(31 * second)
    await another().judgeDue()
    const { result } = await look(employee, request.id)
    expect(result.points[0]!.signatures).toMatchObject([{ state: 'accepted' }])
    expect(await eventsOf(request)).not.toContain('withdrawn')
  })
})

test('a signature is checked in the worker turn of the side that acts', async () => {
  const sent = (await company.send(route)).result
  claimants.length = 0
  await signed(sent)
  expect(claimants).toEqual([{ organization: company.bin, person: company.employee }])
})

test('a signature is judged once by another process if the first one hangs', async () => {
  const request = await sent()
  const [reached, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  inFirstProcess = async () => {
    reached.resolve()
    await awake.promise
  }
  const response = signed(request)
  await reached.promise
  inFirstProcess = null

  // Other processes wait while the first may still be judging.
  await another().judgeDue()
  expect(await eventsOf(request)).not.toContain('signature-accepted')
  await later(91 * second)
  await another().judgeDue()
  expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')

  awake.resolve()
  expect(statusOf((await response).result)).toBe('Completed')
  expect((await eventsOf(request)).filter((type) => type === 'signature-accepted')).toHaveLength(1)
})

test('a signature is judged once by several processes running at once', async () => {
  const request = await waiting()
  centre.answer = 'good'
  await later(31 * second)
  await Promise.all([another(), another(), another(), another()].map(({ judgeDue }) => judgeDue()))
  expect((await eventsOf(request)).filter((type) => type === 'signature-accepted')).toHaveLength(1)
})

test('during a storage outage a signature stays in validation, and it is judged afterwards', async () => {
  const request = await sent()
  isStorageAway = true
  const { status, result } = await signed(request)
  expect(status).toBe(200)
  expect(result.points[0]!.status).toBe(pointStatuses.Validation)
  await later(31 * second)
  await another().judgeDue()
  expect(errors.length).toBeGreaterThan(0)
  isStorageAway = false
  await later(61 * second)
  await another().judgeDue()
  expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')
})

test('a signature is refused if its document cannot be read for a day', async () => {
  const request = await sent()
  isStorageAway = true
  await signed(request)
  for (let tries = 0; tries < 8; tries++) {
    await later(4 * hour)
    await another().judgeDue()
  }
  isStorageAway = false
  expect((await look(employee, request.id)).result.points[0]).toMatchObject({
    status: pointStatuses.ValidationError,
    statusDescriptionData: { parameters: { code: 'DS-904' } },
  })
})

test('background judging continues after an error, and does nothing after it is stopped', async () => {
  const request = await waiting()
  centre.answer = 'good'
  await later(31 * second)
  const { judgeDue } = another()
  let rounds = 0
  const reported: unknown[] = []
  const judged = Promise.withResolvers<void>()
  const judging = startJudging(
    {
      async judgeDue(until) {
        if (++rounds === 1) throw new Error('the database is away')
        await judgeDue(until)
        judged.resolve()
      },
    },
    { everyMs: 1, onError: (error) => reported.push(error) },
  )
  await judged.promise
  expect(await eventsOf(request)).toContain('signature-accepted')
  await judging.stop()
  expect(reported).toHaveLength(1)
  const stoppedAt = rounds
  await another().judgeDue()
  expect(rounds).toBe(stoppedAt)
})
