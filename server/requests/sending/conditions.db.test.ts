/** Routes with conditions: what is saved, which points a document takes, and what is kept of it. */
import { describe, expect, test } from 'vitest'
import {
  getRequestHistory,
  createRequest,
  getRequest,
  tryRequest,
} from '@kelisim/domain/requests/contract.ts'
import { addDocumentKind } from '@kelisim/domain/registers/contract.ts'
import { writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { startRequestsApp } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call } = testApp
const sender = await testApp.company()
const receiver = await testApp.company()
const { organizationId, employee, owner } = sender

const over = (amount: number): Condition => ({
  join: 'and',
  terms: [{ subject: 'amount', test: 'over', amount }],
})
const board = await sender.point('InternalApprove', { name: 'Совет' })
const director = await sender.point('CompanyInternalSign', { name: 'Директор' })
const them = await sender.point('ExternalSign', {
  name: 'Поставщик',
  groupId: null,
  bin: receiver.bin,
  emails: ['a@example.kz'],
})

type Placed = { pointId: string; order: number; condition?: Condition | null }

async function routeOf(points: Placed[]) {
  const form = { name: `Маршрут ${Math.random()}`, description: '', visibilityScope: 2 as const, points }
  return (await call(owner, routeCalls.add, { organizationId, ...form })).result
}

const conditional = await routeOf([
  { pointId: board, order: 1, condition: over(5_000_000) },
  { pointId: director, order: 2 },
  { pointId: them, order: 3 },
])
const typed = (amount: number | null) => ({ facts: { amount, variables: {} } })
const namesOf = (points: readonly { name: string }[]) => points.map(({ name }) => name)

describe('a saved condition', () => {
  test('is read with the route, and stays when a save leaves it out', async () => {
    const route = await routeOf([
      { pointId: board, order: 1, condition: over(1) },
      { pointId: director, order: 2 },
    ])
    expect(route.points.map(({ condition }) => condition)).toEqual([over(1), null])
    const save = async (points: Placed[], currentVersion: number) =>
      (
        await call(owner, routeCalls.save, {
          organizationId,
          id: route.id,
          name: route.name,
          description: '',
          visibilityScope: 2,
          points,
          currentVersion,
        })
      ).result
    const moved = await save(
      [
        { pointId: board, order: 2 },
        { pointId: director, order: 1 },
      ],
      1,
    )
    expect(moved.points.find(({ pointId }) => pointId === board)!.condition).toEqual(over(1))
    const freed = await save([{ pointId: board, order: 1, condition: null }], 2)
    expect(freed.points[0]!.condition).toBeNull()
    const { result } = await call(owner, routeCalls.changes, { organizationId, routeId: route.id, since: 2 })
    expect(result.points).toContainEqual(
      expect.objectContaining({ change: 'condition', pointId: board, before: over(1), after: null }),
    )
    const copied = await call(owner, routeCalls.copy, {
      organizationId,
      routeId: conditional.id,
      name: 'Копия',
      visibilityScope: 2,
    })
    expect(copied.result.points[0]!.condition).toEqual(over(5_000_000))
  })

  test.each([
    ['without terms', { join: 'and', terms: [] }],
    ['of a negative amount', { join: 'and', terms: [{ subject: 'amount', test: 'over', amount: -1 }] }],
    [
      'that names nobody',
      { join: 'and', terms: [{ subject: 'counterparty', test: 'is', counterparties: [] }] },
    ],
    ['of too many terms', { join: 'or', terms: Array.from({ length: 6 }, () => over(1).terms[0]) }],
  ])('%s is refused', async (_, condition) => {
    const points = [{ pointId: board, order: 1, condition: condition as Condition }]
    const form = { name: 'Маршрут', description: '', visibilityScope: 2 as const, points }
    expect(aliasOf(await call(owner, routeCalls.add, { organizationId, ...form }))).toBe('validation-failure')
  })
})

