/** A campaign that everybody signs, in every order of signing, judging, leaving, correcting and ending. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apply } from './apply.ts'
import type { Command } from './commands.ts'
import { decide } from './decide.ts'
import { newRequest, type RequestPoint, type SigningRequest } from './request.ts'
import { needsLock, whyNot, whyNotLock } from './why-not.ts'
import { expectSound, expectWayOn, next, now, possible } from './testing-walk.ts'

const audience = ['a', 'b', 'c'] as const
const personOf = (id: string) => ({ id, numbers: [] })
const lastDay = '2026-11-20'
const dayAfter = '2026-11-21'

function campaign(people: readonly string[] = audience): SigningRequest {
  const asked = {
    pointId: 'p0',
    type: 'InternalInformationConfirm',
    order: 1,
    condition: 'all',
    isEdsRequired: true,
    isPersonal: true,
    participants: people,
    bin: null,
  } as const
  return next({ ...newRequest('author', [asked]), expiresOn: lastDay }, { type: 'start' })
}

const pointOf = ({ points }: SigningRequest): RequestPoint => points.at(0)!
const checkedOf = (request: SigningRequest) => (pointOf(request).checking ?? []).map(({ by }) => by)
const sign = (by: string): Command => ({
  type: 'sign',
  pointId: 'p0',
  by: personOf(by),
  signatureId: `signature of ${by}`,
})
const judge = (by: string, type: 'accept-signature' | 'refuse-signature'): Command => ({
  type,
  signatureId: `signature of ${by}`,
})

/** The person leaves the group and the request settles; both are one step, as in a transaction of the database. */
function withoutPerson(request: SigningRequest, left: string): SigningRequest {
  const points = request.points.map((point) => ({
    ...point,
    participants: point.participants.filter((id) => id !== left),
  }))
  const settle = { type: 'settle' } as const
  const after = { ...request, points }
  return whyNot(after, settle, now) === null ? next(after, settle) : after
}

function keyOf(request: SigningRequest): string {
  const { status, participants, acted } = pointOf(request)
  const parts = [participants, acted, checkedOf(request)].map((ids) => ids.toSorted().join(''))
  // The number of revisions only matters as "first" or "later": what can follow is the same.
  return [request.status, status, Math.min(request.revision, 2), ...parts].join(' ')
}

/** Everything that people, checks, the clock and the organisation could do next. */
function stepsFrom(request: SigningRequest): SigningRequest[] {
  const expire = { type: 'expire', today: dayAfter } as const
  const commands: Command[] = [
    ...audience.map(sign),
    ...checkedOf(request).flatMap((by) => [judge(by, 'accept-signature'), judge(by, 'refuse-signature')]),
    { type: 'withdraw', by: personOf('author') },
    { type: 'correct', by: personOf('author') },
    expire,
  ]
  const allowed = commands.filter((command) => whyNot(request, command, now) === null)
  const leaving = pointOf(request).participants.map((id) => withoutPerson(request, id))
  return [...allowed.map((command) => next(request, command)), ...leaving]
}

/** What each person may do does not depend on what the others did. */
function expectApart(request: SigningRequest): void {
  const { participants, acted } = pointOf(request)
  const checked = checkedOf(request)
  for (const id of audience) {
    const alias = whyNot(request, sign(id), now)
    if (request.status !== 'InProgress') expect(alias).toBe('wrong-request-status')
    else if (!participants.includes(id)) expect(alias).toBe('not-enough-permissions')
    else if (acted.includes(id)) expect(alias).toBe('point-already-processed')
    else expect(alias).toBe(checked.includes(id) ? 'signature-being-checked' : null)
    const confirm = { type: 'confirm', pointId: 'p0', by: personOf(id) } as const
    expect(whyNot(request, confirm, now)).not.toBeNull()
    expect(whyNot(request, { ...confirm, type: 'reject' }, now)).not.toBeNull()
    expect(needsLock(request, personOf(id), now)).toBe(false)
  }
  expect(request.lock).toBeNull()
  expect(whyNot(request, { type: 'reroute', by: personOf('author'), ahead: [] }, now)).not.toBeNull()
}

