/**
 * Webhooks, from the change of a request to the call: delivered at least once, with stable ids, and not retried for
 * ever.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'
import { getChanges } from '@kelisim/domain/integration/calls/requests-contract.ts'
import {
  addWebhook,
  deleteWebhook,
  getDeliveries,
  getWebhooks,
  resendDelivery,
  rotateWebhook,
  switchWebhook,
  testWebhook,
} from '@kelisim/domain/integration/webhook-contract.ts'
import { mostWebhooks } from '@kelisim/domain/integration/webhook.ts'
import { changeSteps } from '@kelisim/domain/requests/correcting/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { getOrganizationEvents, previewRemoval, removeMember } from '@kelisim/domain/portal/contract.ts'
import { actingIn, startRequestsApp } from '../../requests/core/testing-requests.ts'
import { watchDeadlines } from '../../requests/deadlines/deadlines.ts'
import { httpService } from '../../signatures/outbound/testing-services.ts'
import { publicUrl } from '../../testing.ts'
import { programsOf } from '../testing-programs.ts'
import { headersOf, openWebhookCaller } from './caller.ts'
import { callReceivers, feedWebhooks, startWebhooks, type WebhookDependencies } from './delivery.ts'
import { logKeptFor, sweepDeliveries, takeDue } from './queries.ts'

const privateHosts: string[] = []
/** Shortened only while a test has a receiver that is too slow. */
const usual = { connectMs: 15_000, wholeMs: 15_000 }
const limits = { ...usual }
/** The receivers of the tests are on this machine. */
const caller: ReturnType<typeof openWebhookCaller> = {
  mayCall: (url) => openWebhookCaller({ privateHosts }).mayCall(url),
  call: (url, message) => openWebhookCaller({ privateHosts, limits }).call(url, message),
}
const app = await startRequestsApp({ webhookCaller: caller })
const { call, database, time, travel, emails } = app
const { look, signAt } = actingIn(app)
const dependencies: WebhookDependencies = {
  database,
  caller,
  queueMail: async (_, email) => void emails.push(email),
  publicUrl,
  clock: () => time.now,
}

type Got = {
  id: string
  headers: IncomingMessage['headers']
  body: string
  type: string
  data: Record<string, unknown>
}

/** A receiver that responds as the test says, and the messages that it got. */
async function receiver(
  answer: (response: ServerResponse, got: Got[]) => void = (response) => response.end(),
) {
  const got: Got[] = []
  const service = await httpService((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
      got.push({ id: String(request.headers['webhook-id']), headers: request.headers, body, type, data })
      answer(response, got)
    })
  })
  privateHosts.push(service.name)
  return { got, url: `${service.address}hook` }
}

/** An organisation with a webhook to the receiver. */
async function listening(url: string) {
  const company = await app.company()
  const { organizationId, owner } = company
  const { result } = await call(owner, addWebhook, { organizationId, url, actsAs: owner })
  const route = await company.route(await company.point('CompanyInternalSign'))
  const webhookId = result.webhook.id
  const log = async () =>
    (await call(owner, getDeliveries, { organizationId, webhookId, skip: 0, take: 100 })).result.items
  const view = async () =>
    (await call(owner, getWebhooks, { organizationId })).result.items.find(({ id }) => id === webhookId)!
  return { company, organizationId, owner, route, webhookId, secret: result.secret, log, view }
}

/** One round of the delivery loop. */
async function round(): Promise<void> {
  await feedWebhooks(dependencies)
  for (;;) {
    const calls: Promise<void>[] = []
    const count = await callReceivers(dependencies, (begun) => calls.push(begun))
    await Promise.all(calls)
    if (count === 0) return
  }
}

async function later(milliseconds: number): Promise<void> {
  await travel(new Date(time.now.getTime() + milliseconds))
  await round()
}

