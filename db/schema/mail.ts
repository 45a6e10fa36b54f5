import type { Generated, Selectable } from 'kysely'
import type { Language } from '@kelisim/texts/languages.ts'

export type MailTables = {
  mails: {
    id: string
    recipient: string
    language: Language
    subject: string
    text: string
    html: string
    createdAt: Date
    sentAt: Date | null
    attempts: Generated<number>
    lastError: string | null
    /**
     * kept: without an SMTP server (demo) it stays for the mailbox page. refused: rejected by the mail server for good.
     * failed: every attempt failed. uncertain: the server may have accepted it, but its reply was lost.
     */
    state: Generated<'queued' | 'handing-over' | 'sent' | 'refused' | 'failed' | 'uncertain' | 'kept'>
    handedOverAt: Date | null
    replyCode: number | null
    unsubscribeUrl: string | null
    replyTo: string | null
  }
  /** E-mails to strangers on a day; the key of an address is its hash. */
  strangerMailCounts: {
    day: string
    /** One of `strangerLimitKinds` in domain/mail/stranger-limits.ts. */
    kind: string
    key: string
    sent: number
  }
  /** `organizationId` null: e-mails of every sender are stopped. */
  stoppedLetters: { addressHash: Buffer; organizationId: string | null; at: Date }
}

export type MailState = Selectable<MailTables['mails']>['state']
