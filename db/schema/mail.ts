import type { Generated } from 'kysely'
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
    /** null: not delivered yet, or (without an SMTP server) kept for the mailbox page. */
    sentAt: Date | null
    attempts: Generated<number>
    lastError: string | null
  }
}
