/** The events of a request. Its state follows from them (`apply`), and people are notified of most of them. */
import type { Condition } from '../../routes/condition.ts'
import type { Receipt, ReceiptType } from '../receipts/receipt.ts'
import type { donePointStatuses, ProcessKind } from '../status.ts'
import type { RequestPoint } from './request.ts'

export type AtPoint = { process: ProcessKind; pointId: string }
/** A point of the route whose condition was not met when the document was sent. */
export type PassedPoint = { pointId: string; name: string; order: number; condition: Condition }
export type DoneStatus = (typeof donePointStatuses)[number]

export type RequestEvent =
  | { type: 'started' | 'all-signed' | 'completed' | 'termination-signed' | 'terminated' }
  /** The system withdrew the request, because its last day has passed. */
  | { type: 'expired' }
  | ({ type: 'due-soon' | 'overdue' } & AtPoint)
  /** `mayAct`: the people who were told may answer at the point from now on. */
  | ({ type: 'escalated'; mayAct: boolean } & AtPoint)
  | { type: 'withdrawn' | 'termination-begun'; by: string }
  /** The document was replaced. */
  | { type: 'corrected'; by: string }
  /** The steps ahead were changed; `ahead` are the new ones. */
  | { type: 'rerouted'; by: string; ahead: readonly RequestPoint[] }
  /** The signing sides are no longer those that were announced before; the event changes no state. */
  | { type: 'sides-changed' }
  /** Somebody who is asked has opened the document; changes no state. */
  | ({ type: 'opened' } & AtPoint & { by: string })
  /** Whether the news of a turn reached the people who are asked; changes no state. */
  | ({ type: ReceiptType; receipt: Receipt } & AtPoint)
  /** The sender gave the request a number; changes no state. */
  | { type: 'registered'; by: string }
  /** A point was passed over; changes no state, because nobody is asked there. */
  | { type: 'passed-over'; pointId: string; process: 'signing'; point: PassedPoint }
  | ({ type: 'turn-came' } & AtPoint)
  | ({ type: 'signature-taken' | 'signature-accepted' | 'signature-refused' } & AtPoint & {
        signatureId: string
        by: string
      })
  | ({ type: 'approved' | 'confirmed' | 'rejected' } & AtPoint & { by: string })
  /** The other side proposed a file, or the author declined it. Taking a proposal is a correction. */
  | ({ type: 'proposed' | 'proposal-declined' } & AtPoint & { by: string })
  | ({ type: 'point-done' } & AtPoint & { status: DoneStatus })

/** Events without notifications. */
const quiet: readonly RequestEvent['type'][] = [
  'signature-taken',
  'all-signed',
  'termination-signed',
  'registered',
  'passed-over',
  'opened',
  'delivered',
  'undelivered',
  'rerouted',
  'sides-changed',
]

export function isNews(type: RequestEvent['type']): boolean {
  return !quiet.includes(type)
}
