/** Daily e-mails: all notices that a person wants once a day, in one e-mail for each organisation. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { notificationKinds } from '@kelisim/domain/options/options.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { harmless } from '@kelisim/domain/mail/email.ts'
import { maySee, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { findNotificationModes } from '../options/queries.ts'
import { partyOf } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import {
  isColleague,
  nameQuote,
  requestAddress,
  settingsAddress,
  subjectOf,
  unsubscribeAddress,
} from './emails.ts'
import { emailRecipientOf, type NotificationDependencies } from './delivery.ts'
import { saveMailOf } from './queries/delivery.ts'
import {
  findDigestRecipients,
  lockDailyNotices,
  turnOffNotices,
  type DigestRecipient,
} from './queries/digests.ts'
import { findReachableMember } from './queries/people.ts'

/** Further notices are shown only under the bell. */
const mostItems = 50

/** If two processes run at once, the second finds no notices. */
export async function sendDigests(dependencies: NotificationDependencies): Promise<void> {
  for (const recipient of await findDigestRecipients(dependencies.database.db)) {
    await dependencies.database.write((tx) => sendDigest(tx, recipient, dependencies))
  }
}

async function sendDigest(
  tx: Tx,
  recipient: DigestRecipient,
  dependencies: NotificationDependencies,
): Promise<void> {
  const { userId, organizationId } = recipient
  const notices = await lockDailyNotices(tx, recipient)
  const person = await findReachableMember(tx, recipient)
  const modes = await findNotificationModes(tx, organizationId, userId)
  const seen = person
    ? await findVisibleRequests(tx, recipient, person.roles, notices, dependencies.clock())
    : new Set()
  // Left out: notices that they have read, kinds that they have turned off since, and requests that they may no
  // longer see.
  const wanted = notices.flatMap((notice) => {
    const kind = notificationKinds.find((one) => one === notice.kind)
    const isWanted = kind && person?.email && notice.readAt === null && modes.get(kind) !== 'off'
    return isWanted && seen.has(notice.requestId) ? [{ ...notice, kind }] : []
  })
  const dropped = notices.filter(({ id }) => !wanted.some((one) => one.id === id)).map(({ id }) => id)
  await turnOffNotices(tx, dropped)
  if (!person?.email || wanted.length === 0) return

  const { publicUrl, queueMail } = dependencies
  const links = { publicUrl, signedLinks: await dependencies.signedLinks() }
  const { language, email, shortName } = person
  const texts = textsOf(language, 'notifications')
  const to = emailRecipientOf({ userId, organizationId, email, number: null }, language)
  const organization = harmless(shortName)
  const kinds = [...new Set(wanted.map(({ kind }) => kind))]
  const id = newId()
  await queueMail(tx, {
    id,
    to: email,
    language,
    subject: texts('email.digest.subject', { count: wanted.length, organization }),
    paragraphs: [
      texts('email.digest.text', { organization }),
      ...(wanted.length > mostItems ? [texts('email.digest.more')] : []),
    ],
    items: wanted.slice(0, mostItems).map((notice) => {
      const sender = {
        organizationId: notice.senderId,
        bin: notice.senderBin,
        confirmedAt: notice.senderConfirmedAt,
      }
      return {
        text: subjectOf({ ...notice, sender }, to),
        url: requestAddress(notice.requestId, to, links),
        ...(!isColleague(sender, to) && { quote: nameQuote(notice.name, language) }),
      }
    }),
    button: {
      label: texts('email.digest.button'),
      url: new URL(inOrganization(pages.incomingRequests, organizationId), publicUrl).href,
    },
    choice: {
      settingsUrl: settingsAddress(organizationId, publicUrl),
      unsubscribeUrl: unsubscribeAddress(kinds, recipient, links, true),
    },
  })
  const sent = wanted.map((notice) => notice.id)
  await saveMailOf(tx, sent, id)
}

/** The requests that the person may see now, because their rights may have changed since. */
async function findVisibleRequests(
  tx: Tx,
  { userId, organizationId }: DigestRecipient,
  roles: number,
  notices: readonly { requestId: string }[],
  now: Date,
): Promise<Set<string>> {
  const { viewer } = await partyOf(tx, { userId, member: { organizationId, roles } }, now)
  const requests = await findRequestsAmong(tx, [...new Set(notices.map(({ requestId }) => requestId))])
  const seen = requests.filter(({ row, request }) => maySee(seenOf(row, request), viewer))
  return new Set(seen.map(({ row }) => row.id))
}
