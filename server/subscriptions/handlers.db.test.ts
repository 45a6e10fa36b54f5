import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { getMonthlyReport, getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { startTestApp } from '../testing.ts'
import { addFree } from './queries.ts'

const { call, make, database, time, travel } = await startTestApp()

async function organizationWith(options: {
  bought?: ['standard' | 'classic' | 'premium', string, string, number | null][]
  created?: [string, number][]
}) {
  const boss = await make.person()
  const organizationId = await make.organization(boss)
  await database.write(async (tx) => {
    for (const [nameKey, startDate, endDate, maxSigningRequests] of options.bought ?? []) {
      const row = { id: newId(), organizationId, nameKey, startDate, endDate, maxSigningRequests }
      await tx
        .insertInto('subscriptions')
        .values({ ...row, createdAt: time.now })
        .execute()
    }
    for (const [month, created] of options.created ?? []) {
      await tx.insertInto('signingRequestCounts').values({ organizationId, month, created }).execute()
      await addFree(tx, { type: 'person', userId: boss }, created)
    }
  })
  const subscriptions = async (now: string) => {
    await travel(new Date(now))
    return (await call(boss, getSubscriptions, { organizationId })).result
  }
  return { boss, organizationId, subscriptions }
}

test('without a purchase the free tier counts all requests ever sent', async () => {
  const { subscriptions } = await organizationWith({
    created: [
      ['2026-03-01', 3],
      ['2026-11-01', 4],
    ],
  })
  expect(await subscriptions('2026-11-15T06:00:00Z')).toEqual({
    activeSubscription: {
      nameKey: 'start',
      endDate: null,
      createdSigningRequestCount: 7,
      maxSigningRequestCount: 10,
      countedFor: 'person',
    },
    pendingSubscriptions: [],
  })
})

test('a paid subscription counts the current month, premium has no maximum, and later ones are pending', async () => {
  const { subscriptions } = await organizationWith({
    bought: [
      ['standard', '2026-10-01', '2026-12-31', 50],
      ['premium', '2027-01-01', '2027-12-31', null],
    ],
    created: [
      ['2026-10-01', 30],
      ['2026-11-01', 4],
    ],
  })
  expect(await subscriptions('2026-11-15T06:00:00Z')).toEqual({
    activeSubscription: {
      nameKey: 'standard',
      endDate: '2026-12-31',
      createdSigningRequestCount: 4,
      maxSigningRequestCount: 50,
      countedFor: 'organization',
    },
    pendingSubscriptions: [{ nameKey: 'premium', startDate: '2027-01-01', maxSigningRequestCount: null }],
  })
})

test('days and months begin at midnight in Almaty (UTC+5)', async () => {
  const { boss, organizationId, subscriptions } = await organizationWith({
    bought: [['classic', '2026-11-01', '2026-11-30', 5]],
    created: [
      ['2026-10-01', 1],
      ['2026-11-01', 2],
    ],
  })
  const activeAt = async (now: string) => (await subscriptions(now)).activeSubscription.nameKey
  const createdAt = async () => (await call(boss, getMonthlyReport, { organizationId })).result
  expect(await activeAt('2026-10-31T18:59:59Z')).toBe('start')
  expect(await createdAt()).toEqual({ createdSigningRequestsCount: 1 })
  expect(await activeAt('2026-10-31T19:00:00Z')).toBe('classic')
  expect(await createdAt()).toEqual({ createdSigningRequestsCount: 2 })
  expect(await activeAt('2026-11-30T18:59:59Z')).toBe('classic')
  expect(await activeAt('2026-11-30T19:00:00Z')).toBe('start')
})

test('of two overlapping subscriptions the later one is active', async () => {
  const { subscriptions } = await organizationWith({
    bought: [
      ['premium', '2026-11-10', '2026-11-20', null],
      ['standard', '2026-11-01', '2026-12-31', 50],
    ],
  })
  const { activeSubscription } = await subscriptions('2026-11-15T06:00:00Z')
  expect(activeSubscription).toMatchObject({ nameKey: 'premium', maxSigningRequestCount: null })
})

test('a month without requests has a count of zero', async () => {
  const { boss, organizationId } = await organizationWith({})
  const { result } = await call(boss, getMonthlyReport, { organizationId })
  expect(result).toEqual({ createdSigningRequestsCount: 0 })
})
