import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import type { OrganizationEvent } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { formatMoment } from '../ui/format/dates.ts'
import { useListSearch } from '../ui/list/list-search.ts'
import { Paging } from '../ui/list/paging.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { OwnersOnly } from './shared/owners-only.tsx'
import { usePortalOrganization } from './shared/place.ts'
import classes from './shared/portal.module.css'
import { organizationEventsQuery } from './shared/queries.ts'

export function HistoryPage() {
  return (
    <OwnersOnly>
      <History />
    </OwnersOnly>
  )
}

function History() {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const position = useListSearch()
  const { data, error, refetch } = useQuery({
    ...organizationEventsQuery(organization.Id, position),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={t('portal:history.title')} lead={t('portal:history.lead')} isNarrow>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data?.totalCount === 0 && <NoData text={t('portal:history.empty')} />}
      {data && data.totalCount > 0 && (
        <>
          <Card>
            <ol className={classes.timeline}>
              {data.items.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ol>
          </Card>
          <Paging totalCount={data.totalCount} />
        </>
      )}
    </Page>
  )
}

function EventLine({ event }: { event: z.output<typeof OrganizationEvent> }) {
  const { t } = useTexts()
  const optionNames = useOptionNames()
  const subject = event.type === 'options-changed' ? optionNames(event.subject) : event.subject
  return (
    <li>
      <b>{t(`portal:history.events.${event.type}`, { subject })}</b>
      <small>{t('portal:history.by', { name: event.by, time: formatMoment(event.at) })}</small>
    </li>
  )
}

/** Translates the names of options, which events store as the contract has them, into texts. */
function useOptionNames(): (subject: string) => string {
  const { find } = useTexts()
  return (subject) =>
    subject
      .split(', ')
      .map((name) => find(`portal:history.options.${name}`) ?? name)
      .join(', ')
}
