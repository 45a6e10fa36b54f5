import type { ComponentProps } from 'react'
import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { day } from '@kelisim/domain/durations.ts'
import { usageColour, usageWarning } from '@kelisim/domain/subscriptions/tariffs.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './header.module.css'
import { useWorkplace } from '../session/session.ts'

const colours = { green: 'var(--ok)', yellow: 'var(--gold)', red: 'var(--bad)' }

const circumference = 2 * Math.PI * 18

/** Uses the current time at each render, because a page may stay open overnight. */
function daysUntil(date: string): number {
  return Math.ceil((Date.parse(date) - Date.now()) / day)
}

export function useUsage() {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const { data } = useQuery(query(getSubscriptions, { organizationId: organization.Id }))
  if (!data) return null
  const { createdSigningRequestCount: used, maxSigningRequestCount: maximum } = data.activeSubscription
  const text =
    maximum === null ? t('shell:usage.unlimited', { used }) : t('shell:usage.used', { used, maximum })
  const { endDate } = data.activeSubscription
  const warning = usageWarning({
    used,
    maximum,
    daysLeft: endDate === null ? null : daysUntil(endDate),
    hasSuccessor: data.pendingSubscriptions.length > 0,
  })
  return { data, used, maximum, text, warning }
}

export function RingButton(props: Omit<ComponentProps<typeof UnstyledButton<'button'>>, 'children'>) {
  const { t } = useTexts()
  const usage = useUsage()
  // An empty placeholder, so that the header does not move when the numbers arrive.
  if (!usage) return <span className={classes.ring} aria-hidden />
  const { used, maximum, text } = usage
  const { nameKey } = usage.data.activeSubscription
  const share = maximum === null ? 0 : Math.min(1, maximum === 0 ? 1 : used / maximum)
  return (
    <UnstyledButton
      {...props}
      className={classes.ring}
      aria-label={`${t(`shell:tariffs.${nameKey}`)}: ${text}`}
    >
      <svg width="44" height="44" viewBox="0 0 44 44" fill="none" strokeWidth="4" aria-hidden="true">
        <circle cx="22" cy="22" r="18" stroke="var(--line)" />
        <circle
          cx="22"
          cy="22"
          r="18"
          visibility={share === 0 ? 'hidden' : 'visible'}
          stroke={colours[usageColour(used, maximum)]}
          strokeLinecap="round"
          strokeDasharray={`${share * circumference} ${circumference}`}
          transform="rotate(-90 22 22)"
        />
      </svg>
      <b aria-hidden>{maximum === null ? '∞' : `${Math.round(share * 100)}%`}</b>
    </UnstyledButton>
  )
}
