/** A request that was rejected or withdrawn is corrected and sent again. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { deleteDocument } from '@kelisim/domain/documents/contract.ts'
import { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { createQuickRequest, createRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, type View } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const { look, act, signAt } = actingIn(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const { organizationId, employee, colleague, owner } = sender
const author = { id: employee, organizationId }
const signing = await sender.point('CompanyInternalSign')
const inside = await sender.route(signing)

const before = async (request: Pick<View, 'id'>, personId = employee) =>
  call(personId, getSendingAgain, { organizationId, signingRequestId: request.id })

async function rejected(routeId = inside, change: object = {}): Promise<View> {
  const { result } = await sender.send(routeId, change)
  const reason = { comment: 'Сумма не та' }
  return (await act({ id: colleague, organizationId }, result, 'CompanyInternalSign', 'reject', reason))
    .result
}

async function withdrawn(): Promise<View> {
  const { result } = await sender.send(inside)
  return (
    await call(employee, revokeRequest, {
      organizationId,
      signingRequestId: result.id,
      comment: 'Не тот файл',
    })
  ).result
}

const again = (request: Pick<View, 'id'>, change: object = {}, routeId = inside) =>
  sender.send(routeId, { followsId: request.id, ...change })

describe('the form for sending again', () => {
  test('has the document, route, name, tags and fields of the ended request', async () => {
    const fields = {
      name: 'Договор № 7/к',
      description: 'На год',
      signingDate: '2026-11-02',
      isTimestampRequired: true,
      generationSetting: { additionalComponents: 2, accessCodeExpirationDate: null },
    }
    const ended = await rejected(inside, fields)
    const { status, result } = await before(ended)
    expect(status).toBe(200)
    const { currentVersion } = (await call(employee, routeCalls.get, { organizationId, routeId: inside }))
      .result
    expect(result).toEqual({
      id: ended.id,
      facts: null,
      ...fields,
      status: ended.status,
      classificatorsV2: [],
      kindId: null,
      documentId: ended.document.id,
      route: { id: inside, currentVersion },
      quick: null,
    })
  })

  test('leaves out a deleted document and an inactive route', async () => {
    const routeId = await sender.route(signing)
    const ended = await rejected(routeId)
    await call(employee, deleteDocument, { organizationId, documentId: ended.document.id! })
    await call(owner, routeCalls.deactivate, { organizationId, routeId, currentVersion: 1 })
    expect((await before(ended)).result).toMatchObject({ documentId: null, route: null })
  })

  test('of a quick send has its group, number and e-mails', async () => {
    const document = (await sender.upload(owner, organizationId)).result
    const groupId = await sender.group(`Директор ${newId()}`, owner)
    const recipient = { bin: receiver.bin, organizationName: 'Получатель', emails: ['a@example.kz'] }
    const { result: sent } = await call(owner, createQuickRequest, {
      organizationId,
      documentId: document.id,
      name: 'Счёт',
      groupId,
      ...recipient,
    })
    await call(owner, revokeRequest, { organizationId, signingRequestId: sent.id, comment: 'Ошибка' })
    const { quick, route } = (await before(sent, owner)).result
    expect(route).toBeNull()
    expect(quick).toMatchObject({ groupId, bin: receiver.bin, emails: ['a@example.kz'] })
  })

  test('is given to the author only, and only after a rejection or withdrawal', async () => {
    const ended = await rejected()
    expect(aliasOf(await before(ended, colleague))).toBe('not-the-author')
    expect(aliasOf(await before(ended, owner))).toBe('not-the-author')
    const stranger = await call(receiver.owner, getSendingAgain, {
      organizationId: receiver.organizationId,
      signingRequestId: ended.id,
    })
    expect(aliasOf(stranger)).toBe('signing-request-not-found')
    const { result: open } = await sender.send(inside)
    expect(open.canSendAgain).toBe(false)
    expect(aliasOf(await before(open))).toBe('wrong-request-status')
  })
})

describe('sending again', () => {
  test('links the ended request and the new one to each other', async () => {
    for (const ended of [await rejected(), await withdrawn()]) {
      expect((await look(author, ended.id)).result.canSendAgain).toBe(true)
      const { status, result } = await again(ended, { name: 'Исправленный договор' })
      expect(status).toBe(200)
      expect(result.follows).toEqual({ id: ended.id, name: ended.name, status: ended.status })
      const old = (await look(author, ended.id)).result
      expect(old.followedBy).toEqual({ id: result.id, name: result.name, status: result.status })
      expect(old.canSendAgain).toBe(false)
    }
  })

  test('is for the author, once, and only after a rejection or a withdrawal', async () => {
    const ended = await rejected()
    const byColleague = await sender.send(inside, { followsId: ended.id }, colleague)
    expect(aliasOf(byColleague)).toBe('not-the-author')
    const elsewhere = await receiver.send(await receiver.route(await receiver.point('CompanyInternalSign')), {
      followsId: ended.id,
    })
    expect(aliasOf(elsewhere)).toBe('signing-request-not-found')
    const { result: open } = await sender.send(inside)
    expect(aliasOf(await again(open))).toBe('wrong-request-status')
    expect((await again(ended)).status).toBe(200)
    expect(aliasOf(await again(ended))).toBe('request-sent-again')
  })

  test('from several windows at once sends one request; a repeated call gives the same request', async () => {
    const ended = await rejected()
    const responses = await Promise.all([again(ended), again(ended), again(ended)])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const another = await rejected()
    const documentId = (await sender.upload(employee, organizationId)).result.id
    const form = { documentId, routeId: inside, name: 'Договор', followsId: another.id }
    const repeated = { organizationId, ...form, signingRequestId: newId() }
    const twice = await Promise.all([
      call(employee, createRequest, repeated),
      call(employee, createRequest, repeated),
    ])
    expect(twice.map(({ status, result }) => [status, result.id])).toEqual([
      [200, repeated.signingRequestId],
      [200, repeated.signingRequestId],
    ])
  })
})

test('shows another side the other request only if it may see both', async () => {
  const outside = await sender.route(
    signing,
    await sender.point('ExternalSign', { groupId: null, bin: receiver.bin, emails: ['a@example.kz'] }),
  )
  const them = { id: receiver.owner, organizationId: receiver.organizationId }
  const us = { id: colleague, organizationId }
  const { result: first } = await sender.send(outside)
  await signAt(us, first, 'CompanyInternalSign', sender.stamp)
  const reason = { comment: 'Реквизиты' }
  const ended = (await act(them, (await look(them, first.id)).result, 'ExternalSign', 'reject', reason))
    .result
  const { result: second } = await again(ended, {}, outside)
  expect((await look(them, first.id)).result).toMatchObject({ followedBy: null, canSendAgain: false })
  expect((await look(them, second.id)).status).toBe(404)
  await signAt(us, second, 'CompanyInternalSign', sender.stamp)
  expect((await look(them, first.id)).result.followedBy?.id).toBe(second.id)
  expect((await look(them, second.id)).result.follows?.id).toBe(first.id)
  const rows = await database.db
    .selectFrom('signingRequests')
    .select('id')
    .where('followsId', '=', first.id)
    .execute()
  expect(rows).toHaveLength(1)
})
