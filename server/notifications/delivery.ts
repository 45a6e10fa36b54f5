/**
 * Delivers notifications after an act is committed. The act saves which events are pending (`untold_events`); delivery
 * deletes that row and adds notices and e-mails in one transaction, so everybody is notified exactly once even if the
 * process is killed. A delivery that fails is handed to the job queue, which retries it and shows failures to the operator.
 */
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { AboutNotice } from '@kelisim/db/schema/notifications.ts'
import {
  defaultNotificationMode,
  type NotificationKind,
  type NotificationMode,
} from '@kelisim/domain/options/options.ts'
import {
  recipientKey,
  noticesOf,
  tellsNobody,
  type NotifiedAct,
  type NotifiedEvent,
  type Notice,
} from '@kelisim/domain/notifications/notices.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { isDone, pointsOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { findRequest } from '../requests/core/state.ts'
import { noticeEmail, type EmailRecipient, type NoticeContent } from './emails.ts'
import type { RequestRow } from '../requests/core/queries/rows.ts'
import { notificationContext, type NotificationContext } from './notification-context.ts'
import {
  addNoticeRows,
  findChosenModes,
  findEventsOf,
  findMailedInPackage,
  lockPackage,
  removePendingEvents,
  saveMailOf,
  takePendingEvents,
  type ChosenMode,
  type PendingEvents,
} from './queries/delivery.ts'
import { inCauseOf } from '../tracing/tracing.ts'
import { findStopped } from '../mail/stopped-emails.ts'
import { countStrangerEmails, type StrangerEmail } from '../mail/stranger-limits.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import { saveMode } from './queries/held.ts'
import { namesActor, wordingOf } from '@kelisim/domain/notifications/wording.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import { longestVerdictWait } from '../requests/judging/judging.ts'
import { announce, ofPerson } from '../requests/core/queries/changes.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'

export type NotificationDependencies = {
  database: Database
  queueMail: QueueMail
  publicUrl: URL
  signedLinks: () => Promise<SignedLinks>
  clock: () => Date
}

/** Delivers the notifications of the next pending events; false if there are none. */
export async function deliverNext(
  dependencies: NotificationDependencies,
  queueRetry: (tx: Tx, pending: PendingEvents) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let pending: PendingEvents | undefined
  try {
    return await dependencies.database.write(async (tx) => {
      pending = await takePendingEvents(tx)
      if (pending) await deliverEvents(tx, pending, dependencies)
      return pending !== undefined
    })
  } catch (error) {
    onError(error)
    const failed = pending
    if (!failed) return false
    return dependencies.database.write(async (tx) => {
      const isStillPending = await removePendingEvents(tx, failed)
      if (isStillPending) await queueRetry(tx, failed)
      return true
    })
  }
}

/** Delivers in a loop until `stop` is called, which waits for the current delivery. */
export function startNotifying(
  next: () => Promise<boolean>,
  { everyMs = 500, onError }: { everyMs?: number; onError: (error: unknown) => void },
): Loop {
  return startLoop(next, { everyMs, onError })
}

/** Safe to repeat: a notice is added once. */
export async function deliverEvents(
  tx: Tx,
  pending: PendingEvents,
  dependencies: NotificationDependencies,
): Promise<void> {
  const loaded = await findRequest(tx, pending.requestId)
  if (!loaded) return
  const { act, at, remarks, cause } = await loadAct(tx, loaded, pending)
  if (tellsNobody(act)) return
  // The jobs of the e-mails continue with the request id of the call that caused the events.
  await inCauseOf(cause === null ? undefined : { requestId: cause }, 'producer', 'tell-events', () =>
    notify(tx, loaded, { act, at, remarks }, dependencies),
  )
}

async function notify(
  tx: Tx,
  loaded: LoadedRequest,
  { act, at, remarks }: Omit<LoadedAct, 'cause'>,
  dependencies: NotificationDependencies,
): Promise<void> {
  const context = await notificationContext(tx, loaded, dependencies.clock())
  const notices = noticesOf(context.request, act).map((notice) => {
    const { by, comment } = remarks.get(notice.number)!
    const { isDiscreet: isHidden, kind, asks, process } = notice
    // The actor is named only where the act itself may be told.
    const isNamed = !isHidden && namesActor(wordingOf({ kind, asks, process, by }))
    const about = { asks, process, by: isNamed ? by : null, comment: isHidden ? '' : comment }
    return { notice, occasion: `e${notice.number}`, about }
  })
  await addNotices(tx, loaded, context, notices, at, dependencies)
}

