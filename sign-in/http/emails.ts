/**
 * The letters of this service. They hold no word of the person who caused them: whoever types a stranger's
 * address into a form cannot write to the stranger in our name.
 */
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsIn } from './visit.ts'

type Recipient = { email: string; language: Language }
type Kind = 'confirm' | 'exists' | 'reset' | 'changed'

export function emailOf(kind: Kind, { email, language }: Recipient, url: URL): Email {
  const t = textsIn(language)
  return {
    to: email,
    language,
    subject: t(`letter.${kind}.subject`),
    paragraphs: [t(`letter.${kind}.text`), t(`letter.${kind}.ignore`)],
    button: { label: t(`letter.${kind}.button`), url: url.href },
  }
}
