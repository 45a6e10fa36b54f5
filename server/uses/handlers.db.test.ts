/** Where something is used: uses that the person may see are named, all others are only counted. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { getUses, type UsedKind } from '@kelisim/domain/uses/contract.ts'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { callsByKind } from '@kelisim/domain/routes/contract.ts'
import { aliasOf, routeForm } from '../routes/testing-routes.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'

const app = await startRequestsApp()
const { call } = app
const company = await app.company()
const { organizationId, owner, employee, colleague } = company
const point = await company.point('InternalApprove')

const uses = (personId: string, kind: UsedKind, id: string) =>
  call(personId, getUses, { organizationId, kind, id })

const makeRoute = async (personId: string, kind: 'route' | 'template', change: object = {}) =>
  (await call(personId, callsByKind[kind].add, { organizationId, ...routeForm([point], change) })).result.id

describe('the uses of a point', () => {
  test('name its routes and templates; personal ones of others are only counted', async () => {
    const common = await makeRoute(employee, 'template', { name: 'Б' })
    const personal = await makeRoute(colleague, 'route', { name: 'А', visibilityScope: 1 })
    const template = { kind: 'routeTemplate', id: common, name: 'Б', status: null }
    const route = { kind: 'route', id: personal, name: 'А', status: null }
    expect((await uses(employee, 'point', point)).result).toEqual({ uses: [template], more: 1 })
    expect((await uses(owner, 'point', point)).result).toEqual({ uses: [route, template], more: 0 })
  })
})

describe('the uses of a document and of a route', () => {
  test('name their requests, open ones first; invisible ones are only counted', async () => {
    const routeId = await company.route(point)
    const documentId = (await company.upload(employee, organizationId, { visibilityScope: 2 })).result.id
    const { result: first } = await company.send(routeId, { documentId, name: 'Первая' })
    const { result: second } = await company.send(routeId, { documentId, name: 'Вторая' })
    const of = { organizationId, signingRequestId: second.id, comment: 'Не надо' }
    await call(employee, revokeRequest, of)
    for (const [kind, id] of [
      ['document', documentId],
      ['route', routeId],
    ] as const) {
      const { result } = await uses(employee, kind, id)
      expect(result).toMatchObject({ uses: [{ id: first.id, name: 'Первая' }, { id: second.id }], more: 0 })
      const stranger = company.routesAdministrator
      expect((await uses(stranger, kind, id)).result).toEqual({ uses: [], more: 2 })
    }
  })

  test('list at most five', async () => {
    const routeId = await company.route(point)
    for (let i = 0; i < 6; i++) await company.send(routeId)
    const { result } = await uses(employee, 'route', routeId)
    expect([result.uses.length, result.more]).toEqual([5, 1])
  })
})

test('the uses of a template name the routes made from it', async () => {
  const templateId = await makeRoute(employee, 'template')
  const routeId = await makeRoute(employee, 'route', { templateId, name: 'По шаблону' })
  expect((await uses(employee, 'routeTemplate', templateId)).result).toEqual({
    uses: [{ kind: 'route', id: routeId, name: 'По шаблону', status: null }],
    more: 0,
  })
})

test('the uses of an object that the person may not see are refused as not found', async () => {
  const hidden = await makeRoute(colleague, 'route', { visibilityScope: 1 })
  expect(aliasOf(await uses(employee, 'route', hidden))).toBe('route-not-found')
  expect(aliasOf(await uses(employee, 'routeTemplate', newId()))).toBe('route-template-not-found')
  expect(aliasOf(await uses(employee, 'point', newId()))).toBe('point-not-found')
  const secret = (await company.upload(colleague, organizationId, { visibilityScope: 1 })).result.id
  expect(aliasOf(await uses(employee, 'document', secret))).toBe('document-not-found')
})
