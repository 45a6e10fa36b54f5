/**
 * The history tells to whom the news of a turn was delivered: once, even if a process dies meanwhile, and only to
 * those who may know.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { addCampaign } from '@kelisim/domain/campaigns/contract.ts'
import { day } from '@kelisim/domain/durations.ts'
import { resendEmail } from '@kelisim/domain/notifications/emails-contract.ts'
import { saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import { getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import type { MailState } from '@kelisim/domain/requests/receipts/receipt.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { auditState } from '../operator/audit/state-queries.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { eventsToLog } from '../transparency/queries.ts'
import { entryOf } from '../transparency/log.ts'
import { writeReceipts, writeReceiptsOf } from './receipts.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, database, dependencies, deliverAll, emailOf, noticesOf } = app
const { signAt } = actingIn(app)
const company = await app.company()
const partner = await app.company()
const { organizationId, employee, colleague, owner } = company
const addresses = ['deals@partner.kz', 'second@partner.kz']
const own = await company.point('CompanyInternalSign', { name: 'Директор' })
const outside = await company.point('ExternalSign', {
  name: 'Партнёр',
  groupId: null,
  bin: partner.bin,
  emails: addresses,
})
const route = await company.route(own, outside)
const nameOf = async (id: string) =>
  (await database.db.selectFrom('users').select('fullName').where('id', '=', id).executeTakeFirstOrThrow())
    .fullName

beforeAll(async () => {
  const confirmed = [organizationId, partner.organizationId]
  await database.write((tx) =>
    tx.updateTable('organizations').set({ confirmedAt: app.time.now }).where('id', 'in', confirmed).execute(),
  )
})

/** Puts all e-mails about a request into this state. */
const mailsAre = async (id: string, state: MailState) => {
  const mailIds = (await noticesOf(id)).flatMap(({ mailId }) => mailId ?? [])
  await database.write((tx) => tx.updateTable('mails').set({ state }).where('id', 'in', mailIds).execute())
}
const mailTo = (id: string, recipient: string, state: MailState) =>
  database.write(async (tx) => {
    const notices = tx.selectFrom('notices').select('mailId').where('requestId', '=', id)
    await tx
      .updateTable('mails')
      .set({ state })
      .where('id', 'in', notices)
      .where('recipient', '=', recipient)
      .execute()
  })

async function send() {
  const { result } = await company.send(route)
  await deliverAll()
  return result
}

/** A request that the sender has signed, and about which the other side was notified. */
async function sentOut() {
  const request = await send()
  await mailsAre(request.id, 'sent')
  await writeReceipts(dependencies)
  await signAt({ id: colleague, organizationId }, request, 'CompanyInternalSign', company.stamp)
  await deliverAll()
  return request
}

const receipts = async (id: string, person = owner, where = organizationId) => {
  const page = { organizationId: where, signingRequestId: id, skip: 0, take: 100 }
  const { items } = (await call(person, getRequestHistory, page)).result
  return items
    .filter(({ type }) => type === 'delivered' || type === 'undelivered')
    .map(({ type, pointName, data }) => [type, pointName, data['by'], data['to'] ?? null])
    .toReversed()
}
const ofPartner = async (id: string, person = owner, where = organizationId) =>
  (await receipts(id, person, where)).filter(([, point]) => point === 'Партнёр')

