/** E-mails to owners about subscriptions that began, will end or have ended: each is sent once. */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { addDays, dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { newsOf, type NewsKind } from '@kelisim/domain/subscriptions/news.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { findOwnersMail } from '../identity/confirmation/join-request-queries.ts'
import { getOrganizationName } from '../identity/core/queries.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { addSubscriptionEmail, findChangingAbout, type BoughtSubscription } from './queries.ts'

type SubscriptionDependencies = {
  database: Database
  queueMail: QueueMail
  publicUrl: URL
  clock: () => Date
}

export async function mailNews({
  database,
  queueMail,
  publicUrl,
  clock,
}: SubscriptionDependencies): Promise<void> {
  const now = clock()
  const today = dateInAlmaty(now)
  const bought = await findChangingAbout(database.db, addDays(today, -10), addDays(today, 10))
  for (const ofOne of Map.groupBy(bought, (one) => one.organizationId).values()) {
    for (const { subscription, kind } of newsOf(ofOne, today)) {
      await database.write((tx) => mailOnce(tx, { queueMail, publicUrl }, subscription, kind, now))
    }
  }
}

async function mailOnce(
  tx: Tx,
  { queueMail, publicUrl }: Pick<SubscriptionDependencies, 'queueMail' | 'publicUrl'>,
  { id, organizationId, nameKey, startDate, endDate }: BoughtSubscription,
  kind: NewsKind,
  now: Date,
): Promise<void> {
  if (!(await addSubscriptionEmail(tx, { subscriptionId: id, kind, at: now }))) return
  const organization = await getOrganizationName(tx, organizationId)
  const url = new URL(inOrganization(pages.incomingRequests, organizationId), publicUrl).href
  for (const { email, language } of await findOwnersMail(tx, organizationId)) {
    const texts = textsOf(language, 'mail')
    const tariff = textsOf(language, 'shell')(`tariffs.${nameKey}`)
    const values = { organization, tariff, from: shownDate(startDate), to: shownDate(endDate) }
    await queueMail(tx, {
      to: email,
      language,
      subject: texts(`subscription.${kind}.subject`, values),
      paragraphs: [texts(`subscription.${kind}.text`, values)],
      button: { label: texts('subscription.button'), url },
    })
  }
}
