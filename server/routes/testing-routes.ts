/** For tests: an organisation with points, a counterparty, and forms of routes. */
import type * as z from 'zod/mini'
import { addPoint, getPoint, savePoint } from '@kelisim/domain/points/contract.ts'
import type { PointType } from '@kelisim/domain/points/point-types.ts'
import { callsByKind, routeCalls, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { office, pointForm, type PointForm } from '../points/testing-points.ts'
import type { startTestApp } from '../testing.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type RouteForm = Omit<z.input<typeof routeCalls.add.input>, 'organizationId'>

export const aliasOf = (response: { status: number; error: { ExceptionData: { Alias: string } } }) =>
  response.status === 200 ? null : response.error.ExceptionData.Alias

export const parametersOf = (response: { error: { ExceptionData: { Parameters: object } } }) =>
  response.error.ExceptionData.Parameters as Record<string, never>

/** A route with these points one after another, each in its own turn. */
export function routeForm(pointIds: string[], change: Partial<RouteForm> = {}): RouteForm {
  return {
    name: 'Договор поставки',
    description: '',
    visibilityScope: 2,
    points: pointIds.map((pointId, i) => ({ pointId, order: i + 1 })),
    ...change,
  }
}

export async function routesOffice(testApp: TestApp) {
  const here = await office(testApp)
  const { call } = testApp
  const { organizationId, groupId, employee } = here
  const outside = { bin: '880315300123', emails: ['a@example.kz'] }
  const point = async (type: PointType, change: Partial<PointForm> = {}, personId = employee) =>
    (await here.add(personId, pointForm(type, { groupId, ...outside, ...change }))).result.id
  const approval = await point('InternalApprove', { name: 'Согласование' })
  const signature = await point('CompanyInternalSign', { name: 'Подпись' })
  return {
    ...here,
    point,
    approval,
    signature,
    both: [approval, signature],
    make: (personId: string, form: RouteForm, kind: RouteKind = 'route') =>
      call(personId, callsByKind[kind].add, { organizationId, ...form }),
    /** Changes a point as it is now. */
    changePoint: async (pointId: string, change: Partial<PointForm & { isActive: boolean }>) => {
      const { owner } = here
      const { result } = await call(owner, getPoint, { organizationId, pointId })
      const { group, responsiblePersons, participants: _, ...same } = result
      return call(owner, savePoint, {
        organizationId,
        pointId,
        ...same,
        groupId: group?.id ?? null,
        responsiblePersons: responsiblePersons.map(({ userId }) => userId),
        ...change,
      })
    },
  }
}

/** Another organisation that has published a point for others to send to. */
export async function counterparty(testApp: TestApp) {
  const there = await office(testApp)
  const { organizationId, groupId, owner, bin } = there
  const form = pointForm('CounterParty', { name: 'Приём договоров', groupId })
  const { result } = await testApp.call(owner, addPoint, { organizationId, ...form })
  return { ...there, bin, pointId: result.id }
}
