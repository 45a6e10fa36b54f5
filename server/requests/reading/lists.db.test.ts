/** Who sees which requests: lists, their filters, history and files. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addGroup } from '@kelisim/domain/portal/contract.ts'
import { getRequestHistory, revokeRequest, updateRequest } from '@kelisim/domain/requests/contract.ts'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { addClassifier } from '@kelisim/domain/classifiers/contract.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp, type View } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, make, tokenOf } = testApp
const { act, signAt } = actingIn(testApp)

type Filter = Omit<Parameters<typeof ask>[3], never>

async function ask(
  id: string,
  organizationId: string,
  route: 'incomings' | 'outgoings',
  filter: Record<string, unknown>,
) {
  return call(id, getRequests, { organizationId, route, skip: 0, take: 10, ...filter })
}

/** Two organisations, and a request from one to the other for each test. */
async function scene() {
  const sender = await testApp.company()
  const receiver = await testApp.company()
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  const route = await sender.route(signing, external)
  const employee = { id: sender.employee, organizationId: sender.organizationId }
  const names = async (
    id: string,
    organizationId: string,
    path: 'incomings' | 'outgoings',
    filter: Filter = {},
  ) => (await ask(id, organizationId, path, filter)).result.items.map(({ name }) => name)
  return { sender, receiver, route, employee, names }
}

describe('incoming requests', () => {
  test('are listed for the group from the start, and for the other side from its turn on', async () => {
    const { sender, receiver, route, employee, names } = await scene()
    const { result: sent } = await sender.send(route, { name: 'Аренда' })
    const mine = (filter: Filter = {}) => names(sender.colleague, sender.organizationId, 'incomings', filter)
    const theirs = (id: string) => names(id, receiver.organizationId, 'incomings')
    expect(await mine()).toEqual(['Аренда'])
    expect(await mine({ signedStatus: 1 })).toEqual(['Аренда'])
    expect(await theirs(receiver.owner)).toEqual([])
    expect(await names(sender.administrator, sender.organizationId, 'incomings')).toEqual([])

    await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
    expect(await mine({ signedStatus: 1 })).toEqual([])
    expect(await mine({ signedStatus: 2 })).toEqual(['Аренда'])
    expect(await theirs(receiver.owner)).toEqual(['Аренда'])
    // A request sent to the number is listed for owners only.
    expect(await theirs(receiver.employee)).toEqual([])
    const count = async (id: string) =>
      (await call(id, countWaiting, { organizationId: receiver.organizationId })).result.count
    expect([await count(receiver.owner), await count(receiver.employee)]).toEqual([1, 0])
  })

  test('wait for those who have still to answer, not for colleagues who have answered', async () => {
    const { sender, names } = await scene()
    const { organizationId, employee, colleague } = sender
    const all = await sender.point('InternalApprove', { agreementCondition: 'all' })
    const { result: sent } = await sender.send(await sender.route(all), { name: 'Приказ' })
    const waiting = (id: string) => names(id, organizationId, 'incomings', { signedStatus: 1 })
    const count = async (id: string) => (await call(id, countWaiting, { organizationId })).result.count
    expect([await waiting(employee), await waiting(colleague)]).toEqual([['Приказ'], ['Приказ']])
    await act({ id: employee, organizationId }, sent, 'InternalApprove', 'approve')
    expect([await waiting(employee), await waiting(colleague)]).toEqual([[], ['Приказ']])
    expect([await count(employee), await count(colleague)]).toEqual([0, 1])
    expect(await names(employee, organizationId, 'incomings')).toEqual(['Приказ'])
  })

  test('do not wait for an owner where the key of another person is required', async () => {
    const { sender, receiver, names } = await scene()
    const { iin: keyHolderIin } = await citizen(testApp.nation, {})
    await receiver.ownKey(receiver.owner)
    const external = await sender.point('ExternalSign', {
      bin: receiver.bin,
      emails: ['a@example.kz'],
      keyHolder: 'person',
      keyHolderIin,
    })
    await sender.send(await sender.route(external), { name: 'Личный' })
    const { owner, organizationId } = receiver
    expect(await names(owner, organizationId, 'incomings')).toEqual(['Личный'])
    expect(await names(owner, organizationId, 'incomings', { signedStatus: 1 })).toEqual([])
    expect((await call(owner, countWaiting, { organizationId })).result.count).toBe(0)
  })

  test('are listed once for a person who can act in several groups', async () => {
    const { sender } = await scene()
    const { organizationId, owner, employee } = sender
    const second = await call(owner, addGroup, { organizationId, name: 'Юристы', participants: [employee] })
    const one = await sender.point('InternalApprove')
    const two = await sender.point('InternalApprove', { groupId: second.result.id })
    await sender.send(await sender.route([one, two]), { name: 'Дважды' })
    const { result } = await ask(employee, organizationId, 'incomings', {})
    expect([result.items.length, result.totalCount]).toEqual([1, 1])
    expect(result.items[0]!.acts.map(({ act: name }) => name)).toContain('approve')
    expect(result.items[0]!.arrivedAt).toBe(result.items[0]!.createdAt)
    expect(result.items[0]!.progress).toEqual({ done: 0, total: 2 })
  })
})

