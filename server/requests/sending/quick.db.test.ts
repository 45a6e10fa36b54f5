/** Quick send by somebody who is alone in an organisation, and quick send for information. */
import { describe, expect, test } from 'vitest'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { createQuickRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { uploader } from '../../documents/testing-uploads.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database, make, time, nation } = testApp
const { look, act, signAt } = actingIn(testApp)
const upload = uploader(testApp)
const sender = await testApp.company()
const receiver = await testApp.company()
const recipient = { bin: receiver.bin, organizationName: 'Получатель', emails: ['a@example.kz'] }

async function sendQuickly(personId: string, organizationId: string, change: object = {}) {
  const documentId = (await upload(personId, organizationId)).result.id
  const form = { organizationId, documentId, name: 'Счёт', ...recipient }
  return call(personId, createQuickRequest, { ...form, ...change })
}

/** A confirmed organisation of one person. */
async function firmOfOne() {
  const personId = await make.person('Дәулет Сейітов')
  const organizationId = await make.organization(personId)
  const { bin } = await database.write((tx) =>
    tx
      .updateTable('organizations')
      .set({ confirmedAt: time.now })
      .where('id', '=', organizationId)
      .returning('bin')
      .executeTakeFirstOrThrow(),
  )
  return { personId, organizationId, key: await citizen(nation, { bin }) }
}

const groupsOf = async (personId: string, organizationId: string) =>
  (await call(personId, getGroups, { organizationId, skip: 0, take: 10 })).result.items

describe('quick sending by the only member of an organisation', () => {
  test('needs no group, and the sender can sign', async () => {
    const { personId, organizationId, key } = await firmOfOne()
    const { status, result } = await sendQuickly(personId, organizationId)
    expect(status).toBe(200)
    const me = { id: personId, organizationId }
    expect(result.points[0]!.participants.map(({ id }) => id)).toEqual([personId])
    expect(result.acts.map(({ act: name }) => name)).toContain('sign')
    await signAt(me, result, 'QuickCompanyInternalSign', key)
    const signed = (await look(me, result.id)).result
    expect(signed.points.map((point) => point.status)).toEqual([pointStatuses.Signed, pointStatuses.Waiting])
    await sendQuickly(personId, organizationId)
    const groups = await groupsOf(personId, organizationId)
    expect(groups.map(({ name, participants }) => [name, participants.length])).toEqual([
      ['Дәулет Сейітов', 1],
    ])
  })

  test('twice at once makes one group', async () => {
    const { personId, organizationId } = await firmOfOne()
    const both = await Promise.all([
      sendQuickly(personId, organizationId),
      sendQuickly(personId, organizationId),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await groupsOf(personId, organizationId)).toHaveLength(1)
  })

  test('needs a group once the organisation has a second member', async () => {
    const { personId, organizationId } = await firmOfOne()
    await make.member(organizationId, await make.person())
    expect(aliasOf(await sendQuickly(personId, organizationId))).toBe('group-not-found')
    expect(await groupsOf(personId, organizationId)).toEqual([])
  })

  test('needs the choice of a group in an organisation with colleagues', async () => {
    const { organizationId, employee } = sender
    const { status, error } = await sendQuickly(employee, organizationId)
    expect(status).toBe(400)
    expect(error.ExceptionData.Parameters['fields']).toEqual([{ path: 'groupId', code: 'required' }])
  })
})

describe('a quick request for information', () => {
  const us = { id: sender.owner, organizationId: sender.organizationId }
  const them = { id: receiver.owner, organizationId: receiver.organizationId }

  async function sendForInformation() {
    const groupId = await sender.group(`Директор ${crypto.randomUUID()}`, sender.owner)
    return sendQuickly(sender.owner, sender.organizationId, { groupId, isForInformation: true })
  }

  test('reaches the recipient once our group has signed, and asks nothing of them', async () => {
    const { result: sent } = await sendForInformation()
    expect(sent.points.map(({ type }) => type)).toEqual([
      pointTypes.of('QuickCompanyInternalSign'),
      pointTypes.of('QuickDirectInformation'),
    ])
    expect((await look(them, sent.id)).status).toBe(404)
    await signAt(us, sent, 'QuickCompanyInternalSign', sender.stamp)
    const told = (await look(us, sent.id)).result
    expect([statusOf(told), told.points[1]!.status]).toEqual(['Completed', pointStatuses.Notified])
    const seen = (await look(them, sent.id)).result
    expect(seen.acts).toEqual([])
    const refused = await act(them, seen, 'QuickDirectInformation', 'confirm')
    expect(aliasOf(refused)).toBe('wrong-request-status')
    const found = await call(sender.owner, getRequests, {
      organizationId: sender.organizationId,
      skip: 0,
      take: 10,
      route: 'outgoings',
      bin: receiver.bin,
    })
    expect(found.result.items.map(({ id }) => id)).toContain(sent.id)
  })

  test('is for information, too, when sent again', async () => {
    const { result: sent } = await sendForInformation()
    const request = { organizationId: sender.organizationId, signingRequestId: sent.id }
    await call(sender.owner, revokeRequest, { ...request, comment: 'Ошибка' })
    const { quick } = (await call(sender.owner, getSendingAgain, request)).result
    expect(quick).toMatchObject({ isForInformation: true, bin: receiver.bin })
  })
})

test('the file of a request has a safe name, whatever the name of its document', async () => {
  const name = 'Приказ № 7/к.pdf'
  const document = (await upload(sender.owner, sender.organizationId, { name })).result
  expect(document.name).toBe(name)
  const { result } = await sender.send(
    await sender.route(await sender.point('CompanyInternalSign')),
    { documentId: document.id },
    sender.owner,
  )
  expect(result.document.fileName).toBe('Приказ № 7_к.pdf')
})