/** Withdrawing and expiring do not wait for checks; the results of running checks are recorded later. */
function expectEndings(request: SigningRequest): void {
  if (request.status !== 'InProgress') return
  const endings: Command[] = [
    { type: 'withdraw', by: personOf('author') },
    { type: 'expire', today: dayAfter },
  ]
  for (const ending of endings) {
    const ended = next(request, ending)
    expect(ended.status).toBe('Revoked')
    const judged = checkedOf(request).reduce((state, by) => next(state, judge(by, 'accept-signature')), ended)
    expect(judged.status).toBe('Revoked')
    expect(pointOf(judged).acted.toSorted()).toEqual(
      [...pointOf(request).acted, ...checkedOf(request)].toSorted(),
    )
    expect(checkedOf(judged)).toEqual([])
  }
  const correct = { type: 'correct', by: personOf('author') } as const
  expect(whyNot(request, correct, now)).toBe(checkedOf(request).length > 0 ? 'signature-being-checked' : null)
}

test('a campaign gets stuck in no order of signing, judging, leaving and ending, and nobody holds up the others', () => {
  const seen = new Set<string>()
  const left = [campaign()]
  let transitions = 0
  for (let request = left.pop(); request; request = left.pop()) {
    const key = keyOf(request)
    if (seen.has(key)) continue
    seen.add(key)
    expectSoundOf(request)
    expectApart(request)
    expectEndings(request)
    const steps = stepsFrom(request)
    transitions += steps.length
    left.push(...steps)
  }
  expect([seen.size, transitions]).toEqual([864, 4076])
})

/** People who have left no longer count, so the general rules are only checked while the group is unchanged. */
function expectSoundOf(request: SigningRequest): void {
  const { participants, acted, status } = pointOf(request)
  expect(new Set(acted).size).toBe(acted.length)
  const isAllIn = participants.every((id) => acted.includes(id))
  if (request.status === 'Completed') expect([status, isAllIn]).toEqual(['Notified', true])
  if (request.status === 'InProgress' && acted.length > 0)
    expect(isAllIn && checkedOf(request).length === 0).toBe(false)
  if (status === 'Notified') expect(checkedOf(request)).toEqual([])
  expect(['Waiting', 'Notified']).toContain(status)
  if (participants.length === audience.length) {
    expectSound(request)
    expectWayOn(request)
  }
}

test('the order in which signatures are judged makes no difference', () => {
  const people = ['a', 'b', 'c', 'd', 'e', 'f']
  fc.assert(
    fc.property(
      fc.shuffledSubarray(people, { minLength: people.length }),
      fc.shuffledSubarray(people, { minLength: people.length }),
      fc.subarray(people),
      (signing, judging, refused) => {
        const signed = signing.reduce((state, by) => next(state, sign(by)), campaign(people))
        expect(checkedOf(signed).toSorted()).toEqual(people)
        const judged = judging.reduce(
          (state, by) =>
            next(state, judge(by, refused.includes(by) ? 'refuse-signature' : 'accept-signature')),
          signed,
        )
        expect(pointOf(judged).acted.toSorted()).toEqual(people.filter((id) => !refused.includes(id)))
        expect(judged.status).toBe(refused.length === 0 ? 'Completed' : 'InProgress')
        // People whose signatures were refused sign again, and a repeated result counts once.
        const again = refused.reduce(
          (state, by) => [sign(by), judge(by, 'accept-signature')].reduce(next, state),
          judged,
        )
        expect(again.status).toBe('Completed')
        expect(decide(again, judge('a', 'refuse-signature'), now)).toEqual([])
      },
    ),
  )
})

test('only the point of a campaign is signed side by side, and people who may not sign there cannot lock it', () => {
  const request = campaign()
  expect(whyNotLock(request, personOf('a'), now)).toBeNull()
  expect(whyNotLock(request, personOf('stranger'), now)).toBe('not-enough-permissions')
  const ordinary = {
    ...request,
    points: request.points.map((point) => ({
      ...point,
      type: 'EmployeeInternalSign' as const,
      isEdsRequired: false,
      isPersonal: false,
    })),
  }
  expect(needsLock(ordinary, personOf('a'), now)).toBe(true)
  const signed = decide(ordinary, sign('a'), now).reduce(apply, ordinary)
  expect(whyNot(signed, sign('b'), now)).toBe('signature-being-checked')
  expect(possible(signed)).not.toEqual([])
})
