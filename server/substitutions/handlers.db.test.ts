/** Absent members, their substitutes, and what that changes at a request. */
import { describe, expect, test } from 'vitest'
import { getRequestHistory, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { addGroup, removeMember } from '@kelisim/domain/portal/contract.ts'
import { addSubstitution, endSubstitution, getSubstitutions } from '@kelisim/domain/substitutions/contract.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { aliasOf } from '../routes/testing-routes.ts'

const testApp = await startRequestsApp()
const { call, time, database, make, emails } = testApp
const { look, act, signAt } = actingIn(testApp)
const today = '2026-11-15'

/** The employee is asked to act, the administrator is in no group. */
async function scene(hour = '06') {
  time.now = new Date(`${today}T${hour}:00:00Z`)
  const house = await testApp.company()
  const { organizationId, employee, administrator } = house
  const group = await house.group('Директор', employee)
  const name = (absentId: string, substituteId: string, from = today, to = '2026-11-20') =>
    call(absentId, addSubstitution, { organizationId, substituteId, from, to })
  const away = { id: employee, organizationId }
  const instead = { id: administrator, organizationId }
  const incoming = async (id: string) =>
    (await call(id, getRequests, { organizationId, route: 'incomings', skip: 0, take: 10 })).result.items
  return { ...house, group, name, away, instead, incoming }
}

describe('a substitution at a request', () => {
  test('lets the substitute find it and sign with their own key, and records both names', async () => {
    const { organizationId, owner, instead, employee, name, incoming, ...house } = await scene()
    const point = await house.point('CompanyInternalSign', { groupId: house.group })
    const { result: sent } = await house.send(await house.route(point), {}, owner)
    expect((await look(instead, sent.id)).error.ExceptionData.Alias).toBe('signing-request-not-found')
    expect(await incoming(instead.id)).toEqual([])
    await name(employee, instead.id)
    expect((await incoming(instead.id)).map(({ id }) => id)).toEqual([sent.id])
    expect((await call(instead.id, countWaiting, { organizationId })).result.count).toBe(1)
    const { result: seen } = await look(instead, sent.id)
    const absentName = seen.points[0]!.participants[0]!.fullName
    expect(seen.points[0]).toMatchObject({ isMine: true, actsInsteadOf: absentName })
    const { result: signed } = await signAt(instead, seen, 'CompanyInternalSign', house.stamp)
    expect(signed.points[0]!.acts).toMatchObject([{ act: 'signed', insteadOf: absentName }])
    expect(signed.points[0]!.signatures[0]).toMatchObject({
      state: 'accepted',
      by: { insteadOf: absentName },
    })
    const history = await call(owner, getRequestHistory, {
      organizationId,
      signingRequestId: sent.id,
      skip: 0,
      take: 50,
    })
    const taken = history.result.items.find(({ type }) => type === 'signature-taken')!
    expect(taken.actor).toMatchObject({ insteadOf: absentName })
    const doer = taken.actor!.fullName
    expect(doer).not.toBe(absentName)
    expect(signed.points[0]!.statusDescriptionData?.parameters).toMatchObject({
      fullName: doer,
      insteadOf: absentName,
    })
  })

  test('shows the substitute after its end only what they acted on', async () => {
    const { owner, instead, employee, name, incoming, ...house } = await scene('18')
    const point = await house.point('InternalApprove', { groupId: house.group })
    const routeId = await house.route(point)
    const { result: done } = await house.send(routeId, {}, owner)
    const { result: left } = await house.send(routeId, {}, owner)
    await name(employee, instead.id, today, today)
    expect((await act(instead, done, 'InternalApprove', 'approve')).result.status).toBe(8)
    time.now = new Date('2026-11-15T19:00:01Z')
    expect((await look(instead, done.id)).result.id).toBe(done.id)
    expect(aliasOf(await look(instead, left.id))).toBe('signing-request-not-found')
    expect(aliasOf(await act(instead, left, 'InternalApprove', 'approve'))).toBe('signing-request-not-found')
    expect(await incoming(instead.id)).toEqual([])
  })

  test('for an owner shows the substitute requests to the number of the organisation', async () => {
    const sender = await testApp.company()
    const { owner, instead, organizationId, ...receiver } = await scene()
    const point = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
    const { result: sent } = await sender.send(await sender.route(point))
    expect(aliasOf(await look(instead, sent.id))).toBe('signing-request-not-found')
    await receiver.name(owner, instead.id)
    expect((await receiver.incoming(instead.id)).map(({ id }) => id)).toEqual([sent.id])
    const { result: signed } = await signAt(instead, sent, 'ExternalSign', receiver.stamp)
    expect(signed.status).toBe(8)
    // The substitute may act for that organisation only.
    expect(aliasOf(await look({ id: instead.id }, sent.id))).not.toBeNull()
    expect(organizationId).toBe(instead.organizationId)
  })

  test('gives no access in another organisation of the absent person', async () => {
    const { employee, instead, name } = await scene()
    const other = await testApp.company()
    await make.member(other.organizationId, employee)
    const group = await other.group('Совет', employee)
    const point = await other.point('InternalApprove', { groupId: group })
    const { result: sent } = await other.send(await other.route(point))
    await name(employee, instead.id)
    expect(aliasOf(await look(instead, sent.id))).toBe('signing-request-not-found')
    expect(aliasOf(await act(instead, sent, 'InternalApprove', 'approve'))).toBe('signing-request-not-found')
  })

  test('ends when the absent person leaves the organisation', async () => {
    const { owner, organizationId, employee, instead, name, incoming, ...house } = await scene()
    const point = await house.point('InternalApprove', { groupId: house.group })
    await house.send(await house.route(point), {}, owner)
    await name(employee, instead.id)
    expect(await incoming(instead.id)).toHaveLength(1)
    await database.write((tx) =>
      tx
        .deleteFrom('memberships')
        .where('organizationId', '=', organizationId)
        .where('userId', '=', employee)
        .execute(),
    )
    expect(await incoming(instead.id)).toEqual([])
  })
})

test('a substitute sees what waits during the substitution, what they acted on, and for whom', async () => {
  const { owner, organizationId, employee, instead, name, incoming, away, ...house } = await scene()
  const point = await house.point('InternalApprove', { groupId: house.group })
  const routeId = await house.route(point)
  const { result: finished } = await house.send(routeId, {}, owner)
  await act(away, finished, 'InternalApprove', 'approve')
  const colleagues = { organizationId, name: 'Сначала они', participants: [owner] }
  const { result: before } = await call(owner, addGroup, colleagues)
  const later = await house.point('InternalApprove', { groupId: before.id })
  const { result: queued } = await house.send(await house.route(later, point), {}, owner)
  const { result: waiting } = await house.send(routeId, {}, owner)
  const { result: revoked } = await house.send(routeId, {}, owner)
  await name(employee, instead.id)
  await call(owner, revokeRequest, { organizationId, signingRequestId: revoked.id, comment: 'Лишний' })

  for (const hidden of [finished, queued, revoked]) {
    expect(aliasOf(await look(instead, hidden.id))).toBe('signing-request-not-found')
  }
  const absentName = waiting.points[0]!.participants[0]!.fullName
  const [line, ...others] = await incoming(instead.id)
  expect(others).toEqual([])
  expect(line).toMatchObject({ id: waiting.id, actsInsteadOf: absentName })
  expect((await incoming(employee)).map(({ actsInsteadOf }) => actsInsteadOf)).toEqual([
    null,
    null,
    null,
    null,
  ])

  expect((await act(instead, waiting, 'InternalApprove', 'approve')).status).toBe(200)
  expect((await look(instead, waiting.id)).status).toBe(200)
  expect(await incoming(instead.id)).toMatchObject([{ id: waiting.id, actsInsteadOf: null }])
  expect((await call(instead.id, countWaiting, { organizationId })).result.count).toBe(0)
})

describe('after leaving and returning', () => {
  test.each(['substitute', 'absent'] as const)('the %s has no substitution any more', async (who) => {
    const { owner, organizationId, employee, instead, name, incoming, ...house } = await scene()
    const point = await house.point('InternalApprove', { groupId: house.group })
    const { result: sent } = await house.send(await house.route(point), {}, owner)
    const { result: named } = await name(employee, instead.id)
    const userId = who === 'absent' ? employee : instead.id
    expect((await call(owner, removeMember, { organizationId, userId })).status).toBe(200)
    await make.member(organizationId, userId)
    if (who === 'absent') {
      await database.write((tx) =>
        tx.insertInto('groupParticipants').values({ organizationId, groupId: house.group, userId }).execute(),
      )
    }
    expect(await incoming(instead.id)).toEqual([])
    expect(aliasOf(await look(instead, sent.id))).toBe('signing-request-not-found')
    const { items } = (await call(userId, getSubstitutions, { organizationId, skip: 0, take: 10 })).result
    expect(items).toMatchObject([{ id: named.id, state: 'ended' }])
  })

  test('a member named as substitute while being removed is no substitute', async () => {
    const { owner, organizationId, employee, instead, name, incoming, ...house } = await scene()
    const point = await house.point('InternalApprove', { groupId: house.group })
    await house.send(await house.route(point), {}, owner)
    await Promise.all([
      call(owner, removeMember, { organizationId, userId: instead.id }),
      name(employee, instead.id),
    ])
    await make.member(organizationId, instead.id)
    expect(await incoming(instead.id)).toEqual([])
  })
})

describe('naming a substitute', () => {
  test('and ending it again and again is limited, so that nobody is flooded with e-mails', async () => {
    const { organizationId, employee, instead, name } = await scene()
    const before = emails.length
    const aliases: unknown[] = []
    for (let i = 0; i < 15; i++) {
      const named = await name(employee, instead.id)
      aliases.push(named.status === 200 ? null : aliasOf(named))
      if (named.status !== 200) continue
      await call(employee, endSubstitution, { organizationId, substitutionId: named.result.id })
    }
    expect(emails.length - before).toBe(20)
    expect(new Set(aliases)).toEqual(new Set([null, 'too-many-requests']))
    await testApp.travel(new Date('2026-11-16T06:00:01Z'))
    expect((await name(employee, instead.id, '2026-11-16')).status).toBe(200)
  })

  test('is announced to them by e-mail, and shown to both people and nobody else', async () => {
    const { organizationId, employee, colleague, instead, name } = await scene()
    const { result: named } = await name(employee, instead.id)
    expect(named).toMatchObject({ state: 'now', from: today, to: '2026-11-20', allowed: { end: true } })
    expect(emails.at(-1)).toMatchObject({ subject: expect.stringContaining('15.11.2026') as string })
    const listOf = async (id: string) =>
      (await call(id, getSubstitutions, { organizationId, skip: 0, take: 10 })).result
    expect((await listOf(employee)).items).toEqual([named])
    expect((await listOf(instead.id)).totalCount).toBe(1)
    expect(await listOf(colleague)).toEqual({ items: [], totalCount: 0 })
    const end = (id: string) => call(id, endSubstitution, { organizationId, substitutionId: named.id })
    expect(aliasOf(await end(colleague))).toBe('substitution-not-found')
    expect((await end(instead.id)).result).toMatchObject({ state: 'ended', allowed: { end: false } })
    expect(aliasOf(await end(employee))).toBe('substitution-over')
    expect((await name(employee, colleague)).result.state).toBe('now')
  })

  test('is refused for strangers, oneself, chains and past days', async () => {
    const { employee, colleague, owner, instead, name } = await scene()
    const stranger = await make.person()
    expect(aliasOf(await name(employee, stranger))).toBe('user-not-found')
    expect(aliasOf(await name(employee, employee))).toBe('substitute-is-oneself')
    expect(aliasOf(await name(employee, colleague, '2026-11-14'))).toBe('substitution-wrong-period')
    await name(employee, instead.id)
    expect(aliasOf(await name(instead.id, colleague))).toBe('substitutes-another')
    expect(aliasOf(await name(owner, employee))).toBe('substitute-is-away')
    expect(aliasOf(await name(employee, owner, '2026-11-20', '2026-11-21'))).toBe('already-substituted')
  })

  test('is refused to one of two people who name each other at once', async () => {
    const { employee, colleague, name } = await scene()
    const answers = await Promise.all([name(employee, colleague), name(colleague, employee)])
    expect(answers.filter((answer) => aliasOf(answer) === null)).toHaveLength(1)
  })
})
