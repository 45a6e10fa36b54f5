import type * as z from 'zod/mini'
import type { WebhookView } from '@kelisim/domain/integration/webhook-contract.ts'

export type Webhook = z.output<typeof WebhookView>

const failures = ['timeout', 'unreachable', 'refused-address', 'bad-answer'] as const

/** The reason why there was no response; an unknown one becomes `bad-answer`, which has a text. */
export function failureOf(failure: string | null): (typeof failures)[number] {
  return failures.find((known) => known === failure) ?? 'bad-answer'
}
