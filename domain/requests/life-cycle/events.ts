/** What has happened to a request. Its state follows from its events (`apply`), and most of them are told to people. */
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
  /** Nobody withdrew it: its last day is over. */
  | { type: 'expired' }
  | ({ type: 'due-soon' | 'overdue' } & AtPoint)
  /** `mayAct` if others than before may answer at the point from now on. */
  | ({ type: 'escalated'; mayAct: boolean } & AtPoint)
  | { type: 'withdrawn' | 'termination-begun'; by: string }
  /** The document was replaced. */
  | { type: 'corrected'; by: string }
  /** The steps ahead were changed: `ahead` are those that there are now. */
  | { type: 'rerouted'; by: string; ahead: readonly RequestPoint[] }
  /** Others sign than was told before: it changes nothing else. */
  | { type: 'sides-changed' }
  /** Somebody who is asked has opened the document: it changes nothing. */
  | ({ type: 'opened' } & AtPoint & { by: string })
  /** Whether the news of a turn reached those who are asked: it changes nothing. */
  | ({ type: ReceiptType; receipt: Receipt } & AtPoint)
  /** The sender gave it a number: it changes nothing else. */
  | { type: 'registered'; by: string }
  /** It changes nothing: nobody is asked there. */
  | { type: 'passed-over'; pointId: string; process: 'signing'; point: PassedPoint }
  | ({ type: 'turn-came' } & AtPoint)
  | ({ type: 'signature-taken' | 'signature-accepted' | 'signature-refused' } & AtPoint & {
        signatureId: string
        by: string
      })
  | ({ type: 'approved' | 'confirmed' | 'rejected' } & AtPoint & { by: string })
  /** The other side proposed a file; the author declined it. Taking it is a correction. */
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
