/**
 * From changes to messages to calls:
 *
 *   organization_changes ──feed──▶ webhook_deliveries (pending) ──call──▶ delivered
 *                                          ▲  │ anything else: a growing pause, for a day
 *                                          └──┘ then failed
 *
 * A message keeps its id at every attempt, and is delivered at least once: its next try is postponed before the call,
 * so that the message of a killed process becomes due again. Each receiver has one call in flight, gets the next
 * message when it has accepted one, and delays nobody else: organisations take turns, and a receiver that has been
 * called for a while goes to the end of the queue.
 */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { minute, second } from '@kelisim/domain/durations.ts'
import { cursorOf } from '@kelisim/domain/integration/cursor.ts'
import {
  afterCall,
  isDelivered,
  secretsInForce,
  type OffReason,
} from '@kelisim/domain/integration/webhook.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { portalIntegrationPage } from '@kelisim/domain/pages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { findOwnersMail } from '../../identity/confirmation/join-request-queries.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import { partyOf } from '../../requests/core/party.ts'
import { inCauseOf } from '../../tracing/tracing.ts'
import { sequence } from '../../transparency/sequencing.ts'
import { changeView, visibleAmong, visibleChanges } from '../changes.ts'
import { findChanges } from '../change-queries.ts'
import type { WebhookCaller } from './caller.ts'
import {
  addDeliveries,
  findBehind,
  findRoles,
  lockWebhook,
  switchOff,
  takeDue,
  updateDelivery,
  updateWebhookRow,
  type DueDelivery,
} from './queries.ts'
import { startLoop, type Loop } from '../../jobs/loop.ts'

export type WebhookDependencies = {
  database: Database
  caller: WebhookCaller
  queueMail: QueueMail
  publicUrl: URL
  clock: () => Date
}

/** Longer than any call takes. */
const leaseTime = minute
const fedAtOnce = 100
const callsAtOnce = 50
/** After this time a receiver with further messages gives way to others. */
const inARowFor = 5 * second

/** Makes messages of the changes; returns how many webhooks were behind. */
export async function feedWebhooks(dependencies: WebhookDependencies): Promise<number> {
  const { database } = dependencies
  await sequence(database)
  const behind = await findBehind(database.db)
  for (const id of behind) await database.write((tx) => feed(tx, id, dependencies))
  return behind.length
}

async function feed(tx: Tx, id: string, dependencies: WebhookDependencies): Promise<void> {
  const webhook = await lockWebhook(tx, id)
  if (!webhook) return
  const now = dependencies.clock()
  const { organizationId, actsAs: userId } = webhook
  const member = await findRoles(tx, organizationId, userId)
  const maker = await findRoles(tx, organizationId, webhook.madeBy)
  // The maker of a webhook knows its secret and may be the one who listens, so the webhook ends when they are no
  // longer an owner.
  if (!member || !maker || !isOwner(maker.roles)) return endWebhook(tx, webhook, 'member-left', dependencies)
  const rows = await findChanges(tx, organizationId, webhook.position, fedAtOnce)
  const party = await partyOf(tx, { userId, member: { organizationId, ...member } }, now)
  const seen = await visibleAmong(tx, [...new Set(rows.map(({ requestId }) => requestId))], party)
  const messages = visibleChanges(rows, seen, party.viewer).map((row) => {
    const data = { ...changeView(row), cursor: cursorOf(organizationId, row.position) }
    const { requestId, at, position, cause } = row
    return { ...message(id, { type: `request.${row.type}`, requestId, position, at, data }, now), cause }
  })
  await addDeliveries(tx, messages)
  const last = rows.at(-1)
  if (last) await updateWebhookRow(tx, id, { position: last.position })
}

export function message(
  webhookId: string,
  about: { type: string; requestId: string | null; position: number; at: Date; data: object },
  now: Date,
) {
  const { type, requestId, position, at, data } = about
  return {
    id: newId(now.getTime()),
    webhookId,
    requestId,
    position,
    type,
    // Stored as text, so that the same characters are signed and sent at every attempt.
    body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
    state: 'pending' as const,
    firstTryAt: null,
    lastTryAt: null,
    nextTryAt: now,
    status: null,
    failure: null,
    madeAt: now,
  }
}

/**
 * Calls the receivers whose messages are due; `onCall` gets the promise of each. A receiver that accepts its message
 * is called with the next one at once, until nothing is due, its time is over or `signal` is aborted.
 */
