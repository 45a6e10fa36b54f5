/** Who was told of a request and how each letter fared; sent once more, and reminded of, by its author or an owner. */
import type * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import { notificationKinds } from '@kelisim/domain/options/options.ts'
import { reasonOf } from '@kelisim/domain/mail/delivery.ts'
import { mayRemind, whyNotResend } from '@kelisim/domain/notifications/again.ts'
import { remindersOf } from '@kelisim/domain/notifications/notices.ts'
import {
  getLetters,
  LetterView,
  remindOfRequest,
  resendLetter,
  type LetterState,
} from '@kelisim/domain/notifications/emails-contract.ts'
import { mayEditRequest, maySee } from '@kelisim/domain/requests/permissions.ts'
import type { Serve } from '../http/serve.ts'
import { findNotificationModes } from '../options/queries.ts'
import { lockSeenRequest, partyOf, seenRequest, type Party } from '../requests/core/party.ts'
import { letterOf } from './emails.ts'
import { findLastReminder, remind } from './reminders.ts'
import { findStopped } from './stopped-emails.ts'
import { storyOf } from './story.ts'
import { readerOf, type TellingOutside } from './telling.ts'
import type { Loaded } from '../requests/core/loaded.ts'

export function letterHandlers(serve: Serve, outside: TellingOutside): void {
  serve(getLetters, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await seenRequest(db, input.signingRequestId, party)
    // Whom the sender told is the sender's own affair.
    if (!mayLook(loaded, party)) refuse('signing-request-not-found')
    const [items, totalCount, reminder] = await Promise.all([
      lettersOf(db, loaded.row.id).offset(input.skip).limit(input.take).execute(),
      countLetters(db, loaded.row.id),
      reminderView(db, loaded, party, now),
    ])
    const resent = await findResent(db, loaded.row.id)
    return { items: items.map((row) => letterView(row, loaded, resent, now)), totalCount, reminder }
  })

  serve(resendLetter, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    return write(async (tx) => {
      const loaded = await lockSeenRequest(tx, input.signingRequestId, party)
      if (!mayLook(loaded, party)) refuse('not-enough-permissions')
      const row = await lettersOf(tx, loaded.row.id).where('n.id', '=', input.noticeId).executeTakeFirst()
      if (!row) return refuse('letter-not-found')
      const resent = await findResent(tx, loaded.row.id)
      const alias = whyNotResend({ state: stateOf(row), resentAt: resent.get(row.recipient) ?? null }, now)
      if (alias) refuse(alias)
      const email = (await addressNow(tx, row, loaded, now)) ?? refuse('letter-not-found')
      const { name, shortName: organizationName, language } = loaded.row
      const kind = LetterView.shape.kind.parse(row.kind)
      const { isFromLanding } = loaded.row
      const told = { requestId: loaded.row.id, kind, about: row.about, name, organizationName, isFromLanding }
      const links = { publicUrl: outside.publicUrl, unsubscribing: await outside.unsubscribing() }
      const id = newId()
      await outside.queueMail(tx, {
        id,
        ...letterOf(told, readerOf({ ...row, email }, row.language ?? language), links),
      })
      await tx
        .updateTable('notices')
        .set({ email, mailId: id, resentAt: now })
        .where('id', '=', row.id)
        .execute()
      const fresh = await lettersOf(tx, loaded.row.id).where('n.id', '=', row.id).executeTakeFirstOrThrow()
      return letterView(fresh, loaded, resent.set(row.recipient, now), now)
    })
  })

  serve(remindOfRequest, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    return write(async (tx) => {
      const loaded = await lockSeenRequest(tx, input.signingRequestId, party)
      if (!mayLook(loaded, party)) refuse('not-enough-permissions')
      if (!mayRemind(await findLastReminder(tx, loaded.row.id, 'hand'), now)) refuse('reminded-recently')
      const told = await remind(tx, loaded, who.userId, { ...outside, clock: () => now })
      if (told === 0) refuse('nobody-to-remind')
      return reminderView(tx, loaded, party, now)
    })
  })
}

function mayLook({ row, request }: Loaded, { viewer }: Party): boolean {
  return mayEditRequest({ ...row, points: request.points }, viewer)
}

/**
 * Where to write to them once more; null: nowhere. Who has left the organisation, may not see the request any more or wants
 * no letters of this kind is not written to; whoever has another address by now is written to there.
 */
