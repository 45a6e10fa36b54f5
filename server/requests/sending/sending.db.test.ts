/** Everything for which sending a request is refused. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import {
  createQuickRequest,
  createRequest,
  getRequest,
  tryRequest,
} from '@kelisim/domain/requests/contract.ts'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { deleteDocument } from '@kelisim/domain/documents/contract.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { startRequestsApp, type Company } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const sender = await testApp.company()
const receiver = await testApp.company()
const { organizationId, employee, owner } = sender
const signing = await sender.point('CompanyInternalSign')
const route = await sender.route(signing)

const uploaded = async (company: Company, personId: string, visibilityScope = 1) =>
  (await company.upload(personId, company.organizationId, { visibilityScope })).result.id

describe('the limit of requests', () => {
  test('of the free tier is exact also when fifteen are sent at once', async () => {
    const company = await testApp.company()
    await database.write((tx) =>
      tx.deleteFrom('subscriptions').where('organizationId', '=', company.organizationId).execute(),
    )
    const routeId = await company.route(await company.point('CompanyInternalSign'))
    const documentId = await uploaded(company, company.employee)
    const responses = await Promise.all(
      Array.from({ length: 15 }, () => company.send(routeId, { documentId })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(aliasOf))).toEqual(new Set(['organization-restricted']))
    expect(parametersOf(refused[0]!)).toEqual({ used: 10, maximum: 10 })
    const { result } = await call(company.employee, getSubscriptions, {
      organizationId: company.organizationId,
    })
    expect(result.activeSubscription.createdSigningRequestCount).toBe(10)
    const trial = await call(company.employee, tryRequest, {
      organizationId: company.organizationId,
      documentId,
      routeId,
    })
    expect(trial.result.refusals.map(({ alias }) => alias)).toEqual(['organization-restricted'])
  })
})

describe('the name of another side', () => {
  const sentTo = async (bin: string, organizationName: string) => {
    const point = await sender.point('ExternalSign', {
      groupId: null,
      bin,
      organizationName,
      emails: ['a@b.kz'],
    })
    return (await sender.send(await sender.route(point))).result.points[0]!.organizationName
  }

  test('is the one it has proved, not what the sender typed', async () => {
    const { shortName } = await database.db
      .selectFrom('organizations')
      .select('shortName')
      .where('id', '=', receiver.organizationId)
      .executeTakeFirstOrThrow()
    expect(await sentTo(receiver.bin, 'Служба поддержки')).toBe(shortName)
    expect(await sentTo('250340012341', 'ТОО «Жаңа Жол»')).toBe('ТОО «Жаңа Жол»')
  })
})

describe('the name and number of the sender', () => {
  const change = (id: string, columns: { confirmedAt?: Date | null; shortName?: string }) =>
    database.write((tx) => tx.updateTable('organizations').set(columns).where('id', '=', id).execute())

  test('must be proved by its key before a document leaves the organisation', async () => {
    const company = await testApp.company()
    const { organizationId: id, employee: author } = company
    const inside = await company.route(await company.point('CompanyInternalSign'))
    const outside = await company.route(
      await company.point('CompanyInternalSign'),
      await company.point('ExternalSign', { groupId: null, bin: receiver.bin, emails: ['a@example.kz'] }),
    )
    await change(id, { confirmedAt: null })
    expect((await company.send(inside)).status).toBe(200)
    const refused = await company.send(outside)
    expect([refused.status, aliasOf(refused)]).toEqual([403, 'organization-not-confirmed'])
    expect(parametersOf(refused)).toEqual({ bin: company.bin })
    const documentId = await uploaded(company, author)
    const trial = await call(author, tryRequest, { organizationId: id, documentId, routeId: outside })
    expect(trial.result.refusals.map(({ alias }) => alias)).toEqual(['organization-not-confirmed'])
    const quick = await call(company.owner, createQuickRequest, {
      organizationId: id,
      documentId: await uploaded(company, company.owner),
      name: 'Договор',
      groupId: await company.group('Директор', company.owner),
      bin: receiver.bin,
      organizationName: 'Получатель',
      emails: ['a@example.kz'],
    })
    expect(aliasOf(quick)).toBe('organization-not-confirmed')
    await change(id, { confirmedAt: testApp.time.now })
    expect((await company.send(outside)).status).toBe(200)
  })

  test('stay in the request as at the time of sending', async () => {
    const company = await testApp.company()
    const { organizationId: id, employee: author } = company
    const { result } = await company.send(await company.route(await company.point('CompanyInternalSign')))
    const confirmedAt = testApp.time.now.toISOString()
    expect(result.organization).toMatchObject({ bin: company.bin, confirmedAt })
    await change(id, { shortName: 'Другое имя', confirmedAt: null })
    const seen = await call(author, getRequest, { organizationId: id, signingRequestId: result.id })
    expect(seen.result.organization).toEqual(result.organization)
  })
})

describe('a request is refused', () => {
  test.each([
    ['with an unknown document', { documentId: newId() }, 'document-not-found'],
    ['with an unknown route', { routeId: newId() }, 'route-not-found'],
    ['with an outdated version of the route', { routeVersion: 99 }, 'outdated-route'],
    ['with an unknown tag', { classificatorsV2: [newId()] }, 'classificator-not-found'],
    ['without a name', { name: ' ' }, 'validation-failure'],
    ['with an invalid date', { signingDate: '2026-02-30' }, 'validation-failure'],
    [
      'with an access code that has expired',
      { generationSetting: { additionalComponents: 1, accessCodeExpirationDate: '2020-01-01' } },
      'access-code-date-past',
    ],
  ])('%s', async (_, change, alias) => {
    expect(aliasOf(await sender.send(route, change))).toBe(alias)
  })

  test('with a private document of a colleague, but not with a public one', async () => {
    const secret = await uploaded(sender, owner)
    expect(aliasOf(await sender.send(route, { documentId: secret }))).toBe('document-not-found')
    const open = await uploaded(sender, owner, 2)
    expect(aliasOf(await sender.send(route, { documentId: open }))).toBeNull()
  })

  test('with a document or a route of another organisation', async () => {
    const theirs = await uploaded(receiver, receiver.employee, 2)
    expect(aliasOf(await sender.send(route, { documentId: theirs }))).toBe('document-not-found')
    const routeId = await receiver.route(await receiver.point('CompanyInternalSign'))
    expect(aliasOf(await sender.send(routeId))).toBe('route-not-found')
  })

  test('with a route that was switched off', async () => {
    const routeId = await sender.route(signing)
    await call(owner, routeCalls.deactivate, { organizationId, routeId, currentVersion: 1 })
    expect(aliasOf(await sender.send(routeId))).toBe('unavailable-route')
    const documentId = await uploaded(sender, employee)
    const trial = await call(employee, tryRequest, { organizationId, documentId, routeId })
    expect(trial.result.refusals.map(({ alias }) => alias)).toEqual(['unavailable-route'])
  })

  test('to an organisation whose options do not allow external points', async () => {
    const paused = await testApp.company()
    const external = await sender.point('ExternalSign', { bin: paused.bin, emails: ['a@example.kz'] })
    const routeId = await sender.route(external)
    await paused.options({ allowedPointTypesForIncomingSigningRequests: 0 })
    expect(aliasOf(await sender.send(routeId))).toBe('receiver-paused')
    await paused.options({ allowedPointTypesForIncomingSigningRequests: 2 })
    expect(aliasOf(await sender.send(routeId))).toBe('forbidden_external_point_by_options')
    await paused.options({ allowedPointTypesForIncomingSigningRequests: 1 })
    expect(aliasOf(await sender.send(routeId))).toBeNull()
  })
})

test('a changed request with an id that was already sent is refused', async () => {
  const [documentId, corrected] = [await uploaded(sender, employee), await uploaded(sender, employee)]
  const sent = { organizationId, documentId, routeId: route, name: 'Договор', signingRequestId: newId() }
  expect((await call(employee, createRequest, sent)).status).toBe(200)
  expect((await call(employee, createRequest, sent)).result.id).toBe(sent.signingRequestId)
  for (const change of [
    { documentId: corrected },
    { name: 'Договор, исправленный' },
    { expiresOn: '2027-01-15' },
  ]) {
    const response = await call(employee, createRequest, { ...sent, ...change })
    expect([response.status, aliasOf(response)]).toEqual([409, 'sent-before'])
    expect(parametersOf(response)).toEqual({ name: 'Договор' })
  }
})

test('neither the route nor the document of a sent request can be deleted', async () => {
  const routeId = await sender.route(signing)
  const documentId = await uploaded(sender, employee)
  const { result: sent } = await sender.send(routeId, { documentId })
  expect(sent.document.id).toBe(documentId)
  const use = { kind: 'request', id: sent.id, name: sent.name, status: sent.status }
  const busy = await call(employee, deleteDocument, { organizationId, documentId })
  expect([aliasOf(busy), parametersOf(busy)]).toEqual(['document-is-busy', { uses: [use], more: 0 }])
  const onItsWay = await call(owner, routeCalls.remove, { organizationId, routeId })
  expect([aliasOf(onItsWay), parametersOf(onItsWay)]).toEqual([
    'route-remove-error',
    { uses: [use], more: 0 },
  ])
})

describe('quick sending', () => {
  const quick = async (change: object = {}, personId = employee) =>
    call(personId, createQuickRequest, {
      organizationId,
      documentId: await uploaded(sender, personId),
      name: 'Счёт',
      groupId: sender.groupId,
      bin: receiver.bin,
      emails: ['a@example.kz'],
      ...change,
    })

  test('creates points for an own group and for an outside number', async () => {
    await sender.options({ isQuickRequestAllowed: true })
    const { result } = await quick()
    expect(result).toMatchObject({
      isQuick: true,
      points: [
        { type: 64, bin: sender.bin },
        { type: 128, bin: receiver.bin },
      ],
    })
  })

  test.each([
    ['to the own organisation', () => ({ bin: sender.bin }), 'recipient-is-own'],
    ['by an unknown group', () => ({ groupId: newId() }), 'organization-group-not-found'],
    ['without an e-mail', () => ({ emails: [] }), 'validation-failure'],
    ['to an invalid number', () => ({ bin: '123' }), 'validation-failure'],
  ])('is refused %s', async (_, change, alias) => {
    await sender.options({ isQuickRequestAllowed: true })
    expect(aliasOf(await quick(change()))).toBe(alias)
  })

  test('is refused if an e-mail is repeated, in any letter case', async () => {
    await sender.options({ isQuickRequestAllowed: true })
    const { status, error } = await quick({ emails: ['a@example.kz', ' A@example.kz'] })
    expect(status).toBe(400)
    expect(error.ExceptionData.Parameters['fields']).toEqual([{ path: 'emails', code: 'emails-repeat' }])
  })

  test('is refused to members outside the group, and where the options do not allow it', async () => {
    await sender.options({ isQuickRequestAllowed: true })
    expect(aliasOf(await quick({}, sender.administrator))).toBe('user-group-not-found')
    await sender.options({ isQuickRequestAllowed: false })
    expect(aliasOf(await quick())).toBe('quick-send-not-allowed')
    await sender.options({ isQuickRequestAllowed: true, usePointsRolePermission: true })
    expect(aliasOf(await quick())).toBe('quick-send-not-allowed')
    await sender.options({ usePointsRolePermission: false })
  })
})

test('only members can send; strangers do not learn whether the organisation exists', async () => {
  const documentId = await uploaded(sender, employee)
  const stranger = await testApp.make.person()
  const response = await call(stranger, createRequest, {
    organizationId,
    documentId,
    routeId: route,
    name: 'x',
  })
  expect(aliasOf(response)).toBe('organization-not-yours')
})
