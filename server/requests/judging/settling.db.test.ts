/** Where all members of a group must act, a request does not wait for members who have left. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import {
  addGroup,
  previewGroup,
  previewRemoval,
  removeGroup,
  removeMember,
  saveGroup,
} from '@kelisim/domain/portal/contract.ts'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { settleRequestsOf } from './settling.ts'
import { actingIn, startRequestsApp, statusOf } from '../core/testing-requests.ts'

const queued: string[] = []
const app = await startRequestsApp({
  queues: { queueSettling: async (_, groupIds) => void queued.push(...groupIds) },
})
const { call, database, make, time } = app
const { look, act, signAt, signatureOf } = actingIn(app)
const company = await app.company()
const { organizationId, owner } = company
const author = { id: company.employee, organizationId }

/** Two people in a new group. */
async function pair() {
  const people = await Promise.all([make.person(), make.person()])
  for (const person of people) await make.member(organizationId, person, 'Employee')
  const name = `Группа ${newId()}`
  const group = (await call(owner, addGroup, { organizationId, name, participants: people })).result
  const [stays, leaves] = people.map((id) => ({ id, organizationId }))
  return { group, stays: stays!, leaves: leaves! }
}

async function settle(): Promise<void> {
  for (const groupId of queued.splice(0)) await settleRequestsOf(groupId, database, () => time.now)
}

async function halfApproved() {
  const two = await pair()
  const point = await company.point('InternalApprove', { groupId: two.group.id, agreementCondition: 'all' })
  const { result: sent } = await company.send(await company.route(point))
  const { result } = await act(two.stays, sent, 'InternalApprove', 'approve')
  expect(statusOf(result)).toBe('InProgress')
  return { ...two, sent }
}

test('a request goes on when the member it waited for leaves the group', async () => {
  const { group, stays, sent } = await halfApproved()
  const { id: groupId, name, currentVersion } = group
  const change = { organizationId, groupId, name, participants: [stays.id], currentVersion }
  const unseen = await call(owner, saveGroup, change)
  expect([unseen.status, aliasOf(unseen), parametersOf(unseen)]).toEqual([
    409,
    'group-effects-not-seen',
    { count: 1 },
  ])
  const { fingerprint: seenEffects } = (await preview(groupId, [stays.id])).result
  await call(owner, saveGroup, { ...change, seenEffects })
  expect(queued).toEqual([groupId])
  await settle()
  const { result } = await look(author, sent.id)
  expect(statusOf(result)).toBe('Completed')
  expect(result.points[0]!.status).toBe(pointStatuses.Approved)
  // A job may run twice.
  await settleRequestsOf(groupId, database, () => time.now)
  expect((await look(author, sent.id)).result.currentVersion).toBe(result.currentVersion)
})

test('a request goes on when the member it waited for leaves the organisation', async () => {
  const { leaves, sent } = await halfApproved()
  await call(owner, removeMember, { organizationId, userId: leaves.id })
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('Completed')
})

test('the preview of removing a member names the requests that go on or stop, in all their groups', async () => {
  const { leaves, stays, sent } = await halfApproved()
  const alone = await call(owner, addGroup, {
    organizationId,
    name: `Группа ${newId()}`,
    participants: [leaves.id],
  })
  const point = await company.point('InternalApprove', { groupId: alone.result.id })
  const { result: stuck } = await company.send(await company.route(point), { name: 'Остановится' })
  const seen = await call(owner, previewRemoval, { organizationId, userId: leaves.id, skip: 0, take: 10 })
  expect(seen.result.items.toSorted((a, b) => a.effect.localeCompare(b.effect))).toEqual([
    { requestId: stuck.id, name: stuck.name, effect: 'nobody-left' },
    { requestId: sent.id, name: sent.name, effect: 'step-done' },
  ])
  expect(
    (await call(leaves.id, previewRemoval, { organizationId, userId: leaves.id, skip: 0, take: 1 })).status,
  ).toBe(200)
  expect(
    (await call(leaves.id, previewRemoval, { organizationId, userId: stays.id, skip: 0, take: 1 })).status,
  ).toBe(403)
  // Somebody acts meanwhile: what was shown is no longer what would happen.
  await act(leaves, stuck, 'InternalApprove', 'approve')
  const remove = (seenEffects: string) =>
    call(owner, removeMember, { organizationId, userId: leaves.id, seenEffects })
  expect(aliasOf(await remove(seen.result.fingerprint))).toBe('member-effects-changed')
  const again = await call(owner, previewRemoval, { organizationId, userId: leaves.id, skip: 0, take: 10 })
  expect(again.result.items.map(({ requestId }) => requestId)).toEqual([sent.id])
  expect((await remove(again.result.fingerprint)).status).toBe(200)
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('Completed')
})

