import { describe, expect, test } from 'vitest'
import type { PointType } from '../../points/point-types.ts'
import { type Actor } from '../actors.ts'
import { apply } from './apply.ts'
import type { Command } from './commands.ts'
import { decide } from './decide.ts'
import { newRequest, type RequestPoint, type SigningRequest } from './request.ts'
import { actsOf, whyNot, whyNotLock } from './why-not.ts'
import type { PointStatus, RequestStatus } from '../status.ts'

const now = new Date('2026-11-15T10:00:00Z')
const author: Actor = { id: 'author', numbers: [] }
const first: Actor = { id: 'first', numbers: [] }
const second: Actor = { id: 'second', numbers: [] }
const stranger: Actor = { id: 'stranger', numbers: ['990101300001'] }
const bin = '240540017348'
const outsider: Actor = { id: 'outsider', numbers: [bin] }

type PointSetting = { type: PointType; order?: number } & Partial<RequestPoint>

/** Orders are 1, 2, 3 … by default; internal points have the same two people, external ones a number. */
function request(...points: PointSetting[]): SigningRequest {
  return newRequest(
    author.id,
    points.map((point, i) => {
      const isOutside = point.type.startsWith('External')
      return {
        pointId: `p${i + 1}`,
        order: i + 1,
        condition: 'any',
        isEdsRequired: false,
        participants: isOutside ? [] : [first.id, second.id],
        bin: isOutside ? bin : null,
        ...point,
      }
    }),
  )
}

function after(before: SigningRequest, ...commands: Command[]): SigningRequest {
  return commands.reduce((state, command) => decide(state, command, now).reduce(apply, state), before)
}

const start: Command = { type: 'start' }
const sign = (pointId: string, by = first, signatureId = `${pointId} by ${by.id}`): Command => ({
  type: 'sign',
  pointId,
  by,
  signatureId,
})
const accepted = (pointId: string, by = first): Command => ({
  type: 'accept-signature',
  signatureId: `${pointId} by ${by.id}`,
})
const refused = (pointId: string, by = first): Command => ({
  type: 'refuse-signature',
  signatureId: `${pointId} by ${by.id}`,
})
const signed = (pointId: string, by = first): Command[] => [sign(pointId, by), accepted(pointId, by)]
const act = (type: 'approve' | 'confirm' | 'reject', pointId: string, by = first): Command => ({
  type,
  pointId,
  by,
})
const withdraw = (by = author): Command => ({ type: 'withdraw', by })
const terminate = (by = first): Command => ({ type: 'terminate', by })

const statusesOf = ({ points }: { points: readonly RequestPoint[] }): PointStatus[] =>
  points.map(({ status }) => status)

