/**
 * Calls an address that somebody typed. It may be a trap, be slow, or lead elsewhere: so the name is resolved once,
 * only public addresses are connected to, no redirect is followed, and only the status of the response is read.
 */
import { createHmac } from 'node:crypto'
import type { CallResult } from '@kelisim/domain/integration/webhook.ts'
import { second } from '@kelisim/domain/durations.ts'
import { attempt } from '../../signatures/outbound/attempt.ts'
import { OutboundFailure } from '../../signatures/outbound/failure.ts'
import { resolveName, type ResolveName } from '../../signatures/outbound/resolve-name.ts'
import { targetOf, type Target } from '../../signatures/outbound/target.ts'

export type WebhookMessage = { id: string; at: Date; body: string; secrets: readonly string[] }

export type WebhookCaller = {
  /** False for an address that would never be called. */
  mayCall: (url: string) => boolean
  call: (url: string, message: WebhookMessage) => Promise<CallResult>
}

export type WebhookCallerSettings = {
  /** Receivers in the operator's own network, as host:port. */
  privateHosts?: readonly string[]
  limits?: { connectMs: number; wholeMs: number }
  resolve?: ResolveName
}

/** A receiver should accept a message at once and process it later. */
const usualLimits = { connectMs: 3 * second, wholeMs: 15 * second }

export const secretPrefix = 'whsec_'

export function openWebhookCaller({
  privateHosts = [],
  limits = usualLimits,
  resolve = resolveName,
}: WebhookCallerSettings = {}): WebhookCaller {
  const known = { configured: new Set<string>(), private: new Set(privateHosts) }

  /** The target of an address; messages go to the internet by https only. */
  function targetFor(url: string): Target | undefined {
    const target = targetOf(url, known)
    return target && (target.url.protocol === 'https:' || target.mayBePrivate) ? target : undefined
  }

  return {
    mayCall: (url) => targetFor(url) !== undefined,
    async call(url, message) {
      const target = targetFor(url)
      if (!target) return { failure: 'refused-address' }
      const late = new AbortController()
      const isLate = setTimeout(
        () => late.abort(new OutboundFailure('timeout', target.service, 'no answer in time')),
        limits.wholeMs,
      )
      try {
        const question = {
          method: 'POST',
          body: Buffer.from(message.body),
          contentType: 'application/json',
          headers: headersOf(message),
          isAnyStatusTaken: true,
          maxBytes: 0,
        } as const
        const status = await attempt(target, question, async (_, statusCode) => statusCode, {
          connectMs: limits.connectMs,
          signal: late.signal,
          resolve,
        })
        return { status }
      } catch (error) {
        if (!(error instanceof OutboundFailure)) throw error
        return { failure: error.reason }
      } finally {
        clearTimeout(isLate)
      }
    },
  }
}

/** Standard Webhooks: the id, the time and a signature by each secret in force. */
export function headersOf({ id, at, body, secrets }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`)).join(' '),
  }
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
