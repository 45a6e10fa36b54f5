/** For tests: an organisation with members in every role, a group, and forms of points. */
import type * as z from 'zod/mini'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import { addGroup, getCard } from '@kelisim/domain/portal/contract.ts'
import { addPoint } from '@kelisim/domain/points/contract.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { startTestApp } from '../testing.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type PointForm = Omit<z.input<typeof addPoint.input>, 'organizationId'>

export function pointForm(type: PointType, change: Partial<PointForm> = {}): PointForm {
  return {
    name: 'Бухгалтерия подписывает',
    description: '',
    type: pointTypes.of(type),
    visibilityScope: 2,
    groupId: null,
    responsiblePersons: [],
    agreementCondition: 'any',
    isEdsPresentationRequired: false,
    bin: null,
    organizationName: '',
    emails: [],
    ...change,
  }
}

export async function office({ call, make, database, time }: TestApp) {
  const owner = await make.person('Айгерім')
  const organizationId = await make.organization(owner)
  const member = async (...names: ('PointsAdministrator' | 'SignaturePointsRoutesAdministrator')[]) =>
    make.member(organizationId, await make.person(), ...names)
  const [employee, colleague] = [await member(), await member()]
  const administrator = await member('PointsAdministrator')
  const routesAdministrator = await member('SignaturePointsRoutesAdministrator')
  await database.write((tx) =>
    tx.updateTable('organizations').set({ confirmedAt: time.now }).where('id', '=', organizationId).execute(),
  )
  const { bin } = (await call(owner, getCard, { organizationId })).result
  const group = async (name: string, ...participants: string[]) =>
    (await call(owner, addGroup, { organizationId, name, participants })).result.id
  const groupId = await group('Бухгалтерия', employee, colleague)
  const people = { owner, employee, colleague, administrator, routesAdministrator }
  return {
    ...people,
    people,
    organizationId,
    bin,
    groupId,
    group,
    add: (personId: string, form: PointForm) => call(personId, addPoint, { organizationId, ...form }),
    options: (change: object) => call(owner, saveOptions, { organizationId, ...change }),
  }
}
