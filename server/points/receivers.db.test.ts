import { describe, expect, test } from 'vitest'
import {
  addPoint,
  findPublishedPoints,
  getContractor,
  getReceivingOptions,
  savePoint,
} from '@kelisim/domain/points/contract.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { someBin, startTestApp } from '../testing.ts'
import { office, pointForm } from './testing-points.ts'

/** The responses of the external directory, and how often it was called. */
const directory = { names: new Map<string, string>(), isSilent: false, questions: 0 }
const testApp = await startTestApp({
  contractorDirectory: async (bin) => {
    directory.questions++
    if (directory.isSilent) throw new OutboundFailure('timeout', 'directory:443')
    return directory.names.get(bin) ?? null
  },
})
const { call, travel, time, database } = testApp
const aliasOf = (response: { status: number; error: { ExceptionData: { Alias: string } } }) =>
  response.status === 200 ? null : response.error.ExceptionData.Alias
let serial = 7000
const newBin = () => someBin(++serial)

describe('published points', () => {
  test('are found by anybody by number, without the people behind them', async () => {
    const { owner, organizationId, groupId, bin } = await office(testApp)
    for (const [name, type] of [
      ['Закупки', 'CounterParty'],
      ['Бухгалтерия принимает', 'CounterParty'],
      ['Внутренняя', 'CompanyInternalSign'],
    ] as const) {
      const form = pointForm(type, { name, groupId, description: 'Счета и акты', responsiblePersons: [] })
      await call(owner, addPoint, { organizationId, ...form })
    }
    const { result } = await call(null, findPublishedPoints, { bin, skip: 0, take: 10 })
    expect(result.totalCount).toBe(2)
    expect(result.items.map(({ name }) => name)).toEqual(['Бухгалтерия принимает', 'Закупки'])
    expect(Object.keys(result.items[0]!).toSorted()).toEqual(
      ['id', 'name', 'description', 'type', 'pointType', 'bin', 'organizationName', 'keyHolder'].toSorted(),
    )
    const found = await call(null, findPublishedPoints, { bin, skip: 0, take: 10, name: 'ЗАКУП' })
    expect(found.result.items.map(({ name }) => name)).toEqual(['Закупки'])
  })

  test('are not found if they are not active, or the organisation is not confirmed', async () => {
    const { owner, organizationId, groupId, bin } = await office(testApp)
    const form = pointForm('CounterParty', { groupId })
    const { id: pointId, currentVersion } = (await call(owner, addPoint, { organizationId, ...form })).result
    const count = async () =>
      (await call(null, findPublishedPoints, { bin, skip: 0, take: 10 })).result.totalCount
    expect(await count()).toBe(1)
    const off = { organizationId, pointId, ...form, isActive: false, currentVersion }
    expect((await call(owner, savePoint, off)).status).toBe(200)
    expect(await count()).toBe(0)
    await call(owner, savePoint, { ...off, isActive: true, currentVersion: currentVersion + 1 })
    expect(await count()).toBe(1)
    await database.write((tx) =>
      tx.updateTable('organizations').set({ confirmedAt: null }).where('id', '=', organizationId).execute(),
    )
    expect(await count()).toBe(0)
  })

  test.each([
    [0, 'forbidden_counter_party_point_by_options', 'receiver-paused'],
    [1, 'forbidden_counter_party_point_by_options', 'forbidden_counter_party_point_by_options'],
    [2, null, null],
    [3, null, null],
  ])('receiving by %i: published, or %s; found, or %s', async (accepts, publishing, finding) => {
    const { owner, organizationId, groupId, bin, options } = await office(testApp)
    await options({ allowedPointTypesForIncomingSigningRequests: accepts })
    const form = pointForm('CounterParty', { groupId })
    expect(aliasOf(await call(owner, addPoint, { organizationId, ...form }))).toBe(publishing)
    expect(aliasOf(await call(null, findPublishedPoints, { bin, skip: 0, take: 10 }))).toBe(finding)
  })

  test('are refused to callers with too many searches', async () => {
    const slow = await startTestApp()
    const ask = () => slow.call(null, findPublishedPoints, { bin: '240540017348', skip: 0, take: 1 })
    const aliases = []
    for (let i = 0; i <= 60; i++) aliases.push(aliasOf(await ask()))
    expect(aliases.slice(0, 60)).toEqual(Array(60).fill(null))
    expect(aliases[60]).toBe('too-many-requests')
  })
})

describe('points for a number', () => {
  test.each([
    [0, 'receiver-paused'],
    [1, null],
    [2, 'forbidden_external_point_by_options'],
    [3, null],
  ])('of an organisation that receives by %i: %s', async (accepts, alias) => {
    const [ours, theirs] = [await office(testApp), await office(testApp)]
    const form = pointForm('ExternalSign', { bin: theirs.bin, emails: ['a@example.kz'] })
    const { organizationId, employee } = ours
    const made = (await call(employee, addPoint, { organizationId, ...form })).result
    await theirs.options({ allowedPointTypesForIncomingSigningRequests: accepts })
    expect(aliasOf(await call(employee, addPoint, { organizationId, ...form }))).toBe(alias)
    const save = { pointId: made.id, isActive: true, currentVersion: made.currentVersion }
    expect(aliasOf(await call(employee, savePoint, { organizationId, ...form, ...save }))).toBe(alias)
    const { result } = await call(null, getReceivingOptions, { bin: theirs.bin })
    expect(result).toEqual({ allowedPointTypesForIncomingSigningRequests: accepts })
  })

  test('are accepted for an unknown number', async () => {
    const { result } = await call(null, getReceivingOptions, { bin: newBin() })
    expect(result).toEqual({ allowedPointTypesForIncomingSigningRequests: 1 })
  })
})

