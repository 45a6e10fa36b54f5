/** Events of a request become notices and e-mails, as their recipients have chosen. */
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { countWaiting } from '@kelisim/db/testing.ts'
import { addCampaign } from '@kelisim/domain/campaigns/contract.ts'
import { saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { checksIn, citizen } from '../identity/testing-signers.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { openJudging } from '../requests/judging/judging.ts'
import { currentRequestId } from '../tracing/tracing.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { deliverNext } from './delivery.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, connection, database, dependencies, deliverAll, noticesOf, emailsTo, emailOf } = app
const { act, look, signAt } = actingIn(app)
const company = await app.company()
const { organizationId, employee, colleague, owner } = company
const other = await app.company()
const author = { id: employee, organizationId }
const [signerAt, outsideAt] = [
  await company.point('CompanyInternalSign'),
  await company.point('ExternalSign', {
    groupId: null,
    bin: other.bin,
    organizationName: 'ТОО «Другие»',
    emails: ['deals@other.kz'],
  }),
]
const route = await company.route(signerAt, outsideAt)
const names = new Map([
  [employee, 'author'],
  [colleague, 'colleague'],
  [owner, 'owner'],
  [other.owner, 'other owner'],
])
const shown = async (requestId: string) =>
  (await noticesOf(requestId)).map(
    ({ kind, recipient, userId }) => `${(userId && names.get(userId)) ?? recipient} ${kind}`,
  )

async function confirm(organization: string): Promise<void> {
  await database.write((tx) =>
    tx
      .updateTable('organizations')
      .set({ confirmedAt: app.time.now })
      .where('id', '=', organization)
      .execute(),
  )
}
await confirm(organizationId)
const { shortName: senderName } = await database.db
  .selectFrom('organizations')
  .select('shortName')
  .where('id', '=', organizationId)
  .executeTakeFirstOrThrow()
await confirm(other.organizationId)

