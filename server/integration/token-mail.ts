/**
 * Tells a member that a program acts in their name from now on, because they were not asked
 * (docs/decisions/031-who-acts-for-a-program.md).
 */
import { shownDate } from '@kelisim/domain/calendar.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'

export function tokenMail(
  { email, language }: { email: string; language: Language },
  made: {
    by: string
    /** Null: the organisation has proved no name, so the e-mail contains none of its words. */
    typed: { organization: string; program: string } | null
    validUntil: string
  },
): Email {
  const texts = textsOf(language, 'mail')
  return {
    to: email,
    language,
    subject: texts('tokenInYourName.subject'),
    status: { tone: 'news', text: texts('tokenInYourName.status') },
    paragraphs: [texts('tokenInYourName.text', { by: made.by })],
    facts: [
      ...(made.typed
        ? [{ label: texts('tokenInYourName.organization'), text: made.typed.organization }]
        : []),
      { label: texts('tokenInYourName.validUntil'), text: shownDate(made.validUntil) },
    ],
    ...(made.typed && {
      quotes: [{ label: texts('tokenInYourName.program'), text: made.typed.program }],
    }),
  }
}