describe('every transition', () => {
  const contract = request({ type: 'CompanyInternalSign' }, { type: 'ExternalSign' })
  const begun = after(contract, start)
  const withInformation = request(
    { type: 'CompanyInternalSign' },
    { type: 'InternalInformationConfirm' },
    { type: 'InternalInformation' },
  )
  const waitsForConfirmation = after(withInformation, start, ...signed('p1'))
  const complete = after(begun, ...signed('p1'), ...signed('p2', outsider))
  const failed = after(begun, sign('p1'), refused('p1'))
  const ending = after(complete, terminate())

  const rows: [string, SigningRequest, Command[], RequestStatus, PointStatus[]][] = [
    ['created', contract, [], 'New', ['InQueue', 'InQueue']],
    ['started', contract, [start], 'InProgress', ['Waiting', 'InQueue']],
    ['withdrawn before it started', contract, [withdraw()], 'Revoked', ['InQueue', 'InQueue']],
    ['withdrawn while in progress', begun, [withdraw()], 'Revoked', ['Waiting', 'InQueue']],
    ['withdrawn after a failed check', failed, [withdraw()], 'Revoked', ['ValidationError', 'InQueue']],
    ['rejected', begun, [act('reject', 'p1')], 'Rejected', ['Rejected', 'InQueue']],
    ['rejected after a failed check', failed, [act('reject', 'p1')], 'Rejected', ['Rejected', 'InQueue']],
    ['a signature received', begun, [sign('p1')], 'InProgress', ['Validation', 'InQueue']],
    ['a check failed', begun, [sign('p1'), refused('p1')], 'ValidationFail', ['ValidationError', 'InQueue']],
    ['signed again', failed, [sign('p1', second)], 'InProgress', ['Validation', 'InQueue']],
    ['the first has signed', begun, signed('p1'), 'InProgress', ['Signed', 'Waiting']],
    [
      'the last has signed',
      begun,
      [...signed('p1'), ...signed('p2', outsider)],
      'Completed',
      ['Signed', 'Signed'],
    ],
    [
      'signed by all, before everybody confirmed',
      withInformation,
      [start, ...signed('p1')],
      'Signed',
      ['Signed', 'Waiting', 'InQueue'],
    ],
    [
      'the last point done',
      waitsForConfirmation,
      [act('confirm', 'p2', second)],
      'Completed',
      ['Signed', 'Notified', 'Notified'],
    ],
    ['termination begun', complete, [terminate(outsider)], 'Terminating', ['Signed', 'Signed']],
    [
      'termination begun before all was done',
      waitsForConfirmation,
      [terminate()],
      'Terminating',
      ['Signed', 'Waiting', 'InQueue'],
    ],
    ['termination refused', ending, [act('reject', 'p1')], 'Completed', ['Signed', 'Signed']],
    [
      'a check failed while terminating',
      ending,
      [sign('p1'), refused('p1')],
      'TerminatingValidationFail',
      ['Signed', 'Signed'],
    ],
    [
      'termination signed again',
      ending,
      [sign('p1'), refused('p1'), sign('p1', second)],
      'Terminating',
      ['Signed', 'Signed'],
    ],
    [
      'termination signed by all',
      ending,
      [...signed('p1'), ...signed('p2', outsider)],
      'TerminatingSigned',
      ['Signed', 'Signed'],
    ],
    [
      'terminated',
      ending,
      [...signed('p1'), ...signed('p2', outsider), { type: 'finish-termination' }],
      'Terminated',
      ['Signed', 'Signed'],
    ],
  ]

  test.each(rows)('%s', (_, before, commands, status, points) => {
    const then = after(before, ...commands)
    expect(then.status).toBe(status)
    expect(statusesOf(then)).toEqual(points)
  })

  test('a rejected termination restores the status, and waiting points continue', () => {
    const back = after(waitsForConfirmation, terminate(), act('reject', 'p1', second))
    expect(back.status).toBe('Signed')
    expect(back.termination).toBeNull()
    expect(after(back, act('confirm', 'p2')).status).toBe('Completed')
  })

  test('the terminating document is signed by all who signed, in the same order', () => {
    const mixed = request(
      { type: 'InternalApprove' },
      { type: 'CompanyInternalSign' },
      { type: 'ExternalSign' },
    )
    const done = after(mixed, start, act('approve', 'p1'), ...signed('p2'), ...signed('p3', outsider))
    const { termination } = after(done, terminate(outsider))
    expect(termination?.points.map(({ pointId, status }) => [pointId, status])).toEqual([
      ['p2', 'Waiting'],
      ['p3', 'InQueue'],
    ])
  })
})

