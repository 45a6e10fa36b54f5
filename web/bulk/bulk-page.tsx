/** One bulk sending: the plan of its columns, its rows with their problems, and later the progress. */
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { Badge } from '../ui/look/badge.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { PlanForm } from './plan-form.tsx'
import { Preview } from './preview.tsx'
import { BulkProgress } from './progress.tsx'
import { bulkQuery, type BulkKey } from './queries.ts'

/** How often the progress is read while rows are sent. */
const followEvery = 1500

export function BulkPage() {
  const { organization } = useWorkplace()
  const bulkId = idOf(useAddress().params.id)
  if (bulkId === undefined) return <PageNotFound />
  return <OneBulk key={bulkId} bulkKey={{ organizationId: organization.Id, bulkId }} />
}

function OneBulk({ bulkKey }: { bulkKey: BulkKey }) {
  const { t } = useTexts('bulk')
  const { data, error, refetch } = useQuery({
    ...bulkQuery(bulkKey),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? followEvery : false),
  })
  if (error?.status === 404) return <PageNotFound />
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const note = <Badge tone={data.state === 'done' ? 'ok' : 'off'}>{t(`states.${data.state}`)}</Badge>
  return (
    <Page title={data.fileName} note={note}>
      {data.state === 'draft' ? (
        <>
          <PlanForm bulk={data} bulkKey={bulkKey} />
          {data.plan && <Preview bulk={data} bulkKey={bulkKey} />}
        </>
      ) : (
        <BulkProgress bulk={data} bulkKey={bulkKey} />
      )}
    </Page>
  )
}
