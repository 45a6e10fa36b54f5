/** Deadlines of points and the last day of a request, with real locks. */
import { describe, expect, test } from 'vitest'
import { getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf } from '../core/testing-requests.ts'
import { lockedRequest } from '../core/state.ts'
import { watchDeadlines } from './deadlines.ts'

const testApp = await startRequestsApp()
const { call, database, time } = testApp
const sender = await testApp.company()
const { organizationId, employee, owner } = sender
const { act, signAt } = actingIn(testApp)
const approval = await sender.point('InternalApprove', { name: 'Согласование' })
const member = { id: employee, organizationId }

const at = (moment: string) => (time.now = new Date(moment))
const watch = () => watchDeadlines({ database, clock: () => time.now })
const monday = '2026-11-16T05:00:00Z'

async function routeWithTerm(termDays: number | null) {
  const points = [{ pointId: approval, order: 1, termDays }]
  const form = { name: `Маршрут ${Math.random()}`, description: '', visibilityScope: 2 as const, points }
  return (await call(owner, routeCalls.add, { organizationId, ...form })).result
}
const inTwoDays = await routeWithTerm(2)
const withoutTerm = await routeWithTerm(null)
const signed = await sender.route(await sender.point('CompanyInternalSign'))

const look = async (signingRequestId: string) =>
  (await call(employee, getRequest, { organizationId, signingRequestId })).result

async function eventsOf(signingRequestId: string): Promise<string[]> {
  const page = { signingRequestId, skip: 0, take: 50 }
  const { items } = (await call(employee, getRequestHistory, { organizationId, ...page })).result
  return items.map(({ type }) => type).toReversed()
}

async function noticesOf(requestId: string) {
  return database.db
    .selectFrom('untoldEvents')
    .select('firstNumber')
    .where('requestId', '=', requestId)
    .execute()
}

describe('the term of a point', () => {
  test('is saved with the route, kept by a save without it and removed by null', async () => {
    const route = await routeWithTerm(5)
    expect(route.points[0]!.termDays).toBe(5)
    const save = async (termDays: number | null | undefined, currentVersion: number) => {
      const points = [{ pointId: approval, order: 1, ...(termDays !== undefined && { termDays }) }]
      const { id, name } = route
      const form = { id, name, description: '', visibilityScope: 2 as const, points, currentVersion }
      return (await call(owner, routeCalls.save, { organizationId, ...form })).result
    }
    expect((await save(undefined, 1)).points[0]!.termDays).toBe(5)
    expect((await save(null, 2)).points[0]!.termDays).toBeNull()
    const asked = { organizationId, routeId: route.id, since: 2 }
    expect((await call(owner, routeCalls.changes, asked)).result.points).toMatchObject([
      { change: 'term', before: 5, after: null },
    ])
  })

  test('counts working days from the day of the turn', async () => {
    at('2026-11-20T16:00:00Z') // a Friday evening
    const request = (await sender.send(inTwoDays.id)).result
    expect(request.points[0]!.dueOn).toBe('2026-11-24')
    const anyTime = (await sender.send(withoutTerm.id)).result
    expect(anyTime.points[0]!.dueOn).toBeNull()
  })

  test('is announced the day before and when it is over, each once, also by several processes', async () => {
    at(monday)
    const { id } = (await sender.send(inTwoDays.id)).result
    await watch()
    expect(await eventsOf(id)).not.toContain('due-soon')
    at('2026-11-17T05:00:00Z')
    await Promise.all([watch(), watch(), watch()])
    expect((await eventsOf(id)).filter((type) => type === 'due-soon')).toHaveLength(1)
    at('2026-11-18T18:59:00Z') // still the last day in Almaty
    await watch()
    expect(await eventsOf(id)).not.toContain('overdue')
    at('2026-11-18T19:01:00Z')
    await Promise.all([watch(), watch()])
    await watch()
    expect((await eventsOf(id)).filter((type) => type === 'overdue')).toHaveLength(1)
    // Notifications of the start, the reminder and the end of the term are pending.
    expect(await noticesOf(id)).toHaveLength(3)
    expect(statusOf(await look(id))).toBe('InProgress')
  })

  test('is not announced for a point that was answered in time', async () => {
    at(monday)
    const request = (await sender.send(inTwoDays.id)).result
    await act(member, request, 'InternalApprove', 'approve')
    at('2026-11-20T05:00:00Z')
    await watch()
    expect(await eventsOf(request.id)).not.toContain('overdue')
  })
})

