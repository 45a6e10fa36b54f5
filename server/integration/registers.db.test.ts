/**
 * Registers for programs: what programs see, who may register, and that a repeated call takes no second number
 * (W-13).
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { day, second } from '@kelisim/domain/durations.ts'
import {
  getProgramEntries,
  getProgramJournals,
  getProgramKinds,
  registerProgramRequest,
} from '@kelisim/domain/integration/calls/registers-contract.ts'
import {
  getProgramRequest,
  getProgramRequests,
  getStatuses,
  sendByRoute,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { addDocumentKind, addJournal, saveJournal } from '@kelisim/domain/registers/contract.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { programsOf } from './testing-programs.ts'

const app = await startRequestsApp()
const { call, database } = app
const { makeToken, ask } = programsOf(app)
const ours = await app.company()
const theirs = await app.company()
const { organizationId, owner } = ours
const route = await ours.route(await ours.point('CompanyInternalSign'))
const { secret } = await makeToken(owner, organizationId)

async function journal(name: string, of = ours) {
  const { result } = await call(of.owner, addJournal, {
    organizationId: of.organizationId,
    name,
    direction: 'outgoing',
    prefix: 'ИСХ-',
    yearPlace: 'after',
    width: 4,
    firstNumber: 1,
  })
  return result
}

const sent = async () => (await ours.send(route, {}, owner)).result.id

describe('a program', () => {
  test('sees journals and kinds, registers a request, and gets its number in every response', async () => {
    const { id: journalId } = await journal('Договоры')
    const { result: kind } = await call(owner, addDocumentKind, {
      organizationId,
      name: 'Договор',
      journalId,
      registersAtSending: true,
    })
    const requestId = await sent()
    const { result: journals } = await ask(secret, getProgramJournals, {})
    expect(journals.items.find(({ id }) => id === journalId)).toMatchObject({
      nextNumber: 'ИСХ-0001/2026',
      count: 0,
    })
    const { result: kinds } = await ask(secret, getProgramKinds, {})
    expect(kinds.items).toMatchObject([{ id: kind.id, journalId, registersAtSending: true }])

    const registered = await ask(secret, registerProgramRequest, { requestId, journalId })
    const number = 'ИСХ-0001/2026'
    expect(registered.result).toMatchObject({
      registration: { number },
      ownRegistration: { number, journalId },
    })
    const documentId = registered.result.document.id!
    const byKind = await ask(secret, sendByRoute, {
      documentId,
      routeId: route,
      name: 'С номером',
      kindId: kind.id,
    })
    expect(byKind.result).toMatchObject({
      kind: { id: kind.id, name: 'Договор' },
      registration: { number: 'ИСХ-0002/2026' },
    })

    const { result: statuses } = await ask(secret, getStatuses, { ids: requestId })
    expect(statuses.items).toMatchObject([{ number, ownNumber: number }])
    const { result: list } = await ask(secret, getProgramRequests, { direction: 'outgoing' })
    expect(list.items.find(({ id }) => id === requestId)).toMatchObject({ number, ownNumber: number })
    const { result: entries } = await ask(secret, getProgramEntries, { journalId, take: 1 })
    expect(entries).toMatchObject({
      totalCount: 2,
      items: [{ requestId: byKind.result.id, number: 'ИСХ-0002/2026', kind: 'Договор' }],
    })
    expect((await ask(secret, getProgramEntries, { journalId, year: 2025 })).result.items).toEqual([])
  })

  test('needs the scopes for it', async () => {
    const { id: journalId } = await journal('Права')
    const requestId = await sent()
    const narrow = await makeToken(owner, organizationId, { scopes: ['requests.read', 'requests.send'] })
    for (const refused of [
      await ask(narrow.secret, getProgramJournals, {}),
      await ask(narrow.secret, getProgramKinds, {}),
      await ask(narrow.secret, getProgramEntries, { journalId }),
      await ask(narrow.secret, registerProgramRequest, { requestId, journalId }),
    ])
      expect([refused.status, refused.alias]).toEqual([403, 'token-scope-missing'])
    const reading = await makeToken(owner, organizationId, { scopes: ['registers.read'] })
    expect((await ask(reading.secret, registerProgramRequest, { requestId, journalId })).alias).toBe(
      'token-scope-missing',
    )
  })

  test('of a member who does not keep the registers cannot read entries or register requests of others', async () => {
    const { id: journalId } = await journal('Чужие')
    const requestId = await sent()
    const { secret: employee } = await makeToken(owner, organizationId, {
      actsAs: ours.employee,
      scopes: ['registers.read', 'registers.write', 'requests.read'],
    })
    expect((await ask(employee, getProgramEntries, { journalId })).alias).toBe('registers-not-kept')
    expect((await ask(employee, registerProgramRequest, { requestId, journalId })).status).toBeGreaterThan(
      399,
    )
    expect((await ask(secret, getProgramRequest, { requestId })).result.registration).toBeNull()
  })

  test('of a former owner loses the rights of owners with the next call', async () => {
    const { id: journalId } = await journal('Бывшие')
    await database.pool.query(
      'update memberships set roles = 3 where organization_id = $1 and user_id = $2',
      [organizationId, ours.colleague],
    )
    const { secret: former } = await makeToken(owner, organizationId, {
      actsAs: ours.colleague,
      scopes: ['registers.read'],
    })
    expect((await ask(former, getProgramEntries, { journalId })).status).toBe(200)
    await database.pool.query(
      'update memberships set roles = 1 where organization_id = $1 and user_id = $2',
      [organizationId, ours.colleague],
    )
    expect((await ask(former, getProgramEntries, { journalId })).alias).toBe('registers-not-kept')
  })

  test('of another organisation does not see the journal, and cannot register in it', async () => {
    const { id: journalId } = await journal('Наш')
    const requestId = await sent()
    const { secret: stranger } = await makeToken(theirs.owner, theirs.organizationId)
    expect((await ask(stranger, getProgramJournals, {})).result.items).toEqual([])
    expect((await ask(stranger, getProgramEntries, { journalId })).alias).toBe('journal-not-found')
    expect((await ask(stranger, registerProgramRequest, { requestId, journalId })).alias).toBe(
      'signing-request-not-found',
    )
    const { id: foreign } = await journal('Их', theirs)
    expect((await ask(secret, registerProgramRequest, { requestId, journalId: foreign })).alias).toBe(
      'journal-not-found',
    )
  })
})

describe('a repeated call', () => {
  test('takes no second number, also when the first response was never saved', async () => {
    const { id: journalId } = await journal('Повторы')
    const requestId = await sent()
    const key = randomUUID()
    const first = await ask(secret, registerProgramRequest, { requestId, journalId }, { key })
    await database.pool.query('update program_calls set response = null where key = $1', [key])
    const again = await ask(secret, registerProgramRequest, { requestId, journalId }, { key })
    expect(again.result.ownRegistration).toEqual(first.result.ownRegistration)
    const before = app.time.now
    await app.travel(new Date(before.getTime() + second))
    const other = await ask(secret, registerProgramRequest, { requestId, journalId })
    expect([other.status, other.alias]).toEqual([409, 'already-registered'])
    await app.travel(before)
  })

  test('that was refused at first registers with the day on which it succeeds', async () => {
    const opened = await journal('Даты')
    const requestId = await sent()
    const change = { organizationId, journalId: opened.id, ...opened }
    await call(owner, saveJournal, { ...change, isActive: false })
    const key = randomUUID()
    const input = { requestId, journalId: opened.id }
    expect((await ask(secret, registerProgramRequest, input, { key })).alias).toBe('journal-closed')
    const before = app.time.now
    await app.travel(new Date(before.getTime() + 3 * day))
    await call(owner, saveJournal, { ...change, isActive: true, currentVersion: opened.currentVersion + 1 })
    const late = await ask(secret, registerProgramRequest, input, { key })
    expect(late.result.ownRegistration?.registeredAt).toBe(app.time.now.toISOString())
    await app.travel(before)
  })
})
