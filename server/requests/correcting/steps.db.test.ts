/** Changing the steps ahead of a running request, with real people, lists, signatures and locks. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { changeSteps, correctRequest, trySteps } from '@kelisim/domain/requests/correcting/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { findPointStatus } from '@kelisim/domain/requests/status.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { auditState } from '../../operator/audit/state-queries.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database, make } = testApp
const { db } = database
const sender = await testApp.company()
const partner = await testApp.company()
const { organizationId, employee, colleague, owner } = sender
const { act, look, signAt } = actingIn(testApp)
const member = { id: employee, organizationId }

/** A person who is involved in a request only by a step of their own. */
async function person(name: string) {
  const id = await make.member(organizationId, await make.person(name))
  const groupId = await sender.group(name, id)
  return { id, organizationId, groupId }
}
const lawyer = await person('Юрист')
const board = await person('Правление')
const approval = await sender.point('InternalApprove')
const ofLawyer = await sender.point('InternalApprove', { groupId: lawyer.groupId, name: 'Юристы' })
const ofBoard = await sender.point('InternalApprove', { groupId: board.groupId, name: 'Правление' })
const signing = await sender.point('CompanyInternalSign', { name: 'Директор' })
const outside = await sender.point('ExternalSign', { bin: partner.bin, emails: ['partner@example.kz'] })
const route = await sender.route(approval, ofLawyer, signing)

const sent = async (routeId = route) => (await sender.send(routeId)).result
const steps = (...turns: (string | string[])[]) =>
  turns.flatMap((turn, i) => [turn].flat().map((pointId) => ({ pointId, order: i + 1 })))

const change = async (
  request: Pick<View, 'id' | 'currentVersion'>,
  points: readonly { pointId: string; order: number; termDays?: number }[],
  other: object = {},
  personId = employee,
) =>
  call(personId, changeSteps, {
    organizationId,
    signingRequestId: request.id,
    points: [...points],
    comment: 'Согласование с правлением',
    currentVersion: request.currentVersion,
    ...other,
  })
const attempt = async (request: Pick<View, 'id'>, points: { pointId: string; order: number }[]) =>
  (await call(employee, trySteps, { organizationId, signingRequestId: request.id, points })).result

const stepsOf = (view: View) =>
  view.points.map(({ pointId, order, status }) => [pointId, order, findPointStatus(status)])
