/**
 * For whom the free requests are counted (docs/product/in-whose-name.md#free-quota). A name and a number that anybody may type
 * give no ten requests of their own.
 */
export type QuotaHolder = { type: 'number'; number: string } | { type: 'person'; userId: string }

/** A number is proved by a confirmed organisation, and by each document that was sent with a key of it without an account. */
export function quotaHolder(
  organization: { bin: string; confirmedAt: Date | null; isUnclaimed: boolean },
  userId: string,
): QuotaHolder {
  const isProved = organization.confirmedAt !== null || organization.isUnclaimed
  return isProved ? { type: 'number', number: organization.bin } : { type: 'person', userId }
}
