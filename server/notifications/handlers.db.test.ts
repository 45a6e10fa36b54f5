/** The bell, the event stream, and the links that turn e-mails off. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getNotificationSettings } from '@kelisim/domain/options/contract.ts'
import {
  countUnread,
  getNotices,
  getSubscription,
  readNotices,
  saveSubscription,
} from '@kelisim/domain/notifications/contract.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { startNotificationsApp } from './testing-notifications.ts'

const app = await startNotificationsApp()
const { call, deliverAll, tokenOf, emailsTo, emailOf } = app
const { act } = actingIn(app)
const company = await app.company()
const { organizationId, employee, colleague } = company
const route = await company.route(await company.point('InternalApprove'))

await app.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.app.close())

async function send(name: string): Promise<string> {
  app.time.now = new Date(app.time.now.getTime() + 1000)
  const { result } = await company.send(route, { name })
  await deliverAll()
  return result.id
}
const mine = { organizationId, skip: 0, take: 10 }
const unreadOf = async (person: string) =>
  (await call(person, countUnread, { organizationId })).result.unreadCount

describe('the bell', () => {
  test('lists notices, the newest first, until they are read', async () => {
    const [first, second] = [await send('Первый'), await send('Второй')]
    const { result } = await call(colleague, getNotices, mine)
    expect(result.items.map(({ name, kind, asks, isRead }) => [name, kind, asks, isRead])).toEqual([
      ['Второй', 'request-for-me', 'approve', false],
      ['Первый', 'request-for-me', 'approve', false],
    ])
    expect(result.totalCount).toBe(2)
    expect(await unreadOf(colleague)).toBe(2)
    expect(await unreadOf(employee)).toBe(0)

    const noticeId = result.items[0]!.id
    expect((await call(colleague, readNotices, { organizationId, noticeId })).result.unreadCount).toBe(1)
    const seen = { organizationId, signingRequestId: first }
    expect((await call(colleague, readNotices, seen)).result.unreadCount).toBe(0)

    await act({ id: colleague, organizationId }, await viewOf(second), 'InternalApprove', 'reject', {
      comment: 'Нет',
    })
    await deliverAll()
    const notice = (await call(employee, getNotices, mine)).result.items[0]!
    expect(notice).toMatchObject({ kind: 'rejected', comment: 'Нет', signingRequestId: second })
    expect((await call(employee, readNotices, { organizationId })).result.unreadCount).toBe(0)
  })

  test('does not show the other side who of the sender let the request go on', async () => {
    const partner = await app.company()
    const external = await company.point('ExternalSign', {
      bin: partner.bin,
      organizationName: 'Партнёр',
      emails: ['a@example.kz'],
    })
    const inside = await company.point('InternalApprove')
    const { result: sent } = await company.send(await company.route(inside, external), { name: 'Тихий' })
    await act({ id: colleague, organizationId }, sent, 'InternalApprove', 'approve')
    await deliverAll()
    const theirs = { ...mine, organizationId: partner.organizationId }
    const [notice] = (await call(partner.owner, getNotices, theirs)).result.items
    expect(notice).toMatchObject({ name: 'Тихий', asks: 'sign', by: null })
  })

  test('does not show or mark notices of other members', async () => {
    await send('Чужой')
    const { items } = (await call(colleague, getNotices, mine)).result
    await call(employee, readNotices, { organizationId, noticeId: items[0]!.id })
    expect(await unreadOf(colleague)).toBe(1)
    const other = await app.company()
    expect(
      (await call(other.owner, getNotices, { ...mine, organizationId: other.organizationId })).result.items,
    ).toEqual([])
    expect((await call(other.owner, getNotices, mine)).status).toBe(403)
  })
})

async function viewOf(id: string) {
  return (await call(employee, getRequest, { organizationId, signingRequestId: id })).result
}

/** Opens a stream and collects its messages. */
async function listen(personId: string, path: string) {
  const { port } = app.app.server.address() as AddressInfo
  const request = get({ port, path, headers: { cookie: `session=${await tokenOf(personId)}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const messages: unknown[] = []
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    for (const [, message] of text.matchAll(/^data: (.*)$/gm)) messages.push(JSON.parse(message!))
  })
  return { messages, status: response.statusCode, leave: () => request.destroy() }
}

describe('the event stream of a page', () => {
  test('announces new notices and changes of the open request', async () => {
    const id = await send('Живой')
    const before = await unreadOf(colleague)
    const stream = await listen(colleague, `/api/Notifications/${organizationId}/live?signingRequestId=${id}`)
    await expect.poll(() => stream.messages).toContainEqual({ type: 'notices', unreadCount: before })
    const ofRequest = expect.objectContaining({ type: 'request', signingRequestId: id })
    await expect.poll(() => stream.messages).toContainEqual(ofRequest)
    await send('Ещё один')
    await expect.poll(() => stream.messages).toContainEqual({ type: 'notices', unreadCount: before + 1 })
    stream.leave()
  })

  test('of a request with the id of a person does not announce their notices', async () => {
    const { result: bait } = await company.send(route, { signingRequestId: colleague })
    expect(bait.id).toBe(colleague)
    const stream = await listen(
      employee,
      `/api/Notifications/${organizationId}/live?signingRequestId=${colleague}`,
    )
    const countOf = (type: string) =>
      stream.messages.filter((one) => (one as { type: string }).type === type).length
    // The first stream of a process also gets a message to fetch again.
    await call(employee, readNotices, { organizationId })
    await expect.poll(() => countOf('notices')).toBeGreaterThan(1)
    const [before, bells] = [countOf('request'), countOf('notices')]
    await call(colleague, readNotices, { organizationId })
    await call(employee, readNotices, { organizationId })
    await expect.poll(() => countOf('notices')).toBeGreaterThan(bells)
    expect(countOf('request')).toBe(before)
    stream.leave()
  })

  test('is not counted as open if the page was left while it was opening', async () => {
    const { port } = app.app.server.address() as AddressInfo
    const path = `/api/Notifications/${organizationId}/live`
    const asking = `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: session=${await tokenOf(colleague)}\r\n\r\n`
    for (let i = 0; i < 40; i++) {
      const socket = connect(port)
      await once(socket, 'connect')
      socket.write(asking, () => socket.destroy())
      await once(socket, 'close')
    }
    const stream = await listen(colleague, path)
    expect(stream.status).toBe(200)
    stream.leave()
  })

  test('is refused to a person with thirty open streams, until one is closed', async () => {
    const path = `/api/Notifications/${organizationId}/live`
    const streams = await Promise.all(Array.from({ length: 30 }, () => listen(employee, path)))
    expect(streams.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect((await listen(employee, path)).status).toBe(429)
    expect((await listen(colleague, path)).status).toBe(200)
    streams.pop()!.leave()
    await expect.poll(async () => (await listen(employee, path)).status, { timeout: 30_000 }).toBe(200)
    for (const stream of streams) stream.leave()
  })

  test('has no notices without an organisation, and is refused to strangers', async () => {
    const stream = await listen(colleague, `/api/Notifications/${emptyId}/live`)
    expect(stream.status).toBe(200)
    stream.leave()
    const stranger = await app.make.person()
    expect((await listen(stranger, `/api/Notifications/${organizationId}/live`)).status).toBe(403)
  })
})

describe('the link in an e-mail', () => {
  const modeOf = async (kind: string) =>
    (await call(colleague, getNotificationSettings, { organizationId })).result.settings.find(
      (one) => one.kind === kind,
    )!.mode
  const tokenIn = async () => {
    await send('С письмом')
    const email = (await emailsTo(await emailOf(colleague))).at(-1)!
    return new URL(email.unsubscribeUrl!).pathname.split('/').at(-1)!
  }

  test('shows its kinds, turns e-mails of them off, and on again', async () => {
    const token = await tokenIn()
    const { result } = await call(null, getSubscription, { token })
    expect(result).toMatchObject({ kinds: ['request-for-me'], isOff: false })
    expect((await call(null, saveSubscription, { token, isOff: true })).result.isOff).toBe(true)
    expect([await modeOf('request-for-me'), await modeOf('signed')]).toEqual(['off', 'at-once'])
    const before = (await emailsTo(await emailOf(colleague))).length
    await send('Без письма')
    expect(await emailsTo(await emailOf(colleague))).toHaveLength(before)
    expect((await call(null, saveSubscription, { token, isOff: false })).result.isOff).toBe(false)
    expect(await modeOf('request-for-me')).toBe('at-once')
  })

  test('works for mail programs by POST without a session (RFC 8058)', async () => {
    const token = await tokenIn()
    const response = await app.app.inject({
      method: 'POST',
      url: `/unsubscribe/${token}`,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.statusCode).toBe(200)
    expect(await modeOf('request-for-me')).toBe('off')
    await call(null, saveSubscription, { token, isOff: false })
  })

  test('is refused if it was changed', async () => {
    const token = await tokenIn()
    const bytes = Buffer.from(token, 'base64url')
    for (const i of [0, 1, 2, 20, bytes.length - 1]) {
      const other = Buffer.from(bytes)
      other[i] = bytes[i]! ^ 1
      expect((await call(null, getSubscription, { token: other.toString('base64url') })).status).toBe(404)
    }
    expect((await call(null, getSubscription, { token: 'x' })).status).toBe(404)
  })
})
