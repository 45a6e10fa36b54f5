/** The text of a notice: the same in e-mails, under the bell and in the daily digest. */
import type { EmailTone } from '../mail/email.ts'
import type { NotificationKind } from '../options/options.ts'
import type { PointAct } from '../points/point-types.ts'
import type { ProcessKind } from '../requests/status.ts'

export type Wording =
  | PointAct
  | 'later'
  | 'signed'
  | 'termination-signed'
  | 'signature-refused'
  | 'signature-refused-again'
  | 'rejected'
  | 'rejected-inside'
  | 'termination-rejected'
  | 'revoked'
  | 'completed'
  | 'terminating'
  | 'terminating-sign'
  | 'terminating-turn'
  | 'terminated'
  | 'comment'
  | 'decided'
  | 'proposed'
  | 'corrected'
  | 'corrected-again'
  | 'expired'
  | 'overdue'
  | 'escalated'
  | 'escalated-act'
  | 'reminder-sign'
  | 'reminder-approve'
  | 'reminder-confirm'

export type WordedNotice = {
  kind: NotificationKind
  asks: PointAct | null
  process: ProcessKind
  by: string | null
}

export function wordingOf({ kind, asks, process, by }: WordedNotice): Wording {
  switch (kind) {
    case 'request-for-me':
    case 'turn-came':
      if (process === 'terminating') return 'terminating-turn'
      return asks ?? 'later'
    case 'signed':
      return process === 'terminating' ? 'termination-signed' : 'signed'
    case 'rejected':
      if (process === 'terminating') return 'termination-rejected'
      return by === null ? 'rejected-inside' : 'rejected'
    case 'terminating':
      return asks === null ? 'terminating' : 'terminating-sign'
    case 'reminder':
      if (process === 'terminating') return 'terminating-turn'
      return asks === 'approve' || asks === 'confirm' ? `reminder-${asks}` : 'reminder-sign'
    case 'corrected':
      return asks === null || asks === 'inform' ? 'corrected' : 'corrected-again'
    case 'revoked':
      return by === null ? 'expired' : 'revoked'
    case 'escalated':
      return asks === null ? 'escalated' : 'escalated-act'
    case 'signature-refused':
      return asks === null ? 'signature-refused' : 'signature-refused-again'
    case 'overdue':
    case 'proposed':
    case 'completed':
    case 'terminated':
    case 'comment':
    case 'decided':
      return kind
  }
}

/** What a notice means to its reader: the colour of its line in an e-mail. */
export function toneOf(wording: Wording): EmailTone {
  switch (wording) {
    case 'sign':
    case 'approve':
    case 'confirm':
    case 'terminating-sign':
    case 'terminating-turn':
    case 'reminder-sign':
    case 'reminder-approve':
    case 'reminder-confirm':
    case 'overdue':
    case 'escalated':
    case 'escalated-act':
    case 'corrected-again':
    case 'signature-refused-again':
      return 'asks'
    case 'completed':
      return 'done'
    case 'rejected':
    case 'rejected-inside':
    case 'revoked':
    case 'expired':
    case 'terminated':
      return 'stopped'
    case 'inform':
    case 'later':
    case 'signed':
    case 'termination-signed':
    case 'signature-refused':
    case 'termination-rejected':
    case 'terminating':
    case 'comment':
    case 'proposed':
    case 'decided':
    case 'corrected':
      return 'news'
  }
}

const actsOfPeople: ReadonlySet<Wording> = new Set([
  'signed',
  'termination-signed',
  'rejected',
  'termination-rejected',
  'revoked',
  'terminating',
  'terminating-sign',
  'comment',
  'proposed',
  'corrected',
  'corrected-again',
])

/** Whether the notice is about what a person did, and names that person. */
export function namesActor(wording: Wording): boolean {
  return actsOfPeople.has(wording)
}