test('a group that a request waits for cannot be removed, and the refusal names the request', async () => {
  const { group, sent } = await halfApproved()
  const remove = () => call(owner, removeGroup, { organizationId, groupId: group.id })
  const refused = await remove()
  expect([refused.status, aliasOf(refused)]).toEqual([409, 'group-is-awaited'])
  const use = { kind: 'request', id: sent.id, name: sent.name, status: sent.status }
  expect(parametersOf(refused)).toEqual({ uses: [use], more: 0 })
  await call(author.id, revokeRequest, { organizationId, signingRequestId: sent.id, comment: 'Не надо' })
  expect((await remove()).status).toBe(200)
})

test('a counterparty’s group with a future turn cannot be removed, and the request is not named before that turn', async () => {
  const other = await app.company()
  const theirs = await call(other.owner, addGroup, {
    organizationId: other.organizationId,
    name: `Группа ${newId()}`,
    participants: [other.employee],
  })
  const groupId = theirs.result.id
  const point = await other.point('CounterParty', { groupId })
  const signing = await company.point('CompanyInternalSign')
  const { result: sent } = await company.send(await company.route(signing, point), { name: 'Тайна' })
  const remove = () => call(other.owner, removeGroup, { organizationId: other.organizationId, groupId })
  expect(parametersOf(await remove())).toEqual({ uses: [], more: 1 })
  await signAt(author, sent, 'CompanyInternalSign', company.stamp)
  expect(parametersOf(await remove())).toMatchObject({ uses: [{ id: sent.id, name: 'Тайна' }], more: 0 })
})

test('when a request is sent and its group is removed at once, only one succeeds', async () => {
  for (let i = 0; i < 5; i++) {
    const { group } = await pair()
    const point = await company.point('InternalApprove', { groupId: group.id })
    const route = await company.route(point)
    const [sent, removed] = await Promise.all([
      company.send(route),
      call(owner, removeGroup, { organizationId, groupId: group.id }),
    ])
    expect([sent.status === 200, removed.status === 200].filter(Boolean)).toHaveLength(1)
  }
})

test('a point where nobody has acted yet still waits for the remaining members', async () => {
  const { group, stays } = await pair()
  const point = await company.point('InternalApprove', { groupId: group.id, agreementCondition: 'all' })
  const { result: sent } = await company.send(await company.route(point))
  const { id: groupId, name, currentVersion } = group
  const kept = [stays.id]
  await call(owner, saveGroup, { organizationId, groupId, name, participants: kept, currentVersion })
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('InProgress')
  expect(statusOf((await act(stays, sent, 'InternalApprove', 'approve')).result)).toBe('Completed')
})

const preview = (groupId: string, participants: string[], page = { skip: 0, take: 10 }) =>
  call(owner, previewGroup, { organizationId, groupId, participants, ...page })

test('the preview of removing a person from a group names the requests that go on; an outdated preview cannot be saved', async () => {
  const { group, stays, leaves, sent } = await halfApproved()
  const { id: groupId, name, currentVersion } = group
  // Nobody has acted on this request, so it waits for the member who stays.
  const point = await company.point('InternalApprove', { groupId, agreementCondition: 'all' })
  const { result: untouched } = await company.send(await company.route(point))
  const both = [stays.id, leaves.id]
  expect((await preview(groupId, both)).result).toMatchObject({ totalCount: 0, items: [] })
  const { result: seen } = await preview(groupId, [stays.id])
  expect(seen.items).toEqual([{ requestId: sent.id, name: sent.name, effect: 'step-done' }])
  const save = (participants: string[], seenEffects: string) =>
    call(owner, saveGroup, { organizationId, groupId, name, participants, currentVersion, seenEffects })

  // Somebody acts meanwhile: what was shown is no longer what would happen.
  await act(stays, untouched, 'InternalApprove', 'approve')
  expect(aliasOf(await save([stays.id], seen.fingerprint))).toBe('group-effects-changed')
  const { result: again } = await preview(groupId, [stays.id], { skip: 0, take: 1 })
  const { result: rest } = await preview(groupId, [stays.id], { skip: 1, take: 1 })
  expect([again.totalCount, again.fingerprint]).toEqual([2, rest.fingerprint])
  expect(new Set([...again.items, ...rest.items].map(({ requestId }) => requestId))).toEqual(
    new Set([sent.id, untouched.id]),
  )
  expect((await save([stays.id], again.fingerprint)).status).toBe(200)
  await settle()
  for (const { id } of [sent, untouched]) {
    expect(statusOf((await look(author, id)).result)).toBe('Completed')
  }
})

