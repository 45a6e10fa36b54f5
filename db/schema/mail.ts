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
     * kept: without an SMTP server (demo) it stays for the mailbox page. refused: the mail server said that it never will.
     * failed: all tries were in vain. uncertain: the server may have it, and nobody was left to hear its answer.
     */
    state: Generated<'queued' | 'handing-over' | 'sent' | 'refused' | 'failed' | 'uncertain' | 'kept'>
    handedOverAt: Date | null
    replyCode: number | null
    unsubscribeUrl: string | null
    replyTo: string | null
  }
}

export type MailState = Selectable<MailTables['mails']>['state']