describe('every refusal', () => {
  const contract = request({ type: 'CompanyInternalSign' }, { type: 'ExternalSign' })
  const begun = after(contract, start)
  const withApproval = after(
    request({ type: 'InternalApprove', isEdsRequired: true }, { type: 'InternalInformationConfirm' }),
    start,
  )
  const all = after(request({ type: 'InternalApprove', condition: 'all' }, { type: 'ExternalSign' }), start)
  const lock = { by: second.id, until: new Date(now.getTime() + 1), isWorn: false }
  const held = { ...begun, lock }
  const wasHeld = { ...begun, lock: { ...lock, until: now } }
  const heldForLong = { ...begun, lock: { ...lock, isWorn: true } }
  const signedByAll = after(
    request({ type: 'CompanyInternalSign' }, { type: 'InternalApprove' }),
    start,
    ...signed('p1'),
  )
  const approvedOnly = after(request({ type: 'InternalApprove' }), start, act('approve', 'p1'))

  const cases: [string, SigningRequest, Command, string | null][] = [
    ['started twice', begun, start, 'request-already-in-process'],
    ['signed before it started', contract, sign('p1'), 'wrong-request-status'],
    ['signed after it was withdrawn', after(begun, withdraw()), sign('p1'), 'wrong-request-status'],
    ['withdrawn by another', begun, withdraw(first), 'not-enough-permissions'],
    ['withdrawn when signed by all', signedByAll, withdraw(), 'wrong-request-status'],
    ['withdrawn while somebody else holds the lock', held, withdraw(), 'document-is-on-signing-process'],
    ['withdrawn after half an hour of the lock', heldForLong, withdraw(), null],
    ['a point of another request', begun, sign('p9'), 'point-not-found'],
    ['a stranger signs', begun, sign('p1', stranger), 'not-enough-permissions'],
    ['a stranger’s number at an external point', begun, sign('p2', stranger), 'not-enough-permissions'],
    ['signing before the turn', begun, sign('p2', outsider), 'process-wrong-order'],
    ['approving at a signing point', begun, act('approve', 'p1'), 'wrong-request-configuration'],
    ['confirming at a signing point', begun, act('confirm', 'p1'), 'wrong-request-configuration'],
    ['signing at an approval point', all, sign('p1'), 'wrong-request-configuration'],
    [
      'approving without a signature where one is required',
      withApproval,
      act('approve', 'p1'),
      'signature-needed',
    ],
    ['approving with a signature where one is required', withApproval, sign('p1'), null],
    ['rejecting at an information point', withApproval, act('reject', 'p2'), 'wrong-request-configuration'],
    ['signing twice', after(begun, ...signed('p1')), sign('p1', second), 'point-already-processed'],
    [
      'approving twice at a point for all',
      after(all, act('approve', 'p1')),
      act('approve', 'p1'),
      'point-already-processed',
    ],
    [
      'signing while a signature is checked',
      after(begun, sign('p1')),
      sign('p1', second),
      'signature-being-checked',
    ],
    [
      'rejecting while a signature is checked',
      after(begun, sign('p1')),
      act('reject', 'p1', second),
      'signature-being-checked',
    ],
    [
      'withdrawing while a signature is checked',
      after(begun, sign('p1')),
      withdraw(),
      'signature-being-checked',
    ],
    ['signing while somebody else holds the lock', held, sign('p1'), 'document-is-on-signing-process'],
    ['signing by the holder of the lock', held, sign('p1', second), null],
    [
      'signing after the last day',
      { ...wasHeld, expiresOn: '2000-01-01' },
      sign('p1'),
      'wrong-request-status',
    ],
    ['signing after the lock has expired', wasHeld, sign('p1'), null],
    ['rejecting a request that all have signed', signedByAll, act('reject', 'p2'), 'wrong-request-status'],
    ['terminating a request in progress', begun, terminate(), 'wrong-request-status'],
    ['terminating by somebody who did not sign', signedByAll, terminate(stranger), 'not-enough-permissions'],
    ['terminating a request that nobody signed', approvedOnly, terminate(), 'not-enough-permissions'],
    [
      'finishing a termination that is not signed',
      begun,
      { type: 'finish-termination' },
      'wrong-request-status',
    ],
  ]

  test.each(cases)('%s', (_, before, command, alias) => {
    expect(whyNot(before, command, now)).toBe(alias)
    if (alias) expect(() => decide(before, command, now)).toThrow(alias)
  })

  test('a document can be locked by people who can sign it now', () => {
    expect(whyNotLock(begun, first, now)).toBeNull()
    expect(whyNotLock(held, first, now)).toBe('document-is-on-signing-process')
    expect(whyNotLock(held, second, now)).toBeNull()
    expect(whyNotLock(begun, outsider, now)).toBe('not-enough-permissions')
  })
})

