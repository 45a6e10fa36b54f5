/**
 * What an act brought about is owed to whoever is to be told (`untold_events`, written with the events). Telling pays that
 * debt: the row is taken away, and notices and letters are written, in one transaction. Killed at any moment, everybody is
 * told once. What cannot be told is handed to the queue, which is patient and shows the operator what it gave up.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { AboutNotice } from '@kelisim/db/schema/notifications.ts'
import { defaultNotificationMode, type NotificationMode } from '@kelisim/domain/options/options.ts'
import {
  keyOf,
  noticesOf,
  type Act,
  type Happened,
  type Notice,
} from '@kelisim/domain/notifications/notices.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { findRequest } from '../requests/core/state.ts'
import { letterOf, type Reader } from './emails.ts'
import { findStopped } from './stopped-emails.ts'
import { storyOf, type Told } from './story.ts'
import type { Unsubscribing } from './unsubscribing.ts'
import type { Loaded } from '../requests/core/loaded.ts'
import { announce, ofPerson } from '../requests/core/queries/changes.ts'

export type Untold = { requestId: string; firstNumber: number; lastNumber: number }

export type TellingOutside = {
  database: Database
  queueMail: QueueMail
  publicUrl: URL
  unsubscribing: () => Promise<Unsubscribing>
  clock: () => Date
}

/** Takes one debt and pays it; false: there is none. */
export async function tellNext(
  outside: TellingOutside,
  handOver: (tx: Tx, untold: Untold) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let taken: Untold | undefined
  try {
    return await outside.database.write(async (tx) => {
      taken = await takeUntold(tx)
      if (taken) await tell(tx, taken, outside)
      return taken !== undefined
    })
  } catch (error) {
    onError(error)
    const failed = taken
    if (!failed) return false
    return outside.database.write(async (tx) => {
      const isStillThere = await removeUntold(tx, failed)
      if (isStillThere) await handOver(tx, failed)
      return true
    })
  }
}

/** Tells, again and again, until it is told to stop; then it finishes what it is at. */
export function keepTelling(
  next: () => Promise<boolean>,
  { everyMs = 500, onError }: { everyMs?: number; onError: (error: unknown) => void },
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const told = (async () => {
    while (!signal.aborted) {
      const isMore = await next().catch((error: unknown) => {
        onError(error)
        return false
      })
      if (!isMore) await setTimeout(everyMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await told
    },
  }
}

async function takeUntold(tx: Tx): Promise<Untold | undefined> {
  const { rows } = await sql<Untold>`
    delete from untold_events u using (
      select request_id, first_number from untold_events order by at, request_id, first_number
      limit 1 for update skip locked) next
    where u.request_id = next.request_id and u.first_number = next.first_number
    returning u.request_id as "requestId", u.first_number as "firstNumber", u.last_number as "lastNumber"`.execute(
    tx,
  )
  return rows[0]
}

async function removeUntold(tx: Tx, { requestId, firstNumber }: Untold): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('untoldEvents')
    .where('requestId', '=', requestId)
    .where('firstNumber', '=', firstNumber)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Again and again is the same as once. */
export async function tell(tx: Tx, untold: Untold, outside: TellingOutside): Promise<void> {
  const loaded = await findRequest(tx, untold.requestId)
  if (!loaded) return
  const { act, at, said } = await actOf(tx, loaded, untold)
  const told = await storyOf(tx, loaded, outside.clock())
  const notices = noticesOf(told.story, act).map((notice) => {
    const { by, comment } = said.get(notice.number)!
    const isQuiet = notice.isDiscreet
    const about = {
      asks: notice.asks,
      process: notice.process,
      by: isQuiet ? null : by,
      comment: isQuiet ? '' : comment,
    }
    return { notice, occasion: `e${notice.number}`, about }
  })
  await give(tx, loaded, told, notices, at, outside)
}

export type Given = { notice: Notice; occasion: string; about: AboutNotice }

/** Writes them down, once each, and the letters of those who want them at once. */
export async function give(
  tx: Tx,
  { row }: Loaded,
  { languages }: Told,
  given: readonly Given[],
  at: Date,
  { queueMail, publicUrl, unsubscribing }: Omit<TellingOutside, 'database'>,
): Promise<void> {
  if (given.length === 0) return
  const modes = await findModes(tx, given)
  const stopped = row.isFromLanding ? await findStopped(tx, strangersIn(given)) : new Set<string>()
  const rows = given.map(({ notice: { to, kind, isByLetter }, occasion, about }) => {
    const isStopped = to.userId === null && stopped.has(to.email)
    const mode =
      !isByLetter || to.email === null
        ? ('none' as const)
        : isStopped
          ? ('off' as const)
          : modeOf(modes, to, kind)
    return {
      id: newId(at.getTime()),
      requestId: row.id,
      occasion,
      kind,
      recipient: keyOf(to),
      mode,
      userId: to.userId,
      organizationId: to.organizationId,
      email: to.email,
      number: to.userId === null ? to.number : null,
      createdAt: at,
      readAt: null,
      resentAt: null,
      about: JSON.stringify(about),
      mailId: null,
    }
  })
  const written = await tx
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['requestId', 'occasion', 'kind', 'recipient']).doNothing())
    .returning(['id', 'kind', 'mode', 'userId', 'organizationId', 'email', 'number', 'about'])
    .execute()
  const links = { publicUrl, unsubscribing: await unsubscribing() }
  for (const one of written.filter(({ mode }) => mode === 'at-once')) {
    const reader = readerOf(one, (one.userId && languages.get(one.userId)) || row.language)
    const kind = given.find(({ notice }) => notice.kind === one.kind)!.notice.kind
    const told = {
      requestId: row.id,
      kind,
      about: one.about,
      name: row.name,
      organizationName: row.shortName,
      isFromLanding: row.isFromLanding,
    }
    const id = newId()
    await queueMail(tx, { id, ...letterOf(told, reader, links) })
    await tx.updateTable('notices').set({ mailId: id }).where('id', '=', one.id).execute()
  }
  // Open pages count anew.
  for (const userId of new Set(written.flatMap((one) => one.userId ?? [])))
    await announce(tx, ofPerson(userId), 0)
}

