/** Tells a member that a program acts in their name from now on: they were not asked (docs/decisions/031-who-acts-for-a-program.md). */
import { shownDate } from '@kelisim/domain/calendar.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'

export function tokenMail(
  { email, language }: { email: string; language: Language },
  made: { by: string; organization: string; program: string; validUntil: string },
): Email {
  const texts = textsOf(language, 'mail')
  return {
    to: email,
    language,
    subject: texts('tokenInYourName.subject'),
    status: { tone: 'news', text: texts('tokenInYourName.status') },
    paragraphs: [texts('tokenInYourName.text', { by: made.by })],
    facts: [
      { label: texts('tokenInYourName.organization'), text: made.organization },
      { label: texts('tokenInYourName.validUntil'), text: shownDate(made.validUntil) },
    ],
    quotes: [{ label: texts('tokenInYourName.program'), text: made.program }],
  }
}