export async function callReceivers(
  dependencies: WebhookDependencies,
  onCall: (calls: Promise<void>) => void,
  { most = callsAtOnce, inARowMs = inARowFor, signal }: CallLimits = {},
): Promise<number> {
  const due = await take(dependencies, { most })
  for (const one of due) onCall(callInARow(one, dependencies, { inARowMs, signal }))
  return due.length
}

type CallLimits = { most?: number; inARowMs?: number | undefined; signal?: AbortSignal | undefined }

async function callInARow(
  first: DueDelivery,
  dependencies: WebhookDependencies,
  { inARowMs, signal }: { inARowMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  const begun = performance.now()
  let next: DueDelivery | undefined = first
  while (next) {
    const one = next
    const isTaken = await inCause(one, () => callReceiver(one, dependencies))
    if (!isTaken || signal?.aborted || performance.now() - begun >= inARowMs) return
    const due = await take(dependencies, { most: 1, webhookId: one.webhookId })
    next = due[0]
  }
}

function take(
  { database, clock }: WebhookDependencies,
  which: { most: number; webhookId?: string },
): Promise<DueDelivery[]> {
  const now = clock()
  return database.write((tx) => takeDue(tx, { ...which, now, until: new Date(now.getTime() + leaseTime) }))
}

/** The call, and the log of what follows, carry the request id of the call that caused the message. */
function inCause({ cause }: DueDelivery, work: () => Promise<boolean>): Promise<boolean> {
  return inCauseOf(cause === null ? undefined : { requestId: cause }, 'producer', 'call-webhook', work)
}

/** Calls the receiver; returns whether it accepted the message. */
async function callReceiver(due: DueDelivery, dependencies: WebhookDependencies): Promise<boolean> {
  const { database, caller, clock } = dependencies
  const begun = clock()
  const { id, url, body } = due
  const result = await caller.call(url, { id, at: begun, body, secrets: secretsInForce(due, begun) })
  const now = clock()
  const { delivery, receiver } = afterCall(result, due, due, now)
  await database.write(async (tx) => {
    await updateDelivery(tx, id, {
      ...delivery,
      attempts: due.attempts + 1,
      firstTryAt: due.firstTryAt ?? begun,
      status: 'status' in result ? result.status : null,
      failure: 'failure' in result ? result.failure : null,
    })
    await updateWebhookRow(tx, due.webhookId, {
      failingSince: receiver.failingSince,
      ...(isDelivered(result) && { lastSuccessAt: now }),
    })
    if (receiver.offReason) {
      await endWebhook(tx, { ...due, id: due.webhookId }, receiver.offReason, dependencies)
    }
  })
  return isDelivered(result)
}

/** Switches the webhook off and tells the owners, once. */
async function endWebhook(
  tx: Tx,
  { id, url, organizationId }: { id: string; url: string; organizationId: string },
  reason: OffReason,
  { queueMail, publicUrl }: WebhookDependencies,
): Promise<void> {
  if (!(await switchOff(tx, id, reason))) return
  const page = new URL(portalIntegrationPage(organizationId), publicUrl).href
  for (const { email, language } of await findOwnersMail(tx, organizationId)) {
    const texts = textsOf(language, 'mail')
    await queueMail(tx, {
      to: email,
      language,
      subject: texts('webhookOff.subject'),
      status: { tone: 'stopped', text: texts('webhookOff.status') },
      paragraphs: [texts(`webhookOff.${reason}`), texts('webhookOff.text')],
      facts: [{ label: texts('webhookOff.address'), text: url }],
      button: { label: texts('webhookOff.button'), url: page },
    })
  }
}

/** Runs until `stop` is called. */
export function startWebhooks(
  dependencies: WebhookDependencies,
  {
    everyMs = second,
    inARowMs,
    onError,
  }: { everyMs?: number; inARowMs?: number; onError: (error: unknown) => void },
): Loop {
  const calls = new Set<Promise<void>>()
  const begin = (call: Promise<void>) => {
    const watched = call.catch(onError).finally(() => calls.delete(watched))
    calls.add(watched)
  }
  const work = async (signal: AbortSignal) => {
    await feedWebhooks(dependencies)
    if (calls.size < callsAtOnce)
      await callReceivers(dependencies, begin, { most: callsAtOnce - calls.size, inARowMs, signal })
  }
  const loop = startLoop(work, { everyMs, onError })
  return {
    async stop() {
      await loop.stop()
      await Promise.all(calls)
    },
  }
}
