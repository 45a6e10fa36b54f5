import type { JSONColumnType } from 'kysely'

/** The details of a notice besides its kind and its request. */
export type AboutNotice = {
  /** The acting person; null: nobody in particular, or nobody the reader may know. */
  by: string | null
  comment: string
  asks: 'sign' | 'approve' | 'inform' | 'confirm' | null
  process: 'signing' | 'terminating'
}

export type NotificationTables = {
  untoldEvents: { requestId: string; firstNumber: number; lastNumber: number; at: Date }
  notices: {
    id: string
    requestId: string
    occasion: string
    kind: string
    recipient: string
    userId: string | null
    organizationId: string | null
    number: string | null
    email: string | null
    about: JSONColumnType<AboutNotice>
    createdAt: Date
    readAt: Date | null
    /** held: sent on a later day; outdated: no longer needed when that day came. */
    mode: 'at-once' | 'daily' | 'off' | 'none' | 'held' | 'outdated'
    mailId: string | null
    resentAt: Date | null
    /** The delivery, as the history shows it, of an e-mail that asks somebody to act. */
    receipt: 'awaited' | 'delivered' | 'undelivered' | null
  }
  requestReminders: { requestId: string; number: number; at: Date; by: string | null }
  serverKeys: { name: string; value: Buffer; createdAt: Date }
}
