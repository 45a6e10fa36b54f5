/** Journals and kinds of documents: who may do what, and where the number of a request is shown. */
import { describe, expect, test } from 'vitest'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { setRoles } from '@kelisim/domain/portal/contract.ts'
import {
  addDocumentKind,
  addJournal,
  downloadJournal,
  getDocumentKinds,
  getJournalEntries,
  getJournals,
  saveDocumentKind,
  saveJournal,
} from '@kelisim/domain/registers/contract.ts'
import { createQuickRequest, getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { registerRequest } from '@kelisim/domain/requests/sending/registration-contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { aliasOf, parametersOf } from '../routes/testing-routes.ts'
import { searcher } from '../search/testing-search.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, tokenOf } = testApp
const { titles } = searcher(testApp)
const { signAt } = actingIn(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const { organizationId, owner, employee, colleague } = sender
const inside = await sender.route(await sender.point('CompanyInternalSign'))
const outside = await sender.route(
  await sender.point('CompanyInternalSign'),
  await sender.point('ExternalSign', { groupId: null, bin: receiver.bin, emails: ['a@example.kz'] }),
)

const rule = { prefix: 'ИСХ-', yearPlace: 'after', width: 4, firstNumber: 1 } as const
const journalOf = async (of: typeof sender, name: string, direction: 'outgoing' | 'incoming', change = {}) =>
  (
    await call(of.owner, addJournal, {
      organizationId: of.organizationId,
      name,
      direction,
      ...rule,
      ...change,
    })
  ).result

const letters = await journalOf(sender, 'Исходящие письма', 'outgoing')
const ofSender = { organizationId }

describe('journals', () => {
  test('are opened and changed by owners only, and need unique names', async () => {
    const form = { ...ofSender, name: 'Приказы', direction: 'outgoing', ...rule } as const
    expect((await call(employee, addJournal, form)).status).toBe(403)
    const same = await call(owner, addJournal, { ...form, name: 'исходящие ПИСЬМА' })
    expect(aliasOf(same)).toBe('journal-name-already-in-use')
    const { items } = (await call(employee, getJournals, ofSender)).result
    expect(items.map(({ name, nextNumber, count }) => [name, nextNumber, count])).toEqual([
      ['Исходящие письма', 'ИСХ-0001/2026', 0],
    ])
    expect((await call(receiver.owner, getJournals, ofSender)).status).toBe(403)
  })

  test('keep their numbering rule once they have given a number', async () => {
    const orders = await journalOf(sender, 'Приказы', 'outgoing')
    const save = (change: object, currentVersion: number) =>
      call(owner, saveJournal, {
        ...ofSender,
        journalId: orders.id,
        name: 'Приказы',
        ...rule,
        isActive: true,
        currentVersion,
        ...change,
      })
    expect((await save({ prefix: 'П-' }, 1)).result.nextNumber).toBe('П-0001/2026')
    expect(aliasOf(await save({ prefix: 'Р-' }, 1))).toBe('request-changed')
    const { id } = (await sender.send(inside)).result
    const registered = await call(owner, registerRequest, {
      ...ofSender,
      signingRequestId: id,
      journalId: orders.id,
    })
    expect(registered.result.ownRegistration).toMatchObject({
      number: 'П-0001/2026',
      journal: { name: 'Приказы' },
    })
    expect(aliasOf(await save({ prefix: 'Р-' }, 2))).toBe('journal-rule-fixed')
    expect((await save({ prefix: 'П-', isActive: false }, 2)).result).toMatchObject({
      isActive: false,
      count: 1,
    })
    const next = (await sender.send(inside)).result.id
    const refused = await call(owner, registerRequest, {
      ...ofSender,
      signingRequestId: next,
      journalId: orders.id,
    })
    expect([aliasOf(refused), parametersOf(refused)]).toEqual(['journal-closed', { name: 'Приказы' }])
  })
})

describe('a kind of document', () => {
  test('registers in the transaction of sending; a refused request takes no number', async () => {
    const contracts = await journalOf(sender, 'Договоры', 'outgoing', { prefix: 'Д-', yearPlace: 'before' })
    const kind = (
      await call(owner, addDocumentKind, {
        ...ofSender,
        name: 'Договор',
        journalId: contracts.id,
        registersAtSending: true,
      })
    ).result
    const send = (change: object = {}) => sender.send(inside, { kindId: kind.id, ...change })
    expect((await send()).result).toMatchObject({
      kind: { name: 'Договор' },
      registration: { number: 'Д-2026-0001', registeredOn: '2026-11-15' },
      ownRegistration: { number: 'Д-2026-0001' },
      canRegister: false,
    })
    const unknownTag = await send({ classificatorsV2: [kind.id] })
    expect(aliasOf(unknownTag)).toBe('classificator-not-found')
    expect((await send()).result.registration?.number).toBe('Д-2026-0002')
    const again = await call(owner, saveDocumentKind, {
      ...ofSender,
      kindId: kind.id,
      name: 'Договор',
      journalId: contracts.id,
      registersAtSending: true,
      isActive: false,
      currentVersion: 1,
    })
    expect(again.status).toBe(200)
    expect(aliasOf(await send())).toBe('kind-not-found')
    const { items } = (await call(employee, getDocumentKinds, ofSender)).result
    expect(items.map(({ name, isActive }) => [name, isActive])).toEqual([['Договор', false]])
  })

  test('of another organisation, without a journal or with one of incoming documents is refused', async () => {
    const incoming = await journalOf(sender, 'Входящие', 'incoming')
    const add = (journalId: string | null) =>
      call(owner, addDocumentKind, { ...ofSender, name: 'Акт', journalId, registersAtSending: true })
    expect(aliasOf(await add(null))).toBe('kind-without-journal')
    expect(aliasOf(await add(incoming.id))).toBe('journal-not-found')
    const theirs = await journalOf(receiver, 'Чужой', 'outgoing')
    expect(aliasOf(await add(theirs.id))).toBe('journal-not-found')
  })

  test('numbers a quick request too', async () => {
    const { id: journalId } = await journalOf(sender, 'Счета', 'outgoing', { prefix: 'С-' })
    const form = { ...ofSender, name: 'Счёт', journalId, registersAtSending: true }
    const { id: kindId } = (await call(owner, addDocumentKind, form)).result
    const document = (await sender.upload(owner, organizationId)).result
    const sent = await call(owner, createQuickRequest, {
      ...ofSender,
      documentId: document.id,
      name: 'Счёт',
      groupId: await sender.group('Директор', owner),
      bin: receiver.bin,
      emails: ['a@example.kz'],
      kindId,
    })
    expect(sent.result.registration?.number).toBe('С-0001/2026')
  })
})

describe('registering by hand', () => {
  const register = (who: string, of: typeof sender, signingRequestId: string, journalId: string) =>
    call(who, registerRequest, { organizationId: of.organizationId, signingRequestId, journalId })

  test('is for the author, owners and those they appointed, and only once', async () => {
    const sent = (await sender.send(inside)).result
    expect(sent.canRegister).toBe(true)
    // A colleague of the signing group sees the request but does not keep the registers.
    const refused = await register(colleague, sender, sent.id, letters.id)
    expect([refused.status, aliasOf(refused)]).toEqual([403, 'registers-not-kept'])
    expect((await register(employee, sender, sent.id, letters.id)).status).toBe(200)
    const twice = await register(owner, sender, sent.id, letters.id)
    expect([aliasOf(twice), parametersOf(twice)]).toEqual(['already-registered', { number: 'ИСХ-0001/2026' }])
    await call(owner, setRoles, {
      ...ofSender,
      userId: colleague,
      roles: roles.of('Employee'),
      isAppointed: true,
    })
    const { allowed } = (await call(colleague, getOptions, ofSender)).result
    expect(allowed.keepRegisters).toBe(true)
    const other = (await sender.send(inside)).result
    expect((await register(colleague, sender, other.id, letters.id)).result.registration?.number).toBe(
      'ИСХ-0002/2026',
    )
    expect(aliasOf(await register(receiver.owner, receiver, other.id, letters.id))).toBe(
      'signing-request-not-found',
    )
  })

  test('each side has its own number, and sees that of the sender only', async () => {
    const sent = (await sender.send(outside, { name: 'Письмо о поставке' })).result
    await signAt({ id: employee, organizationId }, sent, 'CompanyInternalSign', sender.stamp)
    const theirs = await journalOf(receiver, 'Входящие', 'incoming', { prefix: 'ВХ-', firstNumber: 41 })
    expect(aliasOf(await register(receiver.owner, receiver, sent.id, letters.id))).toBe('journal-not-found')
    const outgoing = await journalOf(receiver, 'Исходящие', 'outgoing')
    expect(aliasOf(await register(receiver.owner, receiver, sent.id, outgoing.id))).toBe('journal-not-found')
    const incoming = await register(receiver.owner, receiver, sent.id, theirs.id)
    expect(incoming.result).toMatchObject({ registration: null, ownRegistration: { number: 'ВХ-0041/2026' } })
    await register(employee, sender, sent.id, letters.id)
    const look = async (who: string, of: typeof sender) =>
      (await call(who, getRequest, { organizationId: of.organizationId, signingRequestId: sent.id })).result
    expect((await look(receiver.owner, receiver)).registration?.number).toBe('ИСХ-0003/2026')
    expect((await look(employee, sender)).ownRegistration?.number).toBe('ИСХ-0003/2026')

    const list = async (who: string, of: typeof sender, route: 'incomings' | 'outgoings', filter: object) =>
      (
        await call(who, getRequests, {
          organizationId: of.organizationId,
          route,
          skip: 0,
          take: 10,
          ...filter,
        })
      ).result.items.map(({ name, registration, ownNumber }) => [name, registration?.number, ownNumber])
    const lines = await list(receiver.owner, receiver, 'incomings', { number: 'вх-004' })
    expect(lines).toEqual([['Письмо о поставке', 'ИСХ-0003/2026', 'ВХ-0041/2026']])
    expect(await list(receiver.owner, receiver, 'incomings', { number: 'исх' })).toEqual([])
    expect(await list(receiver.owner, receiver, 'incomings', { number: '%' })).toEqual([])
    const inJournal = await list(employee, sender, 'outgoings', { journalId: letters.id, number: 'ИСХ-0003' })
    expect(inJournal).toEqual([['Письмо о поставке', 'ИСХ-0003/2026', 'ИСХ-0003/2026']])

    const found = (who: string, of: typeof sender, q: string) => titles(who, of.organizationId, q, 'request')
    expect(await found(employee, sender, 'ИСХ-0003/2026')).toEqual(['Письмо о поставке'])
    expect(await found(receiver.owner, receiver, 'ВХ-0041/2026')).toEqual(['Письмо о поставке'])
    expect(await found(employee, sender, 'ВХ-0041/2026')).toEqual([])
  })
})

describe('a journal', () => {
  test('refuses a prefix that would make a number a spreadsheet formula', async () => {
    const form = { ...ofSender, name: 'Акты', direction: 'outgoing', ...rule, prefix: '=А' } as const
    expect(aliasOf(await call(owner, addJournal, form))).toBe('validation-failure')
  })

  test('is read and exported by those who keep the registers, in order of number', async () => {
    const entries = (who: string, filter: object = {}) =>
      call(who, getJournalEntries, { ...ofSender, journalId: letters.id, skip: 0, take: 10, ...filter })
    expect((await entries(employee)).status).toBe(403)
    const { items, totalCount } = (await entries(colleague)).result
    expect([totalCount, ...items.map(({ number }) => number)]).toEqual([
      3,
      'ИСХ-0003/2026',
      'ИСХ-0002/2026',
      'ИСХ-0001/2026',
    ])
    expect(items[0]).toMatchObject({ name: 'Письмо о поставке', counterparty: { bin: receiver.bin } })
    expect((await entries(colleague, { name: 'поставке' })).result.totalCount).toBe(1)
    expect((await entries(colleague, { name: '0002' })).result.totalCount).toBe(1)
    expect((await entries(colleague, { year: 2025 })).result.totalCount).toBe(0)
    expect(
      (
        await call(receiver.owner, getJournalEntries, {
          organizationId: receiver.organizationId,
          journalId: letters.id,
          skip: 0,
          take: 10,
        })
      ).status,
    ).toBe(404)

    const download = async (who: string) =>
      app.inject({
        url: fillPath(downloadJournal.path, { ...ofSender, journalId: letters.id }).path,
        headers: { cookie: `session=${await tokenOf(who)}` },
      })
    expect((await download(employee)).statusCode).toBe(403)
    const file = await download(colleague)
    expect(file.headers['content-type']).toContain('spreadsheetml')
    expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK')
  })
})

describe('the history', () => {
  const historyOf = async (person: string, of: string, signingRequestId: string) =>
    (await call(person, getRequestHistory, { organizationId: of, signingRequestId, skip: 0, take: 100 }))
      .result.items

  test('has the number that the sender gave, with who gave it, and so has the log', async () => {
    const { id } = (await sender.send(inside)).result
    const journal = await journalOf(sender, 'Для истории', 'outgoing', { prefix: 'И-' })
    const before = (await historyOf(owner, organizationId, id)).length
    await call(owner, registerRequest, { ...ofSender, signingRequestId: id, journalId: journal.id })
    const [latest, ...others] = await historyOf(owner, organizationId, id)
    expect(others).toHaveLength(before)
    expect(latest).toMatchObject({ type: 'registered', data: { number: 'И-0001/2026' }, comment: '' })
    expect(latest?.actor?.fullName).toBeTruthy()
    expect(latest?.before).toBe(latest?.after)
    const { rows } = await testApp.database.pool.query<{ count: number }>(
      'select count(*)::int as count from request_events where request_id = $1 and type = $2',
      [id, 'registered'],
    )
    expect(rows[0]?.count).toBe(1)
  })

  test('has the number given at sending with the event of sending', async () => {
    const journal = await journalOf(sender, 'При отправке', 'outgoing', { prefix: 'О-' })
    const { id: kindId } = (
      await call(owner, addDocumentKind, {
        ...ofSender,
        name: 'Письмо для истории',
        journalId: journal.id,
        registersAtSending: true,
      })
    ).result
    const { id } = (await sender.send(inside, { kindId })).result
    const events = await historyOf(owner, organizationId, id)
    expect(events.find(({ type }) => type === 'sent')?.data).toMatchObject({ number: 'О-0001/2026' })
    expect(events.some(({ type }) => type === 'registered')).toBe(false)
  })

  test('does not show the sender the number that the recipient gave', async () => {
    const { result: sent } = await sender.send(outside)
    await signAt({ id: employee, organizationId }, sent, 'CompanyInternalSign', sender.stamp)
    const incoming = await journalOf(receiver, 'Входящие для истории', 'incoming', { prefix: 'ТАЙНА-' })
    const of = { organizationId: receiver.organizationId, signingRequestId: sent.id }
    const { status } = await call(receiver.owner, registerRequest, { ...of, journalId: incoming.id })
    expect(status).toBe(200)
    for (const [person, organization] of [
      [owner, organizationId],
      [receiver.owner, receiver.organizationId],
    ] as const)
      expect(JSON.stringify(await historyOf(person, organization, sent.id))).not.toContain('ТАЙНА')
  })
})