describe('points', () => {
  test('of one order act in parallel, and the next begin when all of them are done', () => {
    const parallel = after(
      request(
        { type: 'InternalApprove', order: 2 },
        { type: 'InternalApprove', order: 2, participants: [second.id] },
        { type: 'CompanyInternalSign', order: 7 },
      ),
      start,
    )
    expect(statusesOf(parallel)).toEqual(['Waiting', 'Waiting', 'InQueue'])
    const half = after(parallel, act('approve', 'p2', second))
    expect(statusesOf(half)).toEqual(['Waiting', 'Approved', 'InQueue'])
    expect(statusesOf(after(half, act('approve', 'p1')))).toEqual(['Approved', 'Approved', 'Waiting'])
  })

  test('that only inform are done immediately, also if there are no others', () => {
    const informed = after(request({ type: 'InternalInformation' }, { type: 'ExternalInformation' }), start)
    expect(informed.status).toBe('Completed')
    expect(statusesOf(informed)).toEqual(['Notified', 'Notified'])
  })

  test('that need everybody wait only for people who are still members', () => {
    const all = after(request({ type: 'EmployeeInternalSign', condition: 'all' }), start, ...signed('p1'))
    expect(statusesOf(all)).toEqual(['Waiting'])
    expect(after(all, ...signed('p1', second)).status).toBe('Completed')
    const left = { ...all, points: all.points.map((point) => ({ ...point, participants: [first.id] })) }
    expect(after(left, { type: 'settle' }).status).toBe('Completed')
    const failedAndLeft = after(all, sign('p1', second), refused('p1', second))
    const settled = failedAndLeft.points.map((point) => ({ ...point, participants: [first.id] }))
    expect(after({ ...failedAndLeft, points: settled }, { type: 'settle' }).status).toBe('Completed')
  })

  test('with a failed check do not block parallel points', () => {
    const parallel = after(
      request({ type: 'CompanyInternalSign', order: 1 }, { type: 'ExternalSign', order: 1 }),
      start,
      sign('p1'),
      refused('p1'),
    )
    const other = after(parallel, ...signed('p2', outsider))
    expect(other.status).toBe('ValidationFail')
    expect(after(other, ...signed('p1', second)).status).toBe('Completed')
  })
})

describe('the result of a check', () => {
  const begun = after(request({ type: 'CompanyInternalSign' }, { type: 'ExternalSign' }), start)

  test('that comes twice counts once', () => {
    const once = after(begun, ...signed('p1'))
    expect(decide(once, accepted('p1'), now)).toEqual([])
    expect(decide(once, refused('p1'), now)).toEqual([])
  })

  test('of an unknown signature changes nothing', () => {
    expect(decide(after(begun, sign('p1')), accepted('p1', second), now)).toEqual([])
  })

  test('that comes after the end is recorded and does not change the status', () => {
    const both = request({ type: 'CompanyInternalSign', order: 1 }, { type: 'CompanyInternalSign', order: 1 })
    const rejected = after(both, start, sign('p1'), act('reject', 'p2'))
    expect(decide(rejected, accepted('p1'), now).map(({ type }) => type)).toEqual(['signature-accepted'])
    expect(after(rejected, accepted('p1')).status).toBe('Rejected')
  })

  test('of an approval during a termination counts if the termination is rejected', () => {
    const approving = after(
      request({ type: 'CompanyInternalSign' }, { type: 'InternalApprove', isEdsRequired: true }),
      start,
      ...signed('p1'),
      sign('p2'),
      terminate(),
    )
    const meanwhile = after(approving, accepted('p2'))
    expect(meanwhile.status).toBe('Terminating')
    expect(after(meanwhile, act('reject', 'p1')).status).toBe('Completed')
  })
})

test('the offered acts are those that would not be refused', () => {
  const begun = after(request({ type: 'CompanyInternalSign' }, { type: 'ExternalSign' }), start)
  expect(actsOf(begun, first, now)).toEqual([
    { act: 'sign', pointId: 'p1' },
    { act: 'reject', pointId: 'p1' },
  ])
  expect(actsOf(begun, author, now)).toEqual([
    { act: 'withdraw', pointId: null },
    { act: 'correct', pointId: null },
  ])
  expect(actsOf(begun, outsider, now)).toEqual([])
})

