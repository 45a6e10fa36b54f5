/** Checks that a webhook is from this installation, as Standard Webhooks describes it. */

/** The message is not from Kelisim, was changed, or is replayed. */
export class WebhookError extends Error {}

export type WebhookHeaders =
  | { get: (name: string) => string | null }
  | Readonly<Record<string, string | undefined>>

/** Five minutes for differing clocks; an older message may be a replay. */
const tolerance = 5 * 60

/**
 * Verifies and returns the message. `body` is the raw text, before it is parsed. While a secret is being replaced, pass
 * both. `id` stays the same when a message is delivered again: store it, and process each message once.
 */
export async function checkWebhook(
  body: string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  now = new Date(),
): Promise<{ id: string; message: unknown }> {
  const header = (name: string) => {
    const value =
      typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, string>)[name]
    if (!value) throw new WebhookError(`There is no ${name}`)
    return value
  }
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    header,
  ) as [string, string, string]
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > tolerance) throw new WebhookError('Too old, or from the future')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret)
    for (const signature of given) {
      const bytes = decoded(signature)
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
        return { id, message: JSON.parse(body) as unknown }
    }
  }
  throw new WebhookError('Signed by somebody else')
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new WebhookError('Not a secret of webhooks')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
