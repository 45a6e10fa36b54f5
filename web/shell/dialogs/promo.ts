/** The price-list promo: once a day in each browser unless it was downloaded; not after 1 March 2025. */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'

export const promoShownKey = 'price-promo-shown'
export const promoDownloadedKey = 'price-promo-downloaded'
const lastDay = '2025-03-01'

export function isPromoDue(now: Date, storage: Pick<Storage, 'getItem'>): boolean {
  if (dateInAlmaty(now) > lastDay || storage.getItem(promoDownloadedKey) !== null) return false
  return storage.getItem(promoShownKey) !== dateInAlmaty(now)
}