describe('an overdue request', () => {
  const listed = async (route: 'incomings' | 'outgoings', isOverdue?: 'true') => {
    const page = { organizationId, route, skip: 0, take: 100, ...(isOverdue && { isOverdue }) }
    return (await call(employee, getRequests, page)).result.items
  }
  const idsOf = (lines: { id: string }[]) => lines.map(({ id }) => id)

  test('is found in both lists from the day after, until it is answered', async () => {
    at(monday)
    const request = (await sender.send(inTwoDays.id)).result
    const { id } = request
    const anyTime = (await sender.send(withoutTerm.id)).result
    const dueOn = (lines: Awaited<ReturnType<typeof listed>>, of: string) =>
      lines.find((line) => line.id === of)!.dueOn
    expect(dueOn(await listed('incomings'), id)).toBe('2026-11-18')
    expect(dueOn(await listed('outgoings'), anyTime.id)).toBeNull()
    at('2026-11-18T18:59:00Z') // still the last day in Almaty
    expect(idsOf(await listed('incomings', 'true'))).not.toContain(id)
    at('2026-11-18T19:01:00Z')
    for (const route of ['incomings', 'outgoings'] as const) {
      const found = idsOf(await listed(route, 'true'))
      expect(found).toContain(id)
      expect(found).not.toContain(anyTime.id)
    }
    await act(member, request, 'InternalApprove', 'approve')
    expect(idsOf(await listed('incomings', 'true'))).not.toContain(id)
    expect(idsOf(await listed('outgoings', 'true'))).not.toContain(id)
    expect(dueOn(await listed('outgoings'), id)).toBeNull()
  })

  test('is not found after a withdrawal', async () => {
    at(monday)
    const { id } = (await sender.send(inTwoDays.id, { expiresOn: '2026-11-16' })).result
    at('2026-11-19T05:00:00Z')
    await watch()
    expect(idsOf(await listed('outgoings', 'true'))).not.toContain(id)
  })
})

describe('the last day of a request', () => {
  const expiring = async () => {
    at(monday)
    return (await sender.send(inTwoDays.id, { expiresOn: '2026-11-16' })).result
  }

  test('must not have passed when it is sent', async () => {
    at(monday)
    expect(aliasOf(await sender.send(inTwoDays.id, { expiresOn: '2026-11-15' }))).toBe('expiry-date-past')
  })

  test('ends the request by itself, with the reason', async () => {
    const { id, expiresOn } = await expiring()
    expect(expiresOn).toBe('2026-11-16')
    at('2026-11-16T18:59:00Z')
    await watch()
    expect(statusOf(await look(id))).toBe('InProgress')
    at('2026-11-16T19:01:00Z')
    await Promise.all([watch(), watch()])
    const view = await look(id)
    expect(statusOf(view)).toBe('Revoked')
    expect(view).toMatchObject({ withdrawal: null, expiredAt: time.now.toISOString(), acts: [] })
    expect((await eventsOf(id)).filter((type) => type === 'expired')).toHaveLength(1)
  })

  test('waits for a signature that came in time and is still being checked', async () => {
    at(monday)
    const request = (await sender.send(signed, { expiresOn: '2026-11-16' })).result
    testApp.centre.answer = undefined
    await signAt(member, request, 'CompanyInternalSign', sender.stamp)
    at('2026-11-17T05:00:00Z')
    await watch()
    expect(await eventsOf(request.id)).not.toContain('expired')
    expect(statusOf(await look(request.id))).toBe('InProgress')
  })

  test('at the same moment as an answer either comes after it, or the answer is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const request = await expiring()
      at('2026-11-17T05:00:00Z')
      const [answer] = await Promise.all([act(member, request, 'InternalApprove', 'approve'), watch()])
      const events = await eventsOf(request.id)
      const status = statusOf(await look(request.id))
      if (answer.status === 200) {
        expect(status).toBe('Completed')
        expect(events).not.toContain('expired')
      } else {
        expect(aliasOf(answer)).toBe('wrong-request-status')
        expect(status).toBe('Revoked')
        expect(events).not.toContain('approved')
      }
    }
  })

  test('waits for a transaction that holds the request; then it is either answered or expired', async () => {
    const request = await expiring()
    at('2026-11-17T05:00:00Z')
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const holding = database.write(async (tx) => {
      await lockedRequest(tx, request.id)
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const answering = act(member, request, 'InternalApprove', 'approve')
    const watching = watch()
    held.resolve()
    await Promise.all([holding, answering, watching])
    expect(['Completed', 'Revoked']).toContain(statusOf(await look(request.id)))
    const events = await eventsOf(request.id)
    expect(events.includes('approved')).not.toBe(events.includes('expired'))
  })
})