async function packageForm(howMany: number) {
  const documents = await Promise.all(
    Array.from({ length: howMany }, async (_, i) => {
      const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% document ${i + 1}\n`)])
      const { result } = await company.upload(employee, organizationId, { bytes })
      return { documentId: result.id, name: `Документ ${i + 1}` }
    }),
  )
  return { name: 'Сделка', routeId: route, isTogether: true, documents }
}

describe('notifications', () => {
  test('of a package are one e-mail for each reader and kind, and one notice for each request', async () => {
    const form = await packageForm(3)
    const before = (await emailsTo(await emailOf(colleague))).length
    const { result } = await call(employee, createPackage, { organizationId, ...form })
    await deliverAll()
    for (const { id } of result.requests) expect(await shown(id)).toEqual(['colleague request-for-me'])
    const mails = (await emailsTo(await emailOf(colleague))).slice(before)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('Документ из пакета')
    expect(mails[0]!.text).toContain('Сделка')
    // Notices about a single document are sent for each document.
    for (const { id } of result.requests.slice(0, 2)) {
      const withdrawn = { organizationId, signingRequestId: id, comment: 'Отменено' }
      expect((await call(employee, revokeRequest, withdrawn)).status).toBe(200)
    }
    await deliverAll()
    expect(await emailsTo(await emailOf(colleague))).toHaveLength(before + 3)
    // Another package gets an e-mail of its own.
    await call(employee, createPackage, { organizationId, ...form })
    await deliverAll()
    expect(await emailsTo(await emailOf(colleague))).toHaveLength(before + 4)
  })

  test('of a package that two processes make at once are one e-mail', async () => {
    const before = (await emailsTo(await emailOf(colleague))).length
    const form = await packageForm(2)
    const { result } = await call(employee, createPackage, { organizationId, ...form })
    const holder = new pg.Client(connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from packages where id = $1 for update', [result.packageId])
    const both = Promise.all([deliverAll(), deliverAll()])
    await expect.poll(() => countWaiting(database), { timeout: 30_000 }).toBe(2)
    await holder.end()
    await both
    for (const { id } of result.requests) expect(await shown(id)).toEqual(['colleague request-for-me'])
    expect(await emailsTo(await emailOf(colleague))).toHaveLength(before + 1)
  })

  test('of a correction link readers with an account to the comparison', async () => {
    const { result: sent } = await company.send(route)
    await deliverAll()
    const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% corrected ${sent.id}\n`)])
    const { result: better } = await company.upload(employee, organizationId, { bytes })
    const change = { signingRequestId: sent.id, documentId: better.id, comment: 'Цена' }
    await call(employee, correctRequest, { organizationId, ...change })
    await deliverAll()
    expect(await shown(sent.id)).toContain('colleague corrected')
    const address = `/documents/compare?before=request.${sent.id}.1&after=request.${sent.id}.2`
    const { text } = (await emailsTo(await emailOf(colleague))).at(-1)!
    expect(text).toContain(`${address}&organizationId=${organizationId}`)
  })

  test('go from the sender to the group, to the other side, and back', async () => {
    const { result: sent } = await company.send(route)
    await deliverAll()
    expect(await shown(sent.id)).toEqual(['colleague request-for-me'])

    await signAt({ id: colleague, organizationId }, sent, 'CompanyInternalSign', company.stamp)
    await deliverAll()
    expect((await shown(sent.id)).toSorted()).toEqual([
      'author signed',
      'colleague request-for-me',
      'mailto:deals@other.kz request-for-me',
      'other owner request-for-me',
    ])

    const theirs = { id: other.owner, organizationId: other.organizationId }
    await act(theirs, sent, 'ExternalSign', 'reject', { comment: 'Цена <b>не та</b>' })
    await deliverAll()
    const rejected = (await shown(sent.id)).filter((one) => one.endsWith('rejected'))
    expect(rejected.toSorted()).toEqual(['author rejected', 'colleague rejected'])
    const last = (await emailsTo(await emailOf(employee))).at(-1)!
    expect(last.subject).toBe('Документ отклонён: «Договор поставки»')
    expect(last.text).toContain('Комментарий: «Цена <b>не та</b>»')
    expect(last.html).toContain('«Цена &lt;b&gt;не та&lt;/b&gt;»')
    expect(last.html).toContain(`/signingRequests/${sent.id}?organizationId=${organizationId}`)
    expect(last.unsubscribeUrl).toContain('/unsubscribe/')
  })

  test('of a signature refused when its signer no longer waits ask the signer again, and tell the author', async () => {
    const signer = { id: colleague, organizationId }
    const { centre, nation, time, travel } = app
    const revoked = { revokedAt: new Date('2020-01-01') }
    const { result: sent } = await company.send(route)
    centre.answer = revoked
    const { result: refused } = await signAt(signer, sent, 'CompanyInternalSign', company.stamp)
    await deliverAll()
    expect(await shown(sent.id)).toEqual(['colleague request-for-me'])

    centre.answer = undefined
    await signAt(signer, refused, 'CompanyInternalSign', company.stamp)
    await travel(new Date(time.now.getTime() + minute))
    centre.answer = revoked
    const check = checksIn(nation, centre)
    const { storage } = app.archive
    await openJudging({ database, storage, check, clock: () => time.now }).judgeDue()
    centre.answer = 'good'
    await deliverAll()
    expect((await shown(sent.id)).toSorted()).toEqual([
      'author signature-refused',
      'colleague request-for-me',
      'colleague signature-refused',
    ])
    const last = (await emailsTo(await emailOf(colleague))).at(-1)!
    expect(last.subject).toBe('Подпись не принята: подпишите ещё раз: «Договор поставки»')
    expect(last.text).toContain('Подпишите ещё раз.')
  })

  test('are e-mailed to a person without an account in the language of the request, with a link', async () => {
    const { result: sent } = await company.send(route)
    await signAt({ id: colleague, organizationId }, sent, 'CompanyInternalSign', company.stamp)
    await deliverAll()
    const email = (await emailsTo('deals@other.kz')).at(-1)!
    expect(email.subject).toBe(`На подпись: ${senderName}`)
    expect(email.text).toContain('Название, которое дал отправитель: «Договор поставки»')
    expect(email.text).toContain(`/signingRequests/redirect/${sent.id}?number=${other.bin}`)
    expect(email.unsubscribeUrl).toContain('/quick/stop/')
  })

  test('are in the language of each recipient', async () => {
    await database.write((tx) =>
      tx.updateTable('users').set({ language: 'kk' }).where('id', '=', colleague).execute(),
    )
    await company.send(route, { name: 'Жеткізу шарты № 7 (әғқңөұүһі)' })
    await deliverAll()
    const email = (await emailsTo(await emailOf(colleague))).at(-1)!
    expect(email).toMatchObject({ language: 'kk', subject: 'Қол қоюға: «Жеткізу шарты № 7 (әғқңөұүһі)»' })
  })

  test('contain what a stranger typed only as quotes without links', async () => {
    const hostile =
      'Пароль истёк: kelisim-kz.example, ＷＷＷ．evil.kz, http:⁄⁄evil.kz, help@evil.kz, 10.0.0.1'
    const { result } = await company.send(route, { name: hostile })
    await signAt({ id: colleague, organizationId }, result, 'CompanyInternalSign', company.stamp)
    await deliverAll()
    for (const to of ['deals@other.kz', await emailOf(other.owner)]) {
      const { subject, text, html } = (await emailsTo(to)).at(-1)!
      expect(subject).toBe(`На подпись: ${senderName}`)
      expect(text).toContain(
        'Название, которое дал отправитель: «Пароль истёк: kelisim-kz. example, evil. kz,',
      )
      for (const shown of [text, html]) {
        expect(shown).not.toMatch(/kelisim-kz\.example|ＷＷＷ|www\.|evil\.kz|⁄|@evil|10\.0\.0\.1/)
      }
    }
  })

  test('follow the choice of the person: at once, daily, or off', async () => {
    const settings = [{ kind: 'request-for-me' as const, mode: 'off' as const }]
    await call(colleague, saveNotificationSettings, { organizationId, settings })
    const before = (await emailsTo(await emailOf(colleague))).length
    const { result: quiet } = await company.send(route)
    await deliverAll()
    expect((await noticesOf(quiet.id)).map(({ mode, mailId }) => [mode, mailId])).toEqual([['off', null]])

    const daily = [{ kind: 'request-for-me' as const, mode: 'daily' as const }]
    await call(colleague, saveNotificationSettings, { organizationId, settings: daily })
    const { result: later } = await company.send(route)
    await deliverAll()
    expect((await noticesOf(later.id)).map(({ mode, mailId }) => [mode, mailId])).toEqual([['daily', null]])
    expect(await emailsTo(await emailOf(colleague))).toHaveLength(before)
  })

  test('are delivered once by several processes', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => company.send(route)))
    const fail = (error: unknown) => {
      throw error
    }
    const work = async () => {
      while (await deliverNext(dependencies, async () => {}, fail));
    }
    await Promise.all([work(), work(), work()])
    for (const { result } of sent) expect(await shown(result.id)).toEqual(['colleague request-for-me'])
  })

  test('are delivered once if a job runs twice', async () => {
    const { result: sent } = await company.send(route)
    const owed = await database.db.selectFrom('untoldEvents').selectAll().execute()
    await deliverAll()
    await database.write((tx) => tx.insertInto('untoldEvents').values(owed).execute())
    await deliverAll()
    expect(await shown(sent.id)).toEqual(['colleague request-for-me'])
  })

  test('that fail are moved to the queue and do not block others', async () => {
    const both = [(await company.send(route)).result.id, (await company.send(route)).result.id]
    const failing = {
      ...dependencies,
      queueMail: async () => {
        throw new Error('no paper')
      },
    }
    await call(colleague, saveNotificationSettings, {
      organizationId,
      settings: [{ kind: 'request-for-me', mode: 'at-once' }],
    })
    const handed: string[] = []
    const errors: unknown[] = []
    await deliverNext(
      failing,
      async (_, { requestId }) => void handed.push(requestId),
      (error) => errors.push(error),
    )
    expect(both).toContain(handed[0])
    expect(errors).toHaveLength(1)
    await deliverAll()
    const delivered = await Promise.all(both.map(shown))
    expect(delivered.flat()).toHaveLength(1)
  })

  test('carry the request id of the call that caused them', async () => {
    const { headers } = await company.send(route)
    const ids: unknown[] = []
    const noting: typeof dependencies = {
      ...dependencies,
      queueMail: (tx, email) => {
        ids.push(currentRequestId())
        return dependencies.queueMail(tx, email)
      },
    }
    await deliverNext(
      noting,
      async () => {},
      (error) => expect.fail(String(error)),
    )
    expect(ids).toEqual([headers['x-request-id']])
  })

  test('are not sent to former members', async () => {
    const { result: sent } = await company.send(route)
    await deliverAll()
    const input = { organizationId, signingRequestId: sent.id, comment: 'Ошибка' }
    await call(author.id, revokeRequest, input)
    await database.write((tx) =>
      tx
        .deleteFrom('memberships')
        .where('userId', '=', colleague)
        .where('organizationId', '=', organizationId)
        .execute(),
    )
    await deliverAll()
    expect(await shown(sent.id)).toEqual(['colleague request-for-me'])
  })
})

test('a signature in a campaign notifies its author only if it has a comment, and no colleague', async () => {
  const here = await app.company()
  const of = { organizationId: here.organizationId }
  const document = (await here.upload(here.owner, here.organizationId)).result
  const form = { documentId: document.id, name: 'Приказ', isEverybody: true, signedWith: 'employee' } as const
  const { signingRequestId } = (await call(here.owner, addCampaign, { ...of, ...form })).result
  await deliverAll()
  for (const [id, comment] of [
    [here.colleague, ''],
    [here.employee, 'Не согласна'],
  ] as const) {
    const request = (await look({ id, ...of }, signingRequestId)).result
    const signer = await citizen(app.nation, { bin: here.bin, role: 'employee' })
    await signAt({ id, ...of }, request, 'InternalInformationConfirm', signer, { comment })
    await deliverAll()
  }
  const told = (await noticesOf(signingRequestId)).filter(
    ({ kind }) => kind === 'signed' || kind === 'comment',
  )
  expect(told.map(({ userId, kind }) => [userId, kind])).toEqual([[here.owner, 'comment']])
})
