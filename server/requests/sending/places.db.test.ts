/** Places of seals: what is stored and shown, and what is refused. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { changeSteps, correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import type { PointPlace } from '@kelisim/domain/requests/places/place.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { goodDocx, goodPdf } from '../../documents/testing-corpus.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, type View } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const { look, act, signAt } = actingIn(testApp)
const sender = await testApp.company()
const partner = await testApp.company()
const { organizationId, employee, owner } = sender
const ours = { id: employee, organizationId }
const theirs = { id: partner.owner, organizationId: partner.organizationId }
const approval = await sender.point('InternalApprove')
const own = await sender.point('CompanyInternalSign')
const other = await sender.point('EmployeeInternalSign')
const outside = await sender.point('ExternalSign', { bin: partner.bin, emails: ['a@example.kz'] })
const route = await sender.route(approval, own, outside)

const at = (pointId: string, page = 1): PointPlace => ({ pointId, page, left: 0.1, top: 0.8 })
const placesOf = (view: View) => view.points.map(({ pointId, place }) => [pointId, place?.page ?? null])
const countRequests = async () =>
  (
    await database.db
      .selectFrom('signingRequests')
      .select('id')
      .where('organizationId', '=', organizationId)
      .execute()
  ).length

describe('the place of a seal', () => {
  test('is stored with its step, and shown to those who see the step', async () => {
    const { result: sent } = await sender.send(route, { places: [at(own), at(outside, 2)] })
    expect(placesOf(sent)).toEqual([
      [approval, null],
      [own, 1],
      [outside, 2],
    ])
    await act(ours, sent, 'InternalApprove', 'approve')
    await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
    const seen = (await look(theirs, sent.id)).result
    expect(placesOf(seen)).toEqual([
      [own, 1],
      [outside, 2],
    ])
    const { result: signed } = await signAt(theirs, seen, 'ExternalSign', partner.stamp)
    expect(placesOf(signed)).toEqual(placesOf(seen))
    expect(signed.document.sha256).toBe(sent.document.sha256)
  })

  test('stays when its step is moved; an added step has none', async () => {
    const { result: sent } = await sender.send(route, { places: [at(own), at(outside, 2)] })
    const { result } = await call(employee, changeSteps, {
      organizationId,
      signingRequestId: sent.id,
      points: [
        { pointId: outside, order: 1 },
        { pointId: other, order: 2 },
      ],
      comment: 'Директор в отпуске',
      currentVersion: sent.currentVersion,
    })
    expect(placesOf(result)).toEqual([
      [approval, null],
      [outside, 2],
      [other, null],
    ])
  })

  test('is removed when the document is corrected', async () => {
    const { result: sent } = await sender.send(route, { places: [at(own, 2)] })
    const bytes = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])
    const { result: document } = await sender.upload(employee, organizationId, { bytes })
    const correction = {
      organizationId,
      signingRequestId: sent.id,
      documentId: document.id,
      comment: 'Сумма',
    }
    const { result } = await call(employee, correctRequest, correction)
    expect(placesOf(result)).toEqual([
      [approval, null],
      [own, null],
      [outside, null],
    ])
  })

  test('of a step that is passed over is left out', async () => {
    const over = {
      join: 'and' as const,
      terms: [{ subject: 'amount' as const, test: 'over' as const, amount: 5 }],
    }
    const form = { name: `Маршрут ${newId()}`, description: '', visibilityScope: 2 as const }
    const points = [
      { pointId: own, order: 1, condition: over },
      { pointId: outside, order: 2 },
    ]
    const { result: conditional } = await call(owner, routeCalls.add, { organizationId, ...form, points })
    const places = [at(own), at(outside)]
    const facts = { amount: 1, variables: {} }
    const { result } = await sender.send(conditional.id, { places, facts })
    expect(placesOf(result)).toEqual([[outside, 1]])
  })

  test('is refused for a package', async () => {
    const documents = await Promise.all(
      ['Договор', 'Приложение'].map(async (name, i) => {
        const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% ${i}\n`)])
        return { documentId: (await sender.upload(employee, organizationId, { bytes })).result.id, name }
      }),
    )
    const about = { organizationId, name: 'Сделка', documents, routeId: route, places: [at(own)] }
    const { result } = await call(employee, createPackage, about)
    expect(result.requests.flatMap(({ points }) => points.map(({ place }) => place))).toEqual(
      Array.from({ length: 6 }, () => null),
    )
  })
})

describe('a request is refused, and nothing is sent, for', () => {
  const refused = async (places: PointPlace[], change: object = {}) => {
    const before = await countRequests()
    const response = await sender.send(route, { places, ...change })
    expect(await countRequests()).toBe(before)
    return response
  }

  test('a place on a page that the document does not have', async () => {
    const response = await refused([at(own, 2), at(outside, 3)])
    expect([response.status, aliasOf(response)]).toEqual([400, 'place-beyond-pages'])
    expect(parametersOf(response)).toEqual({ page: 3, pages: 2 })
  })

  test('a place on a document without pages', async () => {
    const file = { bytes: goodDocx, name: 'Договор.docx' }
    const { result: document } = await sender.upload(employee, organizationId, file)
    expect(aliasOf(await refused([at(own)], { documentId: document.id }))).toBe('place-needs-pdf')
  })

  test('a place of a step without a signature', async () => {
    const response = await refused([at(approval)])
    expect([aliasOf(response), parametersOf(response)]).toEqual([
      'place-without-signature',
      { pointIds: [approval] },
    ])
  })

  test('a place of a step of another organisation, as of one that does not exist', async () => {
    const foreign = await partner.point('CompanyInternalSign')
    for (const pointId of [foreign, other, newId()]) {
      const response = await refused([at(own), at(pointId)])
      expect([response.status, aliasOf(response), parametersOf(response)]).toEqual([
        404,
        'points-not-found',
        { pointIds: [pointId] },
      ])
    }
  })

  test('two places of one step, or a place outside the page', async () => {
    for (const places of [[at(own), at(own, 2)], [{ ...at(own), left: 0.9 }]])
      expect(aliasOf(await refused(places))).toBe('validation-failure')
  })
})
