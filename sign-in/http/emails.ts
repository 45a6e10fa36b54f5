/**
 * The e-mails of this service. They contain nothing typed by the person who caused them, so that nobody can send their
 * own text to a stranger in our name.
 */
import type { Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsIn } from './visit.ts'

type Recipient = { email: string; language: Language }
type Kind =
  | 'confirm'
  | 'exists'
  | 'reset'
  | 'changed'
  | 'secondOn'
  | 'secondOff'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeyCopied'
  | 'keyLinked'

export function emailOf(kind: Kind, { email, language }: Recipient, url: URL): Email {
  const t = textsIn(language)
  return {
    to: email,
    language,
    subject: t(`email.${kind}.subject`),
    paragraphs: [t(`email.${kind}.text`), t(`email.${kind}.ignore`)],
    button: { label: t(`email.${kind}.button`), url: url.href },
  }
}