describe('a quorum', () => {
  const third: Actor = { id: 'third', numbers: [] }
  const participants = [first.id, second.id, third.id]
  const twoOfThree = after(request({ type: 'InternalApprove', quorum: 2, participants }), start)

  test('is reached by the required number of people; the others cannot act any more', () => {
    const once = after(twoOfThree, act('approve', 'p1', first))
    expect(once.status).toBe('InProgress')
    expect(whyNot(once, act('approve', 'p1', first), now)).toBe('point-already-processed')
    const twice = after(once, act('approve', 'p1', third))
    expect(twice.points[0].status).toBe('Approved')
    expect(whyNot(twice, act('approve', 'p1', second), now)).toBe('wrong-request-status')
  })

  test('one rejection ends the request', () => {
    const once = after(twoOfThree, act('approve', 'p1', first))
    expect(after(once, act('reject', 'p1', second)).status).toBe('Rejected')
  })

  test('of signatures counts those that are accepted', () => {
    const signing = after(request({ type: 'EmployeeInternalSign', quorum: 2, participants }), start)
    const refused = after(signing, sign('p1', first), {
      type: 'refuse-signature',
      signatureId: `p1 by ${first.id}`,
    })
    expect(refused.points[0]).toMatchObject({ status: 'ValidationError', acted: [] })
    const once = after(refused, ...signed('p1', first))
    expect(once.points[0]).toMatchObject({ status: 'Waiting', acted: [first.id] })
    expect(after(once, ...signed('p1', third)).points[0].status).toBe('Signed')
  })

  test('counts people who acted and then left; where too few remain, all of them are enough', () => {
    const once = after(twoOfThree, act('approve', 'p1', first))
    const without = (...ids: string[]): SigningRequest => ({
      ...once,
      points: once.points.map((point) => ({
        ...point,
        participants: participants.filter((id) => !ids.includes(id)),
      })),
    })
    expect(after(without(first.id), { type: 'settle' }).status).toBe('InProgress')
    expect(after(without(first.id), act('approve', 'p1', second)).status).toBe('Completed')
    expect(after(without(second.id, third.id), { type: 'settle' }).status).toBe('Completed')
  })
})

describe('a substitute', () => {
  const house = 'house'
  const substitute: Actor = {
    id: 'third',
    numbers: [],
    standsInFor: { organizationId: house, people: [second.id] },
  }
  const at = (condition: 'any' | 'all', participants = [first.id, second.id]) =>
    after(request({ type: 'InternalApprove', condition, organizationId: house, participants }), start)

  const actedAt = ({ points }: SigningRequest) => points.flatMap(({ acted }) => acted)

  test('acts for the absent person', () => {
    expect(decide(at('any'), act('approve', 'p1', substitute), now)[0]).toMatchObject({ by: second.id })
    const both = after(at('all'), act('approve', 'p1', substitute))
    expect(actedAt(both)).toEqual([second.id])
    expect(whyNot(both, act('approve', 'p1', substitute), now)).toBe('point-already-processed')
    expect(whyNot(both, act('approve', 'p1', second), now)).toBe('point-already-processed')
    expect(after(both, act('approve', 'p1', first)).status).toBe('Completed')
  })

  test('who is also a participant acts first for themselves, then for the absent person', () => {
    const own: Actor = { ...substitute, id: first.id }
    const once = after(at('all'), act('approve', 'p1', own))
    expect(actedAt(once)).toEqual([first.id])
    const twice = after(once, act('approve', 'p1', own))
    expect(actedAt(twice)).toEqual([first.id, second.id])
    expect(twice.status).toBe('Completed')
  })

  test('can act only in that organisation and at points of the absent person', () => {
    const command = act('approve', 'p1', substitute)
    const elsewhere = after(request({ type: 'InternalApprove', organizationId: 'another' }), start)
    expect(whyNot(elsewhere, command, now)).toBe('not-enough-permissions')
    expect(whyNot(after(request({ type: 'InternalApprove' }), start), command, now)).toBe(
      'not-enough-permissions',
    )
    expect(whyNot(at('any', [first.id]), command, now)).toBe('not-enough-permissions')
  })

  test('cannot withdraw requests of the absent person', () => {
    const standsInFor = { organizationId: house, people: [author.id] }
    expect(whyNot(at('any'), withdraw({ ...stranger, standsInFor }), now)).toBe('not-enough-permissions')
  })
})

describe('an answer in place of the participants', () => {
  const overdue = { remindOn: '2026-11-10', dueOn: '2026-11-12', told: 'overdue' as const }
  const escalation = { people: [first.id], mayAct: true }
  const escalated = (change: Partial<RequestPoint>) =>
    after(
      request({ type: 'InternalApprove', condition: 'all', escalation, deadline: overdue, ...change }),
      start,
    )

  test('is enough to complete the step', () => {
    const state = escalated({ participants: [second.id], inPlace: [first.id] })
    const done = after(state, { type: 'approve', pointId: 'p1', by: first })
    expect(done.points[0].status).toBe('Approved')
  })

  test('does not arise from a vote that was given as a participant, whatever groups the voter joins or leaves later', () => {
    const state = escalated({})
    const changed = { participants: [second.id], acted: [first.id], inPlace: [first.id] }
    const voted = { ...state, points: state.points.map((point) => ({ ...point, ...changed })) }
    expect(after(voted, { type: 'settle' }).points[0].status).toBe('Waiting')
  })
})
