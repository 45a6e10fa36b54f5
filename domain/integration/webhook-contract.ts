/** Webhooks in the Administrative Portal (docs/product/integration.md#w-10). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, Nothing, OfOrganization, Page } from '../fields.ts'
import { deliveryStates, offReasons } from './webhook.ts'

export const longestWebhookUrl = 500

export const WebhookView = z.object({
  id: Id,
  url: z.string(),
  /** The member whose view of requests decides what the receiver is told. */
  actsAs: z.object({ id: Id, fullName: z.string() }),
  isOn: z.boolean(),
  offReason: z.nullable(z.enum(offReasons)),
  failingSince: z.nullable(Moment),
  lastSuccessAt: z.nullable(Moment),
  /** Until when the previous secret also signs. */
  previousUntil: z.nullable(Moment),
  madeBy: z.string(),
  madeAt: Moment,
})

export const getWebhooks = endpoint({
  method: 'GET',
  path: '/api/Integration/:organizationId/webhooks',
  access: 'owner',
  summary: 'The addresses that are called when something happens to a request of the organisation',
  input: OfOrganization,
  result: listOf(WebhookView),
  refusals: [],
})

const WithSecret = z.object({ webhook: WebhookView, secret: z.string() })

export const addWebhook = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/webhooks',
  access: 'owner',
  summary: 'Have an address called; the response is one of the two that contain the secret',
  perMinute: 30,
  input: z.extend(OfOrganization, {
    url: z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(longestWebhookUrl, 'too-long')),
    actsAs: z.uuid('required').check(z.toLowerCase()),
  }),
  result: WithSecret,
  refusals: ['user-not-found', 'too-many-webhooks', 'webhook-address-refused'],
})

const OfWebhook = z.extend(OfOrganization, { webhookId: Id })
const missing = ['webhook-not-found'] as const

export const rotateWebhook = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/webhooks/:webhookId/rotate',
  access: 'owner',
  summary: 'Make a new secret; for a day both sign',
  perMinute: 10,
  input: OfWebhook,
  result: WithSecret,
  refusals: missing,
})

export const switchWebhook = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/webhooks/:webhookId/switch',
  access: 'owner',
  summary: 'Switch it on or off; what happens while it is off is told when it is on again',
  input: z.extend(OfWebhook, { isOn: z.boolean() }),
  result: WebhookView,
  refusals: missing,
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/Integration/:organizationId/webhooks/:webhookId',
  access: 'owner',
  summary: 'Remove it with its log',
  takesAway: true,
  input: OfWebhook,
  result: Nothing,
  refusals: missing,
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/webhooks/:webhookId/test',
  access: 'owner',
  summary: 'Call it now with a message that says nothing, and tell what came back',
  perMinute: 10,
  input: OfWebhook,
  result: z.object({
    isDelivered: z.boolean(),
    status: z.nullable(z.int()),
    failure: z.nullable(z.string()),
  }),
  refusals: missing,
})

export const DeliveryView = z.object({
  id: Id,
  type: z.string(),
  requestId: z.nullable(Id),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  madeAt: Moment,
  lastTryAt: z.nullable(Moment),
  nextTryAt: z.nullable(Moment),
  /** The status of the last response; null: there was none. */
  status: z.nullable(z.int()),
  /** Why there was no response. */
  failure: z.nullable(z.string()),
  /** The X-Request-Id of the call that caused the message, also sent with it; null: no call caused it. */
  callId: z.nullable(z.string()),
})

export const getDeliveries = endpoint({
  method: 'GET',
  path: '/api/Integration/:organizationId/webhooks/:webhookId/deliveries/:skip/:take',
  access: 'owner',
  summary: 'The log of a webhook, the newest first; kept for 30 days',
  input: z.extend(OfWebhook, Page.shape),
  result: listOf(DeliveryView),
  refusals: missing,
})

export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/Integration/:organizationId/webhooks/:webhookId/deliveries/:deliveryId/resend',
  access: 'owner',
  summary: 'Send a message again, with the id that it had',
  input: z.extend(OfWebhook, { deliveryId: Id }),
  result: DeliveryView,
  refusals: ['webhook-not-found', 'webhook-delivery-not-found'],
})
