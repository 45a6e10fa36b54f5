import type { ComponentProps } from 'react'
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countUnread, unreadLimit } from '@kelisim/domain/notifications/contract.ts'
import { countWaiting } from '@kelisim/domain/requests/list-contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { BellIcon } from '../../ui/look/icons.tsx'
import classes from './header.module.css'
import { useWorkplace } from '../session/session.ts'

export function useUnread(): number {
  const { organization } = useWorkplace()
  const { data } = useQuery(query(countUnread, { organizationId: organization.Id }))
  return data?.unreadCount ?? 0
}

/** Shows the number of requests that wait for the person; if none waits, a dot tells of other news. */
export function BellButton(props: Omit<ComponentProps<typeof UnstyledButton<'button'>>, 'children'>) {
  const { t } = useTexts('shell')
  const { organization } = useWorkplace()
  const unread = useUnread()
  const { data } = useQuery(query(countWaiting, { organizationId: organization.Id }))
  const waiting = data?.count ?? 0
  const news = unread > unreadLimit ? `${unreadLimit}+` : String(unread)
  const label = [
    unread === 0 ? t('bell.open') : t('bell.unread', { count: unread, shown: news }),
    ...(waiting > 0 ? [t('bell.waiting', { shown: waiting })] : []),
  ]
  return (
    <UnstyledButton {...props} className={classes.bell} aria-label={label.join(', ')}>
      <BellIcon size={22} />
      {waiting > 0 && <b aria-hidden>{waiting > unreadLimit ? `${unreadLimit}+` : waiting}</b>}
      {waiting === 0 && unread > 0 && <i aria-hidden />}
    </UnstyledButton>
  )
}