test('a program gets each event once, signed, with the cursor for reading changes', async () => {
  const { got, url } = await receiver()
  const { company, route, secret, log, view, organizationId, owner } = await listening(url)
  const { result: request, headers } = await company.send(route)
  await round()
  expect(got.map(({ type }) => type)).toEqual(expect.arrayContaining(['request.sent', 'request.turn-came']))
  const sent = got.find(({ type }) => type === 'request.sent')!
  expect(sent.data).toMatchObject({ requestId: request.id, status: 'New' })
  // The request id of the call that sent the request is in the message and in the log.
  expect(sent.headers['x-request-id']).toBe(headers['x-request-id'])
  expect((await log()).find(({ id }) => id === sent.id)?.callId).toBe(headers['x-request-id'])
  const at = new Date(Number(sent.headers['webhook-timestamp']) * 1000)
  expect(sent.headers).toMatchObject(headersOf({ id: sent.id, at, body: sent.body, secrets: [secret] }))
  const count = got.length
  await later(minute)
  expect(got).toHaveLength(count)
  expect(
    (await log()).every(
      ({ state, attempts, status }) => state === 'delivered' && attempts === 1 && status === 200,
    ),
  ).toBe(true)
  expect((await view()).lastSuccessAt).not.toBeNull()
  // The cursor of the message is also a cursor of the changes.
  const { makeToken, ask } = programsOf(app)
  const token = await makeToken(owner, organizationId)
  const changes = await ask(token.secret, getChanges, { after: String(got.at(-1)!.data['cursor']) })
  expect(changes.result.items).toEqual([])
})

test('the other side gets events only when its turn has come', async () => {
  const { got, url } = await receiver()
  const their = await listening(url)
  const sender = await app.company()
  const route = await sender.route(
    await sender.point('CompanyInternalSign'),
    await sender.point('ExternalSign', { bin: their.company.bin, emails: ['partner@example.kz'] }),
  )
  const { result: request } = await sender.send(route)
  await round()
  expect(got).toEqual([])
  const employee = { id: sender.employee, organizationId: sender.organizationId }
  await signAt(employee, (await look(employee, request.id)).result, 'CompanyInternalSign', sender.stamp)
  await round()
  expect(got.length).toBeGreaterThan(0)
  expect(got.every(({ data }) => data['requestId'] === request.id)).toBe(true)
})

test('programs of the sender get events of changed steps, a passed deadline and the last day', async () => {
  const [ours, theirs] = [await receiver(), await receiver()]
  const { company, organizationId, owner } = await listening(ours.url)
  const their = await listening(theirs.url)
  const outside = { bin: their.company.bin, emails: ['partner@example.kz'] }
  const [external, approval, signing] = [
    await company.point('ExternalSign', outside),
    await company.point('InternalApprove'),
    await company.point('CompanyInternalSign'),
  ]
  const escalation = { kind: 'person' as const, id: owner, mayAct: false }
  const { result: route } = await call(owner, routeCalls.add, {
    organizationId,
    name: 'Маршрут со сроком',
    description: '',
    visibilityScope: 2,
    points: [
      { pointId: external, order: 1 },
      { pointId: approval, order: 1, termDays: 1, escalation },
      { pointId: signing, order: 2 },
    ],
  })
  const expiresOn = dateInAlmaty(new Date(time.now.getTime() + 20 * day))
  const { result: request } = await company.send(route.id, { expiresOn })
  const changed = await call(company.employee, changeSteps, {
    organizationId,
    signingRequestId: request.id,
    points: [await company.point('EmployeeInternalSign'), signing].map((pointId, i) => ({
      pointId,
      order: i + 1,
    })),
    comment: 'Подпишет и бухгалтер',
    currentVersion: request.currentVersion,
  })
  expect(changed.status).toBe(200)
  const typesTold = ({ got }: { got: Got[] }) => got.map(({ type }) => type.replace('request.', ''))
  await later(10 * day)
  await watchDeadlines({ database, clock: () => time.now })
  await round()
  expect(typesTold(ours)).toEqual(
    expect.arrayContaining(['rerouted', 'sides-changed', 'overdue', 'escalated']),
  )
  await later(20 * day)
  await watchDeadlines({ database, clock: () => time.now })
  await round()
  expect(typesTold(ours)).toContain('expired')
  // The other side is told too who signs and that the request ended, but not what the sender does inside.
  expect(typesTold(theirs)).toEqual(expect.arrayContaining(['sides-changed', 'expired']))
  for (const inside of ['rerouted', 'overdue', 'escalated']) expect(typesTold(theirs)).not.toContain(inside)
  const token = await programsOf(app).makeToken(owner, organizationId)
  const changes = await programsOf(app).ask(token.secret, getChanges, { take: 100 })
  expect(changes.result.items.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['rerouted', 'sides-changed', 'escalated', 'expired']),
  )
})

