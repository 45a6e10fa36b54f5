/** What a notice says by letter. Whatever people typed is on its way to others: it is made harmless and short. */
import type { AboutNotice } from '@kelisim/db/schema/notifications.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import type { NotificationKind } from '@kelisim/domain/options/options.ts'
import { inOrganization, memberRequestPage, pages, requestPage } from '@kelisim/domain/pages.ts'
import { harmless, type Letter } from '@kelisim/domain/mail/email.ts'
import { stopPath, unsubscribePath } from '@kelisim/domain/notifications/contract.ts'
import { wordingOf } from '@kelisim/domain/notifications/wording.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { addressHash } from './stopped-emails.ts'
import type { Unsubscribing } from './unsubscribing.ts'

export type ToldOf = {
  requestId: string
  kind: NotificationKind
  about: AboutNotice
  /** Of the request, and of its sender. */
  name: string
  organizationName: string
  /** Sent by somebody without an account: whoever gets the letter knows nothing of us, and may want no more of them. */
  isFromLanding: boolean
}

export type Reader = { email: string; language: Language } & (
  | { userId: string; organizationId: string }
  | { userId: null; number: string | null }
)

type Links = { publicUrl: URL; unsubscribing: Unsubscribing }

export function letterOf(told: ToldOf, reader: Reader, links: Links): Omit<Letter, 'id'> {
  const texts = textsOf(reader.language, 'notifications')
  const { comment } = told.about
  const isStranger = reader.userId === null
  return {
    to: reader.email,
    language: reader.language,
    subject: subjectOf(told, reader.language),
    paragraphs: [
      texts(`what.${wordingOf({ kind: told.kind, ...told.about })}.text`, namesOf(told)),
      // What somebody wrote is for those who know them.
      ...(comment !== '' && !isStranger ? [texts('letter.comment', { comment: harmless(comment) })] : []),
      ...(isStranger && reader.number !== null
        ? [texts('letter.outsider', { number: inGroups(reader.number) })]
        : []),
    ],
    button: { label: texts('letter.button'), url: addressOf(told.requestId, reader, links.publicUrl) },
    ...(isStranger && told.isFromLanding && { choice: { unsubscribeUrl: stopAddress(reader.email, links) } }),
    ...(!isStranger && {
      choice: {
        settingsUrl: settingsAddress(reader.organizationId, links.publicUrl),
        unsubscribeUrl: unsubscribeAddress([told.kind], reader, links),
      },
    }),
  }
}

export function subjectOf(told: Omit<ToldOf, 'isFromLanding'>, language: Language): string {
  const texts = textsOf(language, 'notifications')
  const title = texts(`what.${wordingOf({ kind: told.kind, ...told.about })}.title`)
  return texts('letter.subject', { title, name: harmless(told.name, 100) })
}

function namesOf({ name, organizationName, about }: Omit<ToldOf, 'isFromLanding'>): Record<string, string> {
  return {
    name: harmless(name),
    organization: harmless(organizationName),
    by: about.by === null ? harmless(organizationName) : harmless(about.by),
  }
}

/** Opens the request in the name of the organisation; who has no account proves the number it is for. */
export function addressOf(requestId: string, reader: Reader, publicUrl: URL): string {
  if (reader.userId !== null) {
    return new URL(inOrganization(memberRequestPage(requestId), reader.organizationId), publicUrl).href
  }
  const url = new URL(requestPage(requestId), publicUrl)
  if (reader.number !== null) url.searchParams.set('number', reader.number)
  return url.href
}

export function stopAddress(email: string, { publicUrl, unsubscribing }: Links): string {
  return new URL(stopPath(unsubscribing.stopTokenOf(addressHash(email))), publicUrl).href
}

export function settingsAddress(organizationId: string, publicUrl: URL): string {
  return new URL(inOrganization(pages.notificationSettings, organizationId), publicUrl).href
}

export function unsubscribeAddress(
  kinds: readonly NotificationKind[],
  { userId, organizationId }: { userId: string; organizationId: string },
  { publicUrl, unsubscribing }: Links,
  isDaily = false,
): string {
  const token = unsubscribing.tokenOf({ kinds, isDaily, userId, organizationId })
  return new URL(unsubscribePath(token), publicUrl).href
}