describe('outgoing requests', () => {
  test('are those of the caller; only owners can list those of others', async () => {
    const { sender, route, names } = await scene()
    const { organizationId, owner, employee } = sender
    await sender.send(route, { name: 'Мой' })
    await sender.send(route, { name: 'Владельца' }, owner)
    expect(await names(employee, organizationId, 'outgoings')).toEqual(['Мой'])
    expect(await names(owner, organizationId, 'outgoings', { ownScope: 2 })).toEqual(['Мой'])
    expect(await names(owner, organizationId, 'outgoings', { ownScope: 3, sort: 'name' })).toEqual([
      'Владельца',
      'Мой',
    ])
    expect(aliasOf(await ask(employee, organizationId, 'outgoings', { ownScope: 3 }))).toBe('roles-filter')
  })

  test('are listed and answered at addresses of any letter case', async () => {
    const { sender, route } = await scene()
    const { organizationId, employee } = sender
    const { result: sent } = await sender.send(route)
    const headers = { origin: publicUrl.origin, cookie: `session=${await tokenOf(employee)}` }
    const base = `/api/signingrequests/${organizationId}`
    const list = await app.inject({ url: `${base}/OutGoings/0/10`, headers })
    expect(list.json()).toMatchObject({ items: [{ id: sent.id }] })
    const rejected = await app.inject({
      method: 'POST',
      url: `${base}/companyInternalSign/Reject`,
      payload: { signingRequestId: sent.id, pointId: sent.points[0]!.pointId, comment: 'Нет' },
      headers,
    })
    expect(rejected.json<View>().status).toBe(requestStatuses.of('Rejected'))
  })

  test('are filtered by status, name, dates, author, counterparty and tag; invalid filters are refused', async () => {
    const { sender, receiver, route, employee, names } = await scene()
    const { organizationId } = employee
    const tag = await call(sender.owner, addClassifier, { organizationId, name: 'Аренда' })
    const { classificatorId } = tag.result
    await sender.send(route, { name: 'Договор поставки', classificatorsV2: [{ classificatorId }] })
    const { result: other } = await sender.send(await sender.route(await sender.point('InternalApprove')), {
      name: 'Приказ об отпуске',
    })
    await call(employee.id, revokeRequest, { organizationId, signingRequestId: other.id, comment: 'Ошибка' })
    const listed = (filter: Filter) => names(employee.id, organizationId, 'outgoings', filter)
    const contract = ['Договор поставки']
    expect(await listed({ status: requestStatuses.of('Revoked') })).toEqual(['Приказ об отпуске'])
    expect(await listed({ status: requestStatuses.of('InProgress', 'Completed') })).toEqual(contract)
    expect(await listed({ name: 'поставки' })).toEqual(contract)
    expect(await listed({ bin: receiver.bin })).toEqual(contract)
    expect(await listed({ classificatorId })).toEqual(contract)
    expect(await listed({ author: 'нет такого' })).toEqual([])
    // A percent sign is a character like any other.
    expect(await listed({ author: '%' })).toEqual([])
    expect(await listed({ author: '_' })).toEqual([])
    expect(await listed({ from: '2026-11-15', to: '2026-11-15' })).toHaveLength(2)
    expect(await listed({ to: '2026-11-14' })).toEqual([])
    expect(await listed({ sort: 'name' })).toEqual(['Договор поставки', 'Приказ об отпуске'])
    for (const wrong of [{ from: '2026-11-16', to: '2026-11-15' }, { status: 4096 }, { sort: 'size' }]) {
      expect(aliasOf(await ask(employee.id, organizationId, 'outgoings', wrong))).toBe('validation-failure')
    }
  })
})

