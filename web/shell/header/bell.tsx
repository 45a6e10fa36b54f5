/** The bell in the header with live numbers. The list of notifications is loaded later. */
import { useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { countUnread, getNotices, readNotices } from '@kelisim/domain/notifications/contract.ts'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { isId } from '@kelisim/domain/ids.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { call, query } from '../../api/api.ts'
import { refresh } from '../../api/refresh.ts'
import { loadTexts } from '../../i18n/language.ts'
import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import './header.module.css'
import { useLive } from '../session/live.ts'
import { useWorkplace } from '../session/session.ts'
import { BellButton } from './bell-button.tsx'

const askedAgainAfter = minute

/** Listens for events of the whole page; renders nothing. */
export function BellListener() {
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const isLive = useLive({ organizationId }, (message, isFirst) => {
    if (message.type !== 'notices') return
    const { queryKey } = query(countUnread, { organizationId })
    const before = client.getQueryData(queryKey)?.unreadCount
    client.setQueryData(queryKey, { unreadCount: message.unreadCount })
    if (isFirst && before === message.unreadCount) return
    // The event may concern a list on the screen.
    for (const path of [getNotices.path, countWaiting.path, getRequests.path]) refresh(client, [path])
  })
  const unread = useQuery({
    ...query(countUnread, { organizationId }),
    refetchInterval: isLive ? false : askedAgainAfter,
  }).data?.unreadCount
  useReadWhereLooked(organizationId, unread ?? 0)
  return null
}

const requestPage = /^\/signingRequests\/[^/]+\/([^/]+)$/i

/** Opening a request marks its notifications as read. */
function useReadWhereLooked(organizationId: string, unread: number): void {
  const client = useQueryClient()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const id = requestPage.exec(path)?.[1]
  const signingRequestId = id !== undefined && isId(id) ? id.toLowerCase() : undefined
  useEffect(() => {
    if (signingRequestId === undefined || unread === 0) return
    const read = async () => {
      const counted = await call(readNotices, { organizationId, signingRequestId })
      client.setQueryData(query(countUnread, { organizationId }).queryKey, counted)
      await client.invalidateQueries({ queryKey: [getNotices.path] })
    }
    // A failure is ignored: the next request tries again.
    read().catch(() => {})
  }, [client, organizationId, signingRequestId, unread])
}

export const Bell = lazyMenu<object>(
  async () => {
    const [{ BellMenu }] = await Promise.all([import('./bell-menu.tsx'), loadTexts('notifications')])
    return BellMenu
  },
  BellButton,
  'dialog',
)
