import { expect, test } from 'vitest'
import { checkWebhook, WebhookError, type WebhookHeaders } from './webhook.ts'

/** The example of Standard Webhooks. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const now = new Date(1614265330 * 1000)
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('a message with the right signature is accepted', async () => {
  const checked = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', message: { test: 2432232314 } }
  expect(await checkWebhook(body, headers, secret, now)).toEqual(checked)
  expect(await checkWebhook(body, new Headers(headers), ['whsec_AAAA', secret], now)).toEqual(checked)
  const both = { ...headers, 'webhook-signature': `v1a,x v1,AAAA ${headers['webhook-signature']}` }
  expect(await checkWebhook(body, both, secret, now)).toEqual(checked)
})

type RefusedMessage = [string, string, WebhookHeaders, string | string[], Date]

test.each<RefusedMessage>([
  ['another body', '{"test": 2432232315}', headers, secret, now],
  ['another secret', body, headers, 'whsec_AAAA', now],
  ['no secret', body, headers, [], now],
  ['a wrong secret', body, headers, 'whsec_*', now],
  ['no signature', body, { ...headers, 'webhook-signature': undefined }, secret, now],
  ['another version', body, { ...headers, 'webhook-signature': 'v2,AAAA' }, secret, now],
  ['another id', body, { ...headers, 'webhook-id': 'msg_other' }, secret, now],
  ['another time', body, { ...headers, 'webhook-timestamp': '1614265331' }, secret, now],
  ['no time', body, { ...headers, 'webhook-timestamp': 'soon' }, secret, now],
  ['six minutes later', body, headers, secret, new Date(now.getTime() + 360_000)],
  ['six minutes before', body, headers, secret, new Date(now.getTime() - 360_000)],
])('a message with %s is refused', async (_, ...given) => {
  await expect(checkWebhook(...given)).rejects.toThrow(WebhookError)
})
