/** What callers may not see or do: routes of others, signatures that are not accepted, hidden points, too many streams. */
import { expect, test } from 'vitest'
import { emptyId } from '@kelisim/domain/fields.ts'
import { lockRequest, revokeRequest, tryRequest } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp } from './testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, make, tokenOf, centre } = testApp
const { look, act, signAt } = actingIn(testApp)

async function scene() {
  const sender = await testApp.company()
  const receiver = await testApp.company()
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  const employee = { id: sender.employee, organizationId: sender.organizationId }
  const partner = { id: receiver.owner, organizationId: receiver.organizationId }
  return { sender, receiver, signing, external, employee, partner }
}

test('a trial with another member’s personal route reveals nothing about its points', async () => {
  const { sender, signing, employee } = await scene()
  const { organizationId } = employee
  const points = [{ pointId: signing, order: 1 }]
  const form = { name: 'Личный', description: '', visibilityScope: 1 as const, points }
  const { result: route } = await call(sender.owner, routeCalls.add, { organizationId, ...form })
  const document = (await sender.upload(employee.id, organizationId)).result
  const input = { organizationId, documentId: document.id, routeId: route.id }
  const { result: theirs } = await call(employee.id, tryRequest, input)
  expect(theirs.refusals.map(({ alias }) => alias)).toEqual(['route-not-found'])
  expect(theirs.rehearsal).toBeNull()
  const { result: own } = await call(sender.owner, tryRequest, input)
  expect(own.rehearsal?.turns).toHaveLength(1)
})

test('the other side sees the organisation, not the person, as holder of an internal approver’s lock', async () => {
  const { sender, external, partner, employee } = await scene()
  const { organizationId } = employee
  const agreeing = await sender.point('InternalApprove', { isEdsPresentationRequired: true })
  const { result: sent } = await sender.send(await sender.route([agreeing, external]))
  const input = { organizationId, signingRequestId: sent.id }
  expect((await call(sender.colleague, lockRequest, input)).status).toBe(200)
  const { result } = await look(partner, sent.id)
  expect(result.lock).toMatchObject({ fullName: sent.organization.shortName })
})

test('other members can download a signature only after it is accepted', async () => {
  const { sender, signing, employee } = await scene()
  const { result: sent } = await sender.send(await sender.route(signing))
  centre.answer = undefined
  const { result: waiting } = await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
  centre.answer = 'good'
  const signature = waiting.points[0]!.signatures[0]!
  expect(signature.state).toBe('checking')
  const fetchAs = async (id: string) =>
    app.inject({
      url: `/api/SigningRequests/${employee.organizationId}/${sent.id}/signatures/${signature.id}`,
      headers: { cookie: `session=${await tokenOf(id)}`, origin: publicUrl.origin },
    })
  expect((await fetchAs(sender.employee)).statusCode).toBe(200)
  expect((await fetchAs(sender.colleague)).json()).toMatchObject({
    ExceptionData: { Alias: 'signing-sign-not-found' },
  })
})

test('an author acting for the receiving organisation cannot withdraw', async () => {
  const { sender, receiver, external, employee } = await scene()
  await make.member(receiver.organizationId, sender.employee, 'Owner')
  const { result: sent } = await sender.send(await sender.route(external))
  const withdraw = (organizationId: string) =>
    call(sender.employee, revokeRequest, { organizationId, signingRequestId: sent.id, comment: 'Не надо' })
  const offered = async (organizationId: string, route: 'incomings' | 'outgoings') => {
    const { result: view } = await look({ id: sender.employee, organizationId }, sent.id)
    const page = { organizationId, route, skip: 0, take: 10 }
    const { result: list } = await call(sender.employee, getRequests, page)
    const item = list.items.find(({ id }) => id === sent.id)!
    return [view, item].map(({ acts }) => acts.some(({ act: one }) => one === 'withdraw'))
  }
  expect(await offered(receiver.organizationId, 'incomings')).toEqual([false, false])
  expect(await offered(employee.organizationId, 'outgoings')).toEqual([true, true])
  expect(aliasOf(await withdraw(receiver.organizationId))).toBe('not-enough-permissions')
  expect((await withdraw(employee.organizationId)).status).toBe(200)
})

