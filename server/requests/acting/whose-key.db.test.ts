/** With whose key an organisation is bound, and who may only read (docs/product/in-whose-name.md#whose-key). */
import { describe, expect, test } from 'vitest'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getMembers, setRoles } from '@kelisim/domain/portal/contract.ts'
import { addPower, getPowers, revokePower } from '@kelisim/domain/powers-of-attorney/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { checkDigit } from '@kelisim/domain/numbers.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { testWorkers } from '../../testing-workers.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { linkIin } from '../../identity/sign-in/queries.ts'
import { checksIn, citizen } from '../../identity/testing-signers.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { openJudging } from '../judging/judging.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

const storage = await folderStorage(temporaryFolder())
const testApp = await startRequestsApp({ archive: { storage, checks: testWorkers.checks } })
const { call, make, nation, database, time } = testApp
const { look, act, signAt } = actingIn(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const author = { id: sender.employee, organizationId: sender.organizationId }
const partner = { id: receiver.owner, organizationId: receiver.organizationId }

async function sendTo(change: object = {}): Promise<View> {
  const point = await sender.point('ExternalSign', {
    bin: receiver.bin,
    emails: ['o@example.kz'],
    ...change,
  })
  return (await sender.send(await sender.route(point))).result
}

let people = 0

/** With a correct check digit, as in a register of people. */
function newIin(): string {
  for (;;) {
    const eleven = `9102034${String(++people).padStart(4, '0')}`
    const last = checkDigit(eleven)
    if (last !== null) return `${eleven}${last}`
  }
}

/** A person of the receiving organisation who has no account here. */
async function stranger(role: 'head' | 'signing-right' | 'employee') {
  const key = await citizen(nation, { iin: newIin(), bin: receiver.bin, role })
  const given = { head: 'head', 'signing-right': 'signingRight', employee: 'employee' } as const
  return { id: await make.outsider(key.iin, receiver.bin, given[role]), key }
}

describe('a point for a number outside', () => {
  test('takes the key of the head or of a holder of the right to sign, by default', async () => {
    const sent = await sendTo()
    expect(sent.points[0]).toMatchObject({ keyHolder: 'signingRight' })
    const { key, ...signer } = await stranger('signing-right')
    const done = await signAt(signer, sent, 'ExternalSign', key)
    expect(statusOf(done.result)).toBe('Completed')
  })

  test('lets an employee without an account read, and says that their key is not accepted', async () => {
    const sent = await sendTo()
    const { key, ...reader } = await stranger('employee')
    const seen = (await look(reader, sent.id)).result
    expect(seen.acts).toEqual([])
    expect(seen.points[0]).toMatchObject({ isMine: false, takesMyKey: false })
    const refused = await signAt(reader, sent, 'ExternalSign', key)
    expect(aliasOf(refused)).toBe('key-not-taken')
    expect(parametersOf(refused)).toMatchObject({ needed: 'signingRight', given: 'employee' })
    const rejected = await act(reader, sent, 'ExternalSign', 'reject', { comment: 'Не наше' })
    expect(aliasOf(rejected)).toBe('key-not-taken')
    const byPhone = await call(reader.id, createCrosslinks, {
      organizationId: emptyId,
      signingRequestId: sent.id,
      pointId: sent.points[0]!.pointId,
    })
    expect(aliasOf(byPhone)).toBe('key-not-taken')
  })

  test('refuses a member with an employee’s key, saying what was needed and what was given', async () => {
    const sent = await sendTo()
    const key = await citizen(nation, { bin: receiver.bin, role: 'employee' })
    const { result } = await signAt(partner, sent, 'ExternalSign', key)
    expect(result.points[0]).toMatchObject({
      status: pointStatuses.ValidationError,
      statusDescriptionData: {
        alias: 'signature-refused',
        parameters: { code: 'DS-708', needed: 'signingRight', given: 'employee' },
      },
    })
  })

  test('refuses the right to sign where the head is required', async () => {
    const sent = await sendTo({ keyHolder: 'head' })
    const { key, ...signer } = await stranger('signing-right')
    expect(aliasOf(await signAt(signer, sent, 'ExternalSign', key))).toBe('key-not-taken')
    const { key: right, ...head } = await stranger('head')
    expect(statusOf((await signAt(head, sent, 'ExternalSign', right)).result)).toBe('Completed')
  })

  test('takes the key of an employee where any employee may sign', async () => {
    const sent = await sendTo({ keyHolder: 'employee' })
    const { key, ...signer } = await stranger('employee')
    expect(statusOf((await signAt(signer, sent, 'ExternalSign', key)).result)).toBe('Completed')
  })

  test('does not show another side whose key is required', async () => {
    const named = await citizen(nation, { bin: receiver.bin, role: 'employee' })
    const ofReceiver = await sender.point('ExternalSign', {
      bin: receiver.bin,
      organizationName: 'Алтын Дала',
      emails: ['a@example.kz'],
      keyHolder: 'person',
      keyHolderIin: named.iin,
    })
    const number = '25034001234'
    const other = `${number}${checkDigit(number)}`
    const ofOther = await sender.point('ExternalSign', {
      bin: other,
      organizationName: 'Жаңа Жол',
      emails: ['b@example.kz'],
    })
    const { result: sent } = await sender.send(await sender.route([ofReceiver, ofOther]))
    const outsider = { id: await make.outsider('900101300017', other, 'head') }
    const seen = (await look(outsider, sent.id)).result.points
    expect(seen.find(({ bin }) => bin === receiver.bin)).toMatchObject({
      keyHolder: 'person',
      keyHolderIin: null,
    })
  })

  test('refuses the head where one named person is required', async () => {
    const named = await citizen(nation, { bin: receiver.bin, role: 'employee' })
    const sent = await sendTo({ keyHolder: 'person', keyHolderIin: named.iin })
    const { key, ...head } = await stranger('head')
    expect(aliasOf(await signAt(head, sent, 'ExternalSign', key))).toBe('key-not-taken')
    const another = { id: await make.person(), organizationId: receiver.organizationId }
    await make.member(receiver.organizationId, another.id, 'Owner')
    await receiver.ownKey(another.id)
    const asked = (await look(another, sent.id)).result
    expect(asked.acts.map((one) => one.act)).toEqual(['reject', 'propose'])
    expect(asked.points[0]).toMatchObject({ takesMyKey: false, keyHolderIin: named.iin })
    const person = { id: await make.outsider(named.iin, receiver.bin, 'employee') }
    expect((await look(person, sent.id)).result.points[0]).toMatchObject({ keyHolderIin: named.iin })
    expect(statusOf((await signAt(person, sent, 'ExternalSign', named)).result)).toBe('Completed')
  })
})

describe('one IIN is one person', () => {
  test('a colleague’s key of the same organisation is refused where the actor is known', async () => {
    const inside = await sender.point('CompanyInternalSign')
    const { result: sent } = await sender.send(await sender.route(inside))
    await sender.ownKey(sender.employee)
    const { result } = await signAt(author, sent, 'CompanyInternalSign', sender.stamp)
    expect(result.points[0]).toMatchObject({ statusDescriptionData: { parameters: { code: 'DS-705' } } })
  })

  /** Two people of the sender whose accounts have proved no IIN, and a key of one of them. */
  async function twoWithoutIin() {
    const key = await citizen(nation, { iin: newIin(), bin: sender.bin, role: 'employee' })
    const [first, second] = [await make.person(), await make.person()]
    for (const person of [first, second]) await make.member(sender.organizationId, person, 'Employee')
    await database.write((tx) =>
      tx
        .insertInto('groupParticipants')
        .values(
          [first, second].map((userId) => ({
            userId,
            organizationId: sender.organizationId,
            groupId: sender.groupId,
          })),
        )
        .execute(),
    )
    const route = await sender.route(await sender.point('CompanyInternalSign'))
    const as = (id: string) => ({ id, organizationId: sender.organizationId })
    const signInside = async (id: string, by = key) => {
      const { result: sent } = await sender.send(route)
      return (await signAt(as(id), sent, 'CompanyInternalSign', by)).result
    }
    return { key, first, second, signInside }
  }
  const refusedAs = (code: string) => ({ statusDescriptionData: { parameters: { code } } })

  test('an account goes on with the key that it signed with, and another account cannot use that key', async () => {
    const { first, second, signInside } = await twoWithoutIin()
    expect(statusOf(await signInside(first))).toBe('Completed')
    expect(statusOf(await signInside(first))).toBe('Completed')
    const other = await citizen(nation, { bin: sender.bin, role: 'employee' })
    expect((await signInside(first, other)).points[0]).toMatchObject(refusedAs('DS-705'))
    expect((await signInside(second)).points[0]).toMatchObject(refusedAs('DS-705'))
  })

  test('a signature over a document gives no access to requests to its IIN, because it can be a copy', async () => {
    const { key, first, signInside } = await twoWithoutIin()
    await signInside(first)
    const { result: sent } = await sender.send(
      await sender.route(await sender.point('ExternalSign', { bin: key.iin, emails: ['p@example.kz'] })),
    )
    expect(aliasOf(await look({ id: first }, sent.id))).toBe('signing-request-access-failure')
    const rejected = await act({ id: first }, sent, 'ExternalSign', 'reject', { comment: 'Нет' })
    expect(aliasOf(rejected)).toBe('signing-request-access-failure')
  })

  test('the IIN belongs to the account that proves it, whichever account signed with its key before', async () => {
    const { key, first, second, signInside } = await twoWithoutIin()
    await signInside(first)
    expect(await database.write((tx) => linkIin(tx, second, key.iin))).toBe(true)
    expect(statusOf(await signInside(second))).toBe('Completed')
    expect((await signInside(first)).points[0]).toMatchObject(refusedAs('DS-705'))
  })
})

describe('a request to the number of an organisation', () => {
  const colleague = { id: receiver.colleague, organizationId: receiver.organizationId }
  const appoint = (isAppointed: boolean) =>
    call(receiver.owner, setRoles, {
      organizationId: receiver.organizationId,
      userId: receiver.colleague,
      roles: roles.of('Employee'),
      isAppointed,
    })
  const incoming = async () =>
    (
      await call(colleague.id, getRequests, {
        organizationId: receiver.organizationId,
        route: 'incomings',
        skip: 0,
        take: 100,
      })
    ).result.items.map(({ id }) => id)

  test('is visible to owners and those they appointed, and to nobody else', async () => {
    const sent = await sendTo()
    expect(aliasOf(await look(colleague, sent.id))).toBe('signing-request-not-found')
    expect(await incoming()).not.toContain(sent.id)
    await appoint(true)
    expect((await look(colleague, sent.id)).result.acts.map((one) => one.act)).toEqual([
      'sign',
      'reject',
      'propose',
    ])
    expect(await incoming()).toContain(sent.id)
    const { result: members } = await call(receiver.owner, getMembers, {
      organizationId: receiver.organizationId,
      skip: 0,
      take: 100,
    })
    expect(members.items.filter((one) => one.isAppointed).map((one) => one.userId)).toEqual([colleague.id])
    await appoint(false)
    expect(aliasOf(await look(colleague, sent.id))).toBe('signing-request-not-found')
    expect(await incoming()).not.toContain(sent.id)
  })

  test('only an owner appoints', async () => {
    const mine = { organizationId: receiver.organizationId, userId: receiver.employee, isAppointed: true }
    const response = await call(receiver.employee, setRoles, { ...mine, roles: roles.of('Employee') })
    expect(aliasOf(response)).toBe('not-enough-permissions')
  })
})

/** A power of attorney that the head of the receiver signed here. */
async function signedPower(): Promise<string> {
  const inside = await receiver.point('CompanyInternalSign')
  const { result } = await receiver.send(await receiver.route(inside))
  const signer = { id: receiver.employee, organizationId: receiver.organizationId }
  const done = await signAt(signer, result, 'CompanyInternalSign', receiver.stamp)
  expect(statusOf(done.result)).toBe('Completed')
  return result.id
}
const document = await signedPower()

describe('under a power of attorney', () => {
  const register = (holderIin: string, change: object = {}, by = receiver.owner) =>
    call(by, addPower, {
      organizationId: receiver.organizationId,
      number: '12/2026',
      holderIin,
      holderName: 'Ли Мария',
      direction: 'any',
      counterparties: [],
      note: '',
      validFrom: '2026-01-01',
      validUntil: '2030-12-31',
      signingRequestId: document,
      ...change,
    })

  test('an employee’s key binds, and the signature, the history and the report name it', async () => {
    const { key, ...holder } = await stranger('employee')
    expect((await register(key.iin)).result).toMatchObject({
      state: 'valid',
      document: { signingRequestId: document, signedBy: 'Серікова Айгерім Нұрланқызы' },
    })
    const sent = await sendTo()
    expect((await look(holder, sent.id)).result.points[0]).toMatchObject({
      isMine: true,
      takesMyKey: true,
      hasPower: true,
    })
    const done = (await signAt(holder, sent, 'ExternalSign', key)).result
    expect(statusOf(done)).toBe('Completed')
    const power = { number: '12/2026', validFrom: '2026-01-01', validUntil: '2030-12-31' }
    expect(done.points[0]!.signatures).toMatchObject([{ state: 'accepted', power }])
    const history = await call(author.id, getRequestHistory, {
      organizationId: sender.organizationId,
      signingRequestId: sent.id,
      skip: 0,
      take: 50,
    })
    const accepted = history.result.items.find(({ type }) => type === 'signature-accepted')
    expect(accepted?.data['power']).toEqual(power)
  })

  test('a personal key without an organisation binds too', async () => {
    const key = await citizen(nation, { iin: newIin() })
    await register(key.iin)
    const sent = await sendTo()
    const holder = { id: await make.outsider(key.iin) }
    expect(statusOf((await signAt(holder, sent, 'ExternalSign', key)).result)).toBe('Completed')
  })

  test('one for other documents gives no access to this one', async () => {
    const key = await citizen(nation, { iin: newIin() })
    await register(key.iin, { direction: 'outgoing' })
    const sent = await sendTo()
    const holder = { id: await make.outsider(key.iin) }
    expect(aliasOf(await look(holder, sent.id))).toBe('signing-request-access-failure')
  })

  test('one that ended while the signature was being checked counts as at the receipt', async () => {
    const key = await citizen(nation, { iin: newIin(), bin: receiver.bin, role: 'employee' })
    const { result } = await register(key.iin)
    const sent = await sendTo()
    testApp.centre.answer = undefined
    const taken = await signAt(partner, sent, 'ExternalSign', key)
    expect(taken.result.points[0]!.status).toBe(pointStatuses.Validation)
    testApp.centre.answer = 'good'
    time.now = new Date(time.now.getTime() + 1000)
    await call(receiver.owner, revokePower, {
      organizationId: receiver.organizationId,
      powerId: result.id,
    })
    time.now = new Date(time.now.getTime() + 5 * 60_000)
    const check = checksIn(nation, testApp.centre)
    await openJudging({ database, storage, check, clock: () => time.now }).judgeDue()
    expect(statusOf((await look(author, sent.id)).result)).toBe('Completed')
  })

  test.each([
    ['revoked', {}, 'DS-711', true],
    ['not begun', { validFrom: '2029-01-01' }, 'DS-711', false],
    ['for what the organisation sends', { direction: 'outgoing' }, 'DS-712', false],
    ['for another counterparty', { counterparties: ['111140000018'] }, 'DS-712', false],
  ])('%s: refused with its code', async (_, change, code, isRevoked) => {
    const key = await citizen(nation, { iin: newIin(), bin: receiver.bin, role: 'employee' })
    const { result } = await register(key.iin, change)
    const { organizationId } = receiver
    if (isRevoked) await call(receiver.owner, revokePower, { organizationId, powerId: result.id })
    // Whoever acts has an account of their own, so that only the key decides.
    const member = await make.person()
    await make.member(organizationId, member, 'Owner')
    const sent = await sendTo()
    const refused = await signAt({ id: member, organizationId }, sent, 'ExternalSign', key)
    expect(refused.result.points[0]).toMatchObject({
      statusDescriptionData: { parameters: { code, needed: 'signingRight', given: 'employee' } },
    })
  })

  test('is registered by an owner, of a document that the head has signed here', async () => {
    const { iin } = await citizen(nation, { iin: newIin() })
    expect(aliasOf(await register(iin, {}, receiver.employee))).toBe('not-enough-permissions')
    expect(aliasOf(await register(iin, {}, sender.owner))).toBe('organization-not-yours')
    expect(aliasOf(await register(iin, { validUntil: '2026-01-02' }))).toBe('power-over-already')
    const unsigned = await receiver.send(await receiver.route(await receiver.point('CompanyInternalSign')))
    const wanted = { signingRequestId: unsigned.result.id }
    expect(aliasOf(await register(iin, wanted))).toBe('power-document-not-signed')
    const foreign = { signingRequestId: (await sendTo()).id }
    expect(aliasOf(await register(iin, foreign))).toBe('signing-request-not-found')
  })

  test('the signature of the head of another organisation is not enough', async () => {
    const outside = await receiver.point('ExternalSign', {
      bin: sender.bin,
      organizationName: 'ТОО «Алтын Дала»',
      emails: ['a@example.kz'],
    })
    const { result: sent } = await receiver.send(await receiver.route(outside))
    const head = { id: sender.owner, organizationId: sender.organizationId }
    const done = await signAt(head, sent, 'ExternalSign', sender.stamp)
    expect(statusOf(done.result)).toBe('Completed')
    const { iin } = await citizen(nation, { iin: newIin() })
    expect(aliasOf(await register(iin, { signingRequestId: sent.id }))).toBe('power-document-not-signed')
  })

  test('the head’s signature is not enough if the centre said later that the key had been revoked before', async () => {
    const signingRequestId = await signedPower()
    const { iin } = await citizen(nation, { iin: newIin() })
    const { id: signatureId } = await database.db
      .selectFrom('requestSignatures')
      .select('id')
      .where('requestId', '=', signingRequestId)
      .executeTakeFirstOrThrow()
    const outcome = {
      outcome: 'revoked-before',
      tries: 1,
      checkedAt: time.now,
      revokedAt: time.now,
      nextTryAt: null,
    } as const
    await database.write((tx) =>
      tx
        .insertInto('signatureRechecks')
        .values({ signatureId, ...outcome })
        .execute(),
    )
    expect(aliasOf(await register(iin, { signingRequestId }))).toBe('power-document-not-signed')
  })

  test('an employee’s signature under the document is not enough', async () => {
    const { result: sent } = await receiver.send(
      await receiver.route(await receiver.point('CompanyInternalSign')),
    )
    const key = await citizen(nation, { bin: receiver.bin, role: 'signing-right' })
    const member = await make.person()
    await make.member(receiver.organizationId, member, 'Employee')
    await database.write((tx) =>
      tx
        .insertInto('groupParticipants')
        .values({ userId: member, organizationId: receiver.organizationId, groupId: receiver.groupId })
        .execute(),
    )
    const by = { id: member, organizationId: receiver.organizationId }
    expect(statusOf((await signAt(by, sent, 'CompanyInternalSign', key)).result)).toBe('Completed')
    const { iin } = await citizen(nation, { iin: newIin() })
    expect(aliasOf(await register(iin, { signingRequestId: sent.id }))).toBe('power-document-not-signed')
  })

  test('the register belongs to the organisation, and can be searched', async () => {
    const list = (by: string, organizationId: string, name?: string) =>
      call(by, getPowers, { organizationId, skip: 0, take: 10, ...(name && { name }) })
    const { iin } = await citizen(nation, { iin: newIin() })
    await register(iin, { holderName: 'Қасымов Әлихан', number: 'Д-77' })
    const found = await list(receiver.owner, receiver.organizationId, 'касымов')
    expect(found.result.totalCount).toBe(0)
    expect((await list(receiver.owner, receiver.organizationId, 'қасымов')).result.items).toMatchObject([
      { number: 'Д-77', holderIin: iin },
    ])
    expect((await list(sender.owner, sender.organizationId)).result.totalCount).toBe(0)
    expect(aliasOf(await list(receiver.employee, receiver.organizationId))).toBe('not-enough-permissions')
  })
})
