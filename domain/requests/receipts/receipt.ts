/** Receipts: whether people who are asked got the news of their turn, as far as the service knows (decision 094). */

/** `email`: their mail server has accepted the e-mail. `here`: the news is in their inbox, and they get no e-mail. */
export type DeliveryWay = 'email' | 'here'

/** The data of the event in the history. */
export type Receipt = {
  by: DeliveryWay
  /** When the mail server answered, or when the news came into the inbox. */
  at: string
  /** The name of a colleague of the sender; people of other sides are not named, and addresses never are. */
  to?: string
}

export const receiptTypes = ['delivered', 'undelivered'] as const
export type ReceiptType = (typeof receiptTypes)[number]

export type MailState = 'queued' | 'handing-over' | 'sent' | 'refused' | 'failed' | 'uncertain' | 'kept'

/**
 * Null: not known yet. Without an answer of the mail server an e-mail may have arrived or not, so nothing is
 * recorded.
 */
export function receiptType(hasEmail: boolean, state: MailState | null): ReceiptType | null {
  if (!hasEmail) return 'delivered'
  if (state === 'sent' || state === 'kept') return 'delivered'
  return state === 'refused' || state === 'failed' ? 'undelivered' : null
}

/** A receipt at a point, for the current revision of the document. */
export type PointReceipt = {
  type: ReceiptType
  attempt: number
  pointId: string
  /** The recipient is a colleague of the sender, not a person of another side. */
  isOfColleague: boolean
}

/**
 * The receipts to add to the history: one for every colleague, but only the first at a point of another side. Which
 * of its people got an e-mail is their own business, and a refusing address does not matter once another one was
 * reached.
 */
export function newReceipts<R extends PointReceipt>(
  known: readonly PointReceipt[],
  found: readonly R[],
): R[] {
  const said = known.filter(({ isOfColleague }) => !isOfColleague)
  // Delivered receipts come first, so that a delivered side is not reported as undelivered too.
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
