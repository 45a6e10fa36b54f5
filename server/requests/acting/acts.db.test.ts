/** Acts on requests through the API, with real signatures checked by the real engine. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { lockRequest, revokeRequest, unlockRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

const app = await startRequestsApp()
const { call, make, nation, centre, database, time, travel } = app
const { look, act, signAt, signatureOf } = actingIn(app)
const sender = await app.company()
const receiver = await app.company()

const statuses = (view: Pick<View, 'points'>) =>
  view.points.map(({ status }) =>
    Object.keys(pointStatuses).find((name) => pointStatuses[name as keyof typeof pointStatuses] === status),
  )
const employee = { id: sender.employee, organizationId: sender.organizationId }
const colleague = { id: sender.colleague, organizationId: sender.organizationId }
const partner = { id: receiver.owner, organizationId: receiver.organizationId }
const outside = { bin: receiver.bin, emails: ['partner@example.kz'] }

const approval = await sender.point('InternalApprove')
const signing = await sender.point('CompanyInternalSign')
const external = await sender.point('ExternalSign', outside)
const confirming = await sender.point('InternalInformationConfirm')
const contract = await sender.route(approval, signing, external, confirming)
const simple = await sender.route(signing)

test('a contract completes its route: approved, signed by both sides, confirmed', async () => {
  const { status, result: sent } = await sender.send(contract)
  expect(status).toBe(200)
  expect(statusOf(sent)).toBe('InProgress')
  expect(statuses(sent)).toEqual(['Waiting', 'InQueue', 'InQueue', 'InQueue'])
  expect(sent.acts).toContainEqual({ act: 'withdraw', pointId: null })

  const approved = await act(colleague, sent, 'InternalApprove', 'approve', { comment: 'Суммы верны' })
  expect(approved.result.points[0]).toMatchObject({
    status: pointStatuses.Approved,
    acts: [{ act: 'approved', comment: 'Суммы верны' }],
  })
  // The other side does not see it before its turn.
  expect(aliasOf(await look(partner, sent.id))).toBe('signing-request-not-found')

  const signed = await signAt(employee, sent, 'CompanyInternalSign', sender.stamp, { comment: 'Подписано' })
  expect(statuses(signed.result)).toEqual(['Approved', 'Signed', 'Waiting', 'InQueue'])
  expect(signed.result.points[1]!.signatures).toMatchObject([
    {
      state: 'accepted',
      verdict: { verdict: 'TOTAL-PASSED' },
      certificate: { bin: sender.bin, revocation: 'ocsp' },
    },
  ])

  const received = (await look(partner, sent.id)).result
  expect(received.points.map(({ type }) => type)).toEqual([2, 4])
  expect(received.points[0]).toMatchObject({ participants: [], groupName: null })
  expect(received.acts.map((one) => one.act)).toEqual(['sign', 'reject', 'propose'])
  const both = await signAt(partner, received, 'ExternalSign', receiver.stamp)
  expect(statusOf(both.result)).toBe('Signed')

  const done = await act(employee, sent, 'InternalInformationConfirm', 'confirm')
  expect(statusOf(done.result)).toBe('Completed')
  expect(statuses(done.result)).toEqual(['Approved', 'Signed', 'Signed', 'Notified'])
})

test('an outsider with only a key signs by number and sees only their own part', async () => {
  const signer = await citizen(nation, { bin: '880340300123' })
  const outsiderPoint = await sender.point('ExternalSign', { bin: '880340300123', emails: ['o@example.kz'] })
  const { result: sent } = await sender.send(await sender.route(signing, outsiderPoint))
  const outsider = { id: await make.outsider(signer.iin, '880340300123') }
  expect(aliasOf(await look(outsider, sent.id))).toBe('signing-request-access-failure')
  await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
  const seen = (await look(outsider, sent.id)).result
  expect(seen).toMatchObject({ route: null, classificators: [], canEdit: false })
  const done = await signAt(outsider, seen, 'ExternalSign', signer)
  expect(statusOf(done.result)).toBe('Completed')
  const other = { id: await make.outsider('900101300999', '880340300999') }
  expect(aliasOf(await look(other, sent.id))).toBe('signing-request-access-failure')
})

describe('a signature', () => {
  test('by the wrong certificate is stored and refused with a code, and can be followed by another', async () => {
    const { result: sent } = await sender.send(simple)
    const wrong = await signAt(employee, sent, 'CompanyInternalSign', receiver.stamp)
    expect(statusOf(wrong.result)).toBe('ValidationFail')
    expect(wrong.result.points[0]).toMatchObject({
      status: pointStatuses.ValidationError,
      statusDescriptionData: { alias: 'signature-refused', parameters: { code: 'DS-706' } },
      signatures: [{ state: 'refused', certificate: { bin: receiver.bin } }],
    })
    time.now = new Date(time.now.getTime() + 1000)
    const again = await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
    expect(statusOf(again.result)).toBe('Completed')
    expect(again.result.points[0]!.signatures.map(({ state }) => state)).toEqual(['refused', 'accepted'])
  })

  test('of another document is refused', async () => {
    const { result: sent } = await sender.send(simple)
    const signature = await signatureOf(sender.stamp, Buffer.from('another document'))
    const response = await act(employee, sent, 'CompanyInternalSign', 'sign', { signature })
    expect(response.result.points[0]).toMatchObject({
      statusDescriptionData: { parameters: { code: 'DS-202' } },
    })
  })

  test('that a colleague made for the same document is refused', async () => {
    const { result: first } = await sender.send(simple)
    const { result: second } = await sender.send(simple)
    const signature = await signatureOf(sender.stamp)
    const signed = await act(employee, first, 'CompanyInternalSign', 'sign', { signature })
    expect(statusOf(signed.result)).toBe('Completed')
    const borrowed = await act(colleague, second, 'CompanyInternalSign', 'sign', { signature })
    expect(borrowed.result.points[0]).toMatchObject({
      statusDescriptionData: { parameters: { code: 'DS-709' } },
    })
    expect(statusOf(borrowed.result)).toBe('ValidationFail')
  })

  test('at an employee’s point must be made with the employee’s own key', async () => {
    const own = await sender.point('EmployeeInternalSign')
    const { result: sent } = await sender.send(await sender.route(own))
    const unknown = await signAt(colleague, sent, 'EmployeeInternalSign', await citizen(nation, {}))
    expect(unknown.result.points[0]).toMatchObject({
      statusDescriptionData: { parameters: { code: 'DS-701' } },
    })
    const key = await sender.ownKey(sender.colleague)
    const other = await signAt(colleague, sent, 'EmployeeInternalSign', await citizen(nation, {}))
    expect(other.result.points[0]).toMatchObject({
      statusDescriptionData: { parameters: { code: 'DS-705' } },
    })
    const right = await signAt(colleague, sent, 'EmployeeInternalSign', key)
    expect(statusOf(right.result)).toBe('Completed')
  })

  test('waits while the centre cannot be reached, and is never accepted unchecked', async () => {
    const { result: sent } = await sender.send(simple)
    centre.answer = undefined
    const waiting = await signAt(employee, sent, 'CompanyInternalSign', sender.stamp)
    centre.answer = 'good'
    expect(waiting.result.points[0]).toMatchObject({
      status: pointStatuses.Validation,
      signatures: [{ state: 'checking', verdict: { subIndication: 'TRY_LATER' } }],
    })
    expect(aliasOf(await signAt(colleague, sent, 'CompanyInternalSign', sender.stamp))).toBe(
      'signature-being-checked',
    )
    const input = { organizationId: sender.organizationId, signingRequestId: sent.id, comment: 'Ошибка' }
    expect(aliasOf(await call(sender.employee, revokeRequest, input))).toBe('signature-being-checked')
  })

  test('that cannot be parsed is refused and nothing is stored', async () => {
    const { result: sent } = await sender.send(simple)
    const response = await act(employee, sent, 'CompanyInternalSign', 'sign', { signature: '<xml/>' })
    expect(aliasOf(response)).toBe('signature-refused')
    expect((await look(employee, sent.id)).result.currentVersion).toBe(sent.currentVersion)
  })

  test('without a timestamp is refused where one is required', async () => {
    const { result: sent } = await sender.send(simple, { isTimestampRequired: true })
    expect(aliasOf(await signAt(employee, sent, 'CompanyInternalSign', sender.stamp))).toBe(
      'timestamp-needed',
    )
  })
})

test('an act with an outdated version is refused and changes nothing', async () => {
  const { result: sent } = await sender.send(contract)
  await act(colleague, sent, 'InternalApprove', 'approve', { currentVersion: sent.currentVersion })
  const stale = await call(employee.id, revokeRequest, {
    organizationId: employee.organizationId,
    signingRequestId: sent.id,
    comment: 'Ошибка',
    currentVersion: sent.currentVersion,
  })
  expect(aliasOf(stale)).toBe('request-changed')
  expect(statusOf((await look(employee, sent.id)).result)).toBe('InProgress')
})

test('an act repeated with the same key is done once; of two people at once one succeeds and the other is refused', async () => {
  const { result: sent } = await sender.send(contract)
  const key = newId()
  const twice = await Promise.all([
    act(colleague, sent, 'InternalApprove', 'approve', { key }),
    act(colleague, sent, 'InternalApprove', 'approve', { key }),
  ])
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(twice[1].result.points[0]!.acts).toHaveLength(1)

  const { result: another } = await sender.send(contract)
  expect(aliasOf(await act(colleague, another, 'InternalApprove', 'approve', { key }))).toBe(
    'wrong-request-configuration',
  )

  const race = await Promise.all([
    signAt(employee, sent, 'CompanyInternalSign', sender.stamp),
    signAt(colleague, sent, 'CompanyInternalSign', sender.stamp),
  ])
  const refusals = race.map(aliasOf).filter((alias) => alias !== null)
  expect(refusals).toEqual([expect.stringMatching(/^(signature-being-checked|point-already-processed)$/)])
})

test('the same request sent twice is created once', async () => {
  const document = (await sender.upload(sender.employee, sender.organizationId)).result
  const signingRequestId = newId()
  const [one, two] = await Promise.all([
    sender.send(simple, { signingRequestId, documentId: document.id }),
    sender.send(simple, { signingRequestId, documentId: document.id }),
  ])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(one.result.id).toBe(two.result.id)
})

test('the author withdraws with a comment; nobody else can', async () => {
  const { result: sent } = await sender.send(simple)
  const input = { organizationId: sender.organizationId, signingRequestId: sent.id }
  const withdraw = (id: string, comment: string) => call(id, revokeRequest, { ...input, comment })
  expect(aliasOf(await withdraw(sender.employee, ' '))).toBe('validation-failure')
  expect(aliasOf(await withdraw(sender.colleague, 'Не надо'))).toBe('not-enough-permissions')
  const { result } = await withdraw(sender.employee, 'Опечатка в сумме')
  expect(statusOf(result)).toBe('Revoked')
  expect(result.withdrawal).toMatchObject({ fullName: result.author.fullName, comment: 'Опечатка в сумме' })
  expect(result.acts).toEqual([])
})

test('a rejection needs a reason and ends the request', async () => {
  const { result: sent } = await sender.send(contract)
  expect(aliasOf(await act(colleague, sent, 'InternalApprove', 'reject'))).toBe('validation-failure')
  const { result } = await act(colleague, sent, 'InternalApprove', 'reject', { comment: 'Нет сметы' })
  expect(statusOf(result)).toBe('Rejected')
  expect(result.points[0]).toMatchObject({
    statusDescriptionData: { alias: 'user-comment', parameters: { comment: 'Нет сметы' } },
  })
})

test('a lock keeps others from signing and names its holder until it is released', async () => {
  const { result: sent } = await sender.send(simple)
  const input = { organizationId: sender.organizationId, signingRequestId: sent.id }
  expect((await call(sender.employee, lockRequest, input)).status).toBe(200)
  const other = await call(sender.colleague, lockRequest, input)
  expect([other.status, aliasOf(other)]).toEqual([423, 'document-is-on-signing-process'])
  expect(parametersOf(other)).toHaveProperty('holder')
  expect(aliasOf(await signAt(colleague, sent, 'CompanyInternalSign', sender.stamp))).toBe(
    'document-is-on-signing-process',
  )
  expect((await look(colleague, sent.id)).result.lock).not.toBeNull()
  await call(sender.employee, unlockRequest, input)
  expect((await call(sender.colleague, lockRequest, input)).status).toBe(200)
})

test('two of three sign: each with their own key, and the third is no longer asked', async () => {
  const third = await make.member(sender.organizationId, await make.person())
  const groupId = await sender.group('Комиссия', sender.employee, sender.colleague, third)
  const point = await sender.point('EmployeeInternalSign', { groupId, quorum: 2 })
  const { result: sent } = await sender.send(await sender.route(point))
  expect(sent.points[0]).toMatchObject({ agreementCondition: 'any', quorum: 2 })
  const [first, second] = [await sender.ownKey(sender.employee), await sender.ownKey(sender.colleague)]
  const once = await signAt(employee, sent, 'EmployeeInternalSign', first)
  expect(statusOf(once.result)).toBe('InProgress')
  expect(aliasOf(await signAt(employee, sent, 'EmployeeInternalSign', first))).toBe('point-already-processed')
  const twice = await signAt(colleague, sent, 'EmployeeInternalSign', second)
  expect(statusOf(twice.result)).toBe('Completed')
  const late = { id: third, organizationId: sender.organizationId }
  expect((await look(late, sent.id)).result.acts.map((one) => one.act)).toEqual(['terminate'])
  expect(aliasOf(await signAt(late, sent, 'EmployeeInternalSign', await sender.ownKey(third)))).toBe(
    'wrong-request-status',
  )
})

test('a lock ends with the signature of its holder, and with the request', async () => {
  const each = await sender.point('EmployeeInternalSign', { agreementCondition: 'all' })
  const { result: sent } = await sender.send(await sender.route(each))
  const input = { organizationId: sender.organizationId, signingRequestId: sent.id }
  const lockSeenBy = async (who: typeof employee) => (await look(who, sent.id)).result.lock
  await call(sender.employee, lockRequest, input)
  expect(await lockSeenBy(colleague)).not.toBeNull()
  const key = await sender.ownKey(sender.employee)
  expect((await signAt(employee, sent, 'EmployeeInternalSign', key)).status).toBe(200)
  expect(await lockSeenBy(colleague)).toBeNull()

  await call(sender.colleague, lockRequest, input)
  expect(await lockSeenBy(employee)).not.toBeNull()
  const seen = (await look(employee, sent.id)).result
  await act(colleague, seen, 'EmployeeInternalSign', 'reject', { comment: 'Нет' })
  expect(await lockSeenBy(employee)).toBeNull()
})

test('a lock ends after half an hour of one turn; then the author can withdraw', async () => {
  const start = time.now
  const { result: sent } = await sender.send(simple)
  const input = { organizationId: sender.organizationId, signingRequestId: sent.id }
  const hold = (id: string) => call(id, lockRequest, input)
  const withdraw = () => call(sender.employee, revokeRequest, { ...input, comment: 'Передумали' })
  for (let minutes = 0; minutes < 30; minutes += 3) {
    await travel(new Date(start.getTime() + minutes * 60_000))
    expect((await hold(sender.colleague)).status).toBe(200)
    expect(aliasOf(await hold(sender.employee))).toBe('document-is-on-signing-process')
    expect(aliasOf(await withdraw())).toBe('document-is-on-signing-process')
  }
  await travel(new Date(start.getTime() + 30 * 60_000))
  expect((await hold(sender.colleague)).result.until).toBe(time.now.toISOString())
  expect((await look(employee, sent.id)).result.lock).toBeNull()
  expect((await withdraw()).status).toBe(200)
  await travel(start)
})

test('the history has every act with actor, IP address and comment', async () => {
  const { result: sent } = await sender.send(contract)
  await act(colleague, sent, 'InternalApprove', 'approve', { comment: 'Хорошо' })
  const rows = await database.db
    .selectFrom('requestEvents')
    .select(['number', 'type', 'comment', 'actor', 'address', 'at'])
    .where('requestId', '=', sent.id)
    .orderBy('number')
    .execute()
  expect(rows.map(({ type }) => type)).toEqual([
    'sent',
    'started',
    'turn-came',
    'approved',
    'point-done',
    'turn-came',
  ])
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  expect(rows[3]).toMatchObject({ comment: 'Хорошо', address: '127.0.0.1', at: time.now })
  expect(rows[3]!.actor).toMatchObject({ id: sender.colleague })
})

test('a stranger with an account sees nothing with the empty organisation identifier', async () => {
  const { result: sent } = await sender.send(simple)
  const stranger = { id: await make.person() }
  expect(aliasOf(await look(stranger, sent.id))).toBe('signing-request-access-failure')
  expect(aliasOf(await look({ id: sender.employee, organizationId: emptyId }, sent.id))).toBe(
    'signing-request-access-failure',
  )
})