describe('a document on a route with conditions', () => {
  test('takes points whose conditions are met, and passes over others', async () => {
    const large = (await sender.send(conditional.id, typed(6_000_000))).result
    expect(namesOf(large.points)).toEqual(['Совет', 'Директор', 'Поставщик'])
    expect(large.conditions!.points).toMatchObject([{ pointId: board, verdict: 'met' }])
    const small = (await sender.send(conditional.id, typed(5_000_000))).result
    expect(namesOf(small.points)).toEqual(['Директор', 'Поставщик'])
    expect(small.conditions).toMatchObject({
      facts: { amount: 5_000_000, counterparties: [receiver.bin] },
      points: [{ pointId: board, name: 'Совет', verdict: 'notMet', condition: over(5_000_000) }],
    })
    // The first of the remaining turns begins at once.
    expect(small.points[0]!.turnCameAt).not.toBeNull()
  })

  test('takes a point whose condition cannot be judged', async () => {
    const { points, conditions } = (await sender.send(conditional.id)).result
    expect(namesOf(points)).toEqual(['Совет', 'Директор', 'Поставщик'])
    expect(conditions!.points[0]!.verdict).toBe('unknown')
  })

  test('shows in its history which points were passed over and why, but not to the other side', async () => {
    const parallel = await routeOf([
      { pointId: board, order: 1, condition: over(5_000_000) },
      { pointId: them, order: 1 },
    ])
    const { id: signingRequestId } = (await sender.send(parallel.id, typed(1))).result
    const page = { signingRequestId, skip: 0, take: 50 }
    const { result } = await call(employee, getRequestHistory, { organizationId, ...page })
    expect(result.items.find(({ type }) => type === 'passed-over')).toMatchObject({
      pointName: 'Совет',
      actor: null,
      data: { point: 'Совет', order: 1, condition: over(5_000_000) },
    })
    const theirs = { organizationId: receiver.organizationId, ...page }
    const seen = (await call(receiver.owner, getRequestHistory, theirs)).result.items
    expect(seen.map(({ type }) => type)).toContain('sent')
    expect(JSON.stringify(seen)).not.toContain('Совет')
    const view = (await call(receiver.owner, getRequest, theirs)).result
    expect(namesOf(view.points)).toEqual(['Поставщик'])
    expect(view.conditions).toBeNull()
  })

  test('is judged by the amount in its own text, which cannot be overridden', async () => {
    const { result: document } = await call(employee, writeDocument, {
      organizationId,
      htmlContent:
        '<p>Сумма: <span data-variable="Сумма договора" data-kind="number" data-value="6 000 000">6 000 000</span></p>',
      fileName: 'Договор.pdf',
      description: '',
      visibilityScope: 1,
    })
    const about = { documentId: document.id, routeId: conditional.id, ...typed(1) }
    const trial = (await call(employee, tryRequest, { organizationId, ...about })).result
    expect(trial.conditions).toMatchObject({
      asked: { kind: false, amount: true, variables: [] },
      said: { amount: 6_000_000 },
      // Two amounts: nobody can tell which is right, so nothing is passed over.
      facts: { amount: null },
    })
    expect(trial.rehearsal!.turns[0]!.steps[0]!.verdict).toBe('unknown')
    const plain = { documentId: document.id, routeId: conditional.id }
    const without = (await call(employee, tryRequest, { organizationId, ...plain })).result
    expect(without.rehearsal!.turns[0]!.steps[0]!.verdict).toBe('met')
    const sent = await call(employee, createRequest, { organizationId, name: 'Договор', ...about })
    expect(namesOf(sent.result.points)).toContain('Совет')
  })

  describe('that is private to a colleague', () => {
    const write = async (visibilityScope: 1 | 2) => {
      const sum =
        '<span data-variable="Сумма договора" data-kind="number" data-value="6 000 000">6 000 000</span>'
      const made = await call(employee, writeDocument, {
        organizationId,
        htmlContent: `<p>Сумма: ${sum}, клиент: <span data-variable="Клиент" data-kind="text" data-value="ТОО «Тайна»">ТОО «Тайна»</span></p>`,
        fileName: `Договор ${Math.random()}.pdf`,
        description: '',
        visibilityScope,
      })
      return made.result.id
    }
    const names: Condition = {
      join: 'and',
      terms: [{ subject: 'variable', test: 'is', name: 'Клиент', value: 'ТОО «Тайна»' }],
    }

    test('gives a trial of a colleague the same result as a missing document', async () => {
      const route = await routeOf([
        { pointId: board, order: 1, condition: over(5_000_000) },
        { pointId: them, order: 1, condition: names },
        { pointId: director, order: 2 },
      ])
      const tried = async (userId: string, documentId: string) =>
        (await call(userId, tryRequest, { organizationId, documentId, routeId: route.id })).result
      const [secret, open] = [await write(1), await write(2)]
      const trial = await tried(sender.colleague, secret)
      expect(trial.refusals.map(({ alias }) => alias)).toEqual(['document-not-found'])
      // The answer is the same as for a document that does not exist.
      expect(trial).toEqual(await tried(sender.colleague, emptyId))
      for (const [userId, documentId] of [
        [employee, secret],
        [owner, secret],
        [sender.colleague, open],
      ] as const) {
        const { refusals, conditions } = await tried(userId, documentId)
        expect(refusals).toEqual([])
        expect(conditions!.said).toMatchObject({ amount: 6_000_000, variables: { Клиент: 'ТОО «Тайна»' } })
      }
    })

    test('is refused as not found, whatever signature forms its conditions would lead to', async () => {
      const inside = await sender.point('CompanyInternalSign', { name: 'В PDF', signatureForm: 'pades' })
      const inXml = await sender.point('CompanyInternalSign', { name: 'В XML', signatureForm: 'xades' })
      const route = await routeOf([
        { pointId: inside, order: 1, condition: over(5_000_000) },
        { pointId: inXml, order: 2, condition: over(5_000_000) },
      ])
      const about = { organizationId, routeId: route.id, name: 'Договор', ...typed(1) }
      const documentId = await write(1)
      expect(aliasOf(await call(sender.colleague, createRequest, { ...about, documentId }))).toBe(
        'document-not-found',
      )
    })
  })

  test('is judged by its kind', async () => {
    const { result: kind } = await call(owner, addDocumentKind, {
      organizationId,
      name: 'Приказ',
      journalId: null,
      registersAtSending: false,
    })
    const other = { id: emptyId, name: 'Договор' }
    const route = await routeOf([
      {
        pointId: board,
        order: 1,
        condition: { join: 'or', terms: [{ subject: 'kind', test: 'is', kinds: [other] }] },
      },
      { pointId: director, order: 2 },
    ])
    const { points, conditions } = (await sender.send(route.id, { kindId: kind.id })).result
    expect(namesOf(points)).toEqual(['Директор'])
    expect(conditions!.facts.kind).toEqual({ id: kind.id, name: 'Приказ' })
  })

  test('that no point would take is refused', async () => {
    const route = await routeOf([{ pointId: director, order: 1, condition: over(10) }])
    expect(aliasOf(await sender.send(route.id, typed(10)))).toBe('no-point-taken')
    const documentId = (await sender.upload(employee, organizationId)).result.id
    const asked = { organizationId, documentId, routeId: route.id, ...typed(10) }
    const trial = (await call(employee, tryRequest, asked)).result
    expect(trial.refusals.map(({ alias }) => alias)).toEqual(['no-point-taken'])
    expect(trial.rehearsal!.turns[0]!.steps[0]!.verdict).toBe('notMet')
  })

  test('along a route without conditions has no record of conditions', async () => {
    const { conditions } = (await sender.send(await sender.route(director), typed(1))).result
    expect(conditions).toBeNull()
  })
})
