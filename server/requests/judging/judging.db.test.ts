/** Signatures are judged once, by whichever process is there, and never lost on the way. */
import { describe, expect, test } from 'vitest'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { StorageError, type Storage } from '../../documents/storage/storage.ts'
import { openFileChecks } from '../../documents/check/check.ts'
import { checksIn } from '../../identity/testing-signers.ts'
import type { SignatureChecks } from '../../signatures/check.ts'
import { startJudging, openJudging } from './judging.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'

const second = 1000
const hour = 60 * 60 * second

/** The folder of the tests, which a test can take away. */
const folder = await folderStorage(temporaryFolder())
let isStorageAway = false
const storage: Storage = {
  ...folder,
  async borrow(key) {
    if (isStorageAway) throw new StorageError('away')
    return folder.borrow(key)
  },
}

/** What the process that took a signature in does with it: judges it, unless a test stops it there. */
let inFirstProcess: ((job: Parameters<SignatureChecks['check']>[0]) => Promise<void>) | null = null
const app = await startRequestsApp({ archive: { storage, checks: openFileChecks() } }, async (job, check) => {
  await inFirstProcess?.(job)
  return check(job)
})
const { call, centre, nation, database, time, travel } = app
const { look, signAt } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))

const errors: unknown[] = []
const another = () =>
  openJudging({
    database,
    storage,
    check: checksIn(nation, centre),
    clock: () => time.now,
    onError: (error) => errors.push(error),
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

/** Taken in while the centre could not be reached. */
async function waiting(): Promise<View> {
  const request = await sent()
  centre.answer = undefined
  const { result } = await signed(request)
  expect(result.points[0]!.status).toBe(pointStatuses.Validation)
  return result
}

describe('while the centre cannot be reached', () => {
  test('a signature waits, and is accepted once the centre answers, not before its time', async () => {
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

  test('pauses grow up to an hour, and after a day it is refused with the code; another may follow', async () => {
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

  test('a request that was withdrawn stays withdrawn; what came of the check is written down', async () => {
    const request = await waiting()
    const withdrawn = await call(employee.id, revokeRequest, {
      organizationId: employee.organizationId,
      signingRequestId: request.id,
      comment: 'Не нужно',
    })
    expect(statusOf(withdrawn.result)).toBe('Revoked')
    centre.answer = 'good'
    await later(31 * second)
    await another().judgeDue()
    const { result } = await look(employee, request.id)
    expect(statusOf(result)).toBe('Revoked')
    expect(result.acts).toEqual([])
    expect(result.points[0]!.signatures).toMatchObject([{ state: 'accepted' }])
    expect((await eventsOf(request)).slice(-2)).toEqual(['withdrawn', 'signature-accepted'])
  })
})

test('what a process took in and died over is judged by another; one that only slept changes nothing', async () => {
  const request = await sent()
  const [reached, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  inFirstProcess = async () => {
    reached.resolve()
    await awake.promise
  }
  const answer = signed(request)
  await reached.promise
  inFirstProcess = null

  // As long as it may still be at it, nobody else is.
  await another().judgeDue()
  expect(await eventsOf(request)).not.toContain('signature-accepted')
  await later(91 * second)
  await another().judgeDue()
  expect(statusOf((await look(employee, request.id)).result)).toBe('Completed')

  awake.resolve()
  expect(statusOf((await answer).result)).toBe('Completed')
  expect((await eventsOf(request)).filter((type) => type === 'signature-accepted')).toHaveLength(1)
})

test('of several that look for work at once one judges', async () => {
  const request = await waiting()
  centre.answer = 'good'
  await later(31 * second)
  await Promise.all([another(), another(), another(), another()].map(({ judgeDue }) => judgeDue()))
  expect((await eventsOf(request)).filter((type) => type === 'signature-accepted')).toHaveLength(1)
})

test('with the storage gone for a minute the person is told that it is being checked, and then it is', async () => {
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

test('a document that is gone for good does not hold its point for ever', async () => {
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

test('a process judges by itself, goes on after an error, and finishes the one it is at when it stops', async () => {
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