describe('a receiver that', () => {
  test.each([
    ['is broken', (response: ServerResponse) => response.writeHead(500).end()],
    [
      'leads elsewhere',
      (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    ],
    ['is slow', () => {}],
  ])('%s is called again with the same id, after growing pauses', async (_, fail) => {
    let isWell = false
    limits.wholeMs = 200
    const { got, url } = await receiver((response) => (isWell ? response.end() : fail(response)))
    const { company, route, log, view } = await listening(url)
    await company.send(route)
    await round()
    const first = got[0]!.id
    const before = got.filter(({ id }) => id === first).length
    expect(before).toBe(1)
    expect((await view()).failingSince).not.toBeNull()
    await later(6_000)
    expect(got.filter(({ id }) => id === first)).toHaveLength(2)
    await later(6_000)
    expect(got.filter(({ id }) => id === first)).toHaveLength(2)
    isWell = true
    limits.wholeMs = usual.wholeMs
    await later(minute)
    expect(got.filter(({ id }) => id === first)).toHaveLength(3)
    expect(new Set(got.filter(({ id }) => id === first).map(({ body }) => body)).size).toBe(1)
    expect((await log()).find(({ id }) => id === first)).toMatchObject({
      state: 'delivered',
      attempts: 3,
      status: 200,
    })
    expect((await view()).failingSince).toBeNull()
  })

  test('responds with 410 is not called any more, and the owners are told', async () => {
    const { got, url } = await receiver((response) => response.writeHead(410).end())
    const { company, route, view, owner } = await listening(url)
    await company.send(route)
    emails.length = 0
    await round()
    expect(got).toHaveLength(1)
    expect(await view()).toMatchObject({ isOn: false, offReason: 'gone' })
    expect(emails.map(({ to }) => to)).toEqual([`${owner}@example.kz`])
    expect(emails[0]!.facts).toMatchObject([{ text: url }])
    await later(day)
    expect(got).toHaveLength(1)
  })

  test('is down for three days is switched off with an e-mail, and gets every event when it is on again', async () => {
    let isWell = false
    const { got, url } = await receiver((response) => response.writeHead(isWell ? 200 : 503).end())
    const { company, route, view, owner, organizationId, webhookId, log } = await listening(url)
    const { result: request } = await company.send(route)
    await round()
    emails.length = 0
    for (let hours = 0; hours < 24; hours += 4) await later(4 * hour)
    // After a day a message is given up; the webhook stays on for the next message.
    await later(8 * hour)
    expect((await log()).every(({ state }) => state === 'failed')).toBe(true)
    expect((await view()).isOn).toBe(true)
    await travel(new Date(time.now.getTime() + 2 * day))
    await company.send(route)
    await round()
    expect(await view()).toMatchObject({ isOn: false, offReason: 'failing' })
    expect(emails).toHaveLength(1)
    isWell = true
    got.length = 0
    const { result: meanwhile } = await company.send(route)
    await later(minute)
    expect(got).toEqual([])
    await call(owner, switchWebhook, { organizationId, webhookId, isOn: true })
    await later(minute)
    expect(got.map(({ data }) => data['requestId'])).toContain(meanwhile.id)
    // A message that was given up is sent again by hand, with the same id.
    const failed = (await log()).find(
      ({ requestId, state }) => requestId === request.id && state === 'failed',
    )!
    await call(owner, resendDelivery, { organizationId, webhookId, deliveryId: failed.id })
    await round()
    expect(got.map(({ id }) => id)).toContain(failed.id)
  })

  test('accepts its messages gets them one after the other without a pause', async () => {
    let inFlight = 0
    let most = 0
    const { got, url } = await receiver((response) => {
      most = Math.max(most, ++inFlight)
      setImmediate(() => {
        inFlight--
        response.end()
      })
    })
    const { company, route, log } = await listening(url)
    for (let i = 0; i < 5; i++) await company.send(route)
    // The loop looks for messages once; the others follow from calls that were accepted.
    const webhooks = startWebhooks(dependencies, {
      everyMs: hour,
      inARowMs: hour,
      onError: (error) => expect.fail(String(error)),
    })
    const states = async () => new Set((await log()).map(({ state }) => state))
    // The long timeout allows for a busy machine.
    await expect.poll(states, { timeout: 30_000 }).toEqual(new Set(['delivered']))
    await webhooks.stop()
    const messages = (await log()).toReversed().map(({ id }) => id)
    expect(messages.length).toBeGreaterThanOrEqual(10)
    expect(got.map(({ id }) => id)).toEqual(messages)
    expect(most).toBe(1)
  })

  test('has many messages makes room for others after a while, and goes on in its next turn', async () => {
    const { got, url } = await receiver()
    const { company, route, log } = await listening(url)
    for (let i = 0; i < 3; i++) await company.send(route)
    await feedWebhooks(dependencies)
    const calls: Promise<void>[] = []
    await callReceivers(dependencies, (begun) => calls.push(begun), { inARowMs: 0 })
    await Promise.all(calls)
    expect(got).toHaveLength(1)
    await round()
    expect(got).toHaveLength((await log()).length)
  })

  test('is one of many of its organisation leaves room for those of another organisation', async () => {
    const many = await receiver()
    const one = await receiver()
    const busy = await listening(many.url)
    const { organizationId, owner } = busy
    for (let i = 1; i < 10; i++)
      await call(owner, addWebhook, { organizationId, url: many.url, actsAs: owner })
    const calm = await listening(one.url)
    await busy.company.send(busy.route)
    await calm.company.send(calm.route)
    await feedWebhooks(dependencies)
    const take = (most: number) =>
      database.write((tx) =>
        takeDue(tx, { now: time.now, until: new Date(time.now.getTime() + minute), most }),
      )
    const takers = (due: readonly { organizationId: string }[]) =>
      due.map((taken) => (taken.organizationId === organizationId ? 'busy' : 'calm')).toSorted()
    expect(takers(await take(2))).toEqual(['busy', 'calm'])
    // At most five receivers of one organisation are called at once.
    expect(takers(await take(50))).toEqual(['busy', 'busy', 'busy', 'busy'])
    expect(await take(50)).toEqual([])
    await later(2 * minute)
    expect(one.got.length).toBeGreaterThan(0)
  })

  test('does not respond delays no other receiver', async () => {
    limits.wholeMs = 1000
    const slow = await receiver(() => {})
    const quick = await receiver()
    const one = await listening(slow.url)
    const two = await listening(quick.url)
    try {
      await one.company.send(one.route)
      await two.company.send(two.route)
      await feedWebhooks(dependencies)
      const calls: Promise<void>[] = []
      await callReceivers(dependencies, (begun) => calls.push(begun))
      await expect.poll(() => quick.got.length).toBeGreaterThan(0)
      // While a call is in flight its receiver gets no second one.
      await callReceivers(dependencies, (begun) => calls.push(begun))
      expect(slow.got.length).toBeLessThanOrEqual(1)
      await Promise.all(calls)
    } finally {
      limits.wholeMs = usual.wholeMs
    }
  })
})

test('a message whose process was killed while sending it is sent again, with the same id', async () => {
  const { got, url } = await receiver()
  const { company, route, webhookId } = await listening(url)
  await company.send(route)
  await feedWebhooks(dependencies)
  const until = new Date(time.now.getTime() + minute)
  const due = await database.write((tx) => takeDue(tx, { now: time.now, until, most: 50 }))
  const taken = due.filter((one) => one.webhookId === webhookId)
  expect(taken).toHaveLength(1)
  await callReceivers(dependencies, () => {})
  expect(got).toEqual([])
  await later(2 * minute)
  expect(got.map(({ id }) => id)).toContain(taken[0]!.id)
})

test('after rotation messages are signed with the old and the new secret for a while', async () => {
  const { got, url } = await receiver()
  const { company, route, secret, owner, organizationId, webhookId } = await listening(url)
  const { result } = await call(owner, rotateWebhook, { organizationId, webhookId })
  expect(result.secret).not.toBe(secret)
  await company.send(route)
  await round()
  const { id, body, headers } = got[0]!
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers).toMatchObject(headersOf({ id, at, body, secrets: [result.secret, secret] }))
  await travel(new Date(time.now.getTime() + day))
  got.length = 0
  await company.send(route)
  await round()
  expect(got[0]!.headers['webhook-signature']).not.toContain(' ')
})

