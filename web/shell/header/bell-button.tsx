import type { ComponentProps } from 'react'
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countUnread, unreadLimit } from '@kelisim/domain/notifications/contract.ts'
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

export function BellButton(props: Omit<ComponentProps<typeof UnstyledButton<'button'>>, 'children'>) {
  const { t } = useTexts('shell')
  const unread = useUnread()
  const count = unread > unreadLimit ? `${unreadLimit}+` : String(unread)
  return (
    <UnstyledButton
      {...props}
      className={classes.bell}
      aria-label={unread === 0 ? t('bell.open') : t('bell.unread', { count: unread, shown: count })}
    >
      <BellIcon size={22} />
      {unread > 0 && <b aria-hidden>{count}</b>}
    </UnstyledButton>
  )
}
