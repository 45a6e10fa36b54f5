/** Who is told when a deadline passes, what they see, and whether they may answer for the step. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { rehearse, routeCalls } from '@kelisim/domain/routes/contract.ts'
import type { EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf } from '../core/testing-requests.ts'
import { watchDeadlines } from './deadlines.ts'

const testApp = await startRequestsApp()
const { call, database, time, make } = testApp
const sender = await testApp.company()
const { organizationId, employee, colleague, owner, administrator, routesAdministrator } = sender
const { act, signAt } = actingIn(testApp)
const both = await sender.point('InternalApprove', { name: 'Согласуют оба', agreementCondition: 'all' })
const signing = await sender.point('CompanyInternalSign')
const heads = await sender.group('Руководство', routesAdministrator)

const at = (moment: string) => testApp.travel(new Date(moment))
const watch = () => watchDeadlines({ database, clock: () => time.now })
const monday = '2026-11-16T05:00:00Z'
const overdue = '2026-11-18T05:00:00Z'
const boss = { id: administrator, organizationId }
const member = { id: employee, organizationId }
const toBoss = (mayAct: boolean): EscalationTo => ({ kind: 'person', id: administrator, mayAct })

function saved(pointId: string, escalation: EscalationTo | null, termDays: number | null = 1) {
  const points = [{ pointId, order: 1, termDays, escalation }]
  const form = { name: `Маршрут ${Math.random()}`, description: '', visibilityScope: 2 as const, points }
  return call(owner, routeCalls.add, { organizationId, ...form })
}

async function sentAlong(pointId: string, escalation: EscalationTo) {
  await at(monday)
  return (await sender.send((await saved(pointId, escalation)).result.id)).result
}

const look = (personId: string, signingRequestId: string) =>
  call(personId, getRequest, { organizationId, signingRequestId })
const waitingOf = async (personId: string, where = organizationId) =>
  (await call(personId, countWaiting, { organizationId: where })).result.count
const incoming = async (personId: string, where = organizationId) => {
  const page = { route: 'incomings', skip: 0, take: 100 } as const
  const { items } = (await call(personId, getRequests, { organizationId: where, ...page })).result
  return items.map(({ id }) => id)
}
async function eventsOf(signingRequestId: string) {
  const page = { signingRequestId, skip: 0, take: 50 }
  return (await call(owner, getRequestHistory, { organizationId, ...page })).result.items.toReversed()
}
const escalations = async (id: string) => (await eventsOf(id)).filter(({ type }) => type === 'escalated')

describe('an escalation in a route', () => {
  test('names a member or a group, and is shown in the rehearsal', async () => {
    const { points } = (await saved(both, toBoss(true))).result
    expect(points[0]!.escalation).toMatchObject({ kind: 'person', id: administrator, mayAct: true })
    expect(points[0]!.escalation!.name).not.toBeNull()
    const group: EscalationTo = { kind: 'group', id: heads, mayAct: false }
    const form = {
      visibilityScope: 2 as const,
      points: [{ pointId: both, order: 1, termDays: 3, escalation: group }],
    }
    const { turns } = (await call(owner, rehearse, { organizationId, ...form })).result
    expect(turns[0]!.steps[0]!.escalation).toEqual({ ...group, name: 'Руководство' })
  })

  test('cannot name anybody of another organisation, and is dropped without a term', async () => {
    const stranger = await make.person()
    expect(aliasOf(await saved(both, { kind: 'person', id: stranger, mayAct: true }))).toBe('user-not-found')
    const other = await testApp.company()
    expect(aliasOf(await saved(both, { kind: 'group', id: other.groupId, mayAct: true }))).toBe(
      'organization-group-not-found',
    )
    expect((await saved(both, toBoss(true), null)).result.points[0]!.escalation).toBeNull()
  })

  test('is kept by a save without it, also after its member has left', async () => {
    const leaving = await make.member(organizationId, await make.person())
    const route = (await saved(both, { kind: 'person', id: leaving, mayAct: false })).result
    await database.write((tx) => tx.deleteFrom('memberships').where('userId', '=', leaving).execute())
    const { id, name } = route
    const points = [{ pointId: both, order: 1 }]
    const form = { id, name, description: '', visibilityScope: 2 as const, points, currentVersion: 1 }
    const after = (await call(owner, routeCalls.save, { organizationId, ...form })).result
    expect(after.points[0]!.escalation).toMatchObject({ id: leaving, name: null })
    const request = (await sender.send(id)).result
    await at(overdue)
    await watch()
    expect(await escalations(request.id)).toEqual([])
  })

  test('when changed is listed among the changes of the route', async () => {
    const { id, name } = (await saved(both, toBoss(true))).result
    const points = [{ pointId: both, order: 1, escalation: toBoss(false) }]
    const form = { id, name, description: '', visibilityScope: 2 as const, points, currentVersion: 1 }
    await call(owner, routeCalls.save, { organizationId, ...form })
    const changes = (await call(owner, routeCalls.changes, { organizationId, routeId: id, since: 1 })).result
    expect(changes.points).toMatchObject([{ change: 'escalation', pointId: both }])
  })
})

describe('an escalation after the deadline', () => {
  test('tells its people once, also with several processes, and shows them the request from then on', async () => {
    const { id } = await sentAlong(both, toBoss(false))
    expect(aliasOf(await look(administrator, id))).toBe('signing-request-not-found')
    expect(await incoming(administrator)).not.toContain(id)
    await at(overdue)
    await Promise.all([watch(), watch(), watch()])
    await watch()
    expect(await escalations(id)).toMatchObject([{ data: { mayAct: false } }])
    const seen = (await look(administrator, id)).result
    expect(seen.acts).toEqual([])
    expect(seen.points[0]!.escalation).toMatchObject({ mayAct: false, at: time.now.toISOString() })
    expect(await incoming(administrator)).toContain(id)
  })

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['fails at the end of its transaction', () => Promise.reject(new Error('killed'))],
    ['loses its connection', (tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)],
  ])('is not sent by a process that %s, and is sent once by the next one', async (_, die) => {
    const { id } = await sentAlong(both, toBoss(true))
    await at(overdue)
    const dying: Database = {
      ...database,
      write: (work) =>
        database.write(async (tx) => {
          const done = await work(tx)
          await die(tx)
          return done
        }),
    }
    await expect(watchDeadlines({ database: dying, clock: () => time.now })).rejects.toThrow(
      'deadlines of some requests were not told',
    )
    expect(await escalations(id)).toEqual([])
    expect(aliasOf(await look(administrator, id))).toBe('signing-request-not-found')
    await watch()
    await watch()
    expect(await escalations(id)).toHaveLength(1)
    expect(await incoming(administrator)).toContain(id)
    const untold = await database.db
      .selectFrom('untoldEvents')
      .select('lastNumber')
      .where('requestId', '=', id)
      .execute()
    const [last] = await escalations(id)
    expect(untold.filter(({ lastNumber }) => lastNumber >= last!.number)).toHaveLength(1)
  })

  test('without the right to act does not let its people answer', async () => {
    const request = await sentAlong(both, toBoss(false))
    await at(overdue)
    await watch()
    expect(aliasOf(await act(boss, request, 'InternalApprove', 'approve'))).toBe('not-enough-permissions')
  })

  test('with the right to act lets its people answer for the whole step, but not before', async () => {
    const request = await sentAlong(both, toBoss(true))
    expect(aliasOf(await act(boss, request, 'InternalApprove', 'approve'))).toBe('signing-request-not-found')
    await act(member, request, 'InternalApprove', 'approve')
    const before = await waitingOf(administrator)
    await at(overdue)
    await watch()
    expect(await waitingOf(administrator)).toBe(before + 1)
    const approved = await act(boss, request, 'InternalApprove', 'approve')
    expect(statusOf(approved.result)).toBe('Completed')
    expect(await waitingOf(administrator)).toBe(before)
    expect(await waitingOf(colleague)).toBe(await waitingOf(employee))
  })

  test('to a group works as to a person', async () => {
    const request = await sentAlong(both, { kind: 'group', id: heads, mayAct: true })
    await at(overdue)
    await watch()
    const head = { id: routesAdministrator, organizationId }
    expect(await incoming(routesAdministrator)).toContain(request.id)
    expect(statusOf((await act(head, request, 'InternalApprove', 'approve')).result)).toBe('Completed')
  })

  test('lets its people sign, judged as a participant would be', async () => {
    const request = await sentAlong(signing, toBoss(true))
    await at(overdue)
    await watch()
    const wrong = await sender.ownKey(employee)
    const refused = await signAt(boss, request, 'CompanyInternalSign', wrong)
    expect(statusOf(refused.result)).toBe('ValidationFail')
    const taken = await signAt(boss, request, 'CompanyInternalSign', sender.stamp)
    expect(statusOf(taken.result)).toBe('Completed')
  })

  test('does not happen if all participants answered in time', async () => {
    const request = await sentAlong(both, toBoss(true))
    await act(member, request, 'InternalApprove', 'approve')
    await act({ id: colleague, organizationId }, request, 'InternalApprove', 'approve')
    await at(overdue)
    await watch()
    expect(await escalations(request.id)).toEqual([])
  })

  test('gives no access to a person who has left the organisation', async () => {
    const leaving = await make.member(organizationId, await make.person())
    const request = await sentAlong(both, { kind: 'person', id: leaving, mayAct: true })
    await at(overdue)
    await watch()
    expect((await look(leaving, request.id)).status).toBe(200)
    await database.write((tx) => tx.deleteFrom('memberships').where('userId', '=', leaving).execute())
    expect((await look(leaving, request.id)).status).not.toBe(200)
  })

  test('does not put the request into lists of their other organisations', async () => {
    const other = await testApp.company()
    await make.member(other.organizationId, administrator)
    const request = await sentAlong(both, toBoss(true))
    await at(overdue)
    await watch()
    expect(await incoming(administrator)).toContain(request.id)
    expect(await incoming(administrator, other.organizationId)).not.toContain(request.id)
    const there = { organizationId: other.organizationId, signingRequestId: request.id }
    expect(aliasOf(await call(administrator, getRequest, there))).toBe('signing-request-not-found')
  })
})
