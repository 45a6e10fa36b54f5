/** The details of how much of the tariff is used, opened by a click on the ring. */
import { Popover } from '@mantine/core'
import { needsWarning } from '@kelisim/domain/subscriptions/tariffs.ts'
import { day } from '@kelisim/domain/durations.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import classes from './header.module.css'
import { RingButton, useUsage } from './ring-button.tsx'

/** Computed at each render, because a page may stay open overnight. */
function daysUntil(date: string): number {
  return Math.ceil((Date.parse(date) - Date.now()) / day)
}

export function UsageDetails({ isOpenAtFirst }: LazyMenuProps) {
  const { t } = useTexts()
  const usage = useUsage()
  if (!usage) return <RingButton />
  const { data, used, maximum, text } = usage
  const { nameKey, endDate, countedFor } = data.activeSubscription
  const daysLeft = endDate === null ? null : daysUntil(endDate)
  const isNearEnd = daysLeft !== null && daysLeft < 30
  return (
    <Popover position="bottom-end" withArrow defaultOpened={isOpenAtFirst ?? false}>
      <Popover.Target>
        <RingButton />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.usage}>
          <b>
            {t('shell:usage.title')}: {t(`shell:tariffs.${nameKey}`)}
          </b>
          <p>{text}</p>
          {countedFor !== 'organization' && <p>{t(`shell:usage.countedFor.${countedFor}`)}</p>}
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
