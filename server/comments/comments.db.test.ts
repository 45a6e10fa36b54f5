/** Comments on a document: who reads and writes them, and that internal ones do not exist for anybody else. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import {
  addAnswer,
  addThread,
  getThreads,
  mostThreads,
  resolveThread,
} from '@kelisim/domain/comments/contract.ts'
import { addCampaign } from '@kelisim/domain/campaigns/contract.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getRequestEmails } from '@kelisim/domain/notifications/emails-contract.ts'
import { getNotices } from '@kelisim/domain/notifications/contract.ts'
import { getRequest, getRequestHistory, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { destroyFiles } from '../retention/destruction-queries.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { startNotificationsApp } from '../notifications/testing-notifications.ts'
import { actingIn } from '../requests/core/testing-requests.ts'

const testApp = await startNotificationsApp()
const { call, time, database } = testApp
const ours = await testApp.company()
const theirs = await testApp.company()
const third = await testApp.company()
const { act } = actingIn(testApp)
const we = { id: ours.employee, organizationId: ours.organizationId }
const colleague = { id: ours.colleague, organizationId: ours.organizationId }
const they = { id: theirs.owner, organizationId: theirs.organizationId }
const others = { id: third.owner, organizationId: third.organizationId }
type Who = { id: string; organizationId: string }

const toThem = await ours.route(
  await ours.point('InternalApprove', { name: 'Юристы' }),
  await ours.point('ExternalSign', { bin: theirs.bin, emails: ['deals@example.kz'] }),
  await ours.point('ExternalSign', { bin: third.bin, emails: ['third@example.kz'] }),
)

/** A request that has reached both sides. */
async function sent() {
  const request = (await ours.send(toThem)).result
  await act(we, request, 'InternalApprove', 'approve')
  return request
}

const remark = { page: 1, quote: 'цена договора', area: null, text: 'Дорого', isShared: false, revision: 1 }
const write = ({ id, organizationId }: Who, signingRequestId: string, change: object = {}) =>
  call(id, addThread, { organizationId, signingRequestId, ...remark, ...change })
const answer = ({ id, organizationId }: Who, signingRequestId: string, threadId: string, text = 'Согласны') =>
  call(id, addAnswer, { organizationId, signingRequestId, threadId, text })
const settle = ({ id, organizationId }: Who, signingRequestId: string, threadId: string, isResolved = true) =>
  call(id, resolveThread, { organizationId, signingRequestId, threadId, isResolved })
const read = async ({ id, organizationId }: Who, signingRequestId: string, take = 100) =>
  (await call(id, getThreads, { organizationId, signingRequestId, skip: 0, take })).result
const bell = async ({ id, organizationId }: Who, signingRequestId: string) =>
  (await call(id, getNotices, { organizationId, skip: 0, take: 100 })).result.items.filter(
    (one) => one.kind === 'comment' && one.signingRequestId === signingRequestId,
  )
/** The recipients of e-mails about comments on the request; each person has an address of their own. */
const letters = async (requestId: string) => {
  const { rows } = await database.pool.query<{ to: string }>(
    `select m.recipient as to from notices n join mails m on m.id = n.mail_id
     where n.request_id = $1 and n.occasion like 'c%' order by 1`,
    [requestId],
  )
  return rows.map(({ to }) => to)
}

describe('an internal thread', () => {
  test('is visible only to members of its organisation', async () => {
    const { id } = await sent()
    const thread = (await write(we, id)).result
    expect(thread).toMatchObject({
      isShared: false,
      page: 1,
      quote: 'цена договора',
      revision: 1,
      resolved: null,
    })
    expect(await read(colleague, id)).toMatchObject({ totalCount: 1, openCount: 1 })
    expect(await read(they, id)).toMatchObject({
      items: [],
      totalCount: 0,
      openCount: 0,
      canWrite: { internal: true, shared: true },
    })
    expect(aliasOf(await answer(they, id, thread.id))).toBe('comment-not-found')
    expect(aliasOf(await answer(they, id, newId()))).toBe('comment-not-found')
    expect(aliasOf(await settle(they, id, thread.id))).toBe('comment-not-found')
    expect((await answer(colleague, id, thread.id)).result.comments).toHaveLength(2)
  })

  test('leaves no trace for the other side in bell, e-mails, history or version', async () => {
    const request = await sent()
    const look = () =>
      call(we.id, getRequest, { organizationId: we.organizationId, signingRequestId: request.id })
    const before = (await look()).result
    await write(they, request.id)
    expect((await look()).result).toEqual(before)
    expect(await bell(we, request.id)).toEqual([])
    const page = { organizationId: ours.organizationId, signingRequestId: request.id, skip: 0, take: 100 }
    const { items, totalCount } = (await call(ours.owner, getRequestEmails, page)).result
    expect(items.filter(({ kind }) => kind === 'comment')).toEqual([])
    expect(totalCount).toBe(items.length)
    const history = (await call(ours.owner, getRequestHistory, page)).result.items
    expect(history.map(({ type }) => type)).not.toContain('comment')
  })

  test('cannot become shared afterwards, not even by an SQL statement', async () => {
    const { id } = await sent()
    const thread = (await write(we, id)).result
    await expect(
      database.pool.query('update comment_threads set is_shared = true where id = $1', [thread.id]),
    ).rejects.toThrow()
    await expect(
      database.pool.query(`update comments set text = 'x' where thread_id = $1`, [thread.id]),
    ).rejects.toThrow()
  })
})

