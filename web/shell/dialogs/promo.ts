/** The price-list promo: once a day in each browser unless it was downloaded; not after 1 March 2025. */
export const promoShownKey = 'price-promo-shown'
export const promoDownloadedKey = 'price-promo-downloaded'
const lastDay = '2025-03-01'

export function isPromoDue(now: Date, storage: Pick<Storage, 'getItem'>): boolean {
  if (today(now) > lastDay || storage.getItem(promoDownloadedKey) !== null) return false
  return storage.getItem(promoShownKey) !== today(now)
}

export function today(now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Almaty' }).format(now)
}
