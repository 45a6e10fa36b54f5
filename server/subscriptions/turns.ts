/** Letters to the owners about subscriptions that began, will end or have ended: each once. */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { addDays, turnsOf, type TurnKind } from '@kelisim/domain/subscriptions/turns.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { findOwnersMail } from '../identity/confirmation/join-request-queries.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { Subscription } from './queries.ts'

type Outside = { database: Database; queueMail: QueueMail; publicUrl: URL; clock: () => Date }
type Bought = Subscription & { id: string; organizationId: string }

export async function tellTurns({ database, queueMail, publicUrl, clock }: Outside): Promise<void> {
  const now = clock()
  const today = dateInAlmaty(now)
  const bought = await findNear(database, today)
  for (const ofOne of Map.groupBy(bought, (one) => one.organizationId).values()) {
    for (const { subscription, kind } of turnsOf(ofOne, today)) {
      await database.write((tx) => tellOnce(tx, { queueMail, publicUrl }, subscription, kind, now))
    }
  }
}

/** All of every organisation that has one which begins or ends about now. */
function findNear({ db }: Database, today: string): Promise<Bought[]> {
  const [from, to] = [addDays(today, -10), addDays(today, 10)]
  return db
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.organizationId', 's.nameKey', 's.startDate', 's.endDate', 's.maxSigningRequests'])
    .where('s.organizationId', 'in', (eb) =>
      eb
        .selectFrom('subscriptions as near')
        .select('near.organizationId')
        .where((or) => or.or([or.between('near.startDate', from, to), or.between('near.endDate', from, to)])),
    )
    .execute()
}

async function tellOnce(
  tx: Tx,
  { queueMail, publicUrl }: Pick<Outside, 'queueMail' | 'publicUrl'>,
  { id, organizationId, nameKey, startDate, endDate }: Bought,
  kind: TurnKind,
  now: Date,
): Promise<void> {
  const isNew = await tx
    .insertInto('subscriptionLetters')
    .values({ subscriptionId: id, kind, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subscriptionId')
    .executeTakeFirst()
  if (!isNew) return
  const { shortName: organization } = await tx
    .selectFrom('organizations')
    .select('shortName')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
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