test('a list does not show counterparties whose points the caller cannot see', async () => {
  const { sender, receiver, external, employee, partner } = await scene()
  const third = await testApp.company()
  const approval = await sender.point('ExternalApprove', { bin: third.bin, emails: ['b@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(approval, external))
  const side = async (who: { id: string; organizationId: string }, route: 'incomings' | 'outgoings') =>
    (await call(who.id, getRequests, { organizationId: who.organizationId, route, skip: 0, take: 10 })).result
      .items[0]!.counterparty
  await act({ id: third.owner, organizationId: third.organizationId }, sent, 'ExternalApprove', 'approve')
  expect(await side(employee, 'outgoings')).toMatchObject({ bin: third.bin, others: 1 })
  expect(await side(partner, 'incomings')).toMatchObject({ others: 0 })
  expect(JSON.stringify(await side(partner, 'incomings'))).not.toContain(third.bin)

  // The request cannot be found by a filter either.
  const found = async (
    who: { id: string; organizationId: string },
    route: 'incomings' | 'outgoings',
    bin: string,
  ) => {
    const page = { organizationId: who.organizationId, route, bin, skip: 0, take: 10 }
    return (await call(who.id, getRequests, page)).result.totalCount
  }
  const others = { id: third.owner, organizationId: third.organizationId }
  expect(await found(partner, 'incomings', third.bin)).toBe(0)
  expect(await found(partner, 'incomings', sender.bin)).toBe(1)
  expect(await found(partner, 'incomings', receiver.bin)).toBe(1)
  expect(await found(others, 'incomings', receiver.bin)).toBe(1)
  expect(await found(others, 'incomings', third.bin)).toBe(1)
  expect(await found(employee, 'outgoings', third.bin)).toBe(1)
})

test('members who act internally find a request by the BIN of every recipient', async () => {
  const { sender, signing, receiver, employee } = await scene()
  const informing = await sender.point('ExternalInformation', { bin: receiver.bin, emails: ['a@example.kz'] })
  await sender.send(await sender.route(signing, informing))
  const page = { organizationId: employee.organizationId, route: 'incomings' as const, skip: 0, take: 10 }
  expect((await call(employee.id, getRequests, { ...page, bin: receiver.bin })).result.totalCount).toBe(1)
})

test('a caller can open thirty streams, also when opened at once', async () => {
  const { sender, signing, employee } = await scene()
  const { result: sent } = await sender.send(await sender.route(signing))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { cookie: `session=${await tokenOf(employee.id)}` }
  const path = `/api/SigningRequests/${employee.organizationId}/${sent.id}/changes`
  const streams = await Promise.all(Array.from({ length: 35 }, () => fetch(`${address}${path}`, { headers })))
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(30)
  // Refused streams are not counted.
  const none = await fetch(`${address}${path.replace(sent.id, emptyId)}`, { headers })
  expect(none.status).toBe(429)
  for (const { body } of streams) await body?.cancel()
})

test('a stream ends when its session or membership ends', async () => {
  const { sender, signing, employee } = await scene()
  const { result: sent } = await sender.send(await sender.route(signing))
  const address = app.listeningOrigin
  const listen = async (id: string) => {
    const headers = { cookie: `session=${await tokenOf(id)}` }
    const path = `/api/SigningRequests/${employee.organizationId}/${sent.id}/changes`
    return fetch(`${address}${path}`, { headers })
  }
  const { employee: signedOut, colleague: dismissed, owner: staying } = sender
  const people = [signedOut, dismissed, staying]
  const streams = (await Promise.all(people.map(listen))).map((stream) => stream.text())
  // Ends the sessions in the database, as another process would.
  const over = new Set<number>()
  streams.forEach((stream, i) => void stream.then(() => over.add(i)))
  await testApp.database.write(async (tx) => {
    await tx.deleteFrom('sessions').where('userId', '=', signedOut).execute()
    await tx.deleteFrom('groupParticipants').where('userId', '=', dismissed).execute()
    await tx.deleteFrom('memberships').where('userId', '=', dismissed).execute()
  })
  expect(await streams[0]).toContain('data: ')
  expect(await streams[1]).toContain('data: ')
  expect([...over]).not.toContain(2)
  await testApp.database.write((tx) => tx.deleteFrom('sessions').where('userId', '=', staying).execute())
  await streams[2]
})

test('a date in the year 0 is a validation failure', async () => {
  const { sender, signing, employee } = await scene()
  const route = await sender.route(signing)
  expect(aliasOf(await sender.send(route, { signingDate: '0000-01-01' }))).toBe('validation-failure')
  const { organizationId } = employee
  const page = { organizationId, route: 'outgoings' as const, skip: 0, take: 10 }
  expect(aliasOf(await call(employee.id, getRequests, { ...page, from: '0000-01-01' }))).toBe(
    'validation-failure',
  )
})
