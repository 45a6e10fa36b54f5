/** Openings of a document: recorded once, for those who are asked, and seen by the sides of the request. */
import { expect, test } from 'vitest'
import { getRequest, getRequestHistory, openRequest } from '@kelisim/domain/requests/contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, time } = testApp
const sender = await testApp.company()
const other = await testApp.company()
const { act, signAt } = actingIn(testApp)
const { organizationId, employee, colleague, administrator, owner } = sender
const inside = await sender.route(
  await sender.point('InternalApprove', { name: 'Согласование' }),
  await sender.point('ExternalSign', { bin: other.bin, emails: ['deals@example.kz'] }),
)

const send = async () => (await sender.send(inside)).result
const look = async (personId: string, signingRequestId: string, where = organizationId) =>
  (await call(personId, getRequest, { organizationId: where, signingRequestId })).result
const open = (personId: string, signingRequestId: string, where = organizationId) =>
  call(personId, openRequest, { organizationId: where, signingRequestId })
const openedIn = async (personId: string, signingRequestId: string, where = organizationId) => {
  const page = { organizationId: where, signingRequestId, skip: 0, take: 50 }
  const { items } = (await call(personId, getRequestHistory, page)).result
  return items.filter(({ type }) => type === 'opened')
}

test('an opening is recorded once for each person, whatever else they read', async () => {
  const { id } = await send()
  expect(await look(employee, id)).toMatchObject({ isFirstLook: true })
  await look(employee, id)
  expect(await openedIn(owner, id)).toEqual([])
  await Promise.all([open(employee, id), open(employee, id), open(employee, id)])
  await open(colleague, id)
  expect(await openedIn(owner, id)).toHaveLength(2)
  const { isFirstLook, points } = await look(employee, id)
  expect(isFirstLook).toBe(false)
  expect(points[0]!.openings).toHaveLength(2)
  expect(points[0]!.openings[0]).toMatchObject({ at: time.now.toISOString() })
})

test('an opening by somebody who is not asked is not recorded', async () => {
  const { id } = await send()
  expect((await open(owner, id)).status).toBe(200)
  expect(await openedIn(owner, id)).toEqual([])
})

test('an opening does not change the version, so acts at the same time are not refused', async () => {
  const request = await send()
  await open(colleague, request.id)
  const { currentVersion } = request
  const approved = await act({ id: employee, organizationId }, request, 'InternalApprove', 'approve', {
    currentVersion,
  })
  expect(approved.status).toBe(200)
})

test('an opening by the other side is visible to the sender; those at internal steps are hidden from the other side', async () => {
  const request = await send()
  await open(employee, request.id)
  await act({ id: employee, organizationId }, request, 'InternalApprove', 'approve')
  const there = other.organizationId
  expect((await open(other.owner, request.id, there)).status).toBe(200)
  expect(await openedIn(owner, request.id)).toHaveLength(2)
  const theirs = await look(other.owner, request.id, there)
  expect(theirs.points.flatMap(({ openings }) => openings)).toHaveLength(1)
  expect(await openedIn(other.owner, request.id, there)).toHaveLength(1)
})

test('an opening at a signing step of the sender is hidden from the other side, which sees the step itself', async () => {
  const route = await sender.route(
    await sender.point('CompanyInternalSign'),
    await sender.point('ExternalSign', { bin: other.bin, emails: ['deals@example.kz'] }),
  )
  const { result: request } = await sender.send(route)
  await open(colleague, request.id)
  await open(employee, request.id)
  await signAt({ id: employee, organizationId }, request, 'CompanyInternalSign', sender.stamp)
  expect(await openedIn(owner, request.id)).toHaveLength(2)
  const theirs = await look(other.owner, request.id, other.organizationId)
  expect(theirs.points).toHaveLength(2)
  expect(theirs.points.flatMap(({ openings }) => openings)).toEqual([])
  expect(await openedIn(other.owner, request.id, other.organizationId)).toEqual([])
})

test('an opening of an invisible request is refused like one of a request that does not exist', async () => {
  const { id } = await send()
  expect(aliasOf(await open(administrator, id))).toBe('signing-request-not-found')
  expect(aliasOf(await open(other.owner, id, other.organizationId))).toBe('signing-request-not-found')
})