async function addressNow(
  tx: Tx,
  { email, userId, kind, organizationId, roles, emailNow, isEmailConfirmed }: LetterRow,
  { row, request }: Loaded,
  now: Date,
): Promise<string | null> {
  if (userId === null) {
    const isStopped = row.isFromLanding && email !== null && (await findStopped(tx, [email])).size > 0
    return isStopped ? null : email
  }
  if (organizationId === null || roles === null || !emailNow || !isEmailConfirmed) return null
  const modes = await findNotificationModes(tx, organizationId, userId)
  const isOff = notificationKinds.some((one) => one === kind && modes.get(one) === 'off')
  const { viewer } = await partyOf(tx, { userId, member: { organizationId, roles } }, now)
  return isOff || !maySee({ ...row, points: request.points }, viewer) ? null : emailNow
}

async function reminderView(db: Db, loaded: Loaded, { viewer }: Party, now: Date) {
  const [lastByHand, lastByClock] = await Promise.all([
    findLastReminder(db, loaded.row.id, 'hand'),
    findLastReminder(db, loaded.row.id, 'clock'),
  ])
  const { story } = await storyOf(db, loaded, now)
  const isSomebody = remindersOf(story).some(({ to }) => to.userId !== viewer.id)
  const times = [lastByHand, lastByClock].flatMap((at) => at?.toISOString() ?? []).toSorted()
  return { lastAt: times.at(-1) ?? null, canRemind: isSomebody && mayRemind(lastByHand, now) }
}

/** The language is there for who is still a member. */
function lettersOf(db: Db, requestId: string) {
  return db
    .selectFrom('notices as n')
    .leftJoin('mails as m', 'm.id', 'n.mailId')
    .leftJoin('organizations as o', 'o.id', 'n.organizationId')
    .leftJoin('memberships as s', (join) =>
      join.onRef('s.organizationId', '=', 'n.organizationId').onRef('s.userId', '=', 'n.userId'),
    )
    .leftJoin('users as u', 'u.id', 's.userId')
    .select(['n.id', 'n.kind', 'n.about', 'n.createdAt', 'n.recipient', 'n.mode', 'n.userId', 'n.email'])
    .select(['n.organizationId', 'n.number', 'o.shortName', 'u.fullName', 'u.language'])
    .select(['s.roles', 'u.email as emailNow', 'u.isEmailConfirmed'])
    .select(['m.state', 'm.lastError', 'm.replyCode', 'm.createdAt as writtenAt'])
    .where('n.requestId', '=', requestId)
    .orderBy('n.createdAt', 'desc')
    .orderBy('n.id', 'desc')
}

type LetterRow = Awaited<ReturnType<ReturnType<typeof lettersOf>['executeTakeFirstOrThrow']>>

async function countLetters(db: Db, requestId: string): Promise<number> {
  const some = db
    .selectFrom('notices')
    .select('id')
    .where('requestId', '=', requestId)
    .limit(countLimit + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** When each recipient was last written to once more. */
async function findResent(db: Db, requestId: string): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('notices')
    .select(({ fn }) => ['recipient', fn.max('resentAt').as('resentAt')])
    .where('requestId', '=', requestId)
    .where('resentAt', 'is not', null)
    .groupBy('recipient')
    .execute()
  return new Map(rows.flatMap(({ recipient, resentAt }) => (resentAt ? [[recipient, resentAt]] : [])))
}

/** Of the letter; where there is none, why. */
function stateOf({ mode, state }: LetterRow): LetterState {
  return state ?? (mode === 'at-once' ? 'none' : mode)
}

function letterView(
  row: LetterRow,
  loaded: Loaded,
  resent: Map<string, Date>,
  now: Date,
): z.input<typeof LetterView> {
  const state = stateOf(row)
  const isOurs = row.organizationId === loaded.row.organizationId
  const isStranger = row.userId === null
  const hasFailed =
    state === 'refused' || state === 'failed' || (state === 'queued' && row.lastError !== null)
  const isGone = !isStranger && row.language === null
  return {
    noticeId: row.id,
    kind: LetterView.shape.kind.parse(row.kind),
    at: (row.writtenAt ?? row.createdAt).toISOString(),
    recipient: isStranger ? null : isOurs ? row.fullName : row.shortName,
    address: row.email === null || isOurs || isStranger ? row.email : masked(row.email),
    state,
    reason: hasFailed
      ? reasonOf(row.replyCode, row.lastError ?? '')
      : state === 'uncertain'
        ? 'no-answer'
        : null,
    answer: hasFailed && (isOurs || isStranger) ? (row.lastError ?? '') : '',
    canResend:
      !isGone &&
      row.email !== null &&
      whyNotResend({ state, resentAt: resent.get(row.recipient) ?? null }, now) === null,
  }
}

/** Whose people they are knows their addresses; others see that it is one. */
function masked(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${domain}`
}
