/** The details of how much of the tariff is used, opened by a click on the ring. */
import { Popover } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import classes from './header.module.css'
import { RingButton, useUsage } from './ring-button.tsx'

export function UsageDetails({ isOpenAtFirst }: LazyMenuProps) {
  const { t } = useTexts()
  const usage = useUsage()
  if (!usage) return <RingButton />
  const { data, text, warning } = usage
  const { nameKey, endDate, countedFor } = data.activeSubscription
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
          {warning && (
            <p className={classes.warning}>
              <WarningIcon size={18} />
              {t(`shell:usage.${warning}`)}
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
