import { describe, expect, test } from 'vitest'
import { addPoint, deletePoint, getPoints, savePoint } from '@kelisim/domain/points/contract.ts'
import { maskOf, pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { newId } from '@kelisim/db/id.ts'
import { startTestApp } from '../testing.ts'
import { office, pointForm } from './testing-points.ts'

const testApp = await startTestApp()
const { call, database, time } = testApp

/** Points of three people; the names contain author, kind and scope. */
async function shelf() {
  const here = await office(testApp)
  const { organizationId, groupId, employee, colleague, owner } = here
  const outside = { bin: '240540017348', emails: ['a@example.kz'] }
  const made: [string, string, PointType, 1 | 2][] = [
    ['mine internal personal', employee, 'InternalApprove', 1],
    ['mine external common', employee, 'ExternalSign', 2],
    ['colleague internal personal', colleague, 'CompanyInternalSign', 1],
    ['colleague internal common', colleague, 'CompanyInternalSign', 2],
    ['owner counterparty', owner, 'CounterParty', 2],
    ['owner external personal', owner, 'ExternalInformation', 1],
  ]
  for (const [name, personId, type, visibilityScope] of made) {
    time.now = new Date(time.now.getTime() + 1000)
    await call(personId, addPoint, {
      organizationId,
      ...pointForm(type, { name, visibilityScope, groupId, ...outside }),
    })
  }
  const list = async (personId: string, filter: object = {}) => {
    const input = { organizationId, skip: 0, take: 10, ...filter }
    const { result } = await call(personId, getPoints, input)
    return result.items.map(({ name }) => name)
  }
  return { ...here, list }
}

describe('lists', () => {
  test('show own, public or all points, or those of a side, newest first', async () => {
    const { employee, owner, list } = await shelf()
    expect(await list(employee, { ownScope: 1 })).toEqual(['mine external common', 'mine internal personal'])
    const common = ['owner counterparty', 'colleague internal common', 'mine external common']
    expect(await list(employee, { visibilityScope: 2 })).toEqual(common)
    expect(await list(owner, { userRole: 2 })).toEqual([
      'owner external personal',
      'owner counterparty',
      'colleague internal common',
      'colleague internal personal',
      'mine external common',
      'mine internal personal',
    ])
    expect(await list(employee, { pointType: maskOf('internal') })).toEqual([
      'colleague internal common',
      'mine internal personal',
    ])
    expect(await list(employee, { pointType: maskOf('external') })).toEqual(['mine external common'])
    expect(await list(employee, { pointType: maskOf('counterParty') })).toEqual(['owner counterparty'])
  })

  test('show all visible points without filters', async () => {
    const { employee, owner, list } = await shelf()
    const seen = [
      'owner counterparty',
      'colleague internal common',
      'mine external common',
      'mine internal personal',
    ]
    expect(await list(employee)).toEqual(seen)
    expect(await list(employee, { pointType: 0, visibilityScope: 0, ownScope: 0, userRole: 0 })).toEqual(seen)
    expect(await list(employee, { pointType: 8191, visibilityScope: 3, ownScope: 3, userRole: 1 })).toEqual(
      seen,
    )
    expect(await list(owner)).not.toContain('colleague internal personal')
  })

  test('are filtered by author and scope', async () => {
    const { employee, owner, list } = await shelf()
    expect(await list(employee, { ownScope: 2 })).toEqual(['owner counterparty', 'colleague internal common'])
    expect(await list(employee, { ownScope: 2, visibilityScope: 1 })).toEqual([])
    expect(await list(employee, { visibilityScope: 1 })).toEqual(['mine internal personal'])
    expect(await list(owner, { ownScope: 2, visibilityScope: 1, userRole: 2 })).toEqual([
      'colleague internal personal',
      'mine internal personal',
    ])
  })

  test('are searched, sorted, paged and counted', async () => {
    const { employee, owner, organizationId, list } = await shelf()
    expect(await list(employee, { name: 'INTERNAL', sort: 'name' })).toEqual([
      'colleague internal common',
      'mine internal personal',
    ])
    expect(await list(employee, { name: 'personal' })).toEqual(['mine internal personal'])
    expect(await list(employee, { name: 'mi' })).toHaveLength(2)
    expect(await list(employee, { name: '%' })).toEqual([])
    expect(await list(employee, { bin: '240 540 017 348' })).toEqual(['mine external common'])
    expect(await list(employee, { bin: '260140020007' })).toEqual([])
    expect(await list(owner, { userRole: 2, sort: 'created', skip: 1, take: 2 })).toEqual([
      'mine external common',
      'colleague internal personal',
    ])
    expect(await list(owner, { userRole: 2, sort: '-name', take: 1 })).toEqual(['owner external personal'])
    const { result } = await call(owner, getPoints, { organizationId, skip: 5, take: 1, userRole: 2 })
    expect(result.totalCount).toBe(6)
  })

  test('contain authors and participants on demand', async () => {
    const { employee, colleague, organizationId } = await shelf()
    const ask = { organizationId, skip: 0, take: 1, name: 'colleague internal common' }
    const bare = (await call(employee, getPoints, ask)).result.items[0]
    expect(bare).toMatchObject({ creator: null, participants: null })
    const rich = await call(employee, getPoints, { ...ask, enrichCreatorAndParticipants: 'true' })
    expect(rich.result.items[0]).toMatchObject({ creator: { userId: colleague } })
    expect(rich.result.items[0]?.participants).toHaveLength(2)
  })
})

test('counts stay right when points are created, change their scope or are deleted', async () => {
  const { employee, organizationId, groupId, list } = await shelf()
  const ask = (filter: object) => call(employee, getPoints, { organizationId, skip: 0, take: 10, ...filter })
  const agrees = async () => {
    for (const filter of [{ ownScope: 1 }, { visibilityScope: 2 }, { pointType: 2 }, { ownScope: 2 }, {}]) {
      expect((await ask(filter)).result.totalCount, JSON.stringify(filter)).toBe(
        (await list(employee, filter)).length,
      )
    }
  }
  const form = pointForm('CompanyInternalSign', { groupId })
  const { id: pointId, currentVersion } = (await call(employee, addPoint, { organizationId, ...form })).result
  await agrees()
  const personal = { ...form, visibilityScope: 1 as const, isActive: false, currentVersion }
  await call(employee, savePoint, { organizationId, pointId, ...personal })
  await agrees()
  expect((await ask({ isActive: 'false' })).result.totalCount).toBe(1)
  await call(employee, deletePoint, { organizationId, pointId })
  await agrees()
})

describe('a filter by a role above that of the person', () => {
  test.each([
    ['employee', 1, null],
    ['employee', 2, 'roles-filter'],
    ['employee', 4, 'roles-filter'],
    ['employee', 15, 'roles-filter'],
    ['administrator', 5, null],
    ['administrator', 2, 'roles-filter'],
    ['owner', 2, null],
    ['owner', 4, null],
    ['owner', 8, null],
    ['owner', 15, null],
  ] as const)('%s as %i: %s', async (role, userRole, alias) => {
    const { people, organizationId } = await office(testApp)
    const response = await call(people[role], getPoints, { organizationId, skip: 0, take: 10, userRole })
    expect(response.status === 200 ? null : response.error.ExceptionData.Alias).toBe(alias)
  })
})

test.each([
  { pointType: 8192 },
  { pointType: -1 },
  { pointType: 1.5 },
  { visibilityScope: 4 },
  { ownScope: 4 },
  { userRole: 16 },
  { bin: '123' },
  { sort: 'type' },
  { skip: 10_001 },
])('%o is refused', async (filter) => {
  const { owner, organizationId } = await office(testApp)
  const response = await call(owner, getPoints, { organizationId, skip: 0, take: 10, ...filter } as never)
  expect(response.status).toBe(400)
})

test('points are counted up to 10,001', async () => {
  const { owner, organizationId } = await office(testApp)
  const row = (i: number) => ({
    id: newId(),
    organizationId,
    authorId: owner,
    name: `Точка ${i}`,
    description: '',
    type: pointTypes.of('CompanyInternalSign'),
    scope: 'common' as const,
    groupId: null,
    agreementCondition: 'any' as const,
    isEdsPresentationRequired: false,
    keyHolder: 'employee' as const,
    bin: null,
    organizationName: '',
    createdAt: time.now,
  })
  for (let i = 0; i < 10_500; i += 1500) {
    const rows = Array.from({ length: 1500 }, (_, j) => row(i + j))
    await database.write((tx) => tx.insertInto('points').values(rows).execute())
  }
  const { result } = await call(owner, getPoints, { organizationId, skip: 9_990, take: 10 })
  expect(result.totalCount).toBe(10_001)
  expect(result.items).toHaveLength(10)
})