export function readerOf(
  to: { userId: string | null; organizationId: string | null; email: string | null; number: string | null },
  language: Reader['language'],
): Reader {
  const { userId, organizationId, number } = to
  const email = to.email!
  return userId !== null && organizationId !== null
    ? { userId, organizationId, email, language }
    : { userId: null, number, email, language }
}

function strangersIn(given: readonly Given[]): string[] {
  return given.flatMap(({ notice: { to } }) => (to.userId === null ? [to.email] : []))
}

type Modes = { organizationId: string; userId: string; kind: string; mode: NotificationMode }[]

function findModes(db: Db, given: readonly Given[]): Promise<Modes> {
  const people = given.flatMap(({ notice: { to } }) => (to.userId === null ? [] : [to.userId]))
  if (people.length === 0) return Promise.resolve([])
  return db
    .selectFrom('notificationSettings')
    .select(['organizationId', 'userId', 'kind', 'mode'])
    .where('userId', 'in', people)
    .execute()
}

function modeOf(modes: Modes, to: Notice['to'], kind: string): NotificationMode {
  if (to.userId === null) return 'at-once'
  const chosen = modes.find(
    (one) => one.userId === to.userId && one.organizationId === to.organizationId && one.kind === kind,
  )
  return chosen?.mode ?? defaultNotificationMode
}

type ActRead = { act: Act; at: Date; said: Map<number, { by: string | null; comment: string }> }

/** The events as the rule wants them, and what was said with each. */
async function actOf(db: Db, { row }: Loaded, untold: Untold): Promise<ActRead> {
  const events = await db
    .selectFrom('requestEvents as e')
    .leftJoin('requestSignatures as s', (join) =>
      join.on(sql<boolean>`s.id = (e.data ->> 'signatureId')::uuid and e.type = 'signature-accepted'`),
    )
    .select(['e.number', 'e.at', 'e.type', 'e.attempt', 'e.pointId', 'e.comment', 'e.actor'])
    .select(['s.actor as signer', 's.comment as signerComment'])
    .where('e.requestId', '=', row.id)
    .where('e.number', '>=', untold.firstNumber)
    .where('e.number', '<=', untold.lastNumber)
    .orderBy('e.number')
    .execute()
  const [first] = events
  if (!first) throw new Error(`request ${row.id} has no event ${untold.firstNumber}`)
  const deed = first.actor ?? first.signer
  const doer = deed?.id ?? (first.type === 'started' ? row.authorId : null)
  const said = new Map(
    events.map((event) => {
      const actor = event.actor ?? event.signer ?? deed
      return [event.number, { by: actor?.fullName ?? null, comment: event.signerComment ?? event.comment }]
    }),
  )
  return {
    said,
    at: first.at,
    act: {
      doer,
      events: events.map((event): Happened => ({
        number: event.number,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the rule itself
        type: event.type as Happened['type'],
        process: event.pointId !== null && event.attempt > 0 ? 'terminating' : 'signing',
        pointId: event.pointId,
        hasComment: event.comment !== '',
      })),
    },
  }
}