describe('a receipt', () => {
  test('is awaited for thirty days and no longer', async () => {
    const { id } = await send()
    await mailsAre(id, 'uncertain')
    const awaited = async () => (await noticesOf(id)).filter(({ receipt }) => receipt === 'awaited').length
    await writeReceipts(dependencies)
    expect(await awaited()).toBeGreaterThan(0)
    const later = new Date(Number(app.time.now) + 31 * day)
    await writeReceipts({ ...dependencies, clock: () => later })
    expect([await awaited(), await receipts(id)]).toEqual([0, []])
  })

  test('follows the reply of the mail server, once for each colleague, also with several writers', async () => {
    const { id, currentVersion } = await send()
    await mailsAre(id, 'queued')
    await writeReceipts(dependencies)
    expect(await receipts(id)).toEqual([])
    await mailsAre(id, 'sent')
    await Promise.all([writeReceipts(dependencies), writeReceipts(dependencies)])
    await writeReceipts(dependencies)
    // The author gets no notice of what they sent themselves.
    expect(await receipts(id)).toEqual([['delivered', 'Директор', 'email', await nameOf(colleague)]])
    const { result } = await call(employee, getRequest, { organizationId, signingRequestId: id })
    expect(result.currentVersion).toBe(currentVersion)
  })

  test('is neither lost nor doubled when the writer dies while writing it', async () => {
    const { id } = await send()
    await mailsAre(id, 'sent')
    const dying = database.write(async (tx) => {
      await writeReceiptsOf(tx, id, app.time.now)
      throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    expect(await receipts(id)).toEqual([])
    await writeReceipts(dependencies)
    await writeReceipts(dependencies)
    expect(await receipts(id)).toHaveLength(1)
  })

  test.each(['handing-over', 'uncertain'] as const)(
    'is not written for an e-mail that is %s',
    async (state) => {
      const { id } = await send()
      await mailsAre(id, state)
      await writeReceipts(dependencies)
      expect(await receipts(id)).toEqual([])
    },
  )

  test('of somebody who wants no e-mails says that the request is in their inbox', async () => {
    const settings = (mode: 'off' | 'at-once') => [
      { kind: 'request-for-me' as const, mode },
      { kind: 'turn-came' as const, mode },
    ]
    await call(colleague, saveNotificationSettings, { organizationId, settings: settings('off') })
    const { id } = await send()
    await call(colleague, saveNotificationSettings, { organizationId, settings: settings('at-once') })
    await writeReceipts(dependencies)
    expect(await receipts(id)).toEqual([['delivered', 'Директор', 'here', await nameOf(colleague)]])
  })

  test('of the other side is a single one, without names and addresses', async () => {
    const { id } = await sentOut()
    await mailsAre(id, 'sent')
    await writeReceipts(dependencies)
    expect(await ofPartner(id)).toEqual([['delivered', 'Партнёр', 'email', null]])
    const rows = await eventsToLog(database.db).where('e.requestId', '=', id).execute()
    const told = rows.filter(({ type }) => type === 'delivered')
    expect(told).toHaveLength(2)
    const entries = told.map((row) => entryOf(row)).join('\n')
    for (const address of [...addresses, await emailOf(partner.owner), await nameOf(partner.owner)])
      expect(entries).not.toContain(address)
  })

  test('is visible to its side and to the sender; those of the sender’s steps to nobody else', async () => {
    const { id } = await sentOut()
    await mailsAre(id, 'sent')
    await writeReceipts(dependencies)
    expect(await receipts(id, partner.owner, partner.organizationId)).toEqual([
      ['delivered', 'Партнёр', 'email', null],
    ])
    expect((await receipts(id)).map(([, point]) => point)).toContain('Директор')
  })
})

describe('an e-mail that was refused', () => {
  test('is shown as undelivered, and as delivered once it was sent again', async () => {
    const { id } = await sentOut()
    await mailsAre(id, 'refused')
    await writeReceipts(dependencies)
    await writeReceipts(dependencies)
    expect(await ofPartner(id)).toEqual([['undelivered', 'Партнёр', 'email', null]])
    const notice = (await noticesOf(id)).find(({ email }) => email === addresses[0])!
    const sentAgain = await call(employee, resendEmail, {
      organizationId,
      signingRequestId: id,
      noticeId: notice.id,
    })
    expect(sentAgain.status).toBe(200)
    await writeReceipts(dependencies)
    expect((await ofPartner(id)).map(([type]) => type)).toEqual(['undelivered', 'delivered'])
  })

  test('by one address of a side is not shown if another address got it', async () => {
    const { id } = await sentOut()
    await mailsAre(id, 'sent')
    await mailTo(id, addresses[1]!, 'failed')
    await writeReceipts(dependencies)
    expect((await ofPartner(id)).map(([type]) => type)).toEqual(['delivered'])
  })
})

test('a corrected document has its own receipts, and late ones of the earlier document are left out', async () => {
  const { id } = await send()
  await mailsAre(id, 'queued')
  const bytes = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])
  const { result: document } = await company.upload(employee, organizationId, { bytes })
  const correction = { organizationId, signingRequestId: id, documentId: document.id, comment: 'Сумма' }
  expect((await call(employee, correctRequest, correction)).status).toBe(200)
  await deliverAll()
  await mailsAre(id, 'sent')
  await writeReceipts(dependencies)
  expect(await receipts(id)).toEqual([['delivered', 'Директор', 'email', await nameOf(colleague)]])
})

test('a campaign shows only undelivered e-mails, because its sheet says who confirmed', async () => {
  const { result: document } = await company.upload(owner, organizationId)
  const form = { documentId: document.id, name: 'Правила', isEverybody: true }
  const { result } = await call(owner, addCampaign, { organizationId, ...form })
  const { signingRequestId: id } = result
  await deliverAll()
  await mailsAre(id, 'sent')
  await mailTo(id, await emailOf(colleague), 'refused')
  await writeReceipts(dependencies)
  expect((await receipts(id)).map(([type, , , to]) => [type, to])).toEqual([
    ['undelivered', await nameOf(colleague)],
  ])
})

test('the audit accepts requests with receipts', async () => {
  const { id } = await sentOut()
  await mailsAre(id, 'sent')
  await writeReceipts(dependencies)
  expect(await receipts(id)).not.toEqual([])
  expect(await auditState(database.db)).toEqual([])
})
