/** Owners make webhooks, look at their log and send messages again (docs/product/integration.md#w-10). */
import { randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  isDelivered,
  mostWebhooks,
  rotationTime,
  secretsInForce,
  type OffReason,
} from '@kelisim/domain/integration/webhook.ts'
import {
  addWebhook,
  deleteWebhook,
  getDeliveries,
  getWebhooks,
  resendDelivery,
  rotateWebhook,
  switchWebhook,
  testWebhook,
  type DeliveryView,
  type WebhookView,
} from '@kelisim/domain/integration/webhook-contract.ts'
import type { Http } from '../../http/open.ts'
import { addEvent } from '../../identity/core/queries.ts'
import { sequence } from '../../transparency/sequencing.ts'
import { lockOrganization } from '../../identity/core/membership-queries.ts'
import { isMember } from '../token-queries.ts'
import { secretPrefix, type WebhookCaller } from './caller.ts'
import { message } from './delivery.ts'
import {
  addWebhookRow,
  findDeliveries,
  findDelivery,
  findWebhook,
  findWebhooks,
  lastPosition,
  removeWebhook,
  updateDelivery,
  updateWebhookRow,
  type DeliveryRow,
  type WebhookRow,
} from './queries.ts'

export function webhookHandlers({ serve, database }: Http, caller: WebhookCaller): void {
  serve(getWebhooks, async ({ who, db, now }) => {
    const items = await findWebhooks(db, who.member.organizationId)
    return { items: items.map((row) => webhookView(row, now)), totalCount: items.length }
  })

  serve(addWebhook, async ({ input: { url, actsAs }, who, now, write }) => {
    // Sequences first, so that earlier changes are behind the position of the new webhook.
    await sequence(database)
    return write(async (tx) => {
      const { organizationId } = who.member
      if (!caller.mayCall(url)) refuse('webhook-address-refused')
      if (!(await isMember(tx, organizationId, actsAs))) refuse('user-not-found')
      await lockOrganization(tx, organizationId)
      if ((await findWebhooks(tx, organizationId)).length >= mostWebhooks) refuse('too-many-webhooks')
      const [id, secret] = [newId(now.getTime()), newSecret()]
      await addWebhookRow(tx, {
        id,
        organizationId,
        url,
        actsAs,
        secret,
        previousSecret: null,
        previousUntil: null,
        isOn: true,
        offReason: null,
        position: await lastPosition(tx, organizationId),
        failingSince: null,
        lastSuccessAt: null,
        madeBy: who.userId,
        madeAt: now,
      })
      const event = { type: 'webhook-made', subject: url, details: { id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return { webhook: webhookView(await ofOrganization(tx, organizationId, id), now), secret }
    })
  })

  serve(rotateWebhook, ({ input: { webhookId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const before = await ofOrganization(tx, organizationId, webhookId)
      const secret = newSecret()
      await updateWebhookRow(tx, before.id, {
        secret,
        previousSecret: before.secret,
        previousUntil: new Date(now.getTime() + rotationTime),
        // Whoever has seen the new secret answers for the webhook: it ends when they are no longer an owner.
        madeBy: who.userId,
      })
      const event = { type: 'webhook-rotated', subject: before.url, details: { id: before.id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      return { webhook: webhookView(await ofOrganization(tx, organizationId, webhookId), now), secret }
    }),
  )

  serve(switchWebhook, ({ input: { webhookId, isOn }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      const { id, url, isOn: wasOn } = await ofOrganization(tx, organizationId, webhookId)
      if (wasOn !== isOn) {
        // A webhook that is switched on gets three days again, and whoever switches it on answers for it.
        const by = isOn ? { madeBy: who.userId } : {}
        await updateWebhookRow(tx, id, { isOn, offReason: isOn ? null : 'owner', failingSince: null, ...by })
        const type = isOn ? 'webhook-switched-on' : 'webhook-switched-off'
        await addEvent(tx, { organizationId, by: who.userId, at: now, type, subject: url, details: { id } })
      }
      return webhookView(await ofOrganization(tx, organizationId, webhookId), now)
    }),
  )

  serve(deleteWebhook, async ({ input: { webhookId }, who, now, write }) => {
    await write(async (tx) => {
      const { organizationId } = who.member
      const { id, url } = await ofOrganization(tx, organizationId, webhookId)
      await removeWebhook(tx, id)
      const event = { type: 'webhook-removed', subject: url, details: { id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
    })
    return {}
  })

  serve(testWebhook, async ({ input: { webhookId }, who, now, db }) => {
    const webhook = await ofOrganization(db, who.member.organizationId, webhookId)
    const about = { type: 'connection.test', requestId: null, position: webhook.position, at: now, data: {} }
    const { id, body } = message(webhook.id, about, now)
    const result = await caller.call(webhook.url, {
      id,
      at: now,
      body,
      secrets: secretsInForce(webhook, now),
    })
    return {
      isDelivered: isDelivered(result),
      status: 'status' in result ? result.status : null,
      failure: 'failure' in result ? result.failure : null,
    }
  })

  serve(getDeliveries, async ({ input, who, db }) => {
    const { id } = await ofOrganization(db, who.member.organizationId, input.webhookId)
    const { items, totalCount } = await findDeliveries(db, id, input)
    return { items: items.map(deliveryView), totalCount }
  })

  serve(resendDelivery, ({ input: { webhookId, deliveryId }, who, now, write }) =>
    write(async (tx) => {
      const { id } = await ofOrganization(tx, who.member.organizationId, webhookId)
      const row = (await findDelivery(tx, id, deliveryId)) ?? refuse('webhook-delivery-not-found')
      await updateDelivery(tx, row.id, { state: 'pending', nextTryAt: now, attempts: 0, firstTryAt: null })
      return deliveryView((await findDelivery(tx, id, deliveryId))!)
    }),
  )
}

/** The webhook of the organisation; another organisation's is refused like one that does not exist. */
async function ofOrganization(db: Db, organizationId: string, webhookId: string): Promise<WebhookRow> {
  return (await findWebhook(db, organizationId, webhookId)) ?? refuse('webhook-not-found')
}

function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

function webhookView(row: WebhookRow, now: Date): z.input<typeof WebhookView> {
  return {
    id: row.id,
    url: row.url,
    actsAs: { id: row.actsAs, fullName: row.actsAsName },
    isOn: row.isOn,
    offReason: row.offReason as OffReason | null,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
    previousUntil:
      row.previousUntil !== null && row.previousUntil > now ? row.previousUntil.toISOString() : null,
    madeBy: row.madeByName,
    madeAt: row.madeAt.toISOString(),
  }
}

function deliveryView(row: DeliveryRow): z.input<typeof DeliveryView> {
  return {
    id: row.id,
    type: row.type,
    requestId: row.requestId,
    state: row.state,
    attempts: row.attempts,
    madeAt: row.madeAt.toISOString(),
    lastTryAt: row.lastTryAt?.toISOString() ?? null,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    status: row.status,
    failure: row.failure,
    callId: row.cause,
  }
}