test('a test call reports the response, and a webhook stops when its member leaves', async () => {
  let status = 204
  const { got, url } = await receiver((response) => response.writeHead(status).end())
  const { company, route, owner, organizationId, view, webhookId } = await listening(url)
  const tried = async () => (await call(owner, testWebhook, { organizationId, webhookId })).result
  expect(await tried()).toEqual({ isDelivered: true, status: 204, failure: null })
  expect(got[0]!.type).toBe('connection.test')
  status = 500
  expect(await tried()).toEqual({ isDelivered: false, status: 500, failure: null })
  const other = await call(owner, addWebhook, { organizationId, url, actsAs: company.administrator })
  await call(owner, removeMember, { organizationId, userId: company.administrator })
  await company.send(route)
  await round()
  const { items } = (await call(owner, getWebhooks, { organizationId })).result
  expect(items.find(({ id }) => id === other.result.webhook.id)).toMatchObject({
    isOn: false,
    offReason: 'member-left',
  })
  expect((await view()).isOn).toBe(true)
})

test('a webhook made by a dismissed owner stops until another owner turns it on', async () => {
  const { company, route, owner, organizationId } = await listening((await receiver()).url)
  const maker = await app.make.person()
  await app.make.member(organizationId, maker, 'Owner')
  const { got, url } = await receiver()
  const made = await call(maker, addWebhook, { organizationId, url, actsAs: owner })
  const webhookId = made.result.webhook.id
  const leaving = { organizationId, userId: maker }
  const preview = await call(owner, previewRemoval, { ...leaving, skip: 0, take: 10 })
  expect(preview.result.programs).toEqual([new URL(url).host])
  await call(owner, removeMember, leaving)
  await company.send(route)
  await round()
  expect(got).toEqual([])
  const state = async () =>
    (await call(owner, getWebhooks, { organizationId })).result.items.find(({ id }) => id === webhookId)
  expect(await state()).toMatchObject({ isOn: false, offReason: 'member-left' })
  await call(owner, switchWebhook, { organizationId, webhookId, isOn: true })
  await round()
  expect(got.length).toBeGreaterThan(0)
  expect(await state()).toMatchObject({ isOn: true })
})

