/** The letter of the day: everything that a person wants to hear of once a day, in one letter for each organisation. */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { notificationKinds } from '@kelisim/domain/options/options.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { harmless } from '@kelisim/domain/mail/email.ts'
import { maySee } from '@kelisim/domain/requests/permissions.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { findNotificationModes } from '../options/queries.ts'
import { partyOf } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import { addressOf, settingsAddress, subjectOf, unsubscribeAddress } from './emails.ts'
import { readerOf, type TellingOutside } from './telling.ts'

/** A letter is not a list: beyond this the bell tells the rest. */
const mostItems = 50

/** Whoever comes second finds nothing left to tell. */
export async function sendDigests(outside: TellingOutside): Promise<void> {
  for (const reader of await findReaders(outside.database)) {
    await outside.database.write((tx) => sendDigest(tx, reader, outside))
  }
}

type DigestReader = { userId: string; organizationId: string }

async function findReaders({ db }: Database): Promise<DigestReader[]> {
  const rows = await db
    .selectFrom('notices')
    .select(['userId', 'organizationId'])
    .distinct()
    .where('mode', '=', 'daily')
    .where('mailId', 'is', null)
    .execute()
  return rows.flatMap(({ userId, organizationId }) =>
    userId !== null && organizationId !== null ? [{ userId, organizationId }] : [],
  )
}

async function sendDigest(tx: Tx, reader: DigestReader, outside: TellingOutside): Promise<void> {
  const { userId, organizationId } = reader
  const notices = await tx
    .selectFrom('notices as n')
    .innerJoin('signingRequests as r', 'r.id', 'n.requestId')
    .innerJoin('organizations as o', 'o.id', 'r.organizationId')
    .select([
      'n.id',
      'n.requestId',
      'n.kind',
      'n.about',
      'n.readAt',
      'r.name',
      'o.shortName as organizationName',
    ])
    .where('n.userId', '=', userId)
    .where('n.organizationId', '=', organizationId)
    .where('n.mode', '=', 'daily')
    .where('n.mailId', 'is', null)
    .orderBy('n.createdAt', 'desc')
    .orderBy('n.id', 'desc')
    .forUpdate('n')
    .execute()
  const person = await findPerson(tx, reader)
  const modes = await findNotificationModes(tx, organizationId, userId)
  const seen = person ? await findSeen(tx, reader, person.roles, notices, outside.clock()) : new Set()
  // What they have read meanwhile is no news; of what they want to hear no more, or may not see, nothing is said.
  const wanted = notices.flatMap((notice) => {
    const kind = notificationKinds.find((one) => one === notice.kind)
    const isWanted = kind && person?.email && notice.readAt === null && modes.get(kind) !== 'off'
    return isWanted && seen.has(notice.requestId) ? [{ ...notice, kind }] : []
  })
  const dropped = notices.filter(({ id }) => !wanted.some((one) => one.id === id)).map(({ id }) => id)
  if (dropped.length > 0)
    await tx.updateTable('notices').set({ mode: 'off' }).where('id', 'in', dropped).execute()
  if (!person?.email || wanted.length === 0) return

  const { publicUrl, unsubscribing, queueMail } = outside
  const { language, email, shortName } = person
  const texts = textsOf(language, 'notifications')
  const to = readerOf({ userId, organizationId, email, number: null }, language)
  const organization = harmless(shortName)
  const kinds = [...new Set(wanted.map(({ kind }) => kind))]
  const id = newId()
  await queueMail(tx, {
    id,
    to: email,
    language,
    subject: texts('letter.digest.subject', { count: wanted.length, organization }),
    paragraphs: [
      texts('letter.digest.text', { organization }),
      ...(wanted.length > mostItems ? [texts('letter.digest.more')] : []),
    ],
    items: wanted.slice(0, mostItems).map((notice) => ({
      text: subjectOf(notice, language),
      url: addressOf(notice.requestId, to, publicUrl),
    })),
    button: {
      label: texts('letter.digest.button'),
      url: new URL(inOrganization(pages.incomingRequests, organizationId), publicUrl).href,
    },
    choice: {
      settingsUrl: settingsAddress(organizationId, publicUrl),
      unsubscribeUrl: unsubscribeAddress(
        kinds,
        reader,
        { publicUrl, unsubscribing: await unsubscribing() },
        true,
      ),
    },
  })
  const told = wanted.map((notice) => notice.id)
  await tx.updateTable('notices').set({ mailId: id }).where('id', 'in', told).execute()
}

/** Those of the requests that the person sees now: much may have changed since they were told. */
async function findSeen(
  tx: Tx,
  { userId, organizationId }: DigestReader,
  roles: number,
  notices: readonly { requestId: string }[],
  now: Date,
): Promise<Set<string>> {
  const { viewer } = await partyOf(tx, { userId, member: { organizationId, roles } }, now)
  const requests = await findRequestsAmong(tx, [...new Set(notices.map(({ requestId }) => requestId))])
  const seen = requests.filter(({ row, request }) => maySee({ ...row, points: request.points }, viewer))
  return new Set(seen.map(({ row }) => row.id))
}

function findPerson(tx: Tx, { userId, organizationId }: DigestReader) {
  return tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['u.email', 'u.language', 'o.shortName', 'm.roles'])
    .where('m.userId', '=', userId)
    .where('m.organizationId', '=', organizationId)
    .where('u.isEmailConfirmed', '=', true)
    .executeTakeFirst()
}
