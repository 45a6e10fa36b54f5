/**
 * The e-mail of a notice. Text that people typed is quoted with who typed it, because a reader may not know them; the
 * subject contains such text only for people of the sending organisation.
 */
import type { AboutNotice } from '@kelisim/db/schema/notifications.ts'
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import type { NotificationKind } from '@kelisim/domain/options/options.ts'
import { correctionPage, inOrganization, memberRequestPage, pages } from '@kelisim/domain/pages.ts'
import { harmless, type Email, type Fact, type Quote } from '@kelisim/domain/mail/email.ts'
import { unsubscribePath } from '@kelisim/domain/notifications/contract.ts'
import { namesActor, toneOf, wordingOf } from '@kelisim/domain/notifications/wording.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { stopAddress } from '../mail/stopped-emails.ts'
import { entryAddress, type SignedLinks } from '../mail/signed-links.ts'

export type NoticeContent = {
  requestId: string
  kind: NotificationKind
  about: AboutNotice
  /** The name of the request. */
  name: string
  organizationName: string
  /** The sending organisation, and when its key proved its number. */
  sender: { organizationId: string; bin: string; confirmedAt: Date | null }
  /** The number of the newest revision of the document. */
  revision: number
  /** The name of the package in which the request was sent; null: it was sent alone. */
  packageName: string | null
  /** How many points of the process are done. */
  progress: { done: number; total: number }
}

export type EmailRecipient = { email: string; language: Language } & (
  | { userId: string; organizationId: string }
  | { userId: null; number: string | null }
)

type Links = { publicUrl: URL; signedLinks: SignedLinks }

export function noticeEmail(
  content: NoticeContent,
  recipient: EmailRecipient,
  links: Links,
): Omit<Email, 'id'> {
  const texts = textsOf(recipient.language, 'notifications')
  const hasNoAccount = recipient.userId === null
  const wording = wordingOf({ kind: content.kind, ...content.about })
  return {
    to: recipient.email,
    language: recipient.language,
    subject: subjectOf(content, recipient),
    status: { tone: toneOf(wording), text: texts(`what.${wording}.title`) },
    heading: texts(`email.text.${wording}`),
    paragraphs: [
      ...(content.packageName === null ? [] : [texts('email.inPackage')]),
      ...(hasNoAccount && recipient.number !== null
        ? [texts('email.outsider', { number: inGroups(recipient.number) })]
        : []),
    ],
    facts: factsOf(content, recipient),
    quotes: quotesOf(content, recipient),
    button: {
      label: texts(`email.button.${askedAct(content)}`),
      url: requestAddress(content.requestId, recipient, links),
    },
    items: comparisonsOf(content, recipient, links),
    ...(hasNoAccount && {
      choice: { unsubscribeUrl: stopAddress(recipient.email, content.sender.organizationId, links) },
    }),
    ...(!hasNoAccount && {
      choice: {
        settingsUrl: settingsAddress(recipient.organizationId, links.publicUrl),
        unsubscribeUrl: unsubscribeAddress([content.kind], recipient, links),
      },
    }),
  }
}

/** A direct link to the comparison of a corrected document for people with an account; others enter by the button. */
function comparisonsOf(
  { kind, requestId, revision }: NoticeContent,
  recipient: EmailRecipient,
  { publicUrl }: Links,
): NonNullable<Email['items']> {
  if (kind !== 'corrected' || revision < 2 || recipient.userId === null) return []
  const page = inOrganization(correctionPage(requestId, revision), recipient.organizationId)
  const text = textsOf(recipient.language, 'notifications')('email.compare')
  return [{ text, url: new URL(page, publicUrl).href }]
}

function quotesOf(
  { kind, name, about, sender, packageName }: NoticeContent,
  recipient: EmailRecipient,
): Quote[] {
  const texts = textsOf(recipient.language, 'notifications')
  const { by, comment } = about
  const reader = isColleague(sender, recipient) ? 'colleague' : 'other'
  return [
    { label: texts(`email.quotes.${reader}.name`), text: name },
    ...(packageName === null ? [] : [{ label: texts(`email.quotes.${reader}.package`), text: packageName }]),
    ...(by !== null && namesActor(wordingOf({ kind, ...about }))
      ? [{ label: texts(`email.quotes.${reader}.by`), text: by }]
      : []),
    // Comments are sent only to people with an account.
    ...(comment !== '' && recipient.userId !== null
      ? [{ label: texts(`email.quotes.${reader}.comment`), text: comment }]
      : []),
  ]
}

/** Quotes the name of a request for readers of other organisations, telling them that the sender chose it. */
export function nameQuote(name: string, language: Language): Quote {
  return { label: textsOf(language, 'notifications')('email.quotes.other.name'), text: name }
}

export function isColleague(sender: { organizationId: string }, recipient: EmailRecipient): boolean {
  return recipient.userId !== null && recipient.organizationId === sender.organizationId
}

/** The act that the button leads to. */
function askedAct({ kind, about }: NoticeContent): 'sign' | 'approve' | 'confirm' | 'other' {
  if (toneOf(wordingOf({ kind, ...about })) !== 'asks') return 'other'
  return about.process === 'signing' && (about.asks === 'approve' || about.asks === 'confirm')
    ? about.asks
    : 'sign'
}

/**
 * People of other organisations see the proved name and number of the sender; colleagues see the progress of the
 * request.
 */
function factsOf({ organizationName, sender, progress }: NoticeContent, recipient: EmailRecipient): Fact[] {
  const texts = textsOf(recipient.language, 'notifications')
  if (isColleague(sender, recipient)) {
    return [{ label: texts('email.progress.label'), text: texts('email.progress.text', progress) }]
  }
  if (sender.confirmedAt === null) return []
  const number = inGroups(sender.bin)
  return [
    {
      label: texts('email.sender.label'),
      text: texts('email.sender.text', { organization: harmless(organizationName), number }),
      note: texts('email.sender.proof', { date: shownDate(dateInAlmaty(sender.confirmedAt)) }),
    },
  ]
}

/** The subject names the request for colleagues, and for others the proved name of its sender. */
export function subjectOf(
  {
    kind,
    about,
    name,
    organizationName,
    sender,
  }: Omit<NoticeContent, 'requestId' | 'progress' | 'revision' | 'packageName'>,
  recipient: EmailRecipient,
): string {
  const texts = textsOf(recipient.language, 'notifications')
  const title = texts(`what.${wordingOf({ kind, ...about })}.title`)
  if (isColleague(sender, recipient)) return texts('email.subject', { title, name: harmless(name, 100) })
  if (sender.confirmedAt === null) return title
  return texts('email.subjectOutside', { title, organization: harmless(organizationName, 100) })
}

/** Members open the request for their organisation; people without an account prove their number there. */
export function requestAddress(requestId: string, recipient: EmailRecipient, links: Links): string {
  if (recipient.userId === null) return entryAddress({ requestId, number: recipient.number }, links)
  const page = inOrganization(memberRequestPage(requestId), recipient.organizationId)
  return new URL(page, links.publicUrl).href
}

export function settingsAddress(organizationId: string, publicUrl: URL): string {
  return new URL(inOrganization(pages.notificationSettings, organizationId), publicUrl).href
}

export function unsubscribeAddress(
  kinds: readonly NotificationKind[],
  { userId, organizationId }: { userId: string; organizationId: string },
  { publicUrl, signedLinks }: Links,
  isDaily = false,
): string {
  const token = signedLinks.tokenOf({ kinds, isDaily, userId, organizationId })
  return new URL(unsubscribePath(token), publicUrl).href
}
