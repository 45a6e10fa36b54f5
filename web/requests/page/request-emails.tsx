/** The e-mails about the request and their delivery state; for its author and the owners. */
import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  getRequestEmails,
  remindOfRequest,
  resendEmail,
  type EmailState,
} from '@kelisim/domain/notifications/emails-contract.ts'
import type * as z from 'zod/mini'
import { call, type ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment, formatShortMoment } from '../../ui/format/dates.ts'
import { BellIcon } from '../../ui/look/icons.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card } from '../../ui/page/page.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import classes from './emails.module.css'
import type { RequestKey } from '../shared/queries.ts'

type EmailsPage = z.output<typeof getRequestEmails.result>
type EmailView = EmailsPage['items'][number]

const take = 5

/** The e-mails of the whole request, or with `at` only those that announced the turn of one point. */
type OfEmails = { requestKey: RequestKey; version: number; at?: PointOfEmails | undefined }

export type PointOfEmails = { pointId: string; process: 'signing' | 'terminating' }

function queryKeyOf(requestKey: RequestKey): readonly unknown[] {
  return [getRequestEmails.path, requestKey]
}

function useEmails({ requestKey, version, at }: OfEmails) {
  return useInfiniteQuery<EmailsPage, ApiError>({
    queryKey: [...queryKeyOf(requestKey), at?.pointId, at?.process, version],
    queryFn: ({ pageParam, signal }) =>
      call(getRequestEmails, { ...requestKey, ...at, skip: Number(pageParam), take }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0)
      return shown < last.totalCount ? shown : undefined
    },
    // E-mails are created and delivered shortly after the event: keep polling.
    refetchInterval: ({ state }) => (isOnTheWay(state.data?.pages) ? 3_000 : false),
    placeholderData: (before) => before,
  })
}

export function RequestEmails(of: OfEmails) {
  const { t } = useTexts('notifications')
  const emails = useEmails(of)
  const { data, error, refetch } = emails
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  const reminder = data?.pages[0]?.reminder
  return (
    <Card title={t('emails.title')}>
      {data?.pages[0]?.totalCount === 0 && <p className={classes.quiet}>{t('emails.empty')}</p>}
      <EmailRows requestKey={of.requestKey} emails={emails} label={t('emails.title')} />
      {reminder && (
        <Remind reminder={reminder} requestKey={of.requestKey} queryKey={queryKeyOf(of.requestKey)} />
      )}
    </Card>
  )
}

/** The e-mails that told the people of a point of their turn; nothing is shown if there were none. */
export function PointEmails({ label, ...of }: OfEmails & { label: string }) {
  const emails = useEmails(of)
  if (emails.error) return <LoadFailed error={emails.error} onRetry={() => void emails.refetch()} />
  if (emails.data?.pages[0]?.totalCount === 0) return null
  return <EmailRows requestKey={of.requestKey} emails={emails} label={label} />
}

function EmailRows(props: { requestKey: RequestKey; emails: ReturnType<typeof useEmails>; label: string }) {
  const { t } = useTexts('notifications')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = props.emails
  const items = data?.pages.flatMap((page) => page.items)
  const queryKey = queryKeyOf(props.requestKey)
  return (
    <>
      {!items && <LoadingLines count={3} />}
      <ul className={classes.emails} aria-label={props.label}>
        {items?.map((email) => (
          <EmailRow key={email.noticeId} email={email} requestKey={props.requestKey} queryKey={queryKey} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" mt={12} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('emails.more')}
        </Button>
      )}
    </>
  )
}

function isOnTheWay(pages: readonly EmailsPage[] | undefined): boolean {
  const states = pages?.flatMap(({ items }) => items.map(({ state }) => state)) ?? []
  return states.some((state) => state === 'queued' || state === 'handing-over')
}

const tones: Record<EmailState, 'ok' | 'bad' | 'wait' | 'off'> = {
  queued: 'wait',
  'handing-over': 'wait',
  sent: 'ok',
  refused: 'bad',
  failed: 'bad',
  uncertain: 'wait',
  kept: 'ok',
  daily: 'off',
  off: 'off',
  none: 'off',
  held: 'wait',
  outdated: 'off',
}

type Of = { requestKey: RequestKey; queryKey: readonly unknown[] }

function EmailRow({ email, requestKey, queryKey }: { email: EmailView } & Of) {
  const { t } = useTexts('notifications')
  const client = useQueryClient()
  const { recipient, address, state, reason, answer, kind, at, noticeId } = email
  const who = recipient ?? address ?? ''
  // The address is shown only when it matters: when the e-mail may not have arrived.
  const isInDoubt = tones[state] === 'bad' || state === 'uncertain'
  const resend = useMutation({
    mutationFn: () => call(resendEmail, { ...requestKey, noticeId }),
    onSuccess: () => {
      toast(t('emails.resent'))
      return client.invalidateQueries({ queryKey })
    },
  })
  return (
    <li>
      <p className={classes.who}>
        <b title={address ?? undefined}>{who}</b>{' '}
        {isInDoubt && address !== null && address !== who && <span>{address}</span>}{' '}
        <span>{t('emails.at', { kind: t(`emails.kinds.${kind}`), date: formatShortMoment(at) })}</span>
      </p>
      <div className={classes.end} {...(email.canResend && { 'data-again': true })}>
        <p className={classes.state} data-tone={tones[state]}>
          {t(`emails.states.${state}`)}
        </p>
        {email.canResend && (
          <Button
            className={classes.again ?? ''}
            variant="subtle"
            size="compact-sm"
            aria-label={t('emails.resendTo', { recipient: who })}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {t('emails.resend')}
          </Button>
        )}
      </div>
      {reason && <p className={classes.reason}>{t(`emails.reasons.${reason}`)}</p>}
      {answer && <p className={classes.reason}>{t('emails.serverSaid', { answer })}</p>}
    </li>
  )
}

function Remind({ reminder, requestKey, queryKey }: { reminder: EmailsPage['reminder'] } & Of) {
  const { t } = useTexts('notifications')
  const client = useQueryClient()
  const remind = useMutation({
    mutationFn: () => call(remindOfRequest, requestKey),
    onSuccess: () => {
      toast(t('emails.reminded'))
      return client.invalidateQueries({ queryKey })
    },
  })
  const { canRemind, lastAt } = reminder
  if (!canRemind && lastAt === null) return null
  return (
    <div className={classes.remind}>
      {canRemind && (
        <Button
          variant="default"
          leftSection={<BellIcon size={18} />}
          loading={remind.isPending}
          onClick={() => remind.mutate()}
        >
          {t('emails.remind')}
        </Button>
      )}
      <p className={classes.quiet}>
        {canRemind && t('emails.remindHelp')}{' '}
        {lastAt && t('emails.remindedAt', { date: formatMoment(lastAt) })}
      </p>
    </div>
  )
}