test('the preview names requests that would be left without anybody, also those whose turn is later', async () => {
  const { group, stays, leaves } = await pair()
  const { id: groupId } = group
  const point = await company.point('InternalApprove', { groupId })
  const first = await company.point('CompanyInternalSign')
  const { result: now } = await company.send(await company.route(point))
  const { result: later } = await company.send(await company.route(first, point))
  expect((await preview(groupId, [stays.id])).result.totalCount).toBe(0)
  const { result } = await preview(groupId, [])
  expect(result.items.toSorted((a, b) => a.requestId.localeCompare(b.requestId))).toEqual(
    [now, later]
      .map(({ id, name }) => ({ requestId: id, name, effect: 'nobody-left' }))
      .toSorted((a, b) => a.requestId.localeCompare(b.requestId)),
  )
  const other = await app.company()
  const foreign = { organizationId: other.organizationId, groupId, participants: [], skip: 0, take: 1 }
  expect(aliasOf(await call(other.owner, previewGroup, foreign))).toBe('organization-group-not-found')
  expect((await call(leaves.id, previewGroup, { ...foreign, organizationId })).status).toBe(403)
})

test('adding a member to a group queues no job', async () => {
  const { group, stays, leaves } = await pair()
  const { id: groupId, name, currentVersion } = group
  const participants = [stays.id, leaves.id, company.employee]
  await call(owner, saveGroup, { organizationId, groupId, name, participants, currentVersion })
  expect(queued).toEqual([])
})

test('a termination is completed when the member it waited for leaves', async () => {
  const { stays, leaves, group } = await pair()
  const keys = [await company.ownKey(stays.id), await company.ownKey(leaves.id)] as const
  const point = await company.point('EmployeeInternalSign', { groupId: group.id, agreementCondition: 'all' })
  const { result: sent } = await company.send(await company.route(point))
  await signAt(stays, sent, 'EmployeeInternalSign', keys[0])
  expect(statusOf((await signAt(leaves, sent, 'EmployeeInternalSign', keys[1])).result)).toBe('Completed')
  const input = { organizationId, signingRequestId: sent.id, comment: 'Больше не нужно' }
  expect(statusOf((await call(stays.id, terminateRequest, input)).result)).toBe('Terminating')
  const { rawPayload } = await app.app.inject({
    url: `/api/SigningRequests/${organizationId}/${sent.id}/files/terminating`,
    headers: { cookie: `session=${await app.tokenOf(stays.id)}`, origin: publicUrl.origin },
  })
  await act(stays, sent, 'EmployeeInternalSign', 'sign', {
    signature: await signatureOf(keys[0], rawPayload),
  })
  await call(owner, removeMember, { organizationId, userId: leaves.id })
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('Terminated')
})

test('an act and a removal at once complete the request', async () => {
  const { group, stays, leaves } = await pair()
  const point = await company.point('InternalApprove', { groupId: group.id, agreementCondition: 'all' })
  const { result: sent } = await company.send(await company.route(point))
  await Promise.all([
    act(stays, sent, 'InternalApprove', 'approve'),
    call(owner, removeMember, { organizationId, userId: leaves.id }),
  ])
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('Completed')
})

test('when fewer people remain than the quorum, all who remain are enough', async () => {
  const { group, stays, leaves } = await pair()
  const third = await make.person()
  await make.member(organizationId, third, 'Employee')
  const { id: groupId, name } = group
  const wide = { organizationId, groupId, name, participants: [stays.id, leaves.id, third] }
  const widened = await call(owner, saveGroup, { ...wide, currentVersion: group.currentVersion })
  const point = await company.point('InternalApprove', { groupId, quorum: 2 })
  const { result: sent } = await company.send(await company.route(point))
  await act(stays, sent, 'InternalApprove', 'approve')
  const { fingerprint: seenEffects, items } = (await preview(groupId, [stays.id])).result
  expect(items.map(({ effect }) => effect)).toEqual(['step-done'])
  const narrow = { ...wide, participants: [stays.id], currentVersion: widened.result.currentVersion }
  expect((await call(owner, saveGroup, { ...narrow, seenEffects })).status).toBe(200)
  await settle()
  expect(statusOf((await look(author, sent.id)).result)).toBe('Completed')
})