const history = async (id: string, who = member) => {
  const page = { organizationId: who.organizationId, signingRequestId: id, skip: 0, take: 100 }
  return (await call(who.id, getRequestHistory, page)).result.items.toReversed()
}
const incoming = async (who: { id: string }) => {
  const page = { organizationId, route: 'incomings' as const, skip: 0, take: 100 }
  return (await call(who.id, getRequests, page)).result.items.map(({ id }) => id)
}
const correct = async (request: Pick<View, 'id'>, text = 'corrected') => {
  const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% ${text} ${request.id}\n`)])
  const documentId = (await sender.upload(employee, organizationId, { bytes })).result.id
  const fields = { organizationId, signingRequestId: request.id, documentId, comment: 'Исправлено' }
  return call(employee, correctRequest, fields)
}

describe('the steps ahead', () => {
  test('can be replaced, added and reordered; answered steps stay, and each new one is asked in turn', async () => {
    const request = await sent()
    await act(member, request, 'InternalApprove', 'approve')
    const before = (await look(member, request.id)).result
    expect(stepsOf(before)).toEqual([
      [approval, 1, 'Approved'],
      [ofLawyer, 2, 'Waiting'],
      [signing, 3, 'InQueue'],
    ])
    const after = (await change(before, steps(ofBoard, signing))).result
    expect(stepsOf(after)).toEqual([
      [approval, 1, 'Approved'],
      [ofLawyer, 2, 'Waiting'],
      [ofBoard, 3, 'InQueue'],
      [signing, 4, 'InQueue'],
    ])
    expect(after.points[0]!.acts).toHaveLength(1)
    expect(after.revision).toBe(1)
    const told = (await history(request.id)).at(-1)
    expect(told).toMatchObject({
      type: 'rerouted',
      comment: 'Согласование с правлением',
      data: {
        before: [{ pointId: signing, order: 3, name: 'Директор' }],
        after: [
          { pointId: ofBoard, order: 3, name: 'Правление' },
          { pointId: signing, order: 4, name: 'Директор' },
        ],
      },
    })
    const at = (view: View, pointId: string) => ({
      ...view,
      points: view.points.filter((p) => p.pointId === pointId),
    })
    await act(lawyer, at(after, ofLawyer), 'InternalApprove', 'approve')
    expect(await incoming(board)).toContain(request.id)
    await act(board, at(after, ofBoard), 'InternalApprove', 'approve')
    await signAt(member, after, 'CompanyInternalSign', sender.stamp)
    expect(statusOf((await look(member, request.id)).result)).toBe('Completed')
    expect(await auditState(db)).toEqual([])
  })

  test('that are removed hide the request from those who were asked only there', async () => {
    const request = await sent()
    expect(await incoming(lawyer)).toContain(request.id)
    const trial = await attempt(request, steps(signing))
    expect(trial).toMatchObject({ refusals: [], removed: ['Юристы'], added: [], isSigned: false })
    expect(trial.leaving).toHaveLength(1)
    await change(request, steps(signing))
    expect(await incoming(lawyer)).not.toContain(request.id)
    expect(aliasOf(await look(lawyer, request.id))).toBe('signing-request-not-found')
    expect((await look({ id: owner, organizationId }, request.id)).status).toBe(200)
    const rows = await db
      .selectFrom('requestInboxes')
      .select('inbox')
      .where('requestId', '=', request.id)
      .execute()
    expect(rows).toEqual([{ inbox: sender.groupId }])
    expect(await auditState(db)).toEqual([])
  })

  test('when changed show the other sides who signs, and no internal changes', async () => {
    const request = await sent(await sender.route(approval, outside, signing))
    await act(member, request, 'InternalApprove', 'approve')
    const theirs = { id: partner.owner, organizationId: partner.organizationId }
    const seen = (await look(member, request.id)).result
    const second = await sender.point('EmployeeInternalSign', { name: 'Главный бухгалтер' })
    const after = (await change(seen, steps(ofBoard, signing, second))).result
    const types = (await history(request.id, theirs)).map(({ type }) => type)
    expect(types).not.toContain('rerouted')
    const sides = (await history(request.id, theirs)).find(({ type }) => type === 'sides-changed')!
    const named = (sides.data['sides'] as { pointId: string }[]).map(({ pointId }) => pointId)
    expect(named).toEqual([outside, signing, second])
    expect(JSON.stringify(await history(request.id, theirs))).not.toContain('Правление')
    const received = (await look(theirs, request.id)).result
    expect(received.points.map(({ pointId }) => pointId)).toEqual([outside, signing, second])
    expect(stepsOf(after)).toHaveLength(5)
    expect(await auditState(db)).toEqual([])
  })

  test('that are added get the group and the key rule of their points, and a term of their own', async () => {
    const request = await sent()
    const contact = { bin: partner.bin, emails: ['head@example.kz'] }
    const ofHead = await sender.point('ExternalSign', { ...contact, keyHolder: 'head' })
    const points = [
      { pointId: ofBoard, order: 1, termDays: 3 },
      { pointId: signing, order: 2 },
      { pointId: ofHead, order: 3 },
    ]
    await change(request, points)
    const rows = await db
      .selectFrom('requestPoints')
      .select(['pointId', 'termDays', 'keyHolder', 'groupId', 'turnCameAt'])
      .where('requestId', '=', request.id)
      .where('pointId', 'in', [ofBoard, ofHead])
      .orderBy('order')
      .execute()
    expect(rows).toMatchObject([
      { pointId: ofBoard, termDays: 3, groupId: board.groupId, keyHolder: 'person', turnCameAt: null },
      { pointId: ofHead, termDays: null, groupId: null, keyHolder: 'head', turnCameAt: null },
    ])
    await act(member, request, 'InternalApprove', 'approve')
    const waiting = (await look(board, request.id)).result.points.find(({ pointId }) => pointId === ofBoard)!
    expect(findPointStatus(waiting.status)).toBe('Waiting')
    expect(waiting.dueOn).not.toBeNull()
  })

  test('may be removed so that the document is signed by all', async () => {
    const request = await sent(await sender.route(signing, ofLawyer, outside))
    await signAt(member, request, 'CompanyInternalSign', sender.stamp)
    const seen = (await look(member, request.id)).result
    expect((await attempt(request, [])).isSigned).toBe(true)
    const after = (await change(seen, [])).result
    expect(statusOf(after)).toBe('Signed')
    expect((await history(request.id)).slice(-3).map(({ type }) => type)).toEqual([
      'rerouted',
      'sides-changed',
      'all-signed',
    ])
    expect(await auditState(db)).toEqual([])
  })

  test('whose people had an earlier document can be moved, but not removed', async () => {
    const request = await sent()
    await act(member, request, 'InternalApprove', 'approve')
    const after = (await correct(request)).result
    expect(aliasOf(await change(after, steps(signing)))).toBe('step-already-reached')
    expect(stepsOf((await change(after, steps(signing, ofLawyer))).result)).toEqual([
      [approval, 1, 'Waiting'],
      [signing, 2, 'InQueue'],
      [ofLawyer, 3, 'InQueue'],
    ])
    const removal = database.write((tx) =>
      tx
        .deleteFrom('requestPoints')
        .where('requestId', '=', request.id)
        .where('pointId', '=', ofLawyer)
        .execute(),
    )
    await expect(removal).rejects.toThrow('a step that was reached is not taken out of a request')
  })
})

describe('the audit', () => {
  const move = (id: string, order: number) =>
    database.write((tx) =>
      tx
        .updateTable('requestPoints')
        .set({ order })
        .where('requestId', '=', id)
        .where('pointId', '=', signing)
        .execute(),
    )

  test('finds steps that differ from the history', async () => {
    const request = await sent()
    await change(request, steps(ofBoard, signing))
    await move(request.id, 9)
    const found = { fault: 'state-other', what: 'the steps ahead', requestId: request.id }
    expect(await auditState(db)).toEqual([found])
    await move(request.id, 3)
    expect(await auditState(db)).toEqual([])
  })
})

describe('an act during a change of steps', () => {
  test('on the earlier version is refused; without a version the same document can still be approved', async () => {
    const request = await sent()
    const { currentVersion } = request
    await change(request, steps(ofBoard, signing))
    const approve = (more: object) => act(member, request, 'InternalApprove', 'approve', more)
    expect(aliasOf(await approve({ currentVersion }))).toBe('request-changed')
    expect((await approve({ revision: 1 })).status).toBe(200)
  })

  test('repeated with one key changes the steps once', async () => {
    const request = await sent()
    const key = newId()
    const both = await Promise.all([
      change(request, steps(ofBoard, signing), { key }),
      change(request, steps(ofBoard, signing), { key }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const told = (await history(request.id)).filter(({ type }) => type === 'rerouted')
    expect(told).toHaveLength(1)
  })
})

describe('changing the steps is refused', () => {
  test('to everybody but the author, and to an author who may not make routes', async () => {
    const request = await sent()
    expect(aliasOf(await change(request, steps(signing), {}, colleague))).toBe('not-enough-permissions')
    const stranger = await testApp.company()
    const foreign = await call(stranger.employee, changeSteps, {
      organizationId: stranger.organizationId,
      signingRequestId: request.id,
      points: steps(signing),
      comment: 'x',
      currentVersion: request.currentVersion,
    })
    expect(aliasOf(foreign)).toBe('signing-request-not-found')
    await sender.options({ useSignaturePointsRoutesRolePermission: true })
    expect(aliasOf(await change(request, steps(signing)))).toBe('not-enough-permissions')
    expect((await attempt(request, steps(signing))).refusals).toMatchObject([
      { alias: 'not-enough-permissions' },
    ])
    await sender.options({ useSignaturePointsRoutesRolePermission: false })
  })

  test.each([
    ['the same steps', () => steps(ofLawyer, signing), 'steps-unchanged'],
    ['nobody to sign', () => steps(ofLawyer), 'nobody-left-to-sign'],
    ['the step that is asked now', () => steps(approval, signing), 'step-already-reached'],
    ['a point that does not exist', () => steps(newId(), signing), 'points-not-found'],
  ])('for %s', async (_, points, alias) => {
    expect(aliasOf(await change(await sent(), points()))).toBe(alias)
  })

  test('for points that cannot be used, or are not of the organisation', async () => {
    const request = await sent()
    const theirs = await partner.point('InternalApprove')
    expect(aliasOf(await change(request, steps(theirs, signing)))).toBe('points-not-found')
    const empty = await sender.group('Пустая', colleague)
    const pointId = await sender.point('InternalApprove', { groupId: empty })
    await database.write((tx) => tx.deleteFrom('groupParticipants').where('groupId', '=', empty).execute())
    expect(aliasOf(await change(request, steps(pointId, signing)))).toBe('unsuccessful_point_state')
    const escalation = { kind: 'person' as const, id: partner.owner, mayAct: true }
    const named = [
      { pointId: ofBoard, order: 1, termDays: 2, escalation },
      ...steps(signing, signing).slice(1),
    ]
    expect(aliasOf(await change(request, named))).toBe('user-not-found')
    expect((await look(member, request.id)).result.points).toHaveLength(3)
  })

  test('for an outdated version, once all have signed, and after thirty changes', async () => {
    const request = await sent()
    await change(request, steps(signing))
    expect(aliasOf(await change(request, steps(ofBoard, signing)))).toBe('request-changed')
    const signed = await sent(await sender.route(signing, ofLawyer))
    await signAt(member, signed, 'CompanyInternalSign', sender.stamp)
    const seen = (await look(member, signed.id)).result
    expect(aliasOf(await change(seen, []))).toBe('wrong-request-status')
    let view = await sent()
    for (let i = 0; i < 30; i++) {
      view = (await change(view, i % 2 === 0 ? steps(signing) : steps(ofLawyer, signing))).result
    }
    expect(aliasOf(await change(view, steps([ofLawyer, signing])))).toBe('too-many-corrections')
  })

  test('for more points than a request may have', async () => {
    const request = await sent()
    const many = await Promise.all(Array.from({ length: 100 }, () => sender.point('InternalApprove')))
    const points = many.map((pointId, i) => ({ pointId, order: i + 1 }))
    points[99] = { pointId: signing, order: 100 }
    expect(aliasOf(await change(request, points))).toBe('too-many-points')
  })
})
