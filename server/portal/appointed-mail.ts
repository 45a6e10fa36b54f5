/** Tells a member that an owner appointed them for incoming documents. */
import type { Email } from '@kelisim/domain/mail/email.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'

type Reader = { email: string; language: Language }
type Appointment = {
  by: string
  /** Null: the organisation has proved no name, so the e-mail names none. */
  organization: string | null
}

export function appointedMail(
  { email, language }: Reader,
  { by, organization }: Appointment,
  publicUrl: URL,
): Email {
  const texts = textsOf(language, 'mail')
  return {
    to: email,
    language,
    subject: texts('appointed.subject'),
    status: { tone: 'news', text: texts('appointed.status') },
    paragraphs: [texts('appointed.text', { by })],
    ...(organization !== null && {
      facts: [{ label: texts('appointed.organization'), text: organization }],
    }),
    button: { label: texts('appointed.button'), url: new URL(pages.incomingRequests, publicUrl).href },
  }
}
