/** The list of notifications, the newest first, each linking to its request. */
import { useState } from 'react'
import { Button, Popover } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countUnread, getNotices, readNotices } from '@kelisim/domain/notifications/contract.ts'
import { wordingOf } from '@kelisim/domain/notifications/wording.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { call, query, type ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import classes from './bell.module.css'
import { useWorkplace } from '../session/session.ts'
import { BellButton, useUnread } from './bell-button.tsx'

type NoticesPage = z.output<typeof getNotices.result>
type Notice = NoticesPage['items'][number]

const take = 10

export function BellMenu({ isOpenAtFirst }: LazyMenuProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst ?? false)
  const { t } = useTexts('notifications')
  return (
    <Popover
      position="bottom-end"
      width="min(420px, calc(100vw - 16px))"
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <BellButton onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('bell.title')}>
        {isOpen && <Contents onLeave={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Contents({ onLeave }: { onLeave: () => void }) {
  const { t } = useTexts('notifications')
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const unread = useUnread()
  const read = useRead(organizationId)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery<
    NoticesPage,
    ApiError
  >({
    queryKey: [getNotices.path, organizationId],
    queryFn: ({ pageParam, signal }) =>
      call(getNotices, { organizationId, skip: Number(pageParam), take }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0)
      return shown < last.totalCount ? shown : undefined
    },
    staleTime: 0,
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className={classes.bell} aria-label={t('bell.title')}>
      <header>
        <h2>{t('bell.title')}</h2>
        {unread > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={read.isPending}
            onClick={() => read.mutate(undefined)}
          >
            {t('bell.readAll')}
          </Button>
        )}
      </header>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={4} />}
      {data && items.length === 0 && (
        <p className={classes.empty}>
          <b>{t('bell.empty')}</b>
          <br />
          {t('bell.emptyText')}
        </p>
      )}
      <ul>
        {items.map((notice) => (
          <li key={notice.id}>
            <Line
              notice={notice}
              onOpen={() => {
                if (!notice.isRead) read.mutate(notice.id)
                onLeave()
              }}
            />
          </li>
        ))}
      </ul>
      <footer>
        {hasNextPage && (
          <Button
            variant="default"
            size="compact-md"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('bell.more')}
          </Button>
        )}
        <Link to={pages.today} onClick={onLeave}>
          {t('bell.today')}
        </Link>
        <Link to="/options/{-$name}" params={{ name: 'NotificationSettings' }} onClick={onLeave}>
          {t('bell.settings')}
        </Link>
      </footer>
    </section>
  )
}

function Line({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const { t } = useTexts('notifications')
  const { name, organizationName: organization, by, comment, isRead } = notice
  const words = wordingOf(notice)
  return (
    <Link
      className={isRead ? classes.read : classes.unread}
      to="/signingRequests/$route/$id"
      params={{ route: 'all', id: notice.signingRequestId }}
      onClick={onOpen}
    >
      <b>
        {t(`what.${words}.title`)}
        {!isRead && <i aria-label={t('bell.new')} role="img" />}
      </b>
      <span>{t(`what.${words}.text`, { name, organization, by: by ?? organization })}</span>
      {comment !== '' && <q>{comment}</q>}
      <small>{formatMoment(notice.createdAt)}</small>
    </Link>
  )
}

/** Marks one notification as read, or all if no id is given. */
function useRead(organizationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (noticeId: string | undefined) =>
      call(readNotices, { organizationId, ...(noticeId !== undefined && { noticeId }) }),
    onSuccess: (counted) => {
      client.setQueryData(query(countUnread, { organizationId }).queryKey, counted)
      void client.invalidateQueries({ queryKey: [getNotices.path] })
    },
  })
}