describe('a person with an account gets the same responses as an unknown one', () => {
  const unknown = '890403400050'

  /** An individual with a confirmed number, who receives by these kinds of points. */
  async function individual(accepts: number) {
    const here = await office(testApp)
    const bin = `85010130${String(++serial)}`
    await database.write((tx) =>
      tx
        .updateTable('organizations')
        .set({ bin, isIndividual: true, shortName: 'Әлихан Қасымов' })
        .where('id', '=', here.organizationId)
        .execute(),
    )
    await here.options({ allowedPointTypesForIncomingSigningRequests: accepts })
    return { ...here, bin }
  }
  const shown = ({ status, ...response }: { status: number; result: unknown; error: unknown }, bin: string) =>
    JSON.stringify([status, response.result, response.error]).replaceAll(bin, 'NUMBER')

  test.each([0, 1, 2, 3])('receiving by %i', async (accepts) => {
    const { bin } = await individual(accepts)
    const { organizationId, employee } = await office(testApp)
    const before = directory.questions
    for (const e of [getReceivingOptions, findPublishedPoints] as const) {
      const [known, stranger] = [bin, unknown].map((number) =>
        call(null, e as typeof findPublishedPoints, { bin: number, skip: 0, take: 10 }),
      )
      expect(shown(await known!, bin)).toBe(shown(await stranger!, unknown))
    }
    const [known, stranger] = [bin, unknown].map((number) =>
      call(employee, getContractor, { organizationId, bin: number }),
    )
    expect(shown(await known!, bin)).toBe(shown(await stranger!, unknown))
    expect(aliasOf(await known!)).toBe('contractor-not-found')
    // The external directory is not asked about a person either.
    expect(directory.questions).toBe(before)
  })

  test.each([0, 2])(
    'and is not named where a point for the number is refused, receiving by %i',
    async (accepts) => {
      const [{ bin }, ours] = [await individual(accepts), await office(testApp)]
      const form = pointForm('ExternalSign', { bin, emails: ['a@example.kz'] })
      const refused = await ours.add(ours.employee, form)
      expect(refused.status).toBe(409)
      expect(JSON.stringify(refused.error)).not.toContain('Қасымов')

      const free = pointForm('ExternalSign', { bin: newBin(), emails: ['a@example.kz'] })
      const { id: pointId, currentVersion } = (await ours.add(ours.employee, free)).result
      const { organizationId } = ours
      const save = { ...form, organizationId, pointId, isActive: true, currentVersion }
      const changed = await call(ours.employee, savePoint, save)
      expect(changed.status).toBe(409)
      expect(JSON.stringify(changed.error)).not.toContain('Қасымов')
    },
  )

  test('but their published points are public', async () => {
    const { owner, organizationId, groupId, bin } = await individual(3)
    await call(owner, addPoint, { organizationId, ...pointForm('CounterParty', { groupId }) })
    const { result } = await call(null, findPublishedPoints, { bin, skip: 0, take: 10 })
    expect(result.items).toMatchObject([{ bin, organizationName: 'Әлихан Қасымов' }])
  })
})

describe('finding the name of a number', () => {
  const ask = async (bin: string) => {
    const { organizationId, employee } = await office(testApp)
    return call(employee, getContractor, { organizationId, bin })
  }

  test('uses a confirmed organisation without calling the directory', async () => {
    const { bin } = await office(testApp)
    const before = directory.questions
    expect((await ask(bin)).result).toMatchObject({ bin, isConfirmedHere: true })
    expect(directory.questions).toBe(before)
  })

  test('calls the directory once a day for each number', async () => {
    const bin = newBin()
    directory.names.set(bin, 'ТОО «Старое имя»')
    const before = directory.questions
    expect((await ask(bin)).result).toMatchObject({ name: 'ТОО «Старое имя»', isConfirmedHere: false })
    directory.names.set(bin, 'ТОО «Новое имя»')
    expect((await ask(bin)).result.name).toBe('ТОО «Старое имя»')
    expect(directory.questions).toBe(before + 1)
    await travel(new Date(time.now.getTime() + 25 * 60 * 60 * 1000))
    expect((await ask(bin)).result.name).toBe('ТОО «Новое имя»')
    const { rows } = await database.pool.query('select bin from contractor_names')
    expect(rows).toEqual([{ bin }]) // older names are deleted
  })

  test('remembers unknown numbers too', async () => {
    const bin = newBin()
    expect(aliasOf(await ask(bin))).toBe('contractor-not-found')
    const before = directory.questions
    expect(aliasOf(await ask(bin))).toBe('contractor-not-found')
    expect(directory.questions).toBe(before)
  })

  test('reports a directory that does not respond, and calls it again next time', async () => {
    const bin = newBin()
    directory.names.set(bin, 'ТОО «Нашлось»')
    directory.isSilent = true
    expect(aliasOf(await ask(bin))).toBe('business-analyst-unavailable')
    directory.isSilent = false
    expect((await ask(bin)).result.name).toBe('ТОО «Нашлось»')
  })

  test('finds only confirmed organisations without a directory', async () => {
    const alone = await startTestApp()
    const { organizationId, employee, bin } = await office(alone)
    const known = await alone.call(employee, getContractor, { organizationId, bin })
    expect(known.result.isConfirmedHere).toBe(true)
    const unknown = await alone.call(employee, getContractor, { organizationId, bin: newBin() })
    expect(aliasOf(unknown)).toBe('contractor-not-found')
  })
})