test('a webhook whose secret a dismissed owner has renewed stops, whoever made it', async () => {
  const { company, route, owner, organizationId } = await listening((await receiver()).url)
  const renewer = await app.make.person()
  await app.make.member(organizationId, renewer, 'Owner')
  const { got, url } = await receiver()
  const made = await call(owner, addWebhook, { organizationId, url, actsAs: owner })
  const webhookId = made.result.webhook.id
  expect((await call(renewer, rotateWebhook, { organizationId, webhookId })).status).toBe(200)
  const leaving = { organizationId, userId: renewer }
  const preview = await call(owner, previewRemoval, { ...leaving, skip: 0, take: 10 })
  expect(preview.result.programs).toEqual([new URL(url).host])
  await call(owner, removeMember, leaving)
  await company.send(route)
  await round()
  expect(got).toEqual([])
  const { items } = (await call(owner, getWebhooks, { organizationId })).result
  expect(items.find(({ id }) => id === webhookId)).toMatchObject({ isOn: false, offReason: 'member-left' })
})

describe('webhooks', () => {
  test('cannot have internal addresses, and are limited in number', async () => {
    const { owner, organizationId, employee } = await app.company()
    const added = async (url: string, actsAs = owner) => {
      const { status, error } = await call(owner, addWebhook, { organizationId, url, actsAs })
      return status === 200 ? 'made' : error.ExceptionData.Alias
    }
    for (const url of [
      'http://example.kz/',
      'https://127.0.0.1/',
      'https://10.1.2.3/',
      'https://a:b@example.kz/',
      'x',
    ]) {
      expect(await added(url), url).toBe('webhook-address-refused')
    }
    expect(await added('https://example.kz/', newId())).toBe('user-not-found')
    for (let i = 0; i < mostWebhooks; i++) expect(await added('https://example.kz/', employee)).toBe('made')
    expect(await added('https://example.kz/')).toBe('too-many-webhooks')
  })

  test('of another organisation are not found, are for owners only, and their changes are in the history', async () => {
    const { url } = await receiver()
    const { owner, organizationId, webhookId, company } = await listening(url)
    const stranger = await app.company()
    for (const e of [rotateWebhook, testWebhook, deleteWebhook]) {
      const refused = await call(stranger.owner, e, { organizationId: stranger.organizationId, webhookId })
      expect([refused.status, refused.error.ExceptionData.Alias]).toEqual([404, 'webhook-not-found'])
    }
    expect((await call(company.employee, getWebhooks, { organizationId })).status).toBe(403)
    await call(owner, switchWebhook, { organizationId, webhookId, isOn: false })
    await call(owner, deleteWebhook, { organizationId, webhookId })
    const { result } = await call(owner, getOrganizationEvents, { organizationId, skip: 0, take: 3 })
    expect(result.items.map(({ type }) => type)).toEqual([
      'webhook-removed',
      'webhook-switched-off',
      'webhook-made',
    ])
    const foreign = await call(owner, resendDelivery, { organizationId, webhookId, deliveryId: newId() })
    expect(foreign.error.ExceptionData.Alias).toBe('webhook-not-found')
  })

  test('keep their log of deliveries for a month', async () => {
    const { url } = await receiver()
    const { company, route, log } = await listening(url)
    await company.send(route)
    await round()
    await database.write((tx) => sweepDeliveries(tx, new Date(time.now.getTime() + logKeptFor)))
    expect((await log()).length).toBeGreaterThan(0)
    await database.write((tx) => sweepDeliveries(tx, new Date(time.now.getTime() + logKeptFor + 1)))
    expect(await log()).toEqual([])
  })
})
