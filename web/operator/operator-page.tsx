/** The page of operators. Everybody else gets "page not found". */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouteContext } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import type { Session } from '../shell/session/session.ts'
import { ActsSection } from './acts-section.tsx'
import classes from './operator.module.css'
import { healthQuery, overviewQuery } from './queries.ts'
import { StateSections } from './state-sections.tsx'
import { TrustSections } from './trust-sections.tsx'
import { WorkSections } from './work-sections.tsx'
import type { HealthQuery } from './overview.ts'

const tabs = ['state', 'jobs', 'trust', 'acts'] as const
type Tab = (typeof tabs)[number]

/** How often the state is polled. */
const lookEvery = 15_000

export function OperatorPage() {
  const { session }: { session: Session } = useRouteContext({ strict: false }) as { session: Session }
  const { tab = 'state' } = useParams({ strict: false })
  const known = tabs.find((one) => one === tab)
  return session.profile.IsOperator && known ? <Operator tab={known} /> : <PageNotFound />
}

function Operator({ tab }: { tab: Tab }) {
  const { t } = useTexts('operator')
  const health = useQuery({ ...healthQuery(), refetchInterval: 4 * lookEvery })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      note={
        health.data &&
        t('running', { version: health.data.version, since: formatMoment(health.data.startedAt) })
      }
    >
      <nav className={classes.tabs} aria-label={t('tabs.label')}>
        {tabs.map((one) => (
          <Link
            key={one}
            to="/operator/{-$tab}"
            params={{ tab: one === 'state' ? undefined : one }}
            search={{}}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {t(`tabs.${one}`)}
          </Link>
        ))}
      </nav>
      {tab === 'acts' ? <ActsSection /> : <OverviewSections tab={tab} health={health} />}
    </Page>
  )
}

function OverviewSections({ tab, health }: { tab: Exclude<Tab, 'acts'>; health: HealthQuery }) {
  const { data, error, refetch } = useQuery({
    ...overviewQuery(),
    refetchInterval: lookEvery,
    placeholderData: keepPreviousData,
  })
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingLines />
  if (tab === 'state') return <StateSections overview={data} health={health} />
  return tab === 'jobs' ? <WorkSections overview={data} /> : <TrustSections overview={data} />
}