export type NewNotice = { notice: Notice; occasion: string; about: AboutNotice }

/** Adds each notice once, and queues the e-mails of recipients who want them at once. */
export async function addNotices(
  tx: Tx,
  loaded: LoadedRequest,
  { languages }: NotificationContext,
  newNotices: readonly NewNotice[],
  at: Date,
  dependencies: Omit<NotificationDependencies, 'database'>,
): Promise<void> {
  if (newNotices.length === 0) return
  const { row } = loaded
  const userIds = newNotices.flatMap(({ notice: { to } }) => to.userId ?? [])
  const modes = await findChosenModes(tx, userIds)
  const stopped = await findStopped(tx, addressesIn(newNotices), row.organizationId)
  const mailed = await mailedInPackage(tx, row, newNotices, at)
  const rows = newNotices.map(({ notice: { to, kind, isByEmail }, occasion, about }) => {
    const isStopped = to.userId === null && stopped.has(to.email)
    const mode =
      !isByEmail || to.email === null || mailed.has(packageNotice(recipientKey(to), kind))
        ? ('none' as const)
        : isStopped
          ? ('off' as const)
          : modeOf(modes, to, kind)
    return {
      id: newId(at.getTime()),
      requestId: row.id,
      occasion,
      kind,
      recipient: recipientKey(to),
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
      receipt: awaitsReceipt(about, kind, to, mode) ? ('awaited' as const) : null,
    }
  })
  const added = await addNoticeRows(tx, rows)
  const wanted = added.filter(({ mode }) => mode === 'at-once')
  const held = await holdOverLimits(tx, row, wanted, dependencies.clock())
  for (const one of wanted.filter(({ id }) => !held.has(id))) {
    const kind = newNotices.find(({ notice }) => notice.kind === one.kind)!.notice.kind
    const language = (one.userId && languages.get(one.userId)) || row.language
    await mailNotice(tx, loaded, { ...one, kind }, language, dependencies)
  }
  // Open pages refresh their count of unread notices.
  for (const userId of new Set(added.flatMap((one) => one.userId ?? [])))
    await announce(tx, ofPerson(userId), 0)
}

/**
 * Whether the receipt of a notice is awaited: it tells of a turn, and its reader has an account or gets an e-mail at
 * once.
 */
function awaitsReceipt(
  { asks }: AboutNotice,
  kind: NotificationKind,
  { userId }: Notice['to'],
  mode: 'none' | NotificationMode,
): boolean {
  const isOfTurn =
    asks !== null && kind !== 'reminder' && kind !== 'escalated' && kind !== 'signature-refused'
  return isOfTurn && (userId !== null || mode === 'at-once')
}

/** Kinds of notices that are sent once for all documents of a package; every other notice is about one document. */
const saidOnce: readonly NotificationKind[] = ['request-for-me', 'turn-came']
const packageNotice = (recipient: string, kind: string) => `${recipient} ${kind}`

/** Recipients who were just written to about another document of the package, whose page shows this one too. */
async function mailedInPackage(
  tx: Tx,
  { id, packageId }: RequestRow,
  notices: readonly NewNotice[],
  at: Date,
): Promise<Set<string>> {
  const isAbout = notices.some(({ notice }) => saidOnce.includes(notice.kind))
  const found = packageId === null || !isAbout ? undefined : await lockPackage(tx, packageId)
  if (!found) return new Set()
  // Documents answered together are answered in the same moment, but each signature is checked in its own time.
  const since = new Date(at.getTime() - (found.isTogether ? 2 * minute : 0))
  const mailed = await findMailedInPackage(tx, found.id, { exceptId: id, since, kinds: saidOnce })
  return new Set(mailed.map(({ recipient, kind }) => packageNotice(recipient, kind)))
}

/** Holds e-mails to people without an account that exceed a limit of the day; returns the ids of their notices. */
async function holdOverLimits(
  tx: Tx,
  row: RequestRow,
  notices: readonly { id: string; userId: string | null; email: string | null }[],
  now: Date,
): Promise<Set<string>> {
  const toStrangers = notices.filter(({ userId }) => userId === null)
  const emails = toStrangers.map(({ email }) => strangerEmailOf(email!, row))
  const limits = await countStrangerEmails(tx, emails, now)
  const held = toStrangers.filter((_, i) => limits[i] !== null).map(({ id }) => id)
  for (const id of held) await saveMode(tx, id, 'held')
  return new Set(held)
}