describe('a shared thread', () => {
  test('is read, answered and settled by both sides', async () => {
    const { id } = await sent()
    const thread = (await write(we, id, { isShared: true })).result
    const answered = (await answer(they, id, thread.id)).result
    expect(answered.comments.map(({ text, isMine }) => [text, isMine])).toEqual([
      ['Дорого', false],
      ['Согласны', true],
    ])
    expect((await settle(they, id, thread.id)).result.resolved).not.toBeNull()
    expect(await read(we, id)).toMatchObject({ openCount: 0, totalCount: 1 })
    expect((await settle(we, id, thread.id, false)).result.resolved).toBeNull()
    expect((await settle(we, id, thread.id, false)).status).toBe(200)
  })

  test('is not visible to somebody whose turn has not come', async () => {
    const { id } = await sent()
    await write(we, id, { isShared: true })
    const { id: userId, organizationId } = others
    const page = { organizationId, signingRequestId: id, skip: 0, take: 10 }
    expect(aliasOf(await call(userId, getThreads, page))).toBe('signing-request-not-found')
    expect(aliasOf(await write(others, id))).toBe('signing-request-not-found')
  })

  test('notifies the author and those who are asked, with at most one e-mail in ten minutes', async () => {
    const { id } = await sent()
    const thread = (await write(they, id, { isShared: true })).result
    expect(await bell(we, id)).toMatchObject([{ comment: 'Дорого' }])
    expect(await letters(id)).toHaveLength(1)
    await answer(they, id, thread.id)
    expect(await bell(we, id)).toHaveLength(2)
    expect(await letters(id)).toHaveLength(1)
    time.now = new Date(time.now.getTime() + 11 * 60_000)
    await answer(they, id, thread.id, 'Когда ответите?')
    expect(await letters(id)).toHaveLength(2)
    expect(await bell(they, id)).toEqual([])
  })
})

test('a repeated call writes one comment; a key of another request is refused', async () => {
  const [{ id }, other] = [await sent(), await sent()]
  const key = newId()
  const first = (await write(we, id, { key })).result
  expect((await write(we, id, { key })).result).toEqual(first)
  expect((await read(we, id)).totalCount).toBe(1)
  expect(aliasOf(await write(we, other.id, { key }))).toBe('wrong-request-configuration')
})

test('after a correction a thread names its revision; those who are asked later do not see it', async () => {
  const request = await sent()
  const { id } = request
  await write(we, id, { isShared: true })
  const bytes = Buffer.concat([goodPdf, Buffer.from('\n')])
  const document = (await ours.upload(we.id, we.organizationId, { bytes })).result
  const correction = { signingRequestId: id, documentId: document.id, comment: 'Исправлена цена' }
  const corrected = await call(we.id, correctRequest, { organizationId: we.organizationId, ...correction })
  expect(corrected.status).toBe(200)
  expect((await read(they, id)).items).toMatchObject([{ revision: 1 }])
  expect(aliasOf(await write(we, id))).toBe('document-revised')
  expect((await write(we, id, { revision: 2 })).status).toBe(200)
})

test('after the end of the request comments can be read, but not written', async () => {
  const { id } = await sent()
  const thread = (await write(we, id)).result
  const { organizationId } = we
  await call(we.id, revokeRequest, { organizationId, signingRequestId: id, comment: 'Передумали' })
  expect(aliasOf(await write(we, id))).toBe('wrong-request-status')
  expect(aliasOf(await answer(we, id, thread.id))).toBe('wrong-request-status')
  expect(aliasOf(await settle(we, id, thread.id))).toBe('wrong-request-status')
  expect(await read(we, id)).toMatchObject({ totalCount: 1, canWrite: { internal: false, shared: false } })
})

test('a person who acts for their own number can write shared comments only', async () => {
  const key = await theirs.ownKey(third.employee)
  const route = await ours.route(await ours.point('ExternalSign', { bin: key.iin, emails: ['i@example.kz'] }))
  const { id } = (await ours.send(route)).result
  const person = { id: third.employee, organizationId: emptyId }
  expect(aliasOf(await write(person, id))).toBe('not-enough-permissions')
  expect((await write(person, id, { isShared: true })).result.comments).toHaveLength(1)
  expect((await read(person, id)).canWrite).toEqual({ internal: false, shared: true })
  expect((await read(we, id)).totalCount).toBe(1)
})

test('the number of threads of one organisation in a request is limited', async () => {
  const { id } = await sent()
  await database.pool.query(
    `insert into comment_threads (id, request_id, organization_id, is_shared, revision, quote, created_at)
     select gen_random_uuid(), $1, $2, false, 1, '', now() from generate_series(1, $3)`,
    [id, we.organizationId, mostThreads],
  )
  expect(aliasOf(await write(we, id))).toBe('too-many-comments')
  expect((await write(they, id)).status).toBe(200)
  expect((await read(we, id, 20)).items).toHaveLength(20)
})

test('a campaign cannot be commented on', async () => {
  const { organizationId, owner } = ours
  const documentId = (await ours.upload(owner, organizationId)).result.id
  const campaign = { organizationId, documentId, name: 'Правила', isEverybody: true }
  const { signingRequestId } = (await call(owner, addCampaign, campaign)).result
  expect(aliasOf(await write({ id: owner, organizationId }, signingRequestId))).toBe(
    'wrong-request-configuration',
  )
})

test('when the document is destroyed, its comments and their notices are removed', async () => {
  const { id } = await sent()
  const thread = (await write(they, id, { isShared: true })).result
  expect(await bell(we, id)).toHaveLength(1)
  await database.write((tx) => destroyFiles(tx, id, time.now))
  expect(aliasOf(await answer(they, id, thread.id))).toBe('comment-not-found')
  expect(await read(we, id)).toMatchObject({ items: [], totalCount: 0 })
  expect(await bell(we, id)).toEqual([])
})
