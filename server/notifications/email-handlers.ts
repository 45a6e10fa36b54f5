/** E-mails about a request for its author and owners: their delivery, sending one again, and manual reminders. */
import type * as z from 'zod/mini'
import type { Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { notificationKinds } from '@kelisim/domain/options/options.ts'
import { reasonOf } from '@kelisim/domain/mail/delivery.ts'
import { mayRemind, whyNotResend } from '@kelisim/domain/notifications/resending.ts'
import {
  getRequestEmails,
  EmailView,
  remindOfRequest,
  resendEmail,
  type EmailState,
} from '@kelisim/domain/notifications/emails-contract.ts'
import { mayEditRequest, maySee, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Serve } from '../http/serve.ts'
import { isStopped } from '../mail/stopped-emails.ts'
import { countOrRefuse } from '../mail/stranger-limits.ts'
import { findNotificationModes } from '../options/queries.ts'
import { lockVisibleRequest, partyOf, visibleRequest, type Party } from '../requests/core/party.ts'
import {
  countEmails,
  findEmail,
  findEmails,
  findResentTimes,
  saveResent,
  type EmailRow,
} from './queries/emails.ts'
import { findLastReminder } from './queries/reminders.ts'
import { findReminder, sendReminders } from './reminders.ts'
import { mailNotice, strangerEmailOf, type NotificationDependencies } from './delivery.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'

export function emailHandlers(serve: Serve, dependencies: NotificationDependencies): void {
  serve(getRequestEmails, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    // Other participants must not see whom the sender's side notified.
    if (!mayManageEmails(loaded, party)) refuse('signing-request-not-found')
    const { pointId, process } = input
    // Attempt 0 is the signing itself.
    const attempt = process === 'terminating' ? Math.max(loaded.row.attempt, 1) : 0
    const at = pointId === undefined ? undefined : { pointId, attempt }
    const [items, totalCount, reminder] = await Promise.all([
      findEmails(db, loaded.row.id, at, input),
      countEmails(db, loaded.row.id, at),
      findReminder(db, loaded, party.viewer.id, now),
    ])
    const resent = await findResentTimes(db, loaded.row.id)
    return { items: items.map((row) => emailView(row, loaded, resent, now)), totalCount, reminder }
  })

  serve(resendEmail, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    return write(async (tx) => {
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      if (!mayManageEmails(loaded, party)) refuse('not-enough-permissions')
      const row = await findEmail(tx, loaded.row.id, input.noticeId)
      if (!row) return refuse('letter-not-found')
      const resent = await findResentTimes(tx, loaded.row.id)
      const alias = whyNotResend({ state: stateOf(row), resentAt: resent.get(row.recipient) ?? null }, now)
      if (alias) refuse(alias)
      const email = (await currentAddress(tx, row, loaded, now)) ?? refuse('letter-not-found')
      const { row: request } = loaded
      if (row.userId === null) await countOrRefuse(tx, strangerEmailOf(email, request), now)
      const kind = EmailView.shape.kind.parse(row.kind)
      const id = await mailNotice(
        tx,
        loaded,
        { ...row, kind, email },
        row.language ?? request.language,
        dependencies,
      )
      await saveResent(tx, row.id, { email, mailId: id, resentAt: now })
      const fresh = (await findEmail(tx, loaded.row.id, row.id))!
      return emailView(fresh, loaded, resent.set(row.recipient, now), now)
    })
  })

  serve(remindOfRequest, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    return write(async (tx) => {
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      if (!mayManageEmails(loaded, party)) refuse('not-enough-permissions')
      if (!mayRemind(await findLastReminder(tx, loaded.row.id, 'manual'), now)) refuse('reminded-recently')
      const count = await sendReminders(tx, loaded, who.userId, { ...dependencies, clock: () => now })
      if (count === 0) refuse('nobody-to-remind')
      return findReminder(tx, loaded, party.viewer.id, now)
    })
  })
}

function mayManageEmails({ row }: LoadedRequest, { viewer }: Party): boolean {
  return mayEditRequest(row, viewer)
}

/**
 * The address for sending an e-mail again; null if it must not be sent: the person has left the organisation, may not see
 * the request any more or has turned these e-mails off. A changed address is used.
 */
async function currentAddress(
  tx: Tx,
  { email, userId, kind, organizationId, roles, emailNow, isEmailConfirmed }: EmailRow,
  { row, request }: LoadedRequest,
  now: Date,
): Promise<string | null> {
  if (userId === null) {
    return email !== null && (await isStopped(tx, email, row.organizationId)) ? null : email
  }
  if (organizationId === null || roles === null || !emailNow || !isEmailConfirmed) return null
  const modes = await findNotificationModes(tx, organizationId, userId)
  const isOff = notificationKinds.some((one) => one === kind && modes.get(one) === 'off')
  const { viewer } = await partyOf(tx, { userId, member: { organizationId, roles } }, now)
  return isOff || !maySee(seenOf(row, request), viewer) ? null : emailNow
}

/** The state of the e-mail, or why there is none. */
function stateOf({ mode, state }: EmailRow): EmailState {
  return state ?? (mode === 'at-once' ? 'none' : mode)
}

function emailView(
  row: EmailRow,
  loaded: LoadedRequest,
  resent: Map<string, Date>,
  now: Date,
): z.input<typeof EmailView> {
  const state = stateOf(row)
  const isOurs = row.organizationId === loaded.row.organizationId
  const hasNoAccount = row.userId === null
  const hasFailed =
    state === 'refused' || state === 'failed' || (state === 'queued' && row.lastError !== null)
  const isGone = !hasNoAccount && row.language === null
  return {
    noticeId: row.id,
    kind: EmailView.shape.kind.parse(row.kind),
    at: (row.writtenAt ?? row.createdAt).toISOString(),
    recipient: hasNoAccount ? null : isOurs ? row.fullName : row.shortName,
    address: row.email === null || isOurs || hasNoAccount ? row.email : masked(row.email),
    state,
    reason: hasFailed ? reasonOf(row.replyCode, row.lastError ?? '') : ownReasonOf(state, hasNoAccount),
    answer: hasFailed && (isOurs || hasNoAccount) ? (row.lastError ?? '') : '',
    canResend:
      !isGone &&
      row.email !== null &&
      whyNotResend({ state, resentAt: resent.get(row.recipient) ?? null }, now) === null,
  }
}

/** The reason for a state that does not follow from a response of a mail server. */
function ownReasonOf(state: EmailState, hasNoAccount: boolean): z.input<typeof EmailView>['reason'] {
  if (state === 'uncertain') return 'no-answer'
  if (state === 'held') return 'day-limit'
  if (state === 'outdated') return 'not-awaited'
  return state === 'off' && hasNoAccount ? 'address-stopped' : null
}

/** Addresses of another organisation's people are shown only in part. */
function masked(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}…@${domain}`
}