/** The e-mail counts for the limits of the author of the request. */
export function strangerEmailOf(
  to: string,
  { authorId, organizationId, senderConfirmedAt }: RequestRow,
): StrangerEmail {
  return { to, userId: authorId, organizationId, isConfirmed: senderConfirmedAt !== null }
}

export type MailedNotice = {
  id: string
  kind: NotificationKind
  about: AboutNotice
  userId: string | null
  organizationId: string | null
  email: string | null
  number: string | null
}

/** Queues the e-mail of a notice and records it with the notice. */
export async function mailNotice(
  tx: Tx,
  { row, request }: LoadedRequest,
  notice: MailedNotice,
  language: EmailRecipient['language'],
  { queueMail, publicUrl, signedLinks }: Omit<NotificationDependencies, 'database'>,
): Promise<string> {
  const points = pointsOf(request)
  const content = {
    requestId: row.id,
    kind: notice.kind,
    about: notice.about,
    name: row.name,
    organizationName: row.senderName,
    sender: senderIn(row),
    revision: row.revision,
    packageName: row.packageName,
    progress: { done: points.filter(isDone).length, total: points.length },
  }
  const links = { publicUrl, signedLinks: await signedLinks() }
  const id = newId()
  await queueMail(tx, { id, ...noticeEmail(content, emailRecipientOf(notice, language), links) })
  await saveMailOf(tx, [notice.id], id)
  return id
}

export function senderIn({
  organizationId,
  senderBin,
  senderConfirmedAt,
}: RequestRow): NoticeContent['sender'] {
  return { organizationId, bin: senderBin, confirmedAt: senderConfirmedAt }
}

export function emailRecipientOf(
  to: { userId: string | null; organizationId: string | null; email: string | null; number: string | null },
  language: EmailRecipient['language'],
): EmailRecipient {
  const { userId, organizationId, number } = to
  const email = to.email!
  return userId !== null && organizationId !== null
    ? { userId, organizationId, email, language }
    : { userId: null, number, email, language }
}

/** Addresses of recipients without an account. */
function addressesIn(newNotices: readonly NewNotice[]): string[] {
  return newNotices.flatMap(({ notice: { to } }) => (to.userId === null ? [to.email] : []))
}

function modeOf(modes: readonly ChosenMode[], to: Notice['to'], kind: string): NotificationMode {
  if (to.userId === null) return 'at-once'
  const chosen = modes.find(
    (one) => one.userId === to.userId && one.organizationId === to.organizationId && one.kind === kind,
  )
  return chosen?.mode ?? defaultNotificationMode
}

/** What was recorded with an event: the name of the actor, and the comment. */
type EventRemark = { by: string | null; comment: string }
type LoadedAct = {
  act: NotifiedAct
  at: Date
  remarks: Map<number, EventRemark>
  /** The request id of the call that caused the act. */
  cause: string | null
}

/** The signer of a signature that was refused late; null: it was judged while its signer waited for the result. */
function lateSignerOf(event: Awaited<ReturnType<typeof findEventsOf>>[number]): string | null {
  const { at, refusedSignerId, refusedReceivedAt, refusedTries } = event
  const waitedMs = at.getTime() - (refusedReceivedAt ?? at).getTime()
  const isLate = (refusedTries ?? 0) > 1 || waitedMs >= longestVerdictWait
  return isLate ? refusedSignerId : null
}

/** The pending events in the form of the rules, with what was recorded with each. */
async function loadAct(db: Db, { row, signing }: LoadedRequest, pending: PendingEvents): Promise<LoadedAct> {
  const events = await findEventsOf(db, pending)
  const [first] = events
  if (!first) throw new Error(`request ${row.id} has no event ${pending.firstNumber}`)
  const firstActor = first.actor ?? first.signer
  const actorId = firstActor?.id ?? (first.type === 'started' ? row.authorId : null)
  const remarks = new Map(
    events.map((event) => {
      const actor = event.actor ?? event.signer ?? firstActor
      return [event.number, { by: actor?.fullName ?? null, comment: event.signerComment ?? event.comment }]
    }),
  )
  return {
    remarks,
    cause: first.cause,
    at: first.at,
    act: {
      actorId,
      events: events.map((event): NotifiedEvent => ({
        number: event.number,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the rule itself
        type: event.type as NotifiedEvent['type'],
        process: event.pointId !== null && event.attempt > 0 ? 'terminating' : 'signing',
        pointId: event.pointId,
        hasComment: (event.signerComment ?? event.comment) !== '',
        isPersonal: signing.some(
          ({ pointId, isAudience }) => pointId === event.pointId && isAudience === true,
        ),
        lateSignerId: lateSignerOf(event),
      })),
    },
  }
}
