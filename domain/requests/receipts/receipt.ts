/** Receipts: whether those who are asked got the news of their turn, as far as it is known here (decision 094). */

/** By e-mail: the mail server has accepted it for them. Here: it is in their inbox, and they get no e-mail about it. */
export type DeliveryWay = 'email' | 'here'

/** What the history says of it. */
export type Receipt = {
  by: DeliveryWay
  /** When the mail server answered, or when the news came into the inbox. */
  at: string
  /** Of a colleague of the sender; people of other sides are not named, nor is any address. */
  to?: string
}

export const receiptTypes = ['delivered', 'undelivered'] as const
export type ReceiptType = (typeof receiptTypes)[number]

export type MailState = 'queued' | 'handing-over' | 'sent' | 'refused' | 'failed' | 'uncertain' | 'kept'

/** Null: nobody knows yet. An e-mail without an answer of the mail server may have come or not, so nothing is said of it. */
export function receiptType(hasEmail: boolean, state: MailState | null): ReceiptType | null {
  if (!hasEmail) return 'delivered'
  if (state === 'sent' || state === 'kept') return 'delivered'
  return state === 'refused' || state === 'failed' ? 'undelivered' : null
}

/** At a point, about the document that there is now. */
export type PointReceipt = {
  type: ReceiptType
  attempt: number
  pointId: string
  /** Of a colleague of the sender, and not of another side. */
  isOfColleague: boolean
}

/**
 * Those that go into the history: of every colleague, and of another side the first at its point. Who of them was written to is
 * their own business, and one address that refuses means nothing once another one has got it.
 */
export function newReceipts<R extends PointReceipt>(
  known: readonly PointReceipt[],
  found: readonly R[],
): R[] {
  const said = known.filter(({ isOfColleague }) => !isOfColleague)
  // What has come is said first, so that nothing is called undelivered beside it.
  const sorted = found.toSorted(
    (one, other) => receiptTypes.indexOf(one.type) - receiptTypes.indexOf(other.type),
  )
  return sorted.filter((receipt) => {
    if (receipt.isOfColleague) return true
    const { type, attempt, pointId } = receipt
    const same = said.filter((one) => one.attempt === attempt && one.pointId === pointId)
    const isSaid = same.some((one) => one.type === 'delivered' || one.type === type)
    if (!isSaid) said.push(receipt)
    return !isSaid
  })
}
