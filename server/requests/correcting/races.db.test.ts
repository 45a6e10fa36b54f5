/**
 * Both ways of correcting run at the same moment as acts, withdrawals, deadlines and each other: there is one order,
 * and nothing is half done.
 */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { getRequestHistory, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { changeSteps, correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { auditState } from '../../operator/audit/state-queries.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'
import { watchDeadlines } from '../deadlines/deadlines.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const { db } = database
const sender = await testApp.company()
const { organizationId, employee, owner, administrator } = sender
const { act, look, signAt } = actingIn(testApp)
const member = { id: employee, organizationId }
const board = await sender.group('Правление', administrator)
const approval = await sender.point('InternalApprove')
const signing = await sender.point('CompanyInternalSign')
const ofBoard = await sender.point('InternalApprove', { groupId: board })

/** The first step is overdue tomorrow, and then the owner is told. */
const { id: route } = (
  await call(owner, routeCalls.add, {
    organizationId,
    name: 'Маршрут со сроком',
    description: '',
    visibilityScope: 2,
    points: [
      { pointId: approval, order: 1, termDays: 1, escalation: { kind: 'person', id: owner, mayAct: true } },
      { pointId: signing, order: 2 },
    ],
  })
).result

const sent = async (change: object = {}) => (await sender.send(route, change)).result
const reroute = (request: Pick<View, 'id' | 'currentVersion'>, change: object = {}) =>
  call(employee, changeSteps, {
    organizationId,
    signingRequestId: request.id,
    points: [ofBoard, signing].map((pointId, i) => ({ pointId, order: i + 1 })),
    comment: 'Правление',
    currentVersion: request.currentVersion,
    ...change,
  })
const document = async () => {
  const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% ${newId()}\n`)])
  return (await sender.upload(employee, organizationId, { bytes })).result.id
}
const correct = (request: Pick<View, 'id'>, documentId: string) =>
  call(employee, correctRequest, {
    organizationId,
    signingRequestId: request.id,
    documentId,
    comment: 'Исправлено',
  })
const withdraw = (request: Pick<View, 'id'>) =>
  call(employee, revokeRequest, { organizationId, signingRequestId: request.id, comment: 'Не нужен' })
const late = () => watchDeadlines({ database, clock: () => new Date('2026-12-15T06:00:00Z') })

/** Expects the history to be one chain, and everything stored to agree with it. */
async function expectOneOrder(id: string) {
  const page = { organizationId, signingRequestId: id, skip: 0, take: 100 }
  const events = (await call(employee, getRequestHistory, page)).result.items.toReversed()
  expect(events.map(({ number }) => number)).toEqual(events.map((_, i) => i + 1))
  for (const [i, event] of events.slice(1).entries()) expect(event.before).toBe(events[i]!.after)
  const { result } = await look(member, id)
  expect(result.status).toBe(events.at(-1)!.after)
  const types = events.map(({ type }) => type)
  const count = (type: string) => types.filter((one) => one === type).length
  expect(result.revision).toBe(1 + count('corrected'))
  const isRerouted = count('rerouted') === 1
  expect(result.points.map(({ pointId }) => pointId)).toEqual(
    isRerouted ? [approval, ofBoard, signing] : [approval, signing],
  )
  const inboxes = await db.selectFrom('requestInboxes').select('inbox').where('requestId', '=', id).execute()
  const isListed = inboxes.some(({ inbox }) => inbox === board)
  expect(isListed).toBe(isRerouted)
  expect(count('escalated')).toBe(count('overdue'))
  // Nothing happens after the end.
  for (const end of ['withdrawn', 'expired']) {
    if (types.includes(end)) expect(types.at(-1)).toBe(end)
  }
  return { types, result, count }
}

test('a correction, changed steps, an approval and a withdrawal at once have one order', async () => {
  const done = new Set<string>()
  for (let i = 0; i < 8; i++) {
    const request = await sent()
    const documentId = await document()
    const [file, steps, approved, withdrawn] = await Promise.all([
      correct(request, documentId),
      reroute(request),
      act(member, request, 'InternalApprove', 'approve', { revision: 1 }),
      ...(i % 2 === 0 ? [withdraw(request)] : []),
    ])
    const { types, result, count } = await expectOneOrder(request.id)
    expect(count('corrected')).toBe(file.status === 200 ? 1 : 0)
    expect(count('rerouted')).toBe(steps.status === 200 ? 1 : 0)
    expect(count('approved')).toBe(approved.status === 200 ? 1 : 0)
    expect(count('withdrawn')).toBe(withdrawn?.status === 200 ? 1 : 0)
    // Steps are changed only in the version that the caller saw.
    if (steps.status === 200) expect(types[3]).toBe('rerouted')
    else expect(['request-changed', 'wrong-request-status', 'step-already-reached']).toContain(aliasOf(steps))
    // An approval before the correction no longer counts; an approval before or after a change of steps does.
    const isOver = count('corrected') === 1
    expect(result.points.flatMap(({ acts }) => acts)).toHaveLength(isOver ? 0 : count('approved'))
    types.forEach((type) => done.add(type))
  }
  expect([...done]).toEqual(expect.arrayContaining(['withdrawn']))
  expect(await auditState(db)).toEqual([])
})

test('of several changes of steps at once the first succeeds, the others are refused as outdated', async () => {
  const request = await sent()
  const answers = await Promise.all(Array.from({ length: 5 }, () => reroute(request, { key: newId() })))
  const ok = answers.filter(({ status }) => status === 200)
  expect(ok).toHaveLength(1)
  for (const answer of answers.filter((one) => !ok.includes(one)))
    expect(aliasOf(answer)).toBe('request-changed')
  await expectOneOrder(request.id)
})

test('a signature during a change of steps is either checked first, or counts after the change', async () => {
  for (let i = 0; i < 3; i++) {
    const request = await sent()
    await act(member, request, 'InternalApprove', 'approve')
    const seen = (await look(member, request.id)).result
    const [steps] = await Promise.all([
      reroute(seen, { points: [{ pointId: ofBoard, order: 1 }] }),
      signAt(member, seen, 'CompanyInternalSign', sender.stamp),
    ])
    const { result } = await look(member, request.id)
    const isSigned = result.points.some(({ pointId, doneAt }) => pointId === signing && doneAt !== null)
    expect(isSigned).toBe(true)
    if (steps.status === 200) expect(result.points.map(({ pointId }) => pointId)).toContain(ofBoard)
    else
      expect(['signature-being-checked', 'request-changed', 'wrong-request-status']).toContain(aliasOf(steps))
  }
  expect(await auditState(db)).toEqual([])
})

test('a deadline passing during changes is reported and escalated once for each time that people are asked', async () => {
  for (let i = 0; i < 4; i++) {
    const request = await sent()
    const documentId = await document()
    const [file, steps] = await Promise.all([
      ...(i % 2 === 0 ? [correct(request, documentId)] : [withdraw(request)]),
      reroute(request),
      late(),
      late(),
    ])
    const { count, types } = await expectOneOrder(request.id)
    expect(count('rerouted')).toBe((steps as { status: number }).status === 200 ? 1 : 0)
    expect(count(i % 2 === 0 ? 'corrected' : 'withdrawn')).toBe(
      (file as { status: number }).status === 200 ? 1 : 0,
    )
    // After a correction the point is asked again and has a new term.
    const told = types.filter((type) => type === 'escalated' || type === 'corrected')
    expect(told.join(' ')).not.toContain('escalated escalated')
  }
  expect(await auditState(db)).toEqual([])
})

test('steps are changed before the last day is over, or not at all', async () => {
  for (let i = 0; i < 4; i++) {
    const request = await sent({ expiresOn: '2026-12-01' })
    const [steps] = await Promise.all([reroute(request), late()])
    const { result, count, types } = await expectOneOrder(request.id)
    expect([statusOf(result), types.at(-1)]).toEqual(['Revoked', 'expired'])
    expect(count('rerouted')).toBe(steps.status === 200 ? 1 : 0)
    if (steps.status !== 200) expect(['wrong-request-status', 'request-changed']).toContain(aliasOf(steps))
  }
  expect(await auditState(db)).toEqual([])
})