test('the author and owners can change tags and codes of the current version', async () => {
  const { sender, route, employee } = await scene()
  const { organizationId } = employee
  const { result: sent } = await sender.send(route)
  const tag = await call(sender.owner, addClassifier, { organizationId, name: 'Поставки' })
  const { classificatorId } = tag.result
  const change = (id: string, changes: object) =>
    call(id, updateRequest, { organizationId, signingRequestId: sent.id, ...changes })
  expect(aliasOf(await change(sender.colleague, { classificatorsV2: [classificatorId] }))).toBe(
    'improper-role',
  )
  const tagged = await change(employee.id, { classificatorsV2: [classificatorId], currentVersion: 2 })
  expect(tagged.result.classificators).toEqual([{ classificatorId, name: 'Поставки' }])
  expect(aliasOf(await change(employee.id, { classificatorsV2: [], currentVersion: 2 }))).toBe(
    'request-changed',
  )
  const setting = { additionalComponents: 2, accessCodeExpirationDate: '2027-01-01' }
  const codes = await change(sender.owner, { generationSetting: setting })
  expect(codes.result.generationSetting).toEqual({ additionalComponents: 2, accessCodeExpirationDate: null })
})

test('the history is paged, latest first, and hides internal events from the other side', async () => {
  const { sender, receiver, employee } = await scene()
  const approval = await sender.point('InternalApprove')
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(approval, signing, external))
  await act(employee, sent, 'InternalApprove', 'approve', { comment: 'Между нами: дорого' })
  await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
  const history = async (id: string, organizationId: string, page = { skip: 0, take: 50 }) =>
    (await call(id, getRequestHistory, { organizationId, signingRequestId: sent.id, ...page })).result
  const ours = await history(employee.id, employee.organizationId)
  expect(ours.items[0]!.number).toBe(ours.totalCount)
  expect(ours.items.map(({ comment }) => comment)).toContain('Между нами: дорого')
  const second = await history(employee.id, employee.organizationId, { skip: 1, take: 1 })
  expect(second.items).toEqual([ours.items[1]])
  const theirs = await history(receiver.owner, receiver.organizationId)
  expect(JSON.stringify(theirs)).not.toContain('дорого')
  expect(theirs.totalCount).toBe(theirs.items.length)
})

test('those who may see a request download its document and signatures unchanged', async () => {
  const { sender, receiver, route, employee } = await scene()
  const { result: sent } = await sender.send(route)
  const { result: signed } = await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
  const fetchAs = async (id: string, organizationId: string, path: string) =>
    app.inject({
      url: `/api/SigningRequests/${organizationId}/${sent.id}/${path}`,
      headers: { cookie: `session=${await tokenOf(id)}`, origin: publicUrl.origin },
    })
  const document = await fetchAs(receiver.owner, receiver.organizationId, 'files/original')
  expect(createHash('sha256').update(document.rawPayload).digest('hex')).toBe(sent.document.sha256)
  expect(document.rawPayload.equals(goodPdf)).toBe(true)
  const signatureId = signed.points[0]!.signatures[0]!.id
  const cms = await fetchAs(receiver.owner, receiver.organizationId, `signatures/${signatureId}`)
  expect([cms.statusCode, cms.rawPayload[0]]).toEqual([200, 0x30])
  const stranger = await fetchAs(await make.person(), receiver.organizationId, 'files/original')
  expect(stranger.statusCode).toBe(403)
  const none = await fetchAs(employee.id, employee.organizationId, 'files/terminating')
  expect(none.json()).toMatchObject({ ExceptionData: { Alias: 'terminating-document-not-found' } })
})

test('an open page is notified of every change by anybody', async () => {
  const { sender, route, employee } = await scene()
  const { result: sent } = await sender.send(route)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await fetch(`${address}/api/SigningRequests/${employee.organizationId}/${sent.id}/changes`, {
    headers: { cookie: `session=${await tokenOf(sender.colleague)}` },
  })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const receive = async (text: string) => {
    while (!received.includes(text)) received += (await reader.read()).value ?? ''
  }
  await receive(`"currentVersion":${sent.currentVersion}`)
  await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
  await receive(`"currentVersion":${sent.currentVersion + 1}`)
  await reader.cancel()
  const refused = await fetch(
    `${address}/api/SigningRequests/${employee.organizationId}/${sent.id}/changes`,
    { headers: { cookie: `session=${await tokenOf(sender.administrator)}` } },
  )
  expect(refused.status).toBe(404)
  await refused.body?.cancel()
})
