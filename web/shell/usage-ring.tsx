/** How much of the tariff is used: a circle in the header, the whole story on a click. */
import { Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { needsWarning, usageColour } from '@kelisim/domain/subscriptions/tariffs.ts'
import { query } from '../api.ts'
import { formatDate } from '../ui/dates.ts'
import { WarningIcon } from '../ui/icons.tsx'
import classes from './header.module.css'
import { useWorkplace } from './session.ts'

const colours = { green: 'var(--ok)', yellow: 'var(--gold)', red: 'var(--bad)' }
const day = 24 * 60 * 60 * 1000
/** Asked anew at each drawing: a page left open overnight must not lie. */
function daysUntil(date: string): number {
  return Math.ceil((Date.parse(date) - Date.now()) / day)
}

const circumference = 2 * Math.PI * 18

export function UsageRing() {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const { data } = useQuery(query(getSubscriptions, { organizationId: organization.Id }))
  if (!data) return null
  const {
    nameKey,
    endDate,
    createdSigningRequestCount: used,
    maxSigningRequestCount: maximum,
  } = data.activeSubscription
  const daysLeft = endDate === null ? null : daysUntil(endDate)
  const share = maximum === null ? 0 : Math.min(1, maximum === 0 ? 1 : used / maximum)
  const isNearEnd = daysLeft !== null && daysLeft < 30
  const text =
    maximum === null ? t('shell:usage.unlimited', { used }) : t('shell:usage.used', { used, maximum })
  return (
    <Popover position="bottom-end" withArrow>
      <Popover.Target>
        <UnstyledButton className={classes.ring} aria-label={`${t(`shell:tariffs.${nameKey}`)}: ${text}`}>
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
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.usage}>
          <b>
            {t('shell:usage.title')}: {t(`shell:tariffs.${nameKey}`)}
          </b>
          <p>{text}</p>
          {endDate && <p>{t('shell:usage.until', { date: formatDate(endDate) })}</p>}
          {needsWarning(used, maximum, daysLeft) && (
            <p className={classes.warning}>
              <WarningIcon size={18} />
              {t(isNearEnd ? 'shell:usage.nearEnd' : 'shell:usage.nearLimit')}
            </p>
          )}
          {data.pendingSubscriptions.map((pending) => (
            <p key={pending.startDate}>
              {t('shell:usage.pending', {
                date: formatDate(pending.startDate),
                tariff: t(`shell:tariffs.${pending.nameKey}`),
              })}
            </p>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
