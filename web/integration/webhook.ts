import type * as z from 'zod/mini'
import type { WebhookView } from '@kelisim/domain/integration/webhook-contract.ts'

export type Webhook = z.output<typeof WebhookView>

const failures = ['timeout', 'unreachable', 'refused-address', 'bad-answer'] as const

/** Why there was no response, as far as there is a text for it. */
export function failureOf(failure: string | null): (typeof failures)[number] {
  return failures.find((known) => known === failure) ?? 'bad-answer'
}
