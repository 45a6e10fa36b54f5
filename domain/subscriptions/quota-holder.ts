/**
 * For whom the free requests are counted (docs/product/in-whose-name.md#free-quota). An organisation whose number was
 * only typed, as anybody could do, gets no ten free requests of its own.
 */
export type QuotaHolder = { type: 'number'; number: string } | { type: 'person'; userId: string }

/** A number is proved if the organisation is confirmed, or was created by sending with its key without an account. */
export function quotaHolder(
  organization: { bin: string; confirmedAt: Date | null; isUnclaimed: boolean },
  userId: string,
): QuotaHolder {
  const isProved = organization.confirmedAt !== null || organization.isUnclaimed
  return isProved ? { type: 'number', number: organization.bin } : { type: 'person', userId }
}
