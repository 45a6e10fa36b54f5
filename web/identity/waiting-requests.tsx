import { useQuery } from '@tanstack/react-query'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Card } from '../ui/page/page.tsx'
import classes from './identity.module.css'
import { myJoinRequestsQuery } from './queries.ts'

/** Organisations whose owners have not yet accepted or declined the person. */
export function WaitingRequests() {
  const { t } = useTexts('identity')
  const { data } = useQuery(myJoinRequestsQuery())
  if (!data || data.items.length === 0) return null
  return (
    <Card title={t('waiting.title')}>
      <p>{t('waiting.text')}</p>
      <ul className={classes.waiting} aria-label={t('waiting.title')}>
        {data.items.map(({ id, organizationName, bin, createdAt }) => (
          <li key={id}>
            <b>{organizationName}</b>
            <small>
              {t('common:bin')} {inGroups(bin)} · {t('waiting.since', { date: formatMoment(createdAt) })}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  )
}
